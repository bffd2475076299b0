/// @file
/// Part of corten/mujoco.h: models, data, steps and queries.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "corten/corten.h"
#include "corten/mujoco_enums.h"
#include "corten/mujoco_log.h"
#include "corten/mujoco_math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ctModel mjModel;              ///< as there
typedef ctData mjData;                ///< as there
typedef ctOption mjOption;            ///< as there
typedef ctVisual mjVisual;            ///< as there
typedef ctStatistic mjStatistic;      ///< as there
typedef ctContact mjContact;          ///< as there
typedef ctSolverStat mjSolverStat;    ///< as there
typedef ctTimerStat mjTimerStat;      ///< as there
typedef ctWarningStat mjWarningStat;  ///< as there

/// Files in memory. Between mj_defaultVFS() and mj_deleteVFS().
typedef struct mjVFS_ {
  ctVfs* impl_;  ///< its own
} mjVFS;

#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x)  (m->opt.enableflags & (x))

// ---- functions of the user, shared by all sources of a program

typedef void (*mjfGeneric)(const mjModel* m, mjData* d);                       ///< as there
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);  ///< as there
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);             ///< as there
typedef mjtNum (*mjfTime)(void);                                               ///< as there
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);           ///< as there

CT_MJ_SHARED(mjfGeneric, mjcb_control);
CT_MJ_SHARED(mjfGeneric, mjcb_passive);
CT_MJ_SHARED(mjfConFilt, mjcb_contactfilter);
CT_MJ_SHARED(mjfSensor, mjcb_sensor);
CT_MJ_SHARED(mjfTime, mjcb_time);
CT_MJ_SHARED(mjfAct, mjcb_act_gain);
CT_MJ_SHARED(mjfAct, mjcb_act_bias);
CT_MJ_SHARED(mjfAct, mjcb_act_dyn);

/// Memory by mju_user_malloc, else by malloc(). The engine's own comes from its allocator.
static inline void* mju_malloc(size_t size) {
  return mju_user_malloc ? mju_user_malloc(size) : malloc(size);
}
static inline void mju_free(void* ptr) {
  if (mju_user_free)
    mju_user_free(ptr);
  else
    free(ptr);
}
static inline int mj_version(void) {
  return mjVERSION_HEADER;
}
static inline const char* mj_versionString(void) {
  return "4.0.0";
}

// Errors end the program; trouble in a step is a warning, the first time of its kind.
static inline void ct_mj_check(const char* call, ctStatus status, const mjData* d) {
  if (status == CT_OK) return;
  if (status < CT_STEP_DIVERGED) {
    mju_error("%s: %s", call, ct_status_text(status));
    return;
  }
  for (int i = 0; d && i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number == 1) {
      mju_warning("%s, at time %g", ct_status_text(status), (double)d->time);
      return;
    }
  }
}

// A line of text into a buffer, as functions with `error` and `error_sz` want it.
static inline void ct_mj_tell(const ctError* err, char* error, int error_sz) {
  if (error && error_sz > 0) ct_error_format(err, error, (size_t)error_sz);
}

// ---- callbacks: those of the program become those of the model

static inline void ct_mj_control(void* context, const mjModel* m, mjData* d) {
  (void)context;
  if (mjcb_control) mjcb_control(m, d);
}
static inline void ct_mj_passive(void* context, const mjModel* m, mjData* d) {
  (void)context;
  if (mjcb_passive) mjcb_passive(m, d);
}
static inline bool ct_mj_filter(void* context, const mjModel* m, const mjData* d, int geom1, int geom2) {
  (void)context;
  return mjcb_contactfilter && mjcb_contactfilter(m, (mjData*)d, geom1, geom2) != 0;
}
static inline ctReal ct_mj_gain(void* context, const mjModel* m, const mjData* d, int id) {
  (void)context;
  return mjcb_act_gain ? mjcb_act_gain(m, d, id) : 1;
}
static inline ctReal ct_mj_bias(void* context, const mjModel* m, const mjData* d, int id) {
  (void)context;
  return mjcb_act_bias ? mjcb_act_bias(m, d, id) : 0;
}
static inline void ct_mj_dyn(void* context, const mjModel* m, const mjData* d, int id, ctReal* act_dot) {
  (void)context;
  if (!mjcb_act_dyn) return;
  const mjtNum rate = mjcb_act_dyn(m, d, id);
  // of several activations the callback writes the rates itself
  const int n = m->actuator_actnum[id], adr = m->actuator_actadr[id];
  for (int k = 0; k < n; k++) act_dot[k] = n == 1 ? rate : d->act_dot[adr + k];
}
// That of MuJoCo fills all sensors of a stage: it is called for the first of them, the others are read.
static inline void ct_mj_sensor(void* context, const mjModel* m, const mjData* d, int id, ctReal* out) {
  const int stage = m->sensor_needstage[id];
  int first = 0;
  (void)context;
  while (m->sensor_type[first] != mjSENS_USER || m->sensor_needstage[first] != stage) first++;
  if (first == id && mjcb_sensor) mjcb_sensor(m, (mjData*)(uintptr_t)d, stage);
  for (int i = 0; i < m->sensor_dim[id]; i++) out[i] = d->sensordata[m->sensor_adr[id] + i];
}
static inline double ct_mj_time(void) {
  return mjcb_time ? (double)mjcb_time() : 0;
}

// Before a call that may need them. They are the same for all models of a program, so that threads may share
// one.
static inline void ct_mj_arm(const mjModel* m, mjData* d) {
  if (!m || !d) return;
  ctCallbacks* user = &((mjModel*)m)->user;
  if (mjcb_control && !user->control) user->control = ct_mj_control;
  if (mjcb_passive && !user->passive) user->passive = ct_mj_passive;
  if ((mjcb_contactfilter != 0) != (user->contact_filter != 0))
    user->contact_filter = mjcb_contactfilter ? ct_mj_filter : 0;
  if (mjcb_sensor && !user->sensor) user->sensor = ct_mj_sensor;
  if (mjcb_act_gain && !user->gain) user->gain = ct_mj_gain;
  if (mjcb_act_bias && !user->bias) user->bias = ct_mj_bias;
  if (mjcb_act_dyn && !user->dyn) user->dyn = ct_mj_dyn;
  d->now = mjcb_time ? ct_mj_time : 0;
}

static inline void mj_resetCallbacks(void) {
  mjcb_control = mjcb_passive = 0;
  mjcb_contactfilter = 0;
  mjcb_sensor = 0;
  mjcb_time = 0;
  mjcb_act_gain = mjcb_act_bias = mjcb_act_dyn = 0;
}

// ---- files in memory

static inline void mj_defaultVFS(mjVFS* vfs) {
  ct_mj_check("mj_defaultVFS", ct_vfs_create(&vfs->impl_, NULL, NULL), NULL);
}
static inline void mj_deleteVFS(mjVFS* vfs) {
  ct_vfs_free(vfs->impl_);
  vfs->impl_ = NULL;
}
/// 0: added, 2: the name is taken, -1: it failed.
static inline int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  ctStatus status =
      nbuffer < 0 ? CT_ERR_ARGUMENT : ct_vfs_add(vfs->impl_, name, buffer, (size_t)nbuffer, NULL);
  return status == CT_OK ? 0 : (status == CT_ERR_INVALID ? 2 : -1);
}
static inline int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  return ct_vfs_remove(vfs->impl_, filename, NULL) == CT_OK ? 0 : -1;
}
static inline int mj_containsBufferVFS(mjVFS* vfs, const char* name) {
  return ct_vfs_contains(vfs->impl_, name);
}
/// 0: added, 2: the name is taken, -1: it failed.
static inline int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  char path[4096];
  bool folder = directory && directory[0];
  snprintf(path, sizeof(path), "%s%s%s", folder ? directory : "", folder ? "/" : "", filename);
  FILE* file = fopen(path, "rb");
  if (!file) return -1;
  int result = -1;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char* content = size >= 0 && size < 0x7fffffff ? (char*)malloc((size_t)size + 1) : NULL;
  if (content && fseek(file, 0, SEEK_SET) == 0 && fread(content, 1, (size_t)size, file) == (size_t)size)
    result = mj_addBufferVFS(vfs, filename, content, (int)size);
  free(content);
  fclose(file);
  return result;
}

static inline ctLoadOptions ct_mj_options(const mjVFS* vfs) {
  static const ctUrdfOptions as_mujoco = {true, false, false, NULL, false, 0, 0, 0, false};
  ctLoadOptions options;
  memset(&options, 0, sizeof(options));
  options.vfs = vfs ? vfs->impl_ : NULL;
  options.urdf = &as_mujoco;
  return options;
}

// ---- models

static inline mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  ctLoadOptions options = ct_mj_options(vfs);
  ctError err;
  mjModel* m = NULL;
  if (error && error_sz > 0) error[0] = 0;
  if (ct_model_load(&m, filename, &options, &err) != CT_OK) ct_mj_tell(&err, error, error_sz);
  return m;
}
static inline mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  ctLoadOptions options = ct_mj_options(vfs);
  ctError err;
  mjModel* m = NULL;
  if (ct_model_load(&m, filename, &options, &err) != CT_OK) mju_warning("mj_loadModel: %s", err.message);
  return m;
}
static inline mjModel* mj_loadModelBuffer(const void* buffer, mjtSize buffer_sz) {
  ctError err;
  mjModel* m = NULL;
  if (ct_model_load_bytes(&m, buffer, (size_t)buffer_sz, NULL, &err) != CT_OK)
    mju_warning("mj_loadModelBuffer: %s", err.message);
  return m;
}
static inline mjtSize mj_sizeModel(const mjModel* m) {
  return (mjtSize)ct_model_save_mjb_bytes(m, NULL, 0);
}
static inline void mj_saveModel(const mjModel* m, const char* filename, void* buffer, mjtSize buffer_sz) {
  size_t size = ct_model_save_mjb_bytes(m, NULL, 0);
  if (!filename) {
    if ((size_t)buffer_sz < size) {
      mju_warning("mj_saveModel: buffer too small, %lu bytes are needed", (unsigned long)size);
    } else {
      ct_model_save_mjb_bytes(m, buffer, size);
    }
    return;
  }
  void* bytes = malloc(size);
  ctError err;
  if (!bytes) {
    mju_error("mj_saveModel: out of memory");
    return;
  }
  ct_model_save_mjb_bytes(m, bytes, size);
  if (ct_file_write(filename, bytes, size, &err) != CT_OK) mju_warning("mj_saveModel: %s", err.message);
  free(bytes);
}
/// The model as it was compiled, as MJCF. Returns 1, or 0 with a text in `error`.
static inline int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  ctError err;
  if (ct_model_save_mjcf(m, filename, NULL, &err) == CT_OK) return 1;
  ct_mj_tell(&err, error, error_sz);
  return 0;
}
static inline void mj_freeLastXML(void) {}
/// `dest` must be NULL: a model is copied into a new one.
static inline mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  mjModel* m = NULL;
  if (dest) {
    mju_error("mj_copyModel: a model cannot be copied into another one");
    return NULL;
  }
  ct_mj_check("mj_copyModel", ct_model_copy(&m, src, NULL), NULL);
  return m;
}
static inline void mj_deleteModel(mjModel* m) {
  ct_model_free(m);
}
static inline void mj_setConst(mjModel* m, mjData* d) {
  ctError err;
  (void)d;
  if (ct_model_update(m, &err) != CT_OK) mju_error("mj_setConst: %s", err.message);
}
static inline int mj_name2id(const mjModel* m, int type, const char* name) {
  return ct_model_name2id(m, (ctObjType)type, name);
}
static inline const char* mj_id2name(const mjModel* m, int type, int id) {
  return ct_model_id2name(m, (ctObjType)type, id);
}
static inline mjtNum mj_getTotalmass(const mjModel* m) {
  return ct_model_total_mass(m);
}
static inline void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  ct_mj_check("mj_setTotalmass", ct_model_set_total_mass(m, newmass), NULL);
}
static inline int mj_isPyramidal(const mjModel* m) {
  return m->opt.cone == CT_CONE_PYRAMIDAL;
}
static inline int mj_isSparse(const mjModel* m) {
  return m->opt.jacobian == CT_JAC_SPARSE || (m->opt.jacobian == CT_JAC_AUTO && m->nv >= 60);
}
static inline int mj_isDual(const mjModel* m) {
  return m->opt.solver == CT_SOL_PGS || m->opt.noslip_iterations > 0;
}
static inline void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  static const mjtNum ref[2] = {(mjtNum)0.02, 1};
  static const mjtNum imp[5] = {(mjtNum)0.9, (mjtNum)0.95, (mjtNum)0.001, (mjtNum)0.5, 2};
  if (solref) mju_copy(solref, ref, 2);
  if (solimp) mju_copy(solimp, imp, 5);
}

// ---- data

/// NULL, with a warning, for a model whose sizes were changed.
static inline mjData* mj_makeData(const mjModel* m) {
  mjData* d = NULL;
  ctError err;
  ctStatus status = ct_data_create(&d, m, &err);
  if (status == CT_ERR_ARGUMENT || status == CT_ERR_LIMIT) {
    mju_warning("mj_makeData: %s", err.message);
    return NULL;
  }
  ct_mj_check("mj_makeData", status, NULL);
  ct_mj_arm(m, d);
  return d;
}
static inline mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  mjData* d = dest ? dest : mj_makeData(m);
  ct_mj_check("mj_copyData", ct_data_copy(m, src, d), NULL);
  return d;
}
static inline void mj_deleteData(mjData* d) {
  ct_data_free(d);
}
static inline void mj_resetData(const mjModel* m, mjData* d) {
  ct_mj_check("mj_resetData", ct_data_reset(m, d), NULL);
}
/// To the default state where there is no such keyframe.
static inline void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  bool known = key >= 0 && key < m->nkey;
  ct_mj_check("mj_resetDataKeyframe", known ? ct_data_reset_keyframe(m, d, key) : ct_data_reset(m, d), NULL);
}
static inline void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  ct_mj_check("mj_setKeyframe", ct_model_set_keyframe(m, d, k), NULL);
}
static inline int mj_stateSize(const mjModel* m, int sig) {
  return ct_data_state_size(m, (unsigned)sig);
}
static inline void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  ct_mj_check("mj_getState", ct_data_get_state(m, d, state, (unsigned)sig), NULL);
}
static inline void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  ct_mj_check("mj_setState", ct_data_set_state(m, d, state, (unsigned)sig), NULL);
}
static inline void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  ct_mj_check("mj_copyState", ct_data_copy_state(m, src, dst, (unsigned)sig), NULL);
}
static inline void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  ct_mj_check("mj_extractState", ct_state_extract(m, src, (unsigned)srcsig, dst, (unsigned)dstsig), NULL);
}
static inline void mju_threadpool(mjData* d, int nthread) {
  ct_mj_check("mju_threadpool", ct_data_set_threads(d, nthread < 1 ? 1 : nthread, NULL), NULL);
}

// ---- steps and stages

#define CT_MJ_STAGE(name, call)                          \
  static inline void name(const mjModel* m, mjData* d) { \
    ct_mj_arm(m, d);                                     \
    ct_mj_check(#name, call, d);                         \
  }
CT_MJ_STAGE(mj_step, ct_step(m, d))
CT_MJ_STAGE(mj_step1, ct_step1(m, d))
CT_MJ_STAGE(mj_step2, ct_step2(m, d))
CT_MJ_STAGE(mj_forward, ct_forward(m, d))
CT_MJ_STAGE(mj_inverse, ct_inverse(m, d))
CT_MJ_STAGE(mj_fwdPosition, ct_forward_position(m, d))
CT_MJ_STAGE(mj_fwdVelocity, ct_forward_velocity(m, d))
CT_MJ_STAGE(mj_fwdActuation, ct_forward_actuation(m, d))
CT_MJ_STAGE(mj_fwdAcceleration, ct_forward_acceleration(m, d))
CT_MJ_STAGE(mj_fwdConstraint, ct_forward_constraint(m, d))
CT_MJ_STAGE(mj_kinematics, ct_part_run(m, d, CT_PART_KINEMATICS))
CT_MJ_STAGE(mj_comPos, ct_part_run(m, d, CT_PART_COM))
CT_MJ_STAGE(mj_camlight, ct_part_run(m, d, CT_PART_CAMERAS))
CT_MJ_STAGE(mj_tendon, ct_part_run(m, d, CT_PART_TENDONS))
CT_MJ_STAGE(mj_transmission, ct_part_run(m, d, CT_PART_TRANSMISSION))
CT_MJ_STAGE(mj_crb, ct_part_run(m, d, CT_PART_CRB))
CT_MJ_STAGE(mj_makeM, ct_part_run(m, d, CT_PART_MASS))
CT_MJ_STAGE(mj_factorM, ct_part_run(m, d, CT_PART_FACTOR))
CT_MJ_STAGE(mj_collision, ct_part_run(m, d, CT_PART_COLLISION))
CT_MJ_STAGE(mj_makeConstraint, ct_part_run(m, d, CT_PART_CONSTRAINTS))
CT_MJ_STAGE(mj_comVel, ct_part_run(m, d, CT_PART_COM_VELOCITY))
CT_MJ_STAGE(mj_passive, ct_part_run(m, d, CT_PART_PASSIVE))
CT_MJ_STAGE(mj_referenceConstraint, ct_part_run(m, d, CT_PART_REFERENCE))
CT_MJ_STAGE(mj_subtreeVel, ct_part_run(m, d, CT_PART_SUBTREE_VELOCITY))
CT_MJ_STAGE(mj_rnePostConstraint, ct_part_run(m, d, CT_PART_BODY_FORCES))
CT_MJ_STAGE(mj_sensorPos, ct_part_run(m, d, CT_PART_SENSE_POSITION))
CT_MJ_STAGE(mj_sensorVel, ct_part_run(m, d, CT_PART_SENSE_VELOCITY))
CT_MJ_STAGE(mj_sensorAcc, ct_part_run(m, d, CT_PART_SENSE_ACCELERATION))
CT_MJ_STAGE(mj_energyPos, ct_part_run(m, d, CT_PART_ENERGY_POSITION))
CT_MJ_STAGE(mj_energyVel, ct_part_run(m, d, CT_PART_ENERGY_VELOCITY))
CT_MJ_STAGE(mj_checkPos, ct_part_run(m, d, CT_PART_CHECK_POSITION))
CT_MJ_STAGE(mj_checkVel, ct_part_run(m, d, CT_PART_CHECK_VELOCITY))
CT_MJ_STAGE(mj_checkAcc, ct_part_run(m, d, CT_PART_CHECK_ACCELERATION))
CT_MJ_STAGE(mj_invPosition, ct_part_run(m, d, CT_PART_INVERSE_POSITION))
CT_MJ_STAGE(mj_invVelocity, ct_forward_velocity(m, d))
CT_MJ_STAGE(mj_invConstraint, ct_part_run(m, d, CT_PART_INVERSE_CONSTRAINT))
CT_MJ_STAGE(mj_compareFwdInv, ct_part_run(m, d, CT_PART_COMPARE))
CT_MJ_STAGE(mj_Euler, ct_part_run(m, d, CT_PART_ADVANCE_EULER))
CT_MJ_STAGE(mj_implicit, ct_part_run(m, d, CT_PART_ADVANCE_IMPLICIT))
static inline void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  (void)N;
  ct_mj_check("mj_RungeKutta", ct_part_run(m, d, CT_PART_ADVANCE_RK4), d);
}
static inline void mj_projectConstraint(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;  // mj_makeConstraint has done it
}
static inline void mj_fwdKinematics(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  ct_mj_check("mj_fwdKinematics", ct_part_run(m, d, CT_PART_FLEXES), d);
  mj_tendon(m, d);
}
/// mj_forward without the stages up to `skipstage` (mjtStage), and without sensors when `skipsensor`.
static inline void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (skipstage < mjSTAGE_POS) {
    mj_fwdPosition(m, d);
    if (!skipsensor) mj_sensorPos(m, d);
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_fwdVelocity(m, d);
    if (!skipsensor) mj_sensorVel(m, d);
  }
  if (mjcb_control && !mjDISABLED(mjDSBL_ACTUATION)) mjcb_control(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  if (!skipsensor) mj_sensorAcc(m, d);
}

// ---- Jacobians, mass, forces

static inline void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                          const mjtNum point[3], int body) {
  ct_mj_check("mj_jac", ct_jac_point(m, d, point, body, jacp, jacr), NULL);
}
static inline void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                             const mjtNum point[3], int body) {
  ct_mj_check("mj_jacDot", ct_jac_point_dot(m, d, point, body, jacp, jacr), NULL);
}
static inline void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  ct_mj_check("mj_jacBody", ct_jac_object(m, d, CT_OBJ_XBODY, body, jacp, jacr), NULL);
}
static inline void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  ct_mj_check("mj_jacBodyCom", ct_jac_object(m, d, CT_OBJ_BODY, body, jacp, jacr), NULL);
}
static inline void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  ct_mj_check("mj_jacGeom", ct_jac_object(m, d, CT_OBJ_GEOM, geom, jacp, jacr), NULL);
}
static inline void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  ct_mj_check("mj_jacSite", ct_jac_object(m, d, CT_OBJ_SITE, site, jacp, jacr), NULL);
}
static inline void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  ct_mj_check("mj_jacSubtreeCom", ct_jac_subtree(m, d, body, jacp), NULL);
}
static inline void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                                   const mjtNum point[3], const mjtNum axis[3], int body) {
  ct_mj_check("mj_jacPointAxis", ct_jac_axis(m, d, point, axis, body, jacPoint, jacAxis), NULL);
}
static inline void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  ct_mj_check("mj_angmomMat", ct_jac_angular_momentum(m, d, body, mat), NULL);
}
static inline void mj_fullM(const mjModel* m, const mjData* d, mjtNum* dst) {
  ct_mj_check("mj_fullM", ct_mass_full(m, d, dst), NULL);
}
static inline void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mj_check("mj_mulM", ct_mass_mul(m, d, vec, res), NULL);
}
static inline void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mj_check("mj_mulM2", ct_mass_mul_half(m, d, vec, res), NULL);
}
static inline void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  for (int i = 0; i < n; i++)
    ct_mj_check("mj_solveM", ct_mass_solve(m, d, y + i * m->nv, x + i * m->nv), NULL);
}
static inline void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  ct_mj_check("mj_rne", ct_bias_force(m, d, flg_acc != 0, result), NULL);
}
static inline void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mj_check("mj_mulJacVec", ct_rows_mul(m, d, vec, res), NULL);
}
static inline void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mj_check("mj_mulJacTVec", ct_rows_mul_transposed(m, d, vec, res), NULL);
}
static inline void mj_applyFT(const mjModel* m, mjData* d, const mjtNum* force, const mjtNum* torque,
                              const mjtNum point[3], int body, mjtNum* qfrc_target) {
  ct_mj_check("mj_applyFT", ct_force_apply(m, d, force, torque, point, body, qfrc_target), NULL);
}
static inline void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  mju_zero(result, 6);
  if (id >= 0 && id < d->ncon) ct_mj_check("mj_contactForce", ct_contact_force(m, d, id, result), NULL);
}
static inline void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                                     int flg_local) {
  ct_mj_check("mj_objectVelocity", ct_object_velocity(m, d, (ctObjType)objtype, objid, flg_local != 0, res),
              NULL);
}
static inline void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid,
                                         mjtNum res[6], int flg_local) {
  ct_mj_check("mj_objectAcceleration",
              ct_object_acceleration(m, (mjData*)d, (ctObjType)objtype, objid, flg_local != 0, res), NULL);
}

// ---- positions

static inline void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                                       const mjtNum* qpos2) {
  ct_mj_check("mj_differentiatePos", ct_pos_differentiate(m, qpos1, qpos2, dt, qvel), NULL);
}
static inline void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  ct_mj_check("mj_integratePos", ct_pos_integrate(m, qvel, dt, qpos), NULL);
}
static inline void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  ct_mj_check("mj_normalizeQuat", ct_pos_normalize(m, qpos), NULL);
}

// ---- rays, distances

static inline mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                            const mjtByte* geomgroup, mjtBool flg_static, int bodyexclude, int* geomid,
                            mjtNum* normal) {
  ctRayFilter filter;
  memset(&filter, 0, sizeof(filter));
  filter.geomgroup = geomgroup;
  filter.skip_static = !flg_static;
  filter.skip_body = bodyexclude >= 0;
  filter.body = bodyexclude;
  return ct_ray_cast(m, d, pnt, vec, &filter, geomid, normal);
}
static inline mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                                const mjtNum vec[3], mjtNum* normal) {
  return ct_ray_geom(m, d, geomid, pnt, vec, normal);
}
static inline mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                                  const mjtNum vec[3], mjtNum* normal) {
  return ct_ray_geom(m, d, geomid, pnt, vec, normal);
}
static inline mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtBool flg_vert,
                                mjtBool flg_edge, mjtBool flg_face, mjtBool flg_skin, int flexid,
                                const mjtNum pnt[3], const mjtNum vec[3], int vertid[1], mjtNum normal[3]) {
  const ctFlexLook look = {flg_vert != 0, flg_edge != 0, flg_face != 0, flg_skin != 0, flex_layer};
  return ct_ray_flex(m, d, flexid, &look, pnt, vec, vertid, normal);
}
static inline mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert,
                                 const mjtNum pnt[3], const mjtNum vec[3], int vertid[1]) {
  return ct_ray_skin(nface, nvert, face, vert, pnt, vec, vertid);
}
static inline mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                 const mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum* normal) {
  return ct_ray_shape((ctGeomType)geomtype, pos, mat, size, pnt, vec, normal);
}
static inline mjtNum mj_geomDistance(const mjModel* m, mjData* d, int geom1, int geom2, mjtNum distmax,
                                     mjtNum* fromto) {
  return ct_geom_distance(m, d, geom1, geom2, distmax, fromto);
}
static inline int mj_insideSite(const mjModel* m, const mjData* d, int siteid, const mjtNum point[3]) {
  return ct_site_contains(m, d, siteid, point);
}

// ---- histories

static inline const mjtNum* mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time,
                                        mjtNum* result, int interp) {
  ct_mj_check("mj_readCtrl", ct_data_get_ctrl_at(m, d, id, time, interp, result), NULL);
  return result;
}
static inline const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time,
                                          mjtNum* result, int interp) {
  ct_mj_check("mj_readSensor", ct_data_get_sensor_at(m, d, id, time, interp, result), NULL);
  return result;
}
static inline void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                                      const mjtNum* values) {
  ct_mj_check("mj_initCtrlHistory", ct_data_set_ctrl_history(m, d, id, times, values), NULL);
}
static inline void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                                        const mjtNum* values, mjtNum phase) {
  ct_mj_check("mj_initSensorHistory", ct_data_set_sensor_history(m, d, id, times, values, phase), NULL);
}

// ---- text

static inline void ct_mj_write(const char* filename, char* text, size_t size) {
  ctError err;
  if (ct_file_write(filename, text, size, &err) != CT_OK) mju_warning("%s", err.message);
  free(text);
}
static inline void mj_printModel(const mjModel* m, const char* filename) {
  size_t size = ct_model_print(m, NULL, 0);
  char* text = (char*)malloc(size + 1);
  if (text) ct_model_print(m, text, size + 1);
  if (text) ct_mj_write(filename, text, size);
}
static inline void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  size_t size = ct_data_print(m, d, NULL, 0);
  char* text = (char*)malloc(size + 1);
  if (text) ct_data_print(m, d, text, size + 1);
  if (text) ct_mj_write(filename, text, size);
}

#ifdef __cplusplus
}
#endif
