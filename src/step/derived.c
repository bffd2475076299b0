// What follows from frames, shapes and masses of a model without its motion, see the header.
#include "step/derived.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/fields.h"
#include "stage/position/reflected.h"
#include "stage/velocity/fluid.h"

// ---- frames that coincide

// Frames closer than this are the same.
#define SAME_FRAME CT_R(1e-6)

static bool same_pos(const ctReal a[3], const ctReal b[3]) {
  return cti_abs(a[0] - b[0]) < SAME_FRAME && cti_abs(a[1] - b[1]) < SAME_FRAME &&
         cti_abs(a[2] - b[2]) < SAME_FRAME;
}

// q and -q are the same rotation
static bool same_quat(const ctReal a[4], const ctReal b[4]) {
  ctReal sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? CT_R(-1) : CT_R(1);
  for (int i = 0; i < 4; i++) {
    if (cti_abs(a[i] - sign * b[i]) >= SAME_FRAME) return false;
  }
  return true;
}

int cti_same_frame(const ctReal pos[3], const ctReal quat[4], const ctReal ipos[3], const ctReal iquat[4]) {
  const ctReal zero[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
  if (same_quat(quat, unit)) return same_pos(pos, zero) ? CT_SAMEFRAME_BODY : CT_SAMEFRAME_BODYROT;
  if (ipos && same_quat(quat, iquat))
    return same_pos(pos, ipos) ? CT_SAMEFRAME_INERTIA : CT_SAMEFRAME_INERTIAROT;
  return CT_SAMEFRAME_NONE;
}

// A simple body's rows of the mass matrix are diagonal because its inertial frame is its own.
static int lost_simplicity(const ctModel* m) {
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_simple[i] &&
        cti_same_frame(m->body_ipos + 3 * i, m->body_iquat + 4 * i, NULL, NULL) != CT_SAMEFRAME_BODY)
      return i;
  }
  return 0;
}

ctStatus cti_model_frames(ctModel* m, ctError* err) {
  int lost = lost_simplicity(m);
  if (lost) {
    const char* name = ct_model_id2name(m, CT_OBJ_BODY, lost);
    return cti_error(
        err, CT_ERR_INVALID,
        "body %d%s%s%s was compiled as simple, its inertial frame being the frame of the body, and that "
        "frame was moved since: set simple=\"false\" for it before compiling",
        lost, name ? " (\"" : "", name ? name : "", name ? "\")" : "");
  }
  for (int i = 1; i < m->nbody; i++)
    m->body_sameframe[i] = (ctByte)cti_same_frame(m->body_ipos + 3 * i, m->body_iquat + 4 * i, NULL, NULL);
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    m->geom_sameframe[i] = (ctByte)cti_same_frame(m->geom_pos + 3 * i, m->geom_quat + 4 * i,
                                                  m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  }
  for (int i = 0; i < m->nsite; i++) {
    int body = m->site_bodyid[i];
    m->site_sameframe[i] = (ctByte)cti_same_frame(m->site_pos + 3 * i, m->site_quat + 4 * i,
                                                  m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  }
  return CT_OK;
}

// ---- bounds

// Half size of a plane's box: as good as infinite, and finite.
#define INFINITE CT_R(1e10)

static void set_box(ctReal box[6], ctReal x, ctReal y, ctReal z) {
  cti_zero3(box);
  box[3] = x;
  box[4] = y;
  box[5] = z;
}

// Box (centre, half sizes) in the geom's own frame; returns the radius about its centre, 0 for a plane.
static ctReal bound_shape(ctReal box[6], int type, const ctReal s[3]) {
  switch (type) {
    case CT_GEOM_SPHERE: set_box(box, s[0], s[0], s[0]); return s[0];
    case CT_GEOM_CAPSULE: set_box(box, s[0], s[0], s[0] + s[1]); return s[0] + s[1];
    case CT_GEOM_CYLINDER: set_box(box, s[0], s[0], s[1]); return cti_sqrt(s[0] * s[0] + s[1] * s[1]);
    case CT_GEOM_ELLIPSOID: set_box(box, s[0], s[1], s[2]); return cti_max(cti_max(s[0], s[1]), s[2]);
    case CT_GEOM_BOX: set_box(box, s[0], s[1], s[2]); return cti_norm3(s);
    default:
      set_box(box, INFINITE, INFINITE, INFINITE / 2);
      box[2] = -INFINITE / 2;
      return 0;
  }
}

// From the deepest to the highest point of the field.
static ctReal bound_hfield(ctReal box[6], ctReal geom_size[3], const ctReal size[4]) {
  ctReal tall = size[2] > size[3] ? size[2] : size[3];
  geom_size[0] = size[0];
  geom_size[1] = size[1];
  geom_size[2] = CT_R(0.25) * size[2] + CT_R(0.5) * size[3];
  set_box(box, size[0], size[1], (size[2] + size[3]) / 2);
  box[2] = (size[2] - size[3]) / 2;
  return cti_sqrt(size[0] * size[0] + size[1] * size[1] + tall * tall);
}

// A mesh keeps the bounds it was compiled with.
static void bound_geom(ctModel* m, int geom) {
  ctReal *box = m->geom_aabb + 6 * geom, *size = m->geom_size + 3 * geom;
  int type = m->geom_type[geom];
  if (type == CT_GEOM_HFIELD) {
    m->geom_rbound[geom] = bound_hfield(box, size, m->hfield_size + 4 * m->geom_dataid[geom]);
  } else if (type != CT_GEOM_MESH && type != CT_GEOM_SDF) {
    m->geom_rbound[geom] = bound_shape(box, type, size);
  }
}

// Box and position of a geom in the inertial frame of its body.
void cti_box_of_geom(double out[6], double pos[3], const ctModel* m, int geom) {
  int body = m->geom_bodyid[geom];
  const ctReal* box = m->geom_aabb + 6 * geom;
  ctReal inv[4], quat[4], mat[9], at[3], centre[3];
  cti_quat_conj(inv, m->body_iquat + 4 * body);
  cti_quat_mul(quat, inv, m->geom_quat + 4 * geom);
  cti_quat_to_mat(mat, quat);
  cti_sub3(at, m->geom_pos + 3 * geom, m->body_ipos + 3 * body);
  cti_quat_rotate(at, inv, at);
  cti_mul_mat_vec3(centre, mat, box);
  for (int i = 0; i < 3; i++) {
    pos[i] = (double)at[i];
    out[i] = (double)(centre[i] + at[i]);
    out[3 + i] = (double)(cti_abs(mat[3 * i]) * box[3] + cti_abs(mat[3 * i + 1]) * box[4] +
                          cti_abs(mat[3 * i + 2]) * box[5]);
  }
}

// Nodes of a body from the last to the first: children come behind their parents. `low` and `high` have room
// for a corner of each.
static void body_boxes(ctModel* m, int body, double* low, double* high) {
  const int adr = m->body_bvhadr[body];
  for (int n = m->body_bvhnum[body] - 1; n >= 0; n--) {
    const int *child = m->bvh_child + 2 * (adr + n), geom = m->bvh_nodeid[adr + n];
    double *lo = low + 3 * n, *hi = high + 3 * n, box[6], pos[3];
    if (geom >= 0) cti_box_of_geom(box, pos, m, geom);
    for (int i = 0; i < 3; i++) {
      lo[i] = geom >= 0 ? box[i] - box[3 + i] : fmin(low[3 * child[0] + i], low[3 * child[1] + i]);
      hi[i] = geom >= 0 ? box[i] + box[3 + i] : fmax(high[3 * child[0] + i], high[3 * child[1] + i]);
      double extra = hi[i] - lo[i] < CTI_THIN_BOX ? CTI_THIN_BOX : 0;
      m->bvh_aabb[6 * (adr + n) + i] = (ctReal)((lo[i] - extra + (hi[i] + extra)) / 2);
      m->bvh_aabb[6 * (adr + n) + 3 + i] = (ctReal)((hi[i] + extra - (lo[i] - extra)) / 2);
    }
  }
}

ctStatus cti_model_boxes(ctModel* m, ctError* err) {
  int most = 0;
  for (int i = 0; i < m->nbody; i++) most = m->body_bvhnum[i] > most ? m->body_bvhnum[i] : most;
  if (most == 0) return CT_OK;
  double* low = cti_alloc(&m->allocator, sizeof(double) * 6 * (size_t)most, _Alignof(double));
  if (!low) return cti_error_memory(err);
  for (int i = 0; i < m->nbody; i++) body_boxes(m, i, low, low + 3 * (size_t)most);
  cti_release(&m->allocator, low);
  return CT_OK;
}

// ---- ellipsoids that stand for geoms in a fluid

// Coefficients of the geom, then its added mass and inertia by potential flow.

// Gauss-Kronrod rule of 15 points on [0, 1], symmetric about the last one. Eight digits, as the reference
// values were computed with; the rule itself is good to six.
static const struct {
  double at, weight;
} rule[] = {
    {0.00427231, 0.01146766}, {0.02544604, 0.03154605}, {0.06756779, 0.05239501}, {0.12923441, 0.07032663},
    {0.20695638, 0.08450236}, {0.29707742, 0.09517529}, {0.39610752, 0.10221647}, {0.50000000, 0.10474107},
};
#define NRULE CT_COUNT_OF(rule)

// r_i r_j r_k / sqrt((r_i^2 + s)^3 (r_j^2 + s) (r_k^2 + s)) ds at s = scale x^3 / (1 - x)^2.
static double integrand(const double r[3], int i, double scale, double x) {
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double rest = 1 - x;
  double s = scale * x * x * x / (rest * rest), ds = scale * x * x * (3 - x) / (rest * rest * rest);
  double si = r[i] * r[i] + s, sj = r[j] * r[j] + s, sk = r[k] * r[k] + s;
  return r[0] * r[1] * r[2] / sqrt(si * si * si * sj * sk) * ds;
}

// The integral over all s; a scale like that of the integrand's bend keeps thin ellipsoids accurate.
static double kappa(const double r[3], int i) {
  double scale = cti_pow_f64(r[i] * r[i] * r[0] * r[1] * r[2], 0.4), sum = 0;
  for (int p = 0; p < NRULE; p++) {
    sum += rule[p].weight * integrand(r, i, scale, rule[p].at);
    if (p < NRULE - 1) sum += rule[p].weight * integrand(r, i, scale, 1 - rule[p].at);
  }
  return sum;
}

static void added_inertia(ctReal mass[3], ctReal inertia[3], const double r[3]) {
  double volume = 4 * CTI_PI / 3 * r[0] * r[1] * r[2], kap[3];
  if (!(volume > 0)) return;  // a plane without end
  for (int i = 0; i < 3; i++) kap[i] = kappa(r, i);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double difference = r[j] * r[j] - r[k] * r[k], total = r[j] * r[j] + r[k] * r[k];
    double divisor = 2 * difference + total * (kap[j] - kap[k]);
    mass[i] = (ctReal)(volume * kap[i] / (2 - kap[i]));
    // no fluid turns with a shape that is round about the axis
    inertia[i] = 0;
    if (divisor != 0)
      inertia[i] = (ctReal)(volume / 5 * difference * difference * (kap[k] - kap[j]) / divisor);
  }
}

// What its size makes of an ellipsoid that a geom is in a fluid.
static void fluid_coefficients(ctModel* m, int geom) {
  ctReal *out = m->geom_fluid + CT_NFLUID * geom, size[3];
  if (!(out[CTI_FLUID_SCALE] > 0)) return;
  cti_fluid_semiaxes(size, m, geom);
  added_inertia(out + CTI_FLUID_MASS, out + CTI_FLUID_INERTIA,
                (const double[3]){(double)size[0], (double)size[1], (double)size[2]});
}

// ---- everything of geoms

void cti_model_shapes(ctModel* m) {
  m->ngravcomp = 0;
  m->flg_surfacevel = m->flg_adhesion = false;
  for (int i = 0; i < m->nbody; i++) {
    m->ngravcomp += m->body_gravcomp[i] > 0;
    m->body_contype[i] = m->body_conaffinity[i] = 0;
    m->body_margin[i] = 0;
  }
  m->flg_gravcomp = m->ngravcomp > 0;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    bound_geom(m, i);
    fluid_coefficients(m, i);
    m->body_contype[body] |= m->geom_contype[i];
    m->body_conaffinity[body] |= m->geom_conaffinity[i];
    m->body_margin[body] = cti_max(m->body_margin[body], m->geom_margin[i] + m->geom_gap[i]);
    for (int k = 0; k < 6; k++) m->flg_surfacevel |= m->geom_surfacevel[6 * i + k] != 0;
    m->flg_adhesion |= m->geom_adhesion[i] != 0;
  }
  for (int i = 0; i < m->npair; i++) m->flg_adhesion |= m->pair_adhesion[i] != 0;
}

// `all`: also those that add nothing.
static void reflect(ctModel* m, bool all) {
  for (int i = 0; i < m->njnt; i++) m->jnt_actuatorid[i] = CTI_NO_ACTUATOR;
  for (int i = 0; i < m->ntendon; i++) m->tendon_actuatorid[i] = CTI_NO_ACTUATOR;
  for (int i = 0; i < m->nactuator; i++) {
    const int type = m->actuator_trntype[i], object = m->actuator_trnid[2 * i];
    const ctReal* poly = m->actuator_dampingpoly + CT_NPOLY * i;
    bool passive =
        all || m->actuator_damping[i] != 0 || poly[0] != 0 || poly[1] != 0 || m->actuator_armature[i] != 0;
    bool of_joint = type == CT_TRN_JOINT || type == CT_TRN_JOINTINPARENT;
    if (!passive || !(of_joint || type == CT_TRN_TENDON)) continue;
    int* source = (of_joint ? m->jnt_actuatorid : m->tendon_actuatorid) + object;
    *source = *source == CTI_NO_ACTUATOR ? i : CTI_MANY_ACTUATORS;
  }
}

void cti_model_reflections(ctModel* m) {
  reflect(m, false);
}

// ---- values of worlds

static void loosen_body_frames(ctModel* m) {
  memset(m->body_sameframe, CT_SAMEFRAME_NONE, (size_t)m->nbody);
  memset(m->geom_sameframe, CT_SAMEFRAME_NONE, (size_t)m->ngeom);
  memset(m->site_sameframe, CT_SAMEFRAME_NONE, (size_t)m->nsite);
}

static void loosen_geom_frames(ctModel* m) {
  memset(m->geom_sameframe, CT_SAMEFRAME_NONE, (size_t)m->ngeom);
}

static void loosen_site_frames(ctModel* m) {
  memset(m->site_sameframe, CT_SAMEFRAME_NONE, (size_t)m->nsite);
}

static void loosen_gravcomp(ctModel* m) {
  m->ngravcomp = m->nbody;
  m->flg_gravcomp = true;
}

static void loosen_surfacevel(ctModel* m) {
  m->flg_surfacevel = true;
}

static void loosen_adhesion(ctModel* m) {
  m->flg_adhesion = true;
}

static void loosen_reflections(ctModel* m) {
  reflect(m, true);
}

bool cti_model_loosen(ctModel* m, const char* field) {
  static const struct {
    const char* field;
    void (*loosen)(ctModel* m);
  } table[] = {{"body_ipos", loosen_body_frames},        {"body_iquat", loosen_body_frames},
               {"geom_pos", loosen_geom_frames},         {"geom_quat", loosen_geom_frames},
               {"site_pos", loosen_site_frames},         {"site_quat", loosen_site_frames},
               {"body_gravcomp", loosen_gravcomp},       {"geom_surfacevel", loosen_surfacevel},
               {"geom_adhesion", loosen_adhesion},       {"pair_adhesion", loosen_adhesion},
               {"actuator_damping", loosen_reflections}, {"actuator_dampingpoly", loosen_reflections},
               {"actuator_armature", loosen_reflections}};
  for (int i = 0; i < CT_COUNT_OF(table); i++) {
    if (strcmp(table[i].field, field) != 0) continue;
    table[i].loosen(m);
    return true;
  }
  return false;
}

// ---- sizes of bodies

// Size of a body that has nothing to measure.
#define MIN_BODY_SIZE CT_R(1e-5)
static ctReal distance(const ctReal a[3], const ctReal b[3]) {
  ctReal d[3];
  cti_sub3(d, a, b);
  return cti_norm3(d);
}

// How far the bodies of a cage are from each other, at most.
static void cage_sizes(const ctModel* m, const ctData* d, ctReal* size, int f) {
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[f];
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    for (int k = 0; k < i; k++) {
      ctReal between = distance(d->xpos + 3 * body[i], d->xpos + 3 * body[k]);
      size[body[i]] = cti_max(size[body[i]], between);
      size[body[k]] = cti_max(size[body[k]], between);
    }
  }
}

// The longest edge of a deformable that ends at a body.
static void flex_sizes(const ctModel* m, const ctData* d, ctReal* size) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) {
      cage_sizes(m, d, size, f);
      continue;
    }
    const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      for (int k = 0; k < 2; k++) {
        int holder = body[m->flex_edge[2 * e + k]];
        size[holder] = cti_max(size[holder], m->flexedge_length0[e]);
      }
    }
  }
}

void cti_body_sizes(ctReal* size, const ctModel* m, const ctData* d) {
  for (int i = 0; i < m->nbody; i++) size[i] = 0;
  for (int j = 0; j < m->njnt; j++) {
    int body = m->jnt_bodyid[j], parent = m->body_parentid[body];
    const ctReal* anchor = d->xanchor + 3 * j;
    size[body] = cti_max(size[body], distance(anchor, d->xipos + 3 * body));
    if (parent > 0) size[parent] = cti_max(size[parent], distance(anchor, d->xipos + 3 * parent));
  }
  for (int g = 0; g < m->ngeom; g++) {
    int body = m->geom_bodyid[g];
    if (m->geom_rbound[g] <= 0) continue;
    size[body] = cti_max(size[body], distance(d->geom_xpos + 3 * g, d->xipos + 3 * body) + m->geom_rbound[g]);
  }
  flex_sizes(m, d, size);
  for (int i = 1; i < m->nbody; i++) size[i] = cti_max(size[i], MIN_BODY_SIZE);
}

void cti_dof_lengths(ctModel* m, const ctReal* size) {
  for (int i = 0; i < m->nv; i++) {
    int type = m->jnt_type[m->dof_jntid[i]];
    bool slides = type == CT_JOINT_SLIDE || (type == CT_JOINT_FREE && i < m->jnt_dofadr[m->dof_jntid[i]] + 3);
    m->dof_length[i] = slides ? 1 : size[m->dof_bodyid[i]];
  }
}
