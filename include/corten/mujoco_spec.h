/// @file
/// Part of corten/mujoco.h: derivatives, and the elements of an mjSpec as far as they need no members. An
/// mjsElement, mjsBody or mjsFrame is a ctElement, whose attributes ct_element_set() and ct_element_get()
/// have under the names of MJCF.
#pragma once

#include "corten/derive.h"
#include "corten/mujoco.h"
#include "corten/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- derivatives

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

// ---- elements of a spec

typedef ctElement mjsElement;  ///< any element
typedef ctElement mjsBody;     ///< a body: an element
typedef ctElement mjsFrame;    ///< a frame: an element
typedef char mjString;         ///< text that a spec owns

/// The element of a kind with a name, NULL when there is none.
static inline mjsElement* mjs_findElement(const mjSpec* s, mjtObj type, const char* name) {
  return ct_spec_find(s, (ctObjType)type, name);
}
/// The body with a name, NULL when there is none; "world" is the world.
static inline mjsBody* mjs_findBody(const mjSpec* s, const char* name) {
  if (strcmp(name, "world") == 0) return ct_spec_world((mjSpec*)(uintptr_t)s);
  return ct_spec_find(s, CT_OBJ_BODY, name);
}
/// The frame with a name, NULL when there is none.
static inline mjsFrame* mjs_findFrame(const mjSpec* s, const char* name) {
  return ct_spec_find(s, CT_OBJ_FRAME, name);
}
/// First element of a kind, NULL when there is none.
static inline mjsElement* mjs_firstElement(const mjSpec* s, mjtObj type) {
  mjsElement* first = NULL;
  return ct_spec_list(s, (ctObjType)type, &first, 1) > 0 ? first : NULL;
}
/// The element of the same kind after another, NULL after the last.
static inline mjsElement* mjs_nextElement(const mjSpec* s, const mjsElement* element) {
  const ctObjType type = ct_element_type(element);
  const int count = ct_spec_list(s, type, NULL, 0);
  mjsElement** all = count > 0 ? (mjsElement**)malloc((size_t)count * sizeof(mjsElement*)) : NULL;
  mjsElement* next = NULL;
  if (!all) return NULL;
  ct_spec_list(s, type, all, count);
  for (int i = 0; i + 1 < count; i++) {
    if (all[i] == element) next = all[i + 1];
  }
  free(all);
  return next;
}
/// The body that an element stands in, NULL for the world and what stands in no body.
static inline mjsBody* mjs_getParent(const mjsElement* element) {
  mjsBody* parent = ct_element_parent(element);
  while (parent && strcmp(ct_element_tag(parent), "frame") == 0) parent = ct_element_parent(parent);
  return parent;
}
/// The frame that an element stands in, NULL when there is none.
static inline mjsFrame* mjs_getFrame(const mjsElement* element) {
  mjsFrame* parent = ct_element_parent(element);
  return parent && strcmp(ct_element_tag(parent), "frame") == 0 ? parent : NULL;
}
/// Put an element into a frame of its body. 0, or -1.
static inline int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  return ct_element_set_frame(dest, frame, NULL) == CT_OK ? 0 : -1;
}
/// Remove an element, and what refers to it. 0, or -1.
static inline int mjs_delete(mjSpec* spec, mjsElement* element) {
  return ct_spec_remove(spec, element, NULL) == CT_OK ? 0 : -1;
}
/// The name of an element, "" when it has none.
static inline mjString* mjs_getName(mjsElement* element) {
  static char none[1] = "";
  const char* name = ct_element_name(element);
  return name ? (mjString*)(uintptr_t)name : none;
}
/// The text itself.
static inline const char* mjs_getString(const mjString* source) {
  return source;
}
/// As there: how many bodies were fused, -1 for an error.
static inline int mjs_fuseStatic(mjSpec* s, const mjVFS* vfs) {
  int count = 0;
  (void)vfs;
  return ct_spec_fuse_static(s, &count, NULL) == CT_OK ? count : -1;
}
/// As there: how many elements were discarded, -1 for an error.
static inline int mjs_discardVisual(mjSpec* s, const mjVFS* vfs) {
  int count = 0;
  (void)vfs;
  return ct_spec_discard_visual(s, &count, NULL) == CT_OK ? count : -1;
}

#ifdef __cplusplus
}
#endif
