// A recording without a window: time, state and the contact forces of each step, as lines of text. The model
// comes from memory.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>"
    "<body name='ball' pos='0 0 .12'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

static void lift(const mjModel* m, mjData* d) {
  (void)m;
  d->xfrc_applied[6 + 2] = d->time > 0.05 ? 30 : 0;
}

int main(void) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "ball.xml", text, (int)strlen(text)) != 0) return 1;
  mjModel* m = mj_loadXML("ball.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) mju_error("%s", error);
  mjData* d = mj_makeData(m);
  mjcb_control = lift;
  int size = (int)mj_stateSize(m, mjSTATE_FULLPHYSICS), ball = mj_name2id(m, mjOBJ_BODY, "ball");
  mjtNum* state = mju_malloc(sizeof(mjtNum) * (size_t)size);
  for (int i = 0; i < 40; i++) {
    mj_step(m, d);
    mj_getState(m, d, state, mjSTATE_FULLPHYSICS);
    mjtNum force[6] = {0};
    if (d->ncon) mj_contactForce(m, d, 0, force);
    if (i % 10 == 9)
      printf("%.3f %9.6f %9.6f %9.4f\n", (double)state[0], (double)state[3], (double)d->xpos[3 * ball + 2],
             (double)force[0]);
  }
  mju_free(state);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
