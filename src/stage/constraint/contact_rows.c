#include "stage/constraint/contact_rows.h"

#include "data/arena.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"

typedef struct ContactScratch {
  int body[2], n;  // of the last contact, and its dofs
  int* dof;
  ctReal* motion;  // 6 rows of nv: along the axes of the contact frame, translation then rotation
  ctReal* value;
} ContactScratch;

// The dofs of a contact. Several contacts of the same bodies come one after another.
static CT_FN void contact_dofs(const ctModel* m, const ctContact* con, ContactScratch* s) {
  int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
  if (body1 == s->body[0] && body2 == s->body[1]) return;
  s->body[0] = body1;
  s->body[1] = body2;
  s->n = cti_pair_dofs(m, body1, body2, true, s->dof);
}

// Relative motion of the second geom's body against the first's at the contact, in the contact frame.
static CT_FN void contact_motion(const ctModel* m, const ctData* d, const ctContact* con,
                                 const ContactScratch* s) {
  int nv = m->nv, way = cti_last_dof(m, s->body[1]);
  const ctReal* com[2] = {d->subtree_com + 3 * m->body_rootid[s->body[0]],
                          d->subtree_com + 3 * m->body_rootid[s->body[1]]};
  for (int k = s->n - 1; k >= 0; k--) {
    // the ways are apart: a dof moves one of the two
    bool second = s->dof[k] == way;
    if (second) way = m->dof_parentid[way];
    ctReal motion[6];
    cti_motion_shift(motion, d->cdof + 6 * s->dof[k], con->pos, com[second]);
    ctReal sign = second ? CT_R(1) : CT_R(-1);
    int rows = cti_min(con->dim, 3);
    for (int r = 0; r < rows; r++) s->motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * r, motion + 3);
    for (int r = 3; r < con->dim; r++)
      s->motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * (r - 3), motion);
  }
}

// Edges of the pyramid: the normal with each tangent, to both sides.
static CT_FN void pyramid_row(ctReal* CT_RESTRICT to, const ctReal* CT_RESTRICT normal,
                              const ctReal* CT_RESTRICT tangent, ctReal mu, int n) {
  for (int k = 0; k < n; k++) to[k] = normal[k] + mu * tangent[k];
}

static CT_FN void add_contact(ctiRows* rows, int i, const ctContact* con, const ContactScratch* s) {
  const ctModel* m = rows->m;
  int nv = m->nv, n = s->n;
  ctiRow row = {CT_CNSTR_CONTACT_FRICTIONLESS, i, con->dist, con->includemargin, 0};
  if (con->dim == 1) {
    cti_add_row(rows, &row, s->dof, s->motion, n);
  } else if (m->opt.cone == CT_CONE_PYRAMIDAL) {
    row.type = CT_CNSTR_CONTACT_PYRAMIDAL;
    for (int r = 1; r < con->dim; r++) {
      for (int side = 1; side >= -1; side -= 2) {
        ctReal mu = (ctReal)side * con->friction[r - 1];
        pyramid_row(s->value, s->motion, s->motion + r * nv, mu, n);
        cti_add_row(rows, &row, s->dof, s->value, n);
      }
    }
  } else {
    row.type = CT_CNSTR_CONTACT_ELLIPTIC;
    for (int r = 0; r < con->dim; r++) {
      if (r > 0) row.pos = row.margin = 0;
      cti_add_row(rows, &row, s->dof, s->motion + r * nv, n);
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
  s.body[0] = s.body[1] = -1;
  s.n = 0;
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
    contact_dofs(m, con, &s);
    if (s.n == 0) {
      con->exclude = 3;
      continue;
    }
    con->efc_address = rows->nefc;
    if (rows->counting) {
      count_contact(rows, con, s.n);
    } else {
      contact_motion(m, d, con, &s);
      add_contact(rows, i, con, &s);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}
