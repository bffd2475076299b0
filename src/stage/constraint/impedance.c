#include "data/data.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/constraint/flex_contact.h"
#include "stage/constraint/softness.h"
#include "stage/position/point_motion.h"

// Friction may be far harder than the normal it follows from, but its stiffness stays a number.
#define MIN_SOFTNESS (sizeof(ctReal) == 4 ? CTI_MINVAL : CT_R(1e-60))

// Softness parameters of a constraint.
typedef struct Softness {
  const ctReal *solref, *solimp;
} Softness;

// Time constant and damping ratio, or what a mixed one is replaced by; not stiffness and damping themselves.
CT_INLINE bool is_standard(const ctReal* solref) {
  return solref[0] > 0 || cti_reference_is_mixed(solref);
}

// Contacts and limits only push.
CT_INLINE bool is_one_sided(int type) {
  return type >= CT_CNSTR_CONTACT_FRICTIONLESS || type == CT_CNSTR_LIMIT_JOINT ||
         type == CT_CNSTR_LIMIT_TENDON;
}

// With the discrete integrator rows are solved in its metric, and their reference is taken at the end of the
// step.
CT_INLINE bool is_discrete(const ctData* d) {
  return cti_data_const(d)->metric.on;
}

// Stiffness and damping of a reference, for the largest impedance `dmax`.
static CT_FN void reference_gains(const ctModel* m, const ctReal* solref, ctReal dmax, ctReal* K, ctReal* B) {
  bool safe = !(m->opt.disableflags & CT_DSBL_REFSAFE) && m->opt.integrator != CT_INT_DISCRETE;
  cti_reference_gains(solref, dmax, safe ? 2 * m->opt.timestep : 0, K, B);
}

static CT_FN Softness softness_of(const ctModel* m, const ctData* d, int i) {
  int id = d->efc_id[i];
  Softness s;
  switch (d->efc_type[i]) {
    case CT_CNSTR_EQUALITY:
      s.solref = m->eq_solref + CT_NREF * id;
      s.solimp = m->eq_solimp + CT_NIMP * id;
      break;
    case CT_CNSTR_FRICTION_DOF:
      s.solref = m->dof_solref + CT_NREF * id;
      s.solimp = m->dof_solimp + CT_NIMP * id;
      break;
    case CT_CNSTR_FRICTION_TENDON:
      s.solref = m->tendon_solref_fri + CT_NREF * id;
      s.solimp = m->tendon_solimp_fri + CT_NIMP * id;
      break;
    case CT_CNSTR_LIMIT_JOINT:
      s.solref = m->jnt_solref + CT_NREF * id;
      s.solimp = m->jnt_solimp + CT_NIMP * id;
      break;
    case CT_CNSTR_LIMIT_TENDON:
      s.solref = m->tendon_solref_lim + CT_NREF * id;
      s.solimp = m->tendon_solimp_lim + CT_NIMP * id;
      break;
    default: s.solref = d->contact[id].solref; s.solimp = d->contact[id].solimp;
  }
  return s;
}

// Bodies of an equality between bodies or sites.
static CT_FN int equality_body(const ctModel* m, int eq, int object) {
  return m->eq_objtype[eq] == CT_OBJ_SITE ? m->site_bodyid[object] : object;
}

// Approximate inverse inertia of an equality row; `k`: which of its rows.
static CT_FN ctReal equality_weight(const ctModel* m, int eq, int k) {
  int first = m->eq_obj1id[eq], second = m->eq_obj2id[eq];
  switch (m->eq_type[eq]) {
    case CT_EQ_JOINT:
      return m->dof_invweight0[m->jnt_dofadr[first]] +
             (second >= 0 ? m->dof_invweight0[m->jnt_dofadr[second]] : 0);
    case CT_EQ_TENDON: return m->tendon_invweight0[first] + (second >= 0 ? m->tendon_invweight0[second] : 0);
    default: {
      int part = k < 3 ? 0 : 1;
      return m->body_invweight0[2 * equality_body(m, eq, first) + part] +
             m->body_invweight0[2 * equality_body(m, eq, second) + part];
    }
  }
}

CT_INLINE ctReal contact_row_weight(const ctContact* con, int type, int k, ctReal tran, ctReal rot) {
  switch (type) {
    case CT_CNSTR_CONTACT_FRICTIONLESS: return tran;
    case CT_CNSTR_CONTACT_ELLIPTIC: return k < 3 ? tran : rot;
    default: {
      int direction = k / 2;
      ctReal mu = con->friction[direction];
      return tran + mu * mu * (direction < 2 ? tran : rot);
    }
  }
}

CT_INLINE ctReal contact_weight(const ctModel* m, const ctData* d, const ctContact* con, int type, int k) {
  const ctReal* w = m->body_invweight0;
  if (cti_is_flex_contact(con)) {
    ctReal sums[2];
    cti_contact_inverse_weight(&sums[0], &sums[1], m, d, con);
    return contact_row_weight(con, type, k, sums[0], sums[1]);
  }
  int b1 = m->geom_bodyid[con->geom[0]], b2 = m->geom_bodyid[con->geom[1]];
  return contact_row_weight(con, type, k, w[2 * b1] + w[2 * b2], w[2 * b1 + 1] + w[2 * b2 + 1]);
}

// Number of rows of the constraint that starts at row i.
static CT_FN int block_size(const ctModel* m, const ctData* d, int i) {
  int type = d->efc_type[i], id = d->efc_id[i], n = 1;
  if (type < CT_CNSTR_CONTACT_FRICTIONLESS && type != CT_CNSTR_EQUALITY) return 1;
  if (type == CT_CNSTR_EQUALITY && m->eq_type[id] != CT_EQ_CONNECT && m->eq_type[id] != CT_EQ_WELD) return 1;
  while (i + n < d->nefc && d->efc_type[i + n] == type && d->efc_id[i + n] == id) n++;
  return n;
}

CT_INLINE ctReal weight_of(const ctModel* m, const ctData* d, int i, int k) {
  int id = d->efc_id[i];
  switch (d->efc_type[i]) {
    case CT_CNSTR_EQUALITY:
      // those of deformables have brought theirs
      if (m->eq_type[id] == CT_EQ_FLEX || m->eq_type[id] == CT_EQ_FLEXSTRAIN)
        return cti_data_const(d)->row_weight[i];
      return equality_weight(m, id, k);
    case CT_CNSTR_FRICTION_DOF: return m->dof_invweight0[id];
    case CT_CNSTR_FRICTION_TENDON:
    case CT_CNSTR_LIMIT_TENDON: return m->tendon_invweight0[id];
    case CT_CNSTR_LIMIT_JOINT: return m->dof_invweight0[m->jnt_dofadr[id]];
    default: return contact_weight(m, d, d->contact + id, d->efc_type[i], k);
  }
}

// Friction rows follow from the first row of their contact.
static CT_FN void friction_softness(const ctModel* m, ctData* d, int i, int n) {
  ctContact* con = d->contact + d->efc_id[i];
  ctReal R0 = d->efc_R[i], R1 = R0 / cti_max(CTI_MINVAL, m->opt.impratio), f0 = con->friction[0];
  con->mu = f0 * cti_sqrt(R1 / R0);
  if (d->efc_type[i] == CT_CNSTR_CONTACT_PYRAMIDAL) {
    for (int k = 0; k < n; k++) d->efc_R[i + k] = cti_max(MIN_SOFTNESS, 2 * con->mu * con->mu * R0);
  } else {
    for (int k = 1; k < n; k++) {
      ctReal f = con->friction[k - 1];
      d->efc_R[i + k] = cti_max(MIN_SOFTNESS, k == 1 ? R1 : R1 * f0 * f0 / (f * f));
    }
  }
}

// ---- the same in the metric of the discrete integrator ----

// How much softer the row feels the dofs than with M alone, both as if they were on their own.
static CT_FN ctReal metric_ratio(const ctModel* m, const ctData* d, int i) {
  const bool sparse = cti_is_sparse(m);
  const int n = sparse ? d->efc_J_rownnz[i] : m->nv;
  const ctReal* J = d->efc_J + (sparse ? d->efc_J_rowadr[i] : (int64_t)i * m->nv);
  ctReal with = 0, without = 0;
  for (int k = 0; k < n; k++) {
    int dof = sparse ? d->efc_J_colind[d->efc_J_rowadr[i] + k] : k;
    ctReal mass = d->M[m->M_rowadr[dof] + m->M_rownnz[dof] - 1];
    with += J[k] * J[k] / (mass + d->efm_sdiag[dof]);
    without += J[k] * J[k] / mass;
  }
  return without > 0 ? with / without : CT_R(1);
}

// A reference that the step is too long for is replaced by the fastest one it can follow.
static CT_FN void follow_step(const ctModel* m, ctReal impedance, ctReal* K, ctReal* B) {
  const ctReal h = m->opt.timestep, excess = h * h * *K * impedance;
  if ((m->opt.disableflags & CT_DSBL_REFSAFE) || !(excess > 1)) return;
  ctReal most = CTI_MAX_IMPEDANCE * (1 - impedance) / (impedance * (1 - CTI_MAX_IMPEDANCE));
  *K = 1 / (h * h * impedance);
  *B = cti_min(*B / cti_sqrt(excess), cti_max(0, most - 2) / h);
}

// Factor of the reference: how stiff and damped a row is over a step.
CT_INLINE ctReal row_factor(const ctModel* m, const ctReal* kbip) {
  const ctReal h = m->opt.timestep;
  return 1 + h * kbip[1] + h * h * kbip[0] * kbip[2];
}

static CT_FN ctReal discrete_softness(const ctModel* m, const ctData* d, const ctReal* exact, int i, int k,
                                      ctReal weight) {
  const ctReal* kbip = d->efc_KBIP + 4 * (i + k);
  if (!exact) weight *= metric_ratio(m, d, i + k);
  ctReal softness = (1 - kbip[2]) / kbip[2] * weight / row_factor(m, kbip);
  return cti_max(softness, weight * (1 - CTI_MAX_IMPEDANCE) / CTI_MAX_IMPEDANCE);
}

// Gains and softness of a block again; `rubs`: its softness is that of the first row.
static CT_COLD void discrete_block(const ctModel* m, ctData* d, const Softness* soft, const ctReal* exact,
                                   int i, int n, bool rubs) {
  const bool follows = is_one_sided(d->efc_type[i]) && is_standard(soft->solref);
  const bool elliptic = d->efc_type[i] == CT_CNSTR_CONTACT_ELLIPTIC;
  for (int k = 0; k < n; k++) {
    ctReal* kbip = d->efc_KBIP + 4 * (i + k);
    if (follows && !(elliptic && k > 0)) follow_step(m, kbip[2], &kbip[0], &kbip[1]);
    if (rubs && k > 0) continue;
    ctReal weight = exact ? exact[i + k] : weight_of(m, d, i, k);
    d->efc_R[i + k] = cti_max(CTI_MINVAL, discrete_softness(m, d, exact, i, k, weight));
  }
}

static CT_FN void block_softness(const ctModel* m, ctData* d, const ctReal* exact, int i, int n) {
  int type = d->efc_type[i];
  bool contact = type >= CT_CNSTR_CONTACT_FRICTIONLESS, elliptic = type == CT_CNSTR_CONTACT_ELLIPTIC;
  bool friction = type == CT_CNSTR_FRICTION_DOF || type == CT_CNSTR_FRICTION_TENDON;
  Softness soft = softness_of(m, d, i);
  ctReal solimp[CT_NIMP], K, B, slope;
  cti_clamp_solimp(solimp, soft.solimp);
  reference_gains(m, soft.solref, solimp[1], &K, &B);
  // connects and welds are as violated as all their rows together
  ctReal violation = d->efc_pos[i] - d->efc_margin[i];
  if (type == CT_CNSTR_EQUALITY && n > 1) violation = cti_norm(d->efc_pos + i, n);
  ctReal impedance = cti_impedance_at(solimp, violation, &slope);
  bool rubs = contact && type != CT_CNSTR_CONTACT_FRICTIONLESS;
  const bool lean = cti_rows_are_lean(d);
  for (int k = 0; k < n; k++) {
    ctReal own[4], *kbip = lean ? own : d->efc_KBIP + 4 * (i + k), Kr = K, Br = B;
    if (elliptic && k > 0) {
      const ctReal* ref = d->contact[d->efc_id[i]].solreffriction;
      // where it says nothing, that of the normal stands
      if ((ref[0] != 0 || ref[1] != 0) && !cti_reference_is_mixed(ref))
        reference_gains(m, ref, solimp[1], &Kr, &Br);
    }
    kbip[0] = friction || (elliptic && k > 0) ? 0 : Kr;
    kbip[1] = Br;
    kbip[2] = impedance;
    kbip[3] = slope;
    if (lean) {
      d->efc_aref[i + k] = kbip[0] * kbip[2] * (d->efc_pos[i + k] - d->efc_margin[i + k]);
      d->efc_b[i + k] = kbip[1];
    }
    if (rubs && k > 0) continue;  // follows from the first row
    ctReal weight = exact ? exact[i + k] : weight_of(m, d, i, k);
    d->efc_R[i + k] = cti_max(CTI_MINVAL, (1 - impedance) / impedance * weight);
  }
  if (is_discrete(d)) discrete_block(m, d, &soft, exact, i, n, rubs);
  if (rubs) friction_softness(m, d, i, n);
  for (int k = 0; k < n; k++) {
    if (!lean) d->efc_diagA[i + k] = d->efc_R[i + k] * impedance / (1 - impedance);
    d->efc_D[i + k] = 1 / d->efc_R[i + k];
  }
}

// Does row i begin a constraint?
static CT_FN bool begins_block(const ctModel* m, const ctData* d, int i) {
  if (i == 0 || d->efc_type[i] != d->efc_type[i - 1] || d->efc_id[i] != d->efc_id[i - 1]) return true;
  return block_size(m, d, i - 1) == 1;
}

CT_FN void cti_impedance(const ctModel* m, ctData* d, const ctReal* exact) {
  if (CT_TEAM > 1) {
    CT_LANES(i, d->nefc) {
      if (begins_block(m, d, i)) block_softness(m, d, exact, i, block_size(m, d, i));
    }
    CT_TEAM_SYNC();
    return;
  }
  for (int i = 0; i < d->nefc;) {
    int n = block_size(m, d, i);
    block_softness(m, d, exact, i, n);
    i += n;
  }
}

// ---- the acceleration each row asks for ----
//   reads   d->efc_J, efc_pos, efc_margin, efc_KBIP, efc_R, qvel, contact
//   writes  d->efc_vel, efc_aref
//   before  impedance; velocities

// Moving surfaces add to the velocity along and about the axes of the contact.
static CT_FN void add_surface_velocity(const ctModel* m, ctData* d) {
  if (!m->flg_surfacevel) return;
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->dim == 1) continue;
    ctReal* vel = d->efc_vel + con->efc_address;
    int directions = con->dim - 1 < 3 ? con->dim - 1 : 3;
    for (int k = 0; k < directions; k++) {
      if (m->opt.cone == CT_CONE_PYRAMIDAL) {
        vel[2 * k] += con->friction[k] * con->surfacevel[k];
        vel[2 * k + 1] -= con->friction[k] * con->surfacevel[k];
      } else {
        vel[1 + k] += con->surfacevel[k];
      }
    }
  }
}

// Adhesion pulls along the normal: as if the row wanted to close that much faster.
static CT_FN void add_adhesion(const ctModel* m, ctData* d) {
  if (!m->flg_adhesion) return;
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->adhesion == 0) continue;
    bool pyramidal = con->dim > 1 && m->opt.cone == CT_CONE_PYRAMIDAL;
    int n = pyramidal ? 2 * (con->dim - 1) : 1;
    for (int k = 0; k < n; k++)
      d->efc_aref[con->efc_address + k] += d->efc_R[con->efc_address + k] * con->adhesion / (ctReal)n;
  }
}

// At the end of the step: what is asked for is divided by how much of it the row itself brings about.
static CT_FN void discrete_reference(const ctModel* m, ctData* d, const ctReal* drift) {
  const ctReal h = m->opt.timestep;
  CT_LANES(i, d->nefc) {
    const ctReal* kbip = d->efc_KBIP + 4 * i;
    ctReal stiffness = kbip[0] * kbip[2],
           ask = stiffness * (d->efc_pos[i] - d->efc_margin[i]) + (kbip[1] + h * stiffness) * d->efc_vel[i];
    if (i < d->ne) ask += drift[i];
    d->efc_aref[i] = -ask / row_factor(m, kbip);
  }
  CT_TEAM_SYNC();
}

// What the rows of connects and welds do when no dof accelerates; `by` times that is added to `to`.
static CT_FN void add_drift(const ctModel* m, const ctData* d, ctReal* to, ctReal by) {
  for (int i = 0; i < d->ne;) {
    int eq = d->efc_id[i], n = 1;
    if (m->eq_type[eq] == CT_EQ_CONNECT || m->eq_type[eq] == CT_EQ_WELD) {
      ctReal drift[6];
      int rows = cti_equality_drift(m, d, eq, drift);
      // rows that were empty have been dropped: the block is complete or it is not there
      n = 0;
      while (i + n < d->ne && n < rows && d->efc_id[i + n] == eq) {
        to[i + n] += by * drift[n];
        n++;
      }
    }
    i += n;
  }
}

CT_FN void cti_reference(const ctModel* m, ctData* d) {
  if (d->nefc == 0) return;
  cti_mul_J(m, d, d->efc_vel, d->qvel);
  add_surface_velocity(m, d);
  if (is_discrete(d)) {
    // the drift is needed before the division: it waits in the reference
    cti_team_zero(d->efc_aref, d->nefc);
    add_drift(m, d, d->efc_aref, 1);
    discrete_reference(m, d, d->efc_aref);
    add_adhesion(m, d);
    return;
  }
  const bool lean = cti_rows_are_lean(d);
  CT_LANES(i, d->nefc) {
    const ctReal* kbip = lean ? (const ctReal*)0 : d->efc_KBIP + 4 * i;
    const ctReal damping = lean ? d->efc_b[i] : kbip[1],
                 ask = lean ? d->efc_aref[i] : kbip[0] * kbip[2] * (d->efc_pos[i] - d->efc_margin[i]);
    d->efc_aref[i] = -damping * d->efc_vel[i] - ask;
  }
  CT_TEAM_SYNC();
  add_adhesion(m, d);
  add_drift(m, d, d->efc_aref, -1);
}
