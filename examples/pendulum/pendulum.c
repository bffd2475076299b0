// The smallest program: a model from text, a data, a second of simulation.
#include <corten/corten.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "<mujoco>"
    "  <worldbody>"
    "    <body pos='0 0 1'>"
    "      <joint name='swing' axis='0 1 0' damping='0.05'/>"
    "      <geom type='capsule' size='0.02' fromto='0 0 0 0.4 0 0'/>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

int main(void) {
  ctError err;
  ctModel* m;
  ctData* d;
  if (ct_model_load_string(&m, model, strlen(model), NULL, &err) != CT_OK ||
      ct_data_create(&d, m, &err) != CT_OK) {
    char text[1024];
    ct_error_format(&err, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
    return 1;
  }
  while (d->time < 1) {
    ct_step_n(m, d, 100);
    printf("%.2f s: angle %+.4f rad\n", (double)d->time, (double)d->qpos[0]);
  }
  ct_data_free(d);
  ct_model_free(m);
  return 0;
}
