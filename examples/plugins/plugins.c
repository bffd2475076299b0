// Four plugins in a shared library, one of each kind:
//
//   example.spool     actuator  a motor behind a backlash: its gap is a state of the plugin
//   example.odometer  sensor    the way a site has gone so far
//   example.wind      passive   drag of a body in moving air
//   example.brick     shape     a box with rounded edges
//
// corten run --plugins ./libexample_plugins.so model.xml
#include <corten/plugin.h>
#include <math.h>
#include <stdio.h>

// ---- example.spool: the motor turns freely within the gap, then it pulls

static const char* const spool_keys[] = {"stiffness", "gap", NULL};
enum { STIFFNESS, GAP };

static ctStatus spool_prepare(const ctPlugin* p, const char* const* values, ctReal* prm, char* why,
                              size_t size) {
  (void)p;
  double stiffness, gap;
  if (sscanf(values[STIFFNESS], "%lf", &stiffness) != 1 || stiffness <= 0) {
    snprintf(why, size, "stiffness must be a positive number, not \"%s\"", values[STIFFNESS]);
    return CT_ERR_INVALID;
  }
  if (sscanf(values[GAP], "%lf", &gap) != 1 || gap < 0) {
    snprintf(why, size, "gap must be a number that is not negative, not \"%s\"", values[GAP]);
    return CT_ERR_INVALID;
  }
  prm[STIFFNESS] = (ctReal)stiffness;
  prm[GAP] = (ctReal)gap;
  return CT_OK;
}

// The activation is the angle of the spool, which the control turns.
static int spool_states(const ctPlugin* p, const ctReal* prm) {
  (void)p;
  (void)prm;
  return 1;
}

static void spool_rate(const ctPlugin* p, const ctModel* m, const ctData* d, int instance, int actuator,
                       ctReal* act_dot) {
  (void)p;
  (void)instance;
  act_dot[0] = d->ctrl[m->actuator_ctrladr[actuator]];
}

static ctReal spool_force(const ctPlugin* p, const ctModel* m, const ctData* d, int instance, int actuator) {
  (void)p;
  const ctReal* prm = m->plugin_prm + CT_NPLUGINPRM * instance;
  ctReal stretch = d->act[m->actuator_actadr[actuator]] - d->actuator_length[m->actuator_outadr[actuator]];
  ctReal half = prm[GAP] / 2;
  if (stretch > half) return prm[STIFFNESS] * (stretch - half);
  return stretch < -half ? prm[STIFFNESS] * (stretch + half) : 0;
}

static const ctPlugin spool = {.name = "example.spool",
                               .capability = CT_PLUGIN_ACTUATOR,
                               .attributes = spool_keys,
                               .prepare = spool_prepare,
                               .activation_size = spool_states,
                               .activation_rate = spool_rate,
                               .force = spool_force};

// ---- example.odometer: its state is the way so far, the last place, and whether there is one

enum { WAY, LAST, STARTED = LAST + 3, ODOMETER_STATES };

static int odometer_states(const ctPlugin* p, const ctReal* prm) {
  (void)p;
  (void)prm;
  return ODOMETER_STATES;
}

static int one(const ctPlugin* p, const ctReal* prm) {
  (void)p;
  (void)prm;
  return 1;
}

// The first site that a sensor of the instance is attached to, NULL when there is none.
static const ctReal* odometer_site(const ctModel* m, const ctData* d, int instance) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_plugin[i] == instance && m->sensor_objtype[i] == CT_OBJ_SITE)
      return d->site_xpos + 3 * m->sensor_objid[i];
  }
  return NULL;
}

static void odometer_advance(const ctPlugin* p, const ctModel* m, ctData* d, int instance) {
  (void)p;
  ctReal* state = d->plugin_state + m->plugin_stateadr[instance];
  const ctReal* at = odometer_site(m, d, instance);
  ctReal square = 0;
  if (!at) return;
  for (int k = 0; k < 3; k++) {
    ctReal step = at[k] - state[LAST + k];
    square += step * step;
    state[LAST + k] = at[k];
  }
  if (state[STARTED] != 0) state[WAY] += (ctReal)sqrt((double)square);
  state[STARTED] = 1;
}

static void odometer_read(const ctPlugin* p, const ctModel* m, const ctData* d, int instance, int sensor,
                          ctReal* out) {
  (void)p;
  (void)sensor;
  out[0] = d->plugin_state[m->plugin_stateadr[instance] + WAY];
}

static const ctPlugin odometer = {.name = "example.odometer",
                                  .capability = CT_PLUGIN_SENSOR,
                                  .state_size = odometer_states,
                                  .advance = odometer_advance,
                                  .stage = CT_STAGE_POS,
                                  .sensor_size = one,
                                  .sensor = odometer_read};

// ---- example.wind: drag along the velocity of the air against the body, at its centre of mass

static const char* const wind_keys[] = {"x", "y", "z", "drag", NULL};
enum { DRAG = 3 };

static void wind_passive(const ctPlugin* p, const ctModel* m, ctData* d, int instance, int body) {
  (void)p;
  const ctReal *wind = m->plugin_prm + CT_NPLUGINPRM * instance,
               *com = d->subtree_com + 3 * m->body_rootid[body];
  const ctReal *spin = d->cvel + 6 * body, *linear = spin + 3;
  ctReal arm[3], force[3];
  for (int k = 0; k < 3; k++) arm[k] = d->xipos[3 * body + k] - com[k];
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    force[k] = wind[DRAG] * (wind[k] - linear[k] - (spin[a] * arm[b] - spin[b] * arm[a]));
  }
  // the dofs that move the body: the power of the force at each of them
  int dof = m->body_dofnum[body] > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
  for (int above = body; dof < 0 && above > 0;) {
    above = m->body_parentid[above];
    if (m->body_dofnum[above] > 0) dof = m->body_dofadr[above] + m->body_dofnum[above] - 1;
  }
  for (; dof >= 0; dof = m->dof_parentid[dof]) {
    const ctReal* axis = d->cdof + 6 * dof;
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      d->qfrc_passive[dof] += force[k] * (axis[3 + k] + axis[a] * arm[b] - axis[b] * arm[a]);
    }
  }
}

static const ctPlugin wind = {.name = "example.wind",
                              .capability = CT_PLUGIN_PASSIVE,
                              .attributes = wind_keys,
                              .passive = wind_passive};

// ---- example.brick

static const char* const brick_keys[] = {"x", "y", "z", "round", NULL};
enum { ROUND = 3 };

static ctReal brick_distance(const ctPlugin* p, const ctReal* prm, const ctReal x[3]) {
  (void)p;
  ctReal square = 0, most = -1e10f;
  for (int k = 0; k < 3; k++) {
    ctReal over = (x[k] < 0 ? -x[k] : x[k]) - (prm[k] - prm[ROUND]);
    if (over > 0) square += over * over;
    if (over > most) most = over;
  }
  return (ctReal)sqrt((double)square) + (most < 0 ? most : 0) - prm[ROUND];
}

static void brick_bounds(const ctPlugin* p, const ctReal* prm, ctReal aabb[6]) {
  (void)p;
  for (int k = 0; k < 3; k++) {
    aabb[k] = 0;
    aabb[3 + k] = (ctReal)1.05 * prm[k];
  }
}

static const ctPlugin brick = {.name = "example.brick",
                               .capability = CT_PLUGIN_SDF,
                               .attributes = brick_keys,
                               .distance = brick_distance,
                               .bounds = brick_bounds};

CT_PLUGIN_EXPORT const ctPlugin* const* CT_PLUGIN_ENTRY(int* count);
CT_PLUGIN_EXPORT const ctPlugin* const* CT_PLUGIN_ENTRY(int* count) {
  static const ctPlugin* const all[] = {&spool, &odometer, &wind, &brick};
  *count = 4;
  return all;
}
