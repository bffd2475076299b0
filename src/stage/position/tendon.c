#include "stage/position/tendon.h"

#include "data/arena.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"
#include "stage/position/wrap.h"

// What the path passes, besides ids of geoms.
#define PASSES_SITE   (-1)
#define PASSES_PULLEY (-2)

// The path of one tendon while it is followed.
typedef struct TendonPath {
  const ctModel* m;
  ctData* d;
  ctReal* row;  // gradient of the length, one number a dof
  ctReal length;
  ctReal divisor;  // of the branch at hand
  int npoint;      // points written, of all tendons
} TendonPath;

static CT_FN void write_point(TendonPath* path, const ctReal point[3], int object) {
  ctData* d = path->d;
  cti_copy3(d->wrap_xpos + 3 * path->npoint, point);
  d->wrap_obj[path->npoint] = object;
  path->npoint++;
}

// A straight piece between points of two bodies.
static CT_FN void add_piece(TendonPath* path, const ctReal from[3], int body0, const ctReal to[3],
                            int body1) {
  ctReal dir[3], wrench0[6], wrench1[6];
  cti_sub3(dir, to, from);
  path->length += cti_normalize3(dir) / path->divisor;
  if (body0 == body1) return;
  cti_wrench_at(wrench0, path->m, path->d, dir, from, body0);
  cti_wrench_at(wrench1, path->m, path->d, dir, to, body1);
  cti_add_relative_gradient(path->row, path->m, path->d, wrench0, body0, wrench1, body1, 1 / path->divisor);
}

// From a site over a geom to a site.
static CT_FN void add_wrapped(TendonPath* path, int site0, int wrap, int site1) {
  const ctModel* m = path->m;
  const ctData* d = path->d;
  const ctReal *from = d->site_xpos + 3 * site0, *to = d->site_xpos + 3 * site1;
  int geom = m->wrap_objid[wrap], side = (int)cti_round(m->wrap_prm[wrap]);
  ctiWrapObject object;
  object.kind = m->wrap_type[wrap];
  object.radius = m->geom_size[3 * geom];
  object.pos = d->geom_xpos + 3 * geom;
  object.mat = d->geom_xmat + 9 * geom;
  object.side = side >= 0 ? d->site_xpos + 3 * side : (const ctReal*)0;
  ctReal touch[6], arc;
  int body0 = m->site_bodyid[site0], body1 = m->site_bodyid[site1], body = m->geom_bodyid[geom];
  if (!cti_wrap(touch, &arc, &object, from, to)) {
    add_piece(path, from, body0, to, body1);
    return;
  }
  write_point(path, touch, geom);
  write_point(path, touch + 3, geom);
  add_piece(path, from, body0, touch, body);
  path->length += arc / path->divisor;
  add_piece(path, touch + 3, body, to, body1);
}

static CT_FN void follow_path(TendonPath* path, int begin, int end) {
  const ctModel* m = path->m;
  const ctReal nowhere[3] = {0, 0, 0};
  for (int w = begin; w < end;) {
    if (m->wrap_type[w] == CT_WRAP_PULLEY) {
      path->divisor = m->wrap_prm[w];
      write_point(path, nowhere, PASSES_PULLEY);
      w++;
      continue;
    }
    int site = m->wrap_objid[w];
    const ctReal* from = path->d->site_xpos + 3 * site;
    write_point(path, from, PASSES_SITE);
    // the last site of a branch is where it ends
    if (w + 1 >= end || m->wrap_type[w + 1] == CT_WRAP_PULLEY) {
      w++;
    } else if (m->wrap_type[w + 1] == CT_WRAP_SITE) {
      int next = m->wrap_objid[w + 1];
      add_piece(path, from, m->site_bodyid[site], path->d->site_xpos + 3 * next, m->site_bodyid[next]);
      w++;
    } else {
      add_wrapped(path, site, w + 1, m->wrap_objid[w + 2]);
      w += 2;
    }
  }
}

// Move the gradient from the dense row into the tendon's pattern, leaving the row empty.
static CT_FN void gather_row(const ctModel* m, ctData* d, int t, ctReal* row) {
  const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
  ctReal* to = d->ten_J + m->ten_J_rowadr[t];
  for (int k = 0; k < m->ten_J_rownnz[t]; k++) {
    to[k] = row[col[k]];
    row[col[k]] = 0;
  }
}

static CT_FN void spatial_tendon(const ctModel* m, ctData* d, int t, ctReal* row, int* npoint) {
  TendonPath path;
  path.m = m;
  path.d = d;
  path.row = row;
  path.length = 0;
  path.divisor = 1;
  path.npoint = *npoint;
  follow_path(&path, m->tendon_adr[t], m->tendon_adr[t] + m->tendon_num[t]);
  d->ten_length[t] = path.length;
  d->ten_wrapadr[t] = *npoint;
  d->ten_wrapnum[t] = path.npoint - *npoint;
  *npoint = path.npoint;
  gather_row(m, d, t, row);
}

// Weighted sum of joint positions.
static CT_FN void fixed_tendon(const ctModel* m, ctData* d, int t, ctReal* row, int npoint) {
  ctReal length = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    int j = m->wrap_objid[w];
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[j]];
    row[m->jnt_dofadr[j]] = m->wrap_prm[w];
  }
  d->ten_length[t] = length;
  d->ten_wrapadr[t] = npoint;
  d->ten_wrapnum[t] = 0;
  gather_row(m, d, t, row);
}

CT_FN ctStatus cti_tendons(const ctModel* m, ctData* d) {
  if (m->ntendon == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* row = CTI_SCRATCH(d, ctReal, m->nv, "tendon.row");
  if (!row) {
    cti_zero(d->ten_J, m->nJten);
    return CT_STEP_OVERFLOW;
  }
  cti_zero(row, m->nv);
  int npoint = 0;
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_type[t] == CT_TENDON_FIXED) {
      fixed_tendon(m, d, t, row, npoint);
    } else {
      spatial_tendon(m, d, t, row, &npoint);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_FN void cti_tendon_inertia(const ctModel* m, ctData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    ctReal armature = cti_tendon_armature(m, t);
    if (armature == 0) continue;
    const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
    const ctReal* value = d->ten_J + m->ten_J_rowadr[t];
    for (int k = 0; k < m->ten_J_rownnz[t]; k++) {
      // both the row of M and the gradient have ascending columns
      const int* to = m->M_colind + m->M_rowadr[col[k]];
      ctReal* row = d->M + m->M_rowadr[col[k]];
      ctReal weight = armature * value[k];
      for (int a = 0, b = 0; a < m->M_rownnz[col[k]] && b <= k;) {
        if (to[a] == col[b]) row[a] += weight * value[b];
        int x = to[a], y = col[b];
        a += x <= y;
        b += y <= x;
      }
    }
  }
}
