#include "check_derivatives.h"

#include <math.h>

#include "command.h"
#include "output.h"
#include "plot_errors.h"

#define SETTLE 0.5   // seconds of simulation before
#define AGREES 1e-3  // of the largest element; exact derivatives agree to much less

// Sizes of differences: 1e-3, 1e-4, ...
enum { FIRST_POWER = 3, SIZES = 6 };

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
  if (r->sensors_by_differences && !steps) fprintf(out, "    sensors by differences of inverse dynamics\n");
  if (r->edges > 0)
    fprintf(out, "    %s about to act, slide or let go\n", cli_plural(r->edges, "row is", "rows are"));
  if (r->switching > 0)
    fprintf(out, "    %s about to come, go or touch elsewhere\n",
            cli_plural(r->switching, "contact is", "contacts are"));
}

static int report(FILE* out, ctDerive* w, const ctData* d, cli_Errors* errors, ctError* err) {
  cli_Style s = cli_style(out);
  ctDeriveReport r;
  ctDeriveError found[SIZES];
  if (ct_derive_check(w, d, CT_DERIVE_AUTO, NULL, 0, &r, err) != CT_OK) return cli_fail(err);
  // differences of steps agree with themselves
  const int n = r.method == CT_DERIVE_FD ? 0 : SIZES;
  for (int i = 0; i < n; i++) found[i].eps = (ctReal)pow(10, -FIRST_POWER - i);
  if (ct_derive_check(w, d, CT_DERIVE_AUTO, found, n, &r, err) != CT_OK) return cli_fail(err);
  print_method(out, d, &r);
  double best = INFINITY;
  for (int i = 0; i < n; i++) {
    const double worst = (double)found[i].centered;
    best = fmin(best, worst);
    errors->size[i] = pow(10, -FIRST_POWER - i);
    errors->forward[i] = (double)found[i].forward;
    errors->centred[i] = worst;
    errors->count++;
    fprintf(out, "    eps 1e-%d  %s%8.1e%s  %s\n", FIRST_POWER + i, worst < AGREES ? s.plain : s.alert, worst,
            s.plain, found[i].worst);
  }
  if (n == 0 || best < AGREES) return CLI_OK;
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
  cli_Errors errors = {.title = title};
  ctError err = {0};
  int code = CLI_OK;
  if (ct_data_create(&d, m, &err) != CT_OK || ct_derive_create(&w, m, 0, &err) != CT_OK) {
    code = cli_fail(&err);
  } else {
    ct_step_n(m, d, (int)ceil(SETTLE / (double)m->opt.timestep));
    code = report(out, w, d, &errors, &err);
    if (picture && errors.count > 1) {
      int drawn = cli_errors_draw(&errors, picture);
      if (drawn != CLI_OK) code = drawn;
    }
  }
  ct_derive_free(w);
  ct_data_free(d);
  return code;
}
