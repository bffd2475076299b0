// A model built by code: a chain whose links are added one by one, recompiled while it swings.
#include <corten/corten.h>
#include <stdio.h>
#include <stdlib.h>

static void check(ctStatus status, const ctError* err) {
  if (status == CT_OK) return;
  char text[1024];
  ct_error_format(err, text, sizeof(text));
  fprintf(stderr, "%s\n", text);
  exit(1);
}

// A link below `parent`, with a joint that has a name: its state survives when the model is compiled again.
static ctElement* add_link(ctSpec* spec, ctElement* parent, int i) {
  ctError err;
  ctElement* body;
  char name[32];
  const char* place[] = {"pos", i ? "0 0 -0.3" : "0 0 2", NULL};
  check(ct_spec_add(&body, spec, parent, "body", place, &err), &err);
  snprintf(name, sizeof(name), "joint%d", i);
  const char* joint[] = {"name", name, "axis", "0 1 0", "damping", "0.01", NULL};
  check(ct_spec_add(NULL, spec, body, "joint", joint, &err), &err);
  const char* geom[] = {"class", "link", "fromto", "0 0 0 0 0 -0.3", NULL};
  check(ct_spec_add(NULL, spec, body, "geom", geom, &err), &err);
  return body;
}

int main(void) {
  ctError err;
  ctSpec* spec;
  ctModel* m;
  ctData* d;
  check(ct_spec_create(&spec, NULL, &err), &err);
  check(ct_spec_set(spec, "option/flag", "contact", "disable", &err), &err);
  check(ct_spec_add_class(spec, "link", NULL, &err), &err);
  check(ct_spec_set_default(spec, "link", "geom", "type", "capsule", &err), &err);
  check(ct_spec_set_default(spec, "link", "geom", "size", "0.02", &err), &err);
  ctElement* last = add_link(spec, ct_spec_world(spec), 0);
  check(ct_model_compile(&m, spec, &err), &err);
  check(ct_data_create(&d, m, &err), &err);
  d->qpos[0] = 1;
  for (int i = 1; i <= 4; i++) {
    ct_step_n(m, d, 100);
    last = add_link(spec, last, i);
    check(ct_model_recompile(&m, &d, spec, &err), &err);
    printf("%.1f s: %d links, first angle %+.4f rad\n", (double)d->time, m->nq, (double)d->qpos[0]);
  }
  ct_data_free(d);
  ct_model_free(m);
  ct_spec_free(spec);
  return 0;
}
