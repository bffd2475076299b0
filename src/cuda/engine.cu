// The step sources as one unit for the GPU: the same code that the C compiler builds, nothing of its own but
// the kernel. Without a CUDA compiler the unit is compiled as C++17 with the CUDA words defined away, which
// guards the subset.
#ifndef __CUDACC__
#define __global__
struct ctkIndex {
  unsigned x;
};
static const ctkIndex blockIdx = {0}, blockDim = {1}, threadIdx = {0};
#endif

// Math
#include "math/boxqp.c"
#include "math/dense.c"
#include "math/eig3.c"
#include "math/elementary_arc.c"
#include "math/elementary_exp.c"
#include "math/elementary_f32.c"
#include "math/elementary_trig.c"
#include "math/sort.c"
#include "math/sparse.c"
#include "math/tree_ldl.c"
// Data
#include "data/arena.c"
#include "data/history.c"
#include "data/layout.c"
#include "data/reset.c"
#include "data/state_parts.c"
// Collision
#include "collide/box_box.c"
#include "collide/broad.c"
#include "collide/capsule.c"
#include "collide/capsule_box.c"
#include "collide/ccd.c"
#include "collide/collide.c"
#include "collide/contact.c"
#include "collide/convex.c"
#include "collide/epa.c"
#include "collide/feature.c"
#include "collide/field.c"
#include "collide/filter.c"
#include "collide/gjk.c"
#include "collide/hfield.c"
#include "collide/keys.c"
#include "collide/mid.c"
#include "collide/multi.c"
#include "collide/narrow.c"
#include "collide/plane.c"
#include "collide/plane_mesh.c"
#include "collide/sdf.c"
#include "collide/sphere.c"
#include "collide/support.c"
#include "query/distance.c"
#include "query/ray.c"
#include "query/ray_mesh.c"
#include "query/ray_tree.c"
// Stages
#include "query/energy.c"
#include "query/inside.c"
#include "query/jacobian.c"
#include "query/object.c"
#include "query/post_constraint.c"
#include "query/tendon_force.c"
#include "sense/camera.c"
#include "sense/contact.c"
#include "sense/force.c"
#include "sense/frame.c"
#include "sense/mechanism.c"
#include "sense/noise.c"
#include "sense/sense.c"
#include "sense/shape.c"
#include "sense/tactile.c"
#include "stage/constraint/contact_rows.c"
#include "stage/constraint/equality.c"
#include "stage/constraint/impedance.c"
#include "stage/constraint/island.c"
#include "stage/constraint/limit.c"
#include "stage/constraint/make.c"
#include "stage/constraint/project.c"
#include "stage/constraint/reference.c"
#include "stage/constraint/rows.c"
#include "stage/force/acceleration.c"
#include "stage/force/activation.c"
#include "stage/force/actuation.c"
#include "stage/force/actuator.c"
#include "stage/force/dcmotor.c"
#include "stage/force/history.c"
#include "stage/force/muscle.c"
#include "stage/force/pid.c"
#include "stage/position/cameras.c"
#include "stage/position/com.c"
#include "stage/position/inertia.c"
#include "stage/position/kinematics.c"
#include "stage/position/point_motion.c"
#include "stage/position/tendon.c"
#include "stage/position/transmission.c"
#include "stage/position/wrap.c"
#include "stage/solve/cg.c"
#include "stage/solve/cost.c"
#include "stage/solve/dual.c"
#include "stage/solve/hessian.c"
#include "stage/solve/islands.c"
#include "stage/solve/kkt.c"
#include "stage/solve/line.c"
#include "stage/solve/newton.c"
#include "stage/solve/noslip.c"
#include "stage/solve/pgs.c"
#include "stage/solve/primal.c"
#include "stage/solve/problem.c"
#include "stage/solve/qcqp.c"
#include "stage/solve/skyline.c"
#include "stage/solve/solve.c"
#include "stage/velocity/bias.c"
#include "stage/velocity/com_velocity.c"
#include "stage/velocity/fluid.c"
#include "stage/velocity/passive.c"
#include "stage/velocity/tendon_bias.c"
// Derivatives
#include "derive/actuator_slope.c"
#include "derive/body_slope.c"
#include "derive/fluid_slope.c"
#include "derive/velocity_slope.c"
// Step
#include "step/check.c"
#include "step/discrete_inverse.c"
#include "step/euler.c"
#include "step/forward.c"
#include "step/implicit.c"
#include "step/implicit_solve.c"
#include "step/integrate.c"
#include "step/inverse.c"
#include "step/plastic.c"
#include "step/rk4.c"
#include "step/spring_damper.c"
#include "step/step.c"

// Step `nworld` worlds, one a thread. Each world has a data struct, whose arrays it lays out in its own
// `bytes` of `blocks`: fixed arrays first, the arena behind them. `reset` starts from the model's default
// state.
__global__ void ctk_step(const ctModel* m, ctData* worlds, ctByte* blocks, size_t bytes, size_t narena,
                         int nworld, int nstep, bool reset) {
  int w = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (w >= nworld) return;
  ctData* d = worlds + w;
  ctByte* block = blocks + (size_t)w * bytes;
  cti_data_lay_out(m, d, block);
  d->arena = block + cti_data_array_bytes(m);
  d->narena = narena;
  if (reset) cti_data_reset(m, d);
  for (int i = 0; i < nstep; i++) cti_step(m, d);
}
