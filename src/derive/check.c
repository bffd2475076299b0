// Do derivatives agree? A linearisation against differences of steps of several sizes, the worst element by
// name.
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/kinds.h"
#include "derive/derive.h"
#include "math/dense.h"

enum { MATRICES = 4 };

typedef struct Matrices {
  int rows[MATRICES], columns[MATRICES];
  ctReal *exact[MATRICES], *differences[MATRICES];
} Matrices;

// Room for all of them, one after another; returns how many numbers there are.
static size_t lay_out(Matrices* x, const ctModel* m, ctReal* at) {
  const int nx = ct_derive_state_size(m), ns = m->nsensordata, nu = m->nu;
  *x = (Matrices){.rows = {nx, nx, ns, ns}, .columns = {nx, nu, nx, nu}};
  size_t total = 0;
  for (int i = 0; i < 2 * MATRICES; i++) {
    const int k = i % MATRICES;
    if (at) *(i < MATRICES ? &x->exact[k] : &x->differences[k]) = at + total;
    total += (size_t)x->rows[k] * (size_t)x->columns[k];
  }
  return total;
}

// ---- names ----

// What a number belongs to: as words, and the objects that have `count` numbers from `adr` on.
typedef struct Owners {
  const char* what;
  ctObjType type;
  const int *adr, *count;
  int n;
} Owners;

// "qvel of joint knee": by number where the object has no name, with the part where it has several.
static void name_part(char* out, size_t size, const ctModel* m, const char* what, ctObjType type, int id,
                      int part) {
  const char* name = ct_model_id2name(m, type, id);
  char number[32], which[32] = "";
  snprintf(number, sizeof(number), "%d", id);
  if (part >= 0) snprintf(which, sizeof(which), ", %s %d", type == CT_OBJ_JOINT ? "dof" : "number", part);
  snprintf(out, size, "%s %s%s", what, name ? name : number, which);
}

static void name_number(char* out, size_t size, const ctModel* m, const Owners* owners, int i) {
  for (int k = 0; k < owners->n; k++) {
    const int part = i - owners->adr[k];
    if (part < 0 || part >= owners->count[k]) continue;
    name_part(out, size, m, owners->what, owners->type, k, owners->count[k] > 1 ? part : -1);
    return;
  }
}

static void name_state(char* out, size_t size, const ctModel* m, int i) {
  if (i < 2 * m->nv) {
    const int dof = i % m->nv, joint = m->dof_jntid[dof];
    name_part(out, size, m, i < m->nv ? "qpos of joint" : "qvel of joint", CT_OBJ_JOINT, joint,
              cti_joint_is_scalar(m->jnt_type[joint]) ? -1 : dof - m->jnt_dofadr[joint]);
    return;
  }
  const Owners acts = {"act of actuator", CT_OBJ_ACTUATOR, m->actuator_actadr, m->actuator_actnum,
                       m->nactuator};
  name_number(out, size, m, &acts, i - 2 * m->nv);
}

static void name_element(char* out, size_t size, const ctModel* m, int matrix, int row, int column) {
  const Owners sensors = {"sensor", CT_OBJ_SENSOR, m->sensor_adr, m->sensor_dim, m->nsensor};
  const Owners controls = {"ctrl of actuator", CT_OBJ_ACTUATOR, m->actuator_ctrladr, m->actuator_ctrlnum,
                           m->nactuator};
  char of[120] = "", by[120] = "";
  if (matrix < 2) {
    name_state(of, sizeof(of), m, row);
  } else {
    name_number(of, sizeof(of), m, &sensors, row);
  }
  if (matrix % 2 == 0) {
    name_state(by, sizeof(by), m, column);
  } else {
    name_number(by, sizeof(by), m, &controls, column);
  }
  snprintf(out, size, "%s by %s", of, by);
}

// ---- comparisons ----

// The largest difference, of the largest element of its matrix but at least of one; and where it is.
static ctReal compare(const Matrices* x, const ctModel* m, char* where, size_t size) {
  ctReal worst = 0;
  where[0] = 0;
  for (int i = 0; i < MATRICES; i++) {
    ctReal scale = 1;
    const int64_t n = (int64_t)x->rows[i] * x->columns[i];
    for (int64_t k = 0; k < n; k++) scale = cti_max(scale, cti_abs(x->exact[i][k]));
    for (int64_t k = 0; k < n; k++) {
      const ctReal error = cti_abs(x->exact[i][k] - x->differences[i][k]) / scale;
      if (!(error > worst)) continue;
      worst = error;
      name_element(where, size, m, i, (int)(k / x->columns[i]), (int)(k % x->columns[i]));
    }
  }
  return worst;
}

static ctStatus compare_all(ctDerive* w, const ctData* d, ctDeriveMethod method, Matrices* x,
                            ctDeriveError* errors, int n, ctDeriveReport* report, ctError* err) {
  ctReal *const *e = x->exact, *const *f = x->differences;
  CT_TRY(ct_derive_linearize(w, d, method, NULL, e[0], e[1], e[2], e[3], report, err));
  for (int i = 0; i < n; i++) {
    for (int centered = 0; centered < 2; centered++) {
      const ctDifferences how = {.eps = errors[i].eps, .centered = centered != 0};
      CT_TRY(ct_derive_transition_fd(w, d, &how, f[0], f[1], f[2], f[3], err));
      *(centered ? &errors[i].centered : &errors[i].forward) =
          compare(x, w->m, errors[i].worst, sizeof(errors[i].worst));
    }
  }
  return CT_OK;
}

ctStatus ct_derive_check(ctDerive* w, const ctData* d, ctDeriveMethod method, ctDeriveError* errors, int n,
                         ctDeriveReport* report, ctError* err) {
  static const char call[] = "ct_derive_check";
  if (!w || n < 0 || (n > 0 && !errors))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: there must be a workspace, and %d sizes", call, n);
  for (int i = 0; i < n; i++) {
    if (!(errors[i].eps > 0) || !isfinite(errors[i].eps))
      return cti_error(err, CT_ERR_ARGUMENT, "%s: eps must be positive and finite, not %g", call,
                       (double)errors[i].eps);
  }
  Matrices x;
  ctReal* numbers = cti_alloc_array(&w->allocator, lay_out(&x, w->m, NULL) + 1, sizeof(ctReal));
  if (!numbers) return cti_error_memory(err);
  lay_out(&x, w->m, numbers);
  ctStatus status = compare_all(w, d, method, &x, errors, n, report, err);
  cti_release(&w->allocator, numbers);
  return status;
}
