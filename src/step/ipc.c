#include "step/ipc.h"

#include "collide/surface.h"
#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/metric/metric.h"
#include "stage/position/point_motion.h"
#include "stage/solve/solve.h"
#include "step/step.h"

// Stiffness of a contact, times the smallest mass of its vertices, N/m/kg.
#define IPC_STIFFNESS CT_R(5e7)

// A contact is softer by this factor for every step since it was last there: first touches are gentle.
#define IPC_SOFTENING CT_R(0.9)
#define IPC_SOFTEST   200

// Vertices that are touched again within so many steps are marked, by an age that is negative, and may be
// without contact for as long before they soften.
#define IPC_SHORT_BREAK 5

// Trials of a step. Where they are not enough the surfaces stay where the last free way ended.
#define IPC_TRIALS 50

typedef struct Ipc {
  const ctModel* m;
  ctData* d;
  ctiSurfaces s;
  ctReal* start;   // places of the vertices when the step begins
  ctReal* lambda;  // multipliers and ages of vertices, as the last trial left them
  int* age;
  ctReal* velocity;  // nv: what leads to s.from
  ctReal* trial;     // nv: ... to s.to
  ctiSurfaceContact* contact;
  int ncontact;
  ctReal *stiffness, *soft, *multiplier;  // of the contacts: force is soft times the rest
} Ipc;

// ---- vertices ----

CT_INLINE int vertex_body(const Ipc* w, int vertex) {
  return vertex < w->s.nvert ? w->m->flex_vertbodyid[vertex] : 0;
}

// Dofs of a vertex, from the last to the first: all of them slide.
static CT_FN int first_dof(const Ipc* w, int vertex) {
  int body = vertex_body(w, vertex);
  return body > 0 ? cti_last_dof(w->m, body) : -1;
}

// out = start + h J velocity
static CT_FN void move_vertices(const Ipc* w, ctReal* out, const ctReal* velocity) {
  for (int i = 0; i < w->s.nvert; i++) {
    cti_copy3(out + 3 * (int64_t)i, w->start + 3 * (int64_t)i);
    for (int k = first_dof(w, i); k >= 0; k = w->m->dof_parentid[k])
      cti_add_scaled3(out + 3 * (int64_t)i, w->d->cdof + 6 * k + 3, w->m->opt.timestep * velocity[k]);
  }
}

// ---- contacts ----

// Steps by which a vertex has softened.
CT_INLINE int softened(int age) {
  const int steps = age >= 0 ? age : -age - IPC_SHORT_BREAK - 1;
  return steps < 0 ? 0 : (steps > IPC_SOFTEST ? IPC_SOFTEST : steps);
}

// Softness, multiplier and stiffness of a contact are those of its vertices. False: nothing of it moves.
static CT_FN bool weigh_contact(const Ipc* w, int i) {
  const ctiSurfaceContact* c = w->contact + i;
  ctReal mass = 0, multiplier = 0, soft = 1;
  int age = 0;
  bool any = false;
  for (int k = 0; k < c->n; k++) {
    const int v = c->point[k];
    if (v >= w->s.nvert) continue;
    if (w->lambda[v] > multiplier) multiplier = w->lambda[v];
    if (first_dof(w, v) < 0) continue;
    const ctReal own = w->m->body_mass[vertex_body(w, v)];
    if (!any || own < mass) mass = own;
    if (!any || w->age[v] < age) age = w->age[v];
    any = true;
  }
  for (int k = softened(age); k > 0; k--) soft *= IPC_SOFTENING;
  w->stiffness[i] = IPC_STIFFNESS * mass;
  w->soft[i] = soft;
  w->multiplier[i] = multiplier;
  return any;
}

// Elements of its row, at most.
static CT_FN int row_elements(const Ipc* w, const ctiSurfaceContact* c) {
  int n = 0;
  for (int k = 0; k < c->n; k++) {
    for (int i = first_dof(w, c->point[k]); i >= 0; i = w->m->dof_parentid[i]) n++;
  }
  return n;
}

// Its row, dofs ascending. Returns the number of elements.
static CT_FN int contact_row(const Ipc* w, const ctiSurfaceContact* c, int* dof, ctReal* value) {
  int n = 0;
  for (int k = 0; k < c->n; k++) {
    for (int i = first_dof(w, c->point[k]); i >= 0; i = w->m->dof_parentid[i]) {
      const ctReal x = c->weight[k] * cti_dot3(c->normal, w->d->cdof + 6 * i + 3);
      int at = 0;
      while (at < n && dof[at] < i) at++;
      if (at < n && dof[at] == i) {
        value[at] += x;
        continue;
      }
      for (int j = n++; j > at; j--) {
        dof[j] = dof[j - 1];
        value[j] = value[j - 1];
      }
      dof[at] = i;
      value[at] = x;
    }
  }
  return n;
}

// Contacts on the way to s.to, in scratch; those that nothing can move are left out.
static CT_FN bool find_contacts_on_way(Ipc* w) {
  ctData* d = w->d;
  w->ncontact = 0;
  if (!cti_surfaces_search(&w->s, d, CTI_SURFACES_NEAR)) return false;
  const int n = cti_surfaces_contacts(&w->s, (ctiSurfaceContact*)0);
  w->contact = CTI_SCRATCH(d, ctiSurfaceContact, n, "ipc.contacts");
  w->stiffness = CTI_SCRATCH(d, ctReal, n, "ipc.stiffness");
  w->soft = CTI_SCRATCH(d, ctReal, n, "ipc.soft");
  w->multiplier = CTI_SCRATCH(d, ctReal, n, "ipc.multiplier");
  if (!w->contact || !w->stiffness || !w->soft || !w->multiplier) return false;
  cti_surfaces_contacts(&w->s, w->contact);
  for (int i = 0; i < n; i++) {
    w->contact[w->ncontact] = w->contact[i];
    if (weigh_contact(w, w->ncontact)) w->ncontact++;
  }
  return true;
}

// Distance of a contact when its points are at `x`, to first order.
static CT_FN ctReal contact_distance(const Ipc* w, const ctiSurfaceContact* c, const ctReal* x) {
  ctReal dist = c->dist;
  for (int k = 0; k < c->n; k++) {
    ctReal motion[3];
    if (c->point[k] >= w->s.nvert) continue;
    cti_sub3(motion, x + 3 * (int64_t)c->point[k], w->s.from + 3 * (int64_t)c->point[k]);
    dist += c->weight[k] * cti_dot3(c->normal, motion);
  }
  return dist;
}

// ---- rows ----

// What the data says of rows, to be put back.
typedef struct Rows {
  int nefc, nJ;
  size_t parena, parena_rows;
#define X(type, name, rows, cols, group, ...) type* name;
#include "corten/fields/data_arena.def"
#undef X
} Rows;

static CT_FN void keep_rows(Rows* r, const ctData* d) {
  r->nefc = d->nefc;
  r->nJ = d->nJ;
  r->parena = cti_data_const(d)->parena;
  r->parena_rows = cti_data_const(d)->parena_rows;
#define X(type, name, ...) r->name = d->name;
#include "corten/fields/data_arena.def"
#undef X
}

// The rows of the model have their forces; those of surfaces, and what was made for all, are gone.
static CT_FN void put_rows_back(const Rows* r, ctData* d) {
  for (int i = 0; i < r->nefc; i++) {
    r->efc_force[i] = d->efc_force[i];
    r->efc_state[i] = d->efc_state[i];
    r->efc_b[i] = d->efc_b[i];
  }
  d->nefc = r->nefc;
  d->nJ = r->nJ;
  d->nisland = d->nidof = 0;
  cti_data(d)->parena = r->parena;
  cti_data(d)->parena_rows = r->parena_rows;
#define X(type, name, ...) d->name = r->name;
#include "corten/fields/data_arena.def"
#undef X
}

// A contact as a row behind those of the model: stiffness (gap - distance at the end) + multiplier, softened.
static CT_FN void write_row(Ipc* w, int i, int row, int adr, bool sparse, int* dof, ctReal* value) {
  const ctiSurfaceContact* c = w->contact + i;
  ctData* d = w->d;
  const ctReal h = w->m->opt.timestep;
  const int n = contact_row(w, c, dof, value);
  ctReal rate = 0;
  for (int k = 0; k < n; k++) rate += value[k] * d->qvel[dof[k]];
  if (sparse) {
    d->efc_J_rownnz[row] = n;
    d->efc_J_rowadr[row] = adr;
    d->efc_J_rowsuper[row] = 0;
    for (int k = 0; k < n; k++) {
      d->efc_J_colind[adr + k] = dof[k];
      d->efc_J[adr + k] = value[k];
    }
  } else {
    ctReal* J = d->efc_J + (int64_t)row * w->m->nv;
    cti_zero(J, w->m->nv);
    for (int k = 0; k < n; k++) J[dof[k]] = value[k];
  }
  const ctReal dist = contact_distance(w, c, w->start), missing = CTI_SURFACE_GAP - dist - h * rate;
  d->efc_type[row] = CT_CNSTR_CONTACT_FRICTIONLESS;
  d->efc_id[row] = -1 - i;
  d->efc_pos[row] = dist;
  d->efc_margin[row] = CTI_SURFACE_GAP;
  d->efc_frictionloss[row] = 0;
  d->efc_vel[row] = rate;
  d->efc_D[row] = w->soft[i] * w->stiffness[i] * h * h;
  d->efc_R[row] = 1 / d->efc_D[row];
  d->efc_aref[row] = (missing + w->multiplier[i] / w->stiffness[i]) / (h * h);
  d->efc_diagA[row] = 0;
  cti_zero(d->efc_KBIP + 4 * row, 4);
  d->efc_force[row] = 0;
  d->efc_state[row] = 0;
}

// The rows of the model at their new place.
static CT_FN void copy_rows(const Rows* r, const ctModel* m, ctData* d, int groups) {
#define X(type, name, ...)      \
  const int64_t name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, name, ...)      \
  const int64_t name = d->name; \
  (void)name;
#include "corten/fields/data_sizes.def"
#undef X
#define X(type, field, rows, cols, group, ...) \
  if (groups & CTI_GROUP_##group)              \
    for (int64_t i = 0; i < (int64_t)(rows) * (cols); i++) d->field[i] = r->field[i];
#include "corten/fields/data_arena.def"
#undef X
}

// Copies of the rows of the model, then those of the contacts. False when the arena is full.
static CT_FN bool write_rows(Ipc* w, const Rows* r) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const bool sparse = cti_is_sparse(m);
  const int groups = CTI_GROUP_ROWS | CTI_GROUP_TERMS | (sparse ? CTI_GROUP_SPARSE : 0);
  int64_t elements = r->nJ;
  int most = 0;
  for (int i = 0; i < w->ncontact; i++) {
    const int n = row_elements(w, w->contact + i);
    elements += sparse ? n : m->nv;
    if (n > most) most = n;
  }
  int* dof = CTI_SCRATCH(d, int, most, "ipc.dof");
  ctReal* value = CTI_SCRATCH(d, ctReal, most, "ipc.value");
  if (!dof || !value || elements > INT32_MAX) return false;
  d->nefc = r->nefc + w->ncontact;
  d->nJ = (int)elements;
  if (!cti_take_arrays(m, d, groups)) return false;
  d->nefc = r->nefc;
  d->nJ = r->nJ;
  copy_rows(r, m, d, groups);
  d->nefc = r->nefc + w->ncontact;
  d->nJ = (int)elements;
  for (int i = 0, adr = r->nJ; i < w->ncontact; i++) {
    write_row(w, i, r->nefc + i, adr, sparse, dof, value);
    if (sparse) adr += d->efc_J_rownnz[r->nefc + i];
  }
  cti_data(d)->parena_rows = cti_data(d)->parena;
  return true;
}

// ---- trials ----

// The acceleration with the rows of the contacts, and what comes of their multipliers.
static CT_FN ctStatus solve_trial(Ipc* w) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  ctStatus status = CT_OK;
  if (w->ncontact == 0) {
    status = cti_solve(m, d);
  } else {
    Rows rows;
    keep_rows(&rows, d);
    if (write_rows(w, &rows)) {
      status = cti_solve(m, d);
    } else {
      status = CT_STEP_OVERFLOW;
    }
    if (status == CT_STEP_OVERFLOW) {
      // nothing was solved
      d->efc_force = rows.efc_force;
      d->efc_state = rows.efc_state;
      d->efc_b = rows.efc_b;
    }
    put_rows_back(&rows, d);
  }
  status = cti_worse(status, cti_metric_free_bodies(m, d));
  for (int i = 0; i < m->nv; i++) w->trial[i] = d->qvel[i] + m->opt.timestep * d->qacc[i];
  move_vertices(w, w->s.to, w->trial);
  return status;
}

// Multipliers at the trial, and how long vertices have been with or without one.
static CT_FN void update_multipliers(Ipc* w) {
  for (int v = 0; v < w->s.nvert; v++) w->lambda[v] = 0;
  for (int i = 0; i < w->ncontact; i++) {
    const ctiSurfaceContact* c = w->contact + i;
    // at full stiffness, whatever the force was
    const ctReal missing = CTI_SURFACE_GAP - contact_distance(w, c, w->s.to);
    const ctReal pull = w->multiplier[i] + w->stiffness[i] * missing;
    for (int k = 0; k < c->n; k++) {
      if (c->point[k] < w->s.nvert && pull > w->lambda[c->point[k]]) w->lambda[c->point[k]] = pull;
    }
  }
  for (int v = 0; v < w->s.nvert; v++) {
    const int age = w->age[v];
    if (w->lambda[v] > 0) {
      w->age[v] = age < 0 || (age > 0 && age <= IPC_SHORT_BREAK) ? -1 : 0;
    } else if (age < INT32_MAX && age > -INT32_MAX) {
      w->age[v] = age < 0 ? age - 1 : age + 1;
    }
  }
}

// Trials until one can be reached. `reached`: the last one was.
static CT_FN ctStatus run_trials(Ipc* w, bool* reached) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const ctReal h = m->opt.timestep;
  ctStatus status = CT_OK;
  // the first guess is free flight
  for (int i = 0; i < m->nv; i++) {
    w->velocity[i] = 0;
    w->trial[i] = d->qvel[i] + h * d->qacc_smooth[i];
  }
  move_vertices(w, w->s.to, w->trial);
  *reached = false;
  for (int k = 0; k < IPC_TRIALS && !*reached && !cti_arena_short(d); k++) {
    size_t mark = cti_scratch_mark(d);
    const ctiKeys elements = w->s.elements, solids = w->s.solids;
    bool ok = find_contacts_on_way(w);
    if (ok) {
      status = cti_worse(status, solve_trial(w));
      update_multipliers(w);
      ok = status != CT_STEP_OVERFLOW && cti_surfaces_search(&w->s, d, CTI_SURFACES_ON_WAY);
    }
    const ctReal part = ok ? cti_surfaces_way(&w->s) : CT_R(0);
    // lists may have grown behind the mark
    w->s.elements = elements;
    w->s.solids = solids;
    cti_scratch_release(d, mark);
    if (!ok) return CT_STEP_OVERFLOW;
    *reached = part >= 1;
    for (int i = 0; i < m->nv; i++) w->velocity[i] += part * (w->trial[i] - w->velocity[i]);
    move_vertices(w, w->s.from, w->velocity);
  }
  return status;
}

// Points on straight ways: does every vertex only slide?
static CT_FN bool vertices_slide(const ctModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    for (int i = 0; cti_is_surface(m, f) && i < m->flex_vertnum[f]; i++) {
      int body = m->flex_vertbodyid[m->flex_vertadr[f] + i];
      for (int k = body > 0 ? cti_last_dof(m, body) : -1; k >= 0; k = m->dof_parentid[k]) {
        if (m->jnt_type[m->dof_jntid[k]] != CT_JOINT_SLIDE) return false;
      }
    }
  }
  return true;
}

static CT_FN bool ipc_begin(Ipc* w, const ctModel* m, ctData* d) {
  w->m = m;
  w->d = d;
  w->ncontact = 0;
  w->start = CTI_SCRATCH(d, ctReal, 3 * (int64_t)m->nflexvert, "ipc.start");
  w->lambda = CTI_SCRATCH(d, ctReal, m->nflexvert, "ipc.lambda");
  w->age = CTI_SCRATCH(d, int, m->nflexvert, "ipc.age");
  w->velocity = CTI_SCRATCH(d, ctReal, m->nv, "ipc.velocity");
  w->trial = CTI_SCRATCH(d, ctReal, m->nv, "ipc.trial");
  if (!w->start || !w->lambda || !w->age || !w->velocity || !w->trial) return false;
  for (int i = 0; i < m->nflexvert; i++) {
    cti_copy3(w->start + 3 * (int64_t)i, d->flexvert_xpos + 3 * (int64_t)i);
    w->lambda[i] = d->flexvert_lambda[i];
    w->age[i] = d->flexvert_conage[i];
  }
  return cti_surfaces_begin(&w->s, m, d);
}

CT_FN ctStatus cti_ipc_solve(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  Ipc* w = CTI_SCRATCH(d, Ipc, 1, "ipc");
  bool reached = false;
  ctStatus status = vertices_slide(m) ? CT_STEP_OVERFLOW : CT_ERR_UNSUPPORTED;
  if (status == CT_STEP_OVERFLOW && w && ipc_begin(w, m, d)) status = run_trials(w, &reached);
  if (status == CT_STEP_OVERFLOW || status == CT_ERR_UNSUPPORTED) {
    // the step is taken again with a larger arena, or not at all where it may not grow
    cti_copy(d->qacc, d->qacc_smooth, m->nv);
    cti_zero(d->qfrc_constraint, m->nv);
  } else {
    for (int i = 0; !reached && i < m->nv; i++) d->qacc[i] = (w->velocity[i] - d->qvel[i]) / m->opt.timestep;
    // a step that will be taken again leaves no trace
    for (int i = 0; i < m->nflexvert && !cti_arena_short(d); i++) {
      d->flexvert_lambda[i] = w->lambda[i];
      d->flexvert_conage[i] = w->age[i];
    }
  }
  cti_scratch_release(d, mark);
  return status;
}
