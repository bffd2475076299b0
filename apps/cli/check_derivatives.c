#include "check_derivatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "plot_errors.h"

#define SETTLE   0.5   // seconds of simulation before
#define AGREES   1e-3  // of the largest element; exact derivatives agree to much less
#define MATRICES 4

typedef struct {
  const ctModel* m;
  int rows[MATRICES], columns[MATRICES];
  ctReal *exact[MATRICES], *differences[MATRICES];
  ctReal* numbers;
} Matrices;

static bool take(Matrices* x, const ctModel* m) {
  const int nx = ct_derive_state_size(m), ns = m->nsensordata, nu = m->nu;
  *x = (Matrices){.m = m, .rows = {nx, nx, ns, ns}, .columns = {nx, nu, nx, nu}};
  size_t total = 0;
  for (int i = 0; i < MATRICES; i++) total += (size_t)x->rows[i] * (size_t)x->columns[i];
  x->numbers = calloc(2 * total + 1, sizeof(ctReal));
  ctReal* at = x->numbers;
  for (int i = 0; i < MATRICES && x->numbers; i++) {
    x->exact[i] = at;
    x->differences[i] = at + total;
    at += (size_t)x->rows[i] * (size_t)x->columns[i];
  }
  return x->numbers != NULL;
}

// "qvel of joint knee", "act 3", "ctrl 0"
static void name_state(char* out, size_t size, const ctModel* m, int i) {
  if (i >= 2 * m->nv) {
    snprintf(out, size, "act %d", i - 2 * m->nv);
    return;
  }
  int dof = i % m->nv, joint = m->dof_jntid[dof], part = dof - m->jnt_dofadr[joint];
  const char* name = ct_model_id2name(m, CT_OBJ_JOINT, joint);
  char number[32];
  snprintf(number, sizeof(number), "%d", joint);
  snprintf(out, size, "%s of joint %s", i < m->nv ? "qpos" : "qvel", name ? name : number);
  bool several = m->jnt_type[joint] == CT_JOINT_FREE || m->jnt_type[joint] == CT_JOINT_BALL;
  size_t n = strlen(out);
  if (several) snprintf(out + n, size - n, ", dof %d", part);
}

static void name_element(char* out, size_t size, const Matrices* x, int matrix, int row, int column) {
  char of[128], by[128];
  if (matrix < 2) {
    name_state(of, sizeof(of), x->m, row);
  } else {
    snprintf(of, sizeof(of), "sensordata %d", row);
  }
  if (matrix % 2 == 0) {
    name_state(by, sizeof(by), x->m, column);
  } else {
    snprintf(by, sizeof(by), "ctrl %d", column);
  }
  snprintf(out, size, "%s by %s", of, by);
}

// The largest difference against the largest element of each matrix; the worst of all, and where it is.
static double compare(const Matrices* x, char* where, size_t size) {
  double worst = 0;
  where[0] = 0;
  for (int i = 0; i < MATRICES; i++) {
    double scale = 1;
    const int64_t n = (int64_t)x->rows[i] * x->columns[i];
    for (int64_t k = 0; k < n; k++) scale = fmax(scale, fabs((double)x->exact[i][k]));
    for (int64_t k = 0; k < n; k++) {
      double error = fabs((double)(x->exact[i][k] - x->differences[i][k])) / scale;
      if (!(error > worst)) continue;
      worst = error;
      name_element(where, size, x, i, (int)(k / x->columns[i]), (int)(k % x->columns[i]));
    }
  }
  return worst;
}

static const char* const methods[] = {[CT_DERIVE_ANALYTIC] = "closed forms",
                                      [CT_DERIVE_IMPLICIT] = "differences of inverse dynamics",
                                      [CT_DERIVE_FD] = "differences of steps"};

// Which part came how.
static void print_method(FILE* out, const ctData* d, const ctDeriveReport* r) {
  const bool steps = r->method == CT_DERIVE_FD;
  fprintf(out, "    derivatives after %s s, %s: ", cli_number((double)d->time),
          cli_plural(d->ncon, "contact", "contacts"));
  fprintf(out, "%s%s\n", methods[r->method], steps ? "" : " against differences of steps");
  if (r->reason) fprintf(out, "    because of %s\n", r->reason);
  if (r->contacts_by_differences > 0)
    fprintf(out, "    geometry of %d of %s by differences\n", r->contacts_by_differences,
            cli_plural(r->contacts, "contact", "contacts"));
  if (r->wraps_by_differences > 0)
    fprintf(out, "    %s of tendons by differences\n", cli_plural(r->wraps_by_differences, "wrap", "wraps"));
  if (r->edges > 0)
    fprintf(out, "    %s about to act, slide or let go\n", cli_plural(r->edges, "row is", "rows are"));
  if (r->switching > 0)
    fprintf(out, "    %s about to come or go\n", cli_plural(r->switching, "contact is", "contacts are"));
}

static int report(FILE* out, ctDerive* w, const ctData* d, Matrices* x, cli_Errors* errors, ctError* err) {
  cli_Style s = cli_style(out);
  ctDeriveReport r;
  ctReal** e = x->exact;
  ctReal** f = x->differences;
  if (ct_derive_linearize(w, d, CT_DERIVE_AUTO, NULL, e[0], e[1], e[2], e[3], &r, err) != CT_OK)
    return cli_fail(err);
  const bool steps = r.method == CT_DERIVE_FD;
  print_method(out, d, &r);
  double best = INFINITY;
  for (int power = 3; power <= 8 && !steps; power++) {
    double worst[2];
    char where[300];
    for (int centred = 0; centred < 2; centred++) {
      const ctDifferences how = {.eps = (ctReal)pow(10, -power), .centered = centred};
      if (ct_derive_transition_fd(w, d, &how, f[0], f[1], f[2], f[3], err) != CT_OK) return cli_fail(err);
      worst[centred] = compare(x, where, sizeof(where));
    }
    best = fmin(best, worst[1]);
    errors->size[errors->count] = pow(10, -power);
    errors->forward[errors->count] = worst[0];
    errors->centred[errors->count++] = worst[1];
    fprintf(out, "    eps 1e-%d  %s%8.1e%s  %s\n", power, worst[1] < AGREES ? s.plain : s.alert, worst[1],
            s.plain, where);
  }
  if (steps || best < AGREES) return CLI_OK;
  fprintf(stderr,
          "the derivatives do not agree: a contact, a limit or dry friction is about to switch, or the "
          "solver has not converged\n");
  return CLI_FAILED;
}

int cli_check_derivatives(FILE* out, ctModel* m, const char* picture, const char* title) {
  // a solver that stops early is noise in differences
  m->opt.tolerance = 0;
  if (m->opt.iterations < 50) m->opt.iterations = 50;
  m->opt.enableflags &= ~CT_ENBL_SLEEP;
  ctData* d = NULL;
  ctDerive* w = NULL;
  Matrices x = {0};
  cli_Errors errors = {.title = title};
  ctError err = {0};
  int code = CLI_OK;
  if (ct_data_create(&d, m, &err) != CT_OK || ct_derive_create(&w, m, 0, &err) != CT_OK)
    code = cli_fail(&err);
  if (code == CLI_OK && !take(&x, m)) {
    err.status = CT_ERR_MEMORY;
    code = cli_fail(&err);
  }
  if (code == CLI_OK) {
    ct_step_n(m, d, (int)ceil(SETTLE / (double)m->opt.timestep));
    code = report(out, w, d, &x, &errors, &err);
    if (picture && errors.count > 1) {
      int drawn = cli_errors_draw(&errors, picture);
      if (drawn != CLI_OK) code = drawn;
    }
  }
  free(x.numbers);
  ct_derive_free(w);
  ct_data_free(d);
  return code;
}
