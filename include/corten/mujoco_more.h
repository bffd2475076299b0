/// @file
/// Part of corten/mujoco.h: the functions mj_* that programs ask for less often: defaults, the stack of a
/// data, inputs of actuators, constraints by hand, many rays, logs.
#pragma once

#include "corten/mujoco_edit.h"
#include "corten/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- files and the cache

/// Whether a file is there: it was added under its name, whatever its folder.
static inline int mj_containsFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  (void)directory;
  return ct_vfs_contains(vfs->impl_, filename);
}

/// Assets are read again for each model, so that this keeps nothing.
typedef struct mjCache_ {
  int none_;  ///< of no use
} mjCache;

static inline mjCache* mj_getCache(void) {
  static mjCache cache = {0};
  return &cache;
}
static inline size_t mj_getCacheSize(const mjCache* cache) {
  (void)cache;
  return 0;
}
static inline size_t mj_getCacheCapacity(const mjCache* cache) {
  (void)cache;
  return 0;
}
/// Returns the capacity, 0.
static inline size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  (void)cache;
  (void)size;
  return 0;
}
static inline void mj_clearCache(mjCache* cache) {
  (void)cache;
}
/// As there: the spec as MJCF (.xml), the model as a binary file (.mjb, .ctb). Returns the size of the file,
/// -1 with a text in `error`. `m` may be NULL: the spec is compiled.
static inline mjtSize mj_encode(const mjSpec* s, const mjModel* m, const char* filename,
                                const char* content_type, const mjVFS* vfs, char* error, int error_sz) {
  const char* dot = strrchr(filename, '.');
  mjSpec* own = (mjSpec*)(uintptr_t)s;
  (void)content_type;
  if (dot && strcmp(dot, ".xml") == 0) {
    if (mj_saveXML(s, filename, error, error_sz) != 0) return -1;
  } else if (dot && (strcmp(dot, ".mjb") == 0 || strcmp(dot, ".ctb") == 0)) {
    mjModel* made = m ? NULL : mj_compile(own, vfs);
    if (!m && !made) {
      ct_mj_tell(&own->error_, error, error_sz);
      return -1;
    }
    mj_saveModel(m ? m : made, filename, NULL, 0);
    ct_model_free(made);
  } else {
    if (error && error_sz > 0)
      snprintf(error, (size_t)error_sz, "no encoder for %s: there are .xml and .mjb", filename);
    return -1;
  }
  FILE* file = fopen(filename, "rb");
  const long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (file) fclose(file);
  return (mjtSize)size;
}

// ---- defaults

static inline void mj_defaultLROpt(mjLROpt* opt) {
  mjSpec* s = mj_makeSpec();
  memset(opt, 0, sizeof(*opt));
  if (s) *opt = s->compiler.LRopt;
  mj_deleteSpec(s);
}
static inline void mj_defaultOption(mjOption* opt) {
  mjSpec* s = mj_makeSpec();
  memset(opt, 0, sizeof(*opt));
  if (s) *opt = s->option;
  mj_deleteSpec(s);
}
static inline void mj_defaultVisual(mjVisual* vis) {
  mjSpec* s = mj_makeSpec();
  memset(vis, 0, sizeof(*vis));
  if (s) *vis = s->visual;
  mj_deleteSpec(s);
}

// ---- textures that are left in their files

// A copy of a model with the pixels of texture `id`, or of all (-1). NULL with a text in `error`.
static inline mjModel* ct_mj_with_pixels(const mjModel* m, int id, char* error, int error_sz) {
  ctSpec* s = NULL;
  ctVfs* files = NULL;
  mjModel* made = NULL;
  ctError err;
  memset(&err, 0, sizeof(err));
  ctStatus status = ct_vfs_create(&files, NULL, &err);
  if (status == CT_OK) status = ct_spec_from_model(&s, m, files, NULL, &err);
  const int n = status == CT_OK ? ct_spec_list(s, CT_OBJ_TEXTURE, NULL, 0) : 0;
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  if (all) ct_spec_list(s, CT_OBJ_TEXTURE, all, n);
  for (int i = 0; all && i < n && i < m->ntex && status == CT_OK; i++) {
    if (m->tex_adr[i] < 0 && (id < 0 || id == i)) status = ct_element_set(s, all[i], "embed", "true", &err);
  }
  if (status == CT_OK) status = ct_model_compile(&made, s, &err);
  if (status != CT_OK) ct_mj_tell(&err, error, error_sz);
  free((void*)all);
  ct_spec_free(s);
  ct_vfs_free(files);
  return status == CT_OK ? made : NULL;
}
/// The pixels of a texture, from the model or its file; `data` is freed with mju_free(). 0, or -1 with a text
/// in `error`.
static inline int mj_loadTexture(const mjModel* m, int id, mjtByte** data, int* width, int* height,
                                 int* colorspace, char* error, int error_sz) {
  *data = NULL;
  if (id < 0 || id >= m->ntex) {
    if (error && error_sz > 0)
      snprintf(error, (size_t)error_sz, "there is no texture %d: there are %d", id, (int)m->ntex);
    return -1;
  }
  mjModel* own = m->tex_adr[id] < 0 ? ct_mj_with_pixels(m, id, error, error_sz) : NULL;
  const mjModel* from = own ? own : m;
  const size_t size =
      (size_t)from->tex_width[id] * (size_t)from->tex_height[id] * (size_t)from->tex_nchannel[id];
  if (from->tex_adr[id] >= 0) *data = (mjtByte*)mju_malloc(size + 1);
  if (*data) memcpy(*data, from->tex_data + from->tex_adr[id], size);
  if (*data && width) *width = from->tex_width[id];
  if (*data && height) *height = from->tex_height[id];
  if (*data && colorspace) *colorspace = from->tex_colorspace[id];
  ct_model_free(own);
  return *data ? 0 : -1;
}
/// A copy of a model with the pixels of all textures. NULL with a text in `error`.
static inline mjModel* mj_embedAssets(const mjModel* m, char* error, int error_sz) {
  for (int i = 0; i < m->ntex; i++) {
    if (m->tex_adr[i] < 0) return ct_mj_with_pixels(m, -1, error, error_sz);
  }
  return mj_copyModel(NULL, m);
}

// ---- data

/// Controls to their defaults: zero, and the identity for a quaternion.
static inline void mj_resetCtrl(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0;
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_gaintype[i] == mjGAIN_SO3 && m->actuator_ctrlnum[i] == 4)
      d->ctrl[m->actuator_ctrladr[i]] = 1;
  }
}
/// mj_resetData(), then every array of reals that is computed is filled with a byte.
static inline void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  static const char* const kept[] = {"qpos",      "qvel",         "act",          "ctrl",
                                     "mocap_pos", "mocap_quat",   "plastic",      "history",
                                     "userdata",  "qfrc_applied", "xfrc_applied", "qacc_warmstart"};
  mj_resetData(m, d);
  for (int i = 0; i < ct_data_field_count(); i++) {
    const char* name = ct_data_field_name(i);
    ctField field;
    bool state = ct_data_field(m, d, name, &field) != CT_OK || field.type != CT_FIELD_REAL;
    for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++) state = state || strcmp(name, kept[k]) == 0;
    if (!state && field.data && field.rows > 0 && ct_data_field_info(i)->place == CT_PLACE_BLOCK)
      memset(field.data, debug_value, (size_t)field.rows * (size_t)field.cols * sizeof(mjtNum));
  }
}
/// A copy for drawing: it has everything.
static inline mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return mj_copyData(dest, m, src);
}

// ---- the stack of a data: memory that is taken in the reverse order

/// Something on the stack of a data, or a mark.
typedef struct ctMjStack {
  const mjData* of;        ///< whose it is; NULL: nobody's
  struct ctMjStack* next;  ///< below it
  bool mark;               ///< mj_markStack()
} ctMjStack;

#if defined(_MSC_VER)
__declspec(selectany) __declspec(thread) ctMjStack* ct_mj_stack = 0;
#else
__attribute__((weak)) __thread ctMjStack* ct_mj_stack = 0;
#endif

static inline void* ct_mj_push(const mjData* d, size_t bytes, size_t align, bool mark) {
  const size_t room = align > sizeof(void*) ? align : sizeof(void*);
  char* memory =
      bytes < SIZE_MAX / 2 && room < 65536 ? (char*)malloc(sizeof(ctMjStack) + room + bytes) : NULL;
  if (!memory) {
    mju_error("mj_stackAlloc: out of memory, %lu bytes were asked for", (unsigned long)bytes);
    return NULL;
  }
  ctMjStack* top = (ctMjStack*)(void*)memory;
  top->of = d;
  top->next = ct_mj_stack;
  top->mark = mark;
  ct_mj_stack = top;
  const uintptr_t at = (uintptr_t)(memory + sizeof(ctMjStack)) + room - 1;
  return (void*)(at - at % room);
}
/// What is taken from now on is given back by mj_freeStack(). The stack belongs to the thread.
static inline void mj_markStack(mjData* d) {
  ct_mj_push(d, 0, 1, true);
}
/// Give back what was taken since the last mark.
static inline void mj_freeStack(mjData* d) {
  bool marked = false;
  for (const ctMjStack* at = ct_mj_stack; at && !marked; at = at->next) marked = at->of == d && at->mark;
  while (marked) {
    ctMjStack** at = &ct_mj_stack;
    while ((*at)->of != d) at = &(*at)->next;
    ctMjStack* top = *at;
    marked = !top->mark;
    *at = top->next;
    free(top);
  }
}
/// Memory on the stack, of no defined content.
static inline void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  return bytes > 0 ? ct_mj_push(d, bytes, alignment, false) : NULL;
}
static inline mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  if (size > SIZE_MAX / 16) return (mjtNum*)ct_mj_push(d, SIZE_MAX, 1, false);
  return (mjtNum*)mj_stackAllocByte(d, size * sizeof(mjtNum), sizeof(mjtNum));
}
static inline int* mj_stackAllocInt(mjData* d, size_t size) {
  if (size > SIZE_MAX / 16) return (int*)ct_mj_push(d, SIZE_MAX, 1, false);
  return (int*)mj_stackAllocByte(d, size * sizeof(int), sizeof(int));
}

// ---- stages

/// mj_inverse without the stages up to `skipstage` (mjtStage), and without sensors when `skipsensor`.
static inline void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (mjENABLED(mjENBL_INVDISCRETE)) {
    mju_error("mj_inverseSkip: the flag invdiscrete needs mj_inverse");
    return;
  }
  if (skipstage < mjSTAGE_POS) {
    mj_invPosition(m, d);
    if (!skipsensor) mj_sensorPos(m, d);
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_invVelocity(m, d);
    if (!skipsensor) mj_sensorVel(m, d);
  }
  mj_invConstraint(m, d);
  mj_mulM(m, d, d->qfrc_inverse, d->qacc);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_inverse[i] += d->qfrc_bias[i];
    d->qfrc_inverse[i] -= d->qfrc_passive[i] + d->qfrc_constraint[i];
  }
  if (!skipsensor) mj_sensorAcc(m, d);
}
CT_MJ_STAGE(mj_flex, ct_part_run(m, d, CT_PART_FLEXES))
CT_MJ_STAGE(mj_island, ct_part_run(m, d, CT_PART_ISLANDS))

// ---- mass, frames, rays

/// As there. The diagonal is the engine's own, not `sqrtInvD`.
static inline void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                              int n) {
  (void)sqrtInvD;
  for (int i = 0; i < n; i++)
    ct_mj_check("mj_solveM2", ct_mass_solve_half(m, d, y + i * m->nv, x + i * m->nv), NULL);
}
/// Add the mass matrix to a sparse one that has its elements, or to a dense one when the arrays are NULL.
static inline void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  if (!rownnz || !rowadr || !colind) {
    ct_mj_check("mj_addM", ct_mass_add(m, d, dst), NULL);
    return;
  }
  for (int i = 0; i < m->nv; i++) {
    int at = rowadr[i];
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      while (at < rowadr[i] + rownnz[i] && colind[at] != m->M_colind[k]) at++;
      if (at == rowadr[i] + rownnz[i]) {
        mju_error("mj_addM: row %d lacks elements of the mass matrix", i);
        return;
      }
      dst[at] += d->M[k];
    }
  }
}
/// As there: `sameframe` 0: by `pos` and `quat`; 1, 2: the frame of the body or of its inertia; 3, 4: its
/// rotation.
static inline void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                                   const mjtNum quat[4], int body, mjtByte sameframe) {
  const bool inertial = sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT;
  if (xmat && sameframe != mjSAMEFRAME_NONE) {
    mju_copy(xmat, (inertial ? d->ximat : d->xmat) + 9 * body, 9);
  } else if (xmat) {
    mjtNum turn[4];
    mju_mulQuat(turn, d->xquat + 4 * body, quat);
    mju_quat2Mat(xmat, turn);
  }
  if (xpos && (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_INERTIA)) {
    mju_copy3(xpos, (inertial ? d->xipos : d->xpos) + 3 * body);
  } else if (xpos) {
    mju_mulMatVec3(xpos, d->xmat + 9 * body, pos);
    mju_addTo3(xpos, d->xpos + 3 * body);
  }
}
/// As there: nothing beyond `cutoff` is seen, a length; MuJoCo sees planes also there.
static inline void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                               const mjtByte* geomgroup, mjtBool flg_static, int bodyexclude, int* geomid,
                               mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff) {
  ctRayFilter filter;
  memset(&filter, 0, sizeof(filter));
  filter.geomgroup = geomgroup;
  filter.skip_static = !flg_static;
  filter.skip_body = bodyexclude >= 0;
  filter.body = bodyexclude;
  ct_mj_check("mj_multiRay", ct_ray_cast_many(m, d, pnt, true, vec, nray, &filter, dist, geomid, normal),
              NULL);
  for (int i = 0; i < nray; i++) {
    if (dist[i] * mju_norm3(vec + 3 * i) <= cutoff) continue;
    dist[i] = -1;
    if (geomid) geomid[i] = -1;
    if (normal) mju_zero3(normal + 3 * i);
  }
}

// ---- actuators and plugins

/// What an input of an actuator is called, NULL when it has no name.
static inline const char* mj_actuatorInputName(const mjModel* m, int id, int input) {
  static const char* const names[] = {"pos", "vel", "ff", "voltage", "none", "pressure"};
  static const char* const turns[2][4] = {{"rx", "ry", "rz", NULL}, {"qw", "qx", "qy", "qz"}};
  if (id < 0 || id >= m->nactuator || input < 0 || input >= m->actuator_ctrlnum[id]) return NULL;
  const int bits = m->actuator_ctrlspec[id];
  if (m->actuator_gaintype[id] == mjGAIN_SO3) return turns[bits == 2][input];
  for (int i = 0, k = 0; i < 6; i++) {
    if ((bits >> i & 1) && k++ == input) return names[i];
  }
  return NULL;
}
// Whether the options ask for the range of an actuator.
static inline bool ct_mj_wants_range(const mjModel* m, int i, const mjLROpt* opt) {
  const int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  const bool muscle = gain == mjGAIN_MUSCLE || bias == mjBIAS_MUSCLE,
             user = gain == mjGAIN_USER || bias == mjBIAS_USER;
  if (opt->mode == mjLRMODE_NONE) return false;
  return opt->mode == mjLRMODE_ALL || muscle || (user && opt->mode == mjLRMODE_MUSCLEUSER);
}
// Pull one output of an actuator for a while: the lengths that are seen at the end. False when a step has
// trouble.
static inline bool ct_mj_pull(const mjModel* m, mjData* d, int output, const mjLROpt* opt, int sign,
                              mjtNum seen[2]) {
  const mjtNum decay = mju_exp(-m->opt.timestep / mju_max((mjtNum)0.01, opt->timeconst));
  mjtNum *row = (mjtNum*)malloc(2 * (size_t)m->nv * sizeof(mjtNum)), *acceleration = row ? row + m->nv : NULL;
  bool fine = row != NULL, any = false;
  mj_resetData(m, d);
  while (fine && d->time < opt->inttotal) {
    mju_scl(d->qvel, d->qvel, decay, m->nv);
    fine = ct_step1(m, d) == CT_OK;
    mju_zero(row, m->nv);
    for (int k = d->moment_rowadr[output]; k < d->moment_rowadr[output] + d->moment_rownnz[output]; k++)
      row[d->moment_colind[k]] = d->actuator_moment[k];
    mj_solveM(m, d, acceleration, row, 1);
    mjtNum force = opt->accel / mju_max(mjMINVAL, mju_norm(acceleration, m->nv));
    if (opt->maxforce > 0) force = mju_min(force, opt->maxforce / mju_max(mjMINVAL, mju_norm(row, m->nv)));
    mju_scl(d->qfrc_applied, row, (mjtNum)sign * force, m->nv);
    fine = fine && ct_step2(m, d) == CT_OK;
    if (d->time <= opt->inttotal - opt->interval) continue;
    const mjtNum length = d->actuator_length[output];
    seen[0] = any ? mju_min(seen[0], length) : length;
    seen[1] = any ? mju_max(seen[1], length) : length;
    any = true;
  }
  free(row);
  return fine && any;
}
static inline int ct_mj_no_range(char* error, int error_sz, int actuator, const char* why) {
  if (error && error_sz > 0)
    snprintf(error, (size_t)error_sz, "length range of actuator %d: %s", actuator, why);
  return 0;
}
/// As there: 1, or 0 with a text in `error`. `d` is used up.
static inline int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                                    int error_sz) {
  if (index < 0 || index >= m->nactuator)
    return ct_mj_no_range(error, error_sz, index, "there is no such actuator");
  if (!ct_mj_wants_range(m, index, opt)) return 1;
  const int type = m->actuator_trntype[index], id = m->actuator_trnid[2 * index];
  const mjtNum* limits = NULL;
  if ((type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) && m->jnt_limited[id])
    limits = m->jnt_range + 2 * id;
  if (type == mjTRN_TENDON && m->tendon_limited[id]) limits = m->tendon_range + 2 * id;
  for (int k = m->actuator_outadr[index]; k < m->actuator_outadr[index] + m->actuator_outnum[index]; k++) {
    mjtNum *range = m->actuator_lengthrange + 2 * k, seen[2][2];
    if (opt->useexisting && range[0] < range[1]) continue;
    if (opt->uselimit && limits) {
      mju_copy(range, limits, 2);
      continue;
    }
    // only limits, equalities and the pull act
    const mjOption kept = m->opt;
    m->opt.enableflags &= ~mjENBL_SLEEP;
    m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY |
                           mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_SENSOR;
    if (opt->timestep > 0) m->opt.timestep = opt->timestep;
    const bool fine = ct_mj_pull(m, d, k, opt, -1, seen[0]) && ct_mj_pull(m, d, k, opt, 1, seen[1]);
    m->opt = kept;
    if (!fine) return ct_mj_no_range(error, error_sz, index, "the simulation that looks for it fails");
    const mjtNum least = seen[0][0], most = seen[1][1];
    range[0] = least;
    range[1] = most;
    if (!(least < most)) return ct_mj_no_range(error, error_sz, index, "its length does not change");
    for (int i = 0; i < 2; i++) {
      if (seen[i][1] - seen[i][0] > opt->tolrange * (most - least))
        return ct_mj_no_range(error, error_sz, index, "it still moves at the end of the simulation");
    }
  }
  return 1;
}
/// The value of an attribute of an instance of a plugin, NULL when there is none.
static inline const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  return ct_plugin_attribute(m, plugin_id, attrib);
}

// ---- constraints by hand

// A row that may be of any kind but those of an elliptic contact: its force, state, and what it costs.
static inline mjtNum ct_mj_row_cost(const mjModel* m, mjData* d, int i, mjtNum jar) {
  const mjtNum D = d->efc_D[i], R = d->efc_R[i], loss = d->efc_frictionloss[i];
  (void)m;
  d->efc_force[i] = -D * jar;
  d->efc_state[i] = mjCNSTRSTATE_QUADRATIC;
  if (i >= d->ne && i < d->ne + d->nf && jar <= -R * loss) {
    d->efc_force[i] = loss;
    d->efc_state[i] = mjCNSTRSTATE_LINEARNEG;
    return -(mjtNum)0.5 * R * loss * loss - loss * jar;
  }
  if (i >= d->ne && i < d->ne + d->nf && jar >= R * loss) {
    d->efc_force[i] = -loss;
    d->efc_state[i] = mjCNSTRSTATE_LINEARPOS;
    return -(mjtNum)0.5 * R * loss * loss + loss * jar;
  }
  if (i >= d->ne + d->nf && jar >= 0) {
    d->efc_force[i] = 0;
    d->efc_state[i] = mjCNSTRSTATE_SATISFIED;
    return 0;
  }
  return (mjtNum)0.5 * D * jar * jar;
}
// The rows of an elliptic contact: above its cone nothing, below it springs, else on it.
static inline mjtNum ct_mj_cone_cost(mjData* d, int i, const mjtNum* jar, const mjContact* con,
                                     int flg_hessian) {
  const int dim = con->dim;
  const mjtNum mu = con->mu;
  mjtNum u[6], square = 0, cost = 0;
  u[0] = jar[0] * mu;
  for (int k = 1; k < dim; k++) {
    u[k] = jar[k] * con->friction[k - 1];
    square += u[k] * u[k];
  }
  const mjtNum N = u[0], T = mju_sqrt(square);
  int state = mjCNSTRSTATE_CONE;
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    for (int k = 0; k < dim; k++) d->efc_force[i + k] = 0;
    state = mjCNSTRSTATE_SATISFIED;
  } else if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    for (int k = 0; k < dim; k++) {
      d->efc_force[i + k] = -d->efc_D[i + k] * jar[k];
      cost += (mjtNum)0.5 * d->efc_D[i + k] * jar[k] * jar[k];
    }
    state = mjCNSTRSTATE_QUADRATIC;
  } else {
    const mjtNum Dm = d->efc_D[i] / (mu * mu * (1 + mu * mu)), gap = N - mu * T;
    cost = (mjtNum)0.5 * Dm * gap * gap;
    d->efc_force[i] = -Dm * gap * mu;
    for (int k = 1; k < dim; k++) d->efc_force[i + k] = Dm * gap * mu * u[k] / T * con->friction[k - 1];
    if (flg_hessian) {
      // second derivatives of the cost by jar
      mjtNum* H = ((mjContact*)(uintptr_t)con)->H;
      for (int r = 0; r < dim; r++) {
        for (int c = 0; c < dim; c++) {
          const mjtNum first = r == 0 ? mu : con->friction[r - 1],
                       second = c == 0 ? mu : con->friction[c - 1];
          mjtNum h = r == 0 && c == 0 ? 1 : 0;
          if (r == 0 && c > 0) h = -mu * u[c] / T;
          if (c == 0 && r > 0) h = -mu * u[r] / T;
          if (r > 0 && c > 0) h = mu * N * u[r] * u[c] / (T * T * T) + (r == c ? mu * mu - mu * N / T : 0);
          H[r * dim + c] = Dm * h * first * second;
        }
      }
    }
  }
  for (int k = 0; k < dim; k++) d->efc_state[i + k] = state;
  return cost;
}
/// Forces and states of the constraint rows at `jar`, J times acceleration less reference, and their effect
/// on the joints; `cost` may be NULL.
static inline void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                                       int flg_coneHessian) {
  mjtNum sum = 0;
  for (int i = 0; i < d->nefc;) {
    if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact* con = &d->contact[d->efc_id[i]];
      sum += ct_mj_cone_cost(d, i, jar + i, con, flg_coneHessian);
      i += con->dim;
    } else {
      sum += ct_mj_row_cost(m, d, i, jar[i]);
      i++;
    }
  }
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  if (cost) *cost = sum;
}
/// Add a contact behind mj_collision() and before mj_makeConstraint(). 0, or 1 when there is no room.
static inline int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  const int n = d->ncon;
  mjContact* all = (mjContact*)malloc(((size_t)n + 1) * sizeof(mjContact));
  if (!all) return 1;
  if (n > 0) memcpy(all, d->contact, (size_t)n * sizeof(mjContact));
  all[n] = *con;
  ctRowCounts counts;
  memset(&counts, 0, sizeof(counts));
  counts.ncon = n + 1;
  const bool made = ct_data_make_rows(m, d, &counts) == CT_OK && d->ncon == n + 1;
  if (made) memcpy(d->contact, all, ((size_t)n + 1) * sizeof(mjContact));
  free(all);
  return made ? 0 : 1;
}

// ---- texts

/// As mj_printModel(): numbers are written as they are, whatever the format.
static inline void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  (void)float_format;
  mj_printModel(m, filename);
}
/// As mj_printData(): numbers are written as they are, whatever the format.
static inline void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                                         const char* float_format) {
  (void)float_format;
  mj_printData(m, d, filename);
}
/// Count a warning; the first of its kind is reported.
static inline void mj_warning(mjData* d, int warning, int info) {
  if (warning < 0 || warning >= mjNWARNING) return;
  d->warning[warning].lastinfo = info;
  if (d->warning[warning].number++ == 0)
    mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)info), (double)d->time);
}

#ifdef __cplusplus
}
#endif
