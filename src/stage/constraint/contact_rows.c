#include "stage/constraint/contact_rows.h"

#include "data/arena.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"

typedef struct ContactScratch {
  int* dof;
  ctReal* motion;  // 6 rows of nv: along the axes of the contact frame, translation then rotation
  ctReal* value;
} ContactScratch;

// Relative motion of the second geom's body against the first's at the contact, in the contact frame.
static CT_FN int contact_motion(const ctModel* m, const ctData* d, const ctContact* con, ContactScratch s) {
  int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]], nv = m->nv;
  int n = cti_pair_dofs(m, body1, body2, true, s.dof), way = cti_last_dof(m, body2);
  for (int k = n - 1; k >= 0; k--) {
    // the ways are apart: a dof moves one of the two
    bool second = s.dof[k] == way;
    if (second) way = m->dof_parentid[way];
    ctReal motion[6];
    cti_point_motion(motion, m, d, s.dof[k], second ? body2 : body1, con->pos);
    ctReal sign = second ? CT_R(1) : CT_R(-1);
    int rows = cti_min(con->dim, 3);
    for (int r = 0; r < rows; r++) s.motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * r, motion + 3);
    for (int r = 3; r < con->dim; r++)
      s.motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * (r - 3), motion);
  }
  return n;
}

static CT_FN void add_contact(ctiRows* rows, int i, const ctContact* con, ContactScratch s, int n) {
  const ctModel* m = rows->m;
  int nv = m->nv;
  ctiRow row = {CT_CNSTR_CONTACT_FRICTIONLESS, i, con->dist, con->includemargin, 0};
  if (con->dim == 1) {
    cti_add_row(rows, &row, s.dof, s.motion, n);
  } else if (m->opt.cone == CT_CONE_PYRAMIDAL) {
    row.type = CT_CNSTR_CONTACT_PYRAMIDAL;
    for (int r = 1; r < con->dim; r++) {
      for (int side = 1; side >= -1; side -= 2) {
        ctReal mu = (ctReal)side * con->friction[r - 1];
        for (int k = 0; k < n; k++) s.value[k] = s.motion[k] + mu * s.motion[r * nv + k];
        cti_add_row(rows, &row, s.dof, s.value, n);
      }
    }
  } else {
    row.type = CT_CNSTR_CONTACT_ELLIPTIC;
    for (int r = 0; r < con->dim; r++) {
      if (r > 0) row.pos = row.margin = 0;
      cti_add_row(rows, &row, s.dof, s.motion + r * nv, n);
    }
  }
}

// Room for the rows of a contact.
static CT_FN void count_contact(ctiRows* rows, const ctContact* con, int n) {
  int count = 1;
  if (con->dim > 1) count = rows->m->opt.cone == CT_CONE_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
  rows->nefc += count;
  rows->nJ += count * (rows->sparse ? n : rows->m->nv);
}

CT_FN ctStatus cti_contact_rows(ctiRows* rows) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  if (d->ncon == 0 || (m->opt.disableflags & CT_DSBL_CONTACT)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ContactScratch s;
  s.dof = CTI_SCRATCH(d, int, m->nv, "contact.dof");
  s.motion = CTI_SCRATCH(d, ctReal, 6 * m->nv, "contact.motion");
  s.value = CTI_SCRATCH(d, ctReal, m->nv, "contact.value");
  if (!s.dof || !s.motion || !s.value) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  for (int i = 0; i < d->ncon; i++) {
    ctContact* con = d->contact + i;
    con->efc_address = -1;
    if (con->exclude) continue;
    int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
    int n = rows->counting ? cti_pair_dofs(m, body1, body2, true, s.dof) : contact_motion(m, d, con, s);
    if (n == 0) {
      con->exclude = 3;
      continue;
    }
    con->efc_address = rows->nefc;
    if (rows->counting) {
      count_contact(rows, con, n);
    } else {
      add_contact(rows, i, con, s, n);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}
