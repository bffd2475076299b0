// The derivative of the acceleration by velocity and controls, by central differences; C++.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc != 2) {
    std::printf("usage: derivative MODEL\n");
    return 2;
  }
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof(error));
  if (!m) mju_error("could not load the model: %s", error);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 20; i++) mj_step(m, d);
  const mjtNum eps = static_cast<mjtNum>(1e-6);
  const int nv = static_cast<int>(m->nv), nu = static_cast<int>(m->nu);
  std::vector<mjtNum> start(nv), plus(nv), minus(nv);
  mj_forward(m, d);
  mju_copy(start.data(), d->qacc_warmstart, nv);
  mjtNum by_velocity = 0, by_control = 0;
  for (int i = 0; i < nv + nu; i++) {
    mjtNum* x = i < nv ? d->qvel + i : d->ctrl + (i - nv);
    const mjtNum at = *x;
    for (int sign : {1, -1}) {
      *x = at + sign * eps;
      mju_copy(d->qacc_warmstart, start.data(), nv);
      mj_forwardSkip(m, d, i < nv ? mjSTAGE_POS : mjSTAGE_VEL, 1);
      mju_copy(sign > 0 ? plus.data() : minus.data(), d->qacc, nv);
    }
    *x = at;
    mju_subFrom(plus.data(), minus.data(), nv);
    (i < nv ? by_velocity : by_control) += mju_dot(plus.data(), plus.data(), nv) / (4 * eps * eps);
  }
  std::printf("norms: %.4g by velocity, %.4g by controls\n", static_cast<double>(mju_sqrt(by_velocity)),
              static_cast<double>(mju_sqrt(by_control)));
  mj_deleteData(d);
  mj_deleteModel(m);
}
