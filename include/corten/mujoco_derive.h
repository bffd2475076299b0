/// @file
/// Part of corten/mujoco.h: derivatives.
#pragma once

#include "corten/derive.h"
#include "corten/mujoco_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As there. The matrices are those of ct_derive_transition_fd().
static inline void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtBool flg_centered, mjtNum* A,
                                    mjtNum* B, mjtNum* C, mjtNum* D) {
  ctDerive* w = NULL;
  ctDifferences how;
  how.eps = eps;
  how.centered = flg_centered != 0;
  ctStatus status = ct_derive_create(&w, m, 1, NULL);
  if (status == CT_OK) status = ct_derive_transition_fd(w, d, &how, A, B, C, D, NULL);
  ct_derive_free(w);
  ct_mj_check("mjd_transitionFD", status, d);
}
/// As there. The matrices are those of ct_derive_inverse_fd().
static inline void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtBool flg_actuation, mjtNum* DfDq,
                                 mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                                 mjtNum* DmDq) {
  ctDerive* w = NULL;
  ctStatus status = ct_derive_create(&w, m, 1, NULL);
  if (status == CT_OK)
    status =
        ct_derive_inverse_fd(w, d, eps, flg_actuation != 0, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq, NULL);
  ct_derive_free(w);
  ct_mj_check("mjd_inverseFD", status, d);
}
/// As there.
static inline void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  ct_derive_quat_difference(qb, qa, Db, Da);
}
/// As there.
static inline void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
                                     mjtNum Dscale[3]) {
  ct_derive_quat_integration(vel, scale, Dquat, Dvel, Dscale);
}

#ifdef __cplusplus
}
#endif
