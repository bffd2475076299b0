// mujoco.sensor.touch_grid: the forces of contacts, sorted into a grid of directions in which a site sees
// them.
#include "math/quat.h"
#include "math/vec3.h"
#include "model/plugin.h"
#include "query/forces.h"
#include "sense/contact.h"

// The bin of an angle: edges from -fov to fov, denser in the middle by `gamma`; -1 outside.
static CT_FN int grid_bin(ctReal angle, int n, ctReal fov, ctReal gamma) {
  for (int i = 0; i <= n; i++) {
    ctReal x = CT_R(2) * (ctReal)i / (ctReal)n - 1, x2 = x * x;
    ctReal edge = fov * (gamma * x2 * x2 * x + (1 - gamma) * x);
    if (angle <= edge) return i - 1;
  }
  return -1;
}

// What contact `c` does to the body of geom `side`: force, torque, in the axes of the site.
static CT_FN void grid_wrench(const ctModel* m, const ctData* d, int c, int side, const ctReal* axes,
                              ctReal out[6]) {
  const ctContact* con = d->contact + c;
  ctReal wrench[6], world[3];
  cti_contact_wrench(m, d, c, wrench);
  for (int k = 0; k < 2; k++) {
    cti_mul_mat_t_vec3(world, con->frame, wrench + 3 * k);
    cti_mul_mat_t_vec3(out + 3 * k, axes, world);
    if (side == 0) cti_scale3(out + 3 * k, out + 3 * k, -1);
  }
}

CT_FN void cti_sense_touch_grid(const ctModel* m, ctData* d, int i, ctReal* out) {
  const ctReal* prm = m->plugin_prm + CT_NPLUGINPRM * m->sensor_plugin[i];
  int site = m->sensor_objid[i], weld = m->body_weldid[m->site_bodyid[site]];
  int nx = (int)prm[CTI_GRID_NX], ny = (int)prm[CTI_GRID_NY], channels = (int)prm[CTI_GRID_CHANNELS];
  const ctReal *eye = d->site_xpos + 3 * site, *axes = d->site_xmat + 9 * site;
  for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = 0;
  for (int c = 0; c < d->ncon; c++) {
    const ctContact* con = d->contact + c;
    if (con->efc_address < 0) continue;
    ctReal rel[3], x[3], wrench[6];
    cti_sub3(rel, con->pos, eye);
    cti_mul_mat_t_vec3(x, axes, rel);
    int column = grid_bin(cti_atan2(x[0], -x[2]), nx, prm[CTI_GRID_FOVX], prm[CTI_GRID_GAMMA]);
    int row = grid_bin(cti_atan2(x[1], cti_sqrt(x[0] * x[0] + x[2] * x[2])), ny, prm[CTI_GRID_FOVY],
                       prm[CTI_GRID_GAMMA]);
    if (column < 0 || row < 0) continue;
    for (int side = 0; side < 2; side++) {
      int geom = con->geom[side];
      if (geom < 0 || m->body_weldid[m->geom_bodyid[geom]] != weld) continue;
      grid_wrench(m, d, c, side, axes, wrench);
      // along the view first
      for (int k = 0; k < channels; k++)
        out[(k * ny + row) * nx + column] += wrench[3 * (k / 3) + (k % 3 == 0 ? 2 : k % 3 - 1)];
    }
  }
}
