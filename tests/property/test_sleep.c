// Random scenes with random events, 100,000 steps in all: what sleeps does not move, nobody sleeps in touch
// with somebody awake, and falling asleep makes no energy.
#include <stdio.h>

#include "data/data.h"
#include "xt_model.h"

enum { SCENES = 50, STEPS = 2000 };

static ctModel* random_scene(xtRng* rng) {
  static char text[16384];
  static const char* const shapes[] = {"type='sphere' size='.1'", "type='box' size='.1 .08 .06'",
                                       "type='capsule' size='.06 .08'", "type='ellipsoid' size='.1 .08 .07'"};
  int n = snprintf(
      text, sizeof(text),
      "<mujoco><option timestep='.004' sleep_tolerance='%g'><flag sleep='enable' energy='enable'/></option>"
      "<worldbody><geom type='plane' size='9 9 .1'/>"
      "<body mocap='true' pos='0 0 3'><geom type='sphere' size='.2'/></body>"
      "<body pos='0 0 .05'><geom type='box' size='.4 .4 .05'/></body>",
      xt_uniform(rng, 0, 1) < 0.5 ? 0.01 : 0.05);
  int trees = 3 + (int)(xt_bits(rng) % 8);
  for (int i = 0; i < trees; i++) {
    const char* shape = shapes[xt_bits(rng) % 4];
    double x = xt_uniform(rng, -0.6, 0.6), y = xt_uniform(rng, -0.6, 0.6), z = xt_uniform(rng, 0.3, 1.5);
    if (xt_bits(rng) % 4 == 0) {
      n += snprintf(
          text + n, sizeof(text) - (size_t)n,
          "<body name='b%d' pos='%g %g 1.5'><joint type='ball' damping='.5'/><geom %s pos='0 0 -.4'/>"
          "<body pos='0 0 -.8'><joint axis='0 1 0' damping='.3'/><geom %s/></body></body>",
          i, x, y, shape, shape);
    } else {
      n += snprintf(text + n, sizeof(text) - (size_t)n,
                    "<body name='b%d' pos='%g %g %g'><freejoint/><geom %s/></body>", i, x, y, z, shape);
    }
  }
  snprintf(text + n, sizeof(text) - (size_t)n,
           "</worldbody><equality><connect body1='b0' body2='b1' anchor='0 0 0' active='false'/></equality>"
           "<keyframe><key/></keyframe></mujoco>");
  return xt_load_string(text);
}

// Something from outside; returns whether energy may have come with it.
static bool event(const ctModel* m, ctData* d, xtRng* rng, int step) {
  for (int i = 0; i < 6 * m->nbody; i++) d->xfrc_applied[i] = 0;
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 0;
  if (step % 97 != 96) return false;
  int tree = (int)(xt_bits(rng) % (uint64_t)m->ntree), dof = m->tree_dofadr[tree];
  switch (xt_bits(rng) % 7) {
    case 0: d->xfrc_applied[6 * m->tree_bodyadr[tree] + 2] = (ctReal)xt_uniform(rng, 0, 30); break;
    case 1: d->qfrc_applied[dof] = (ctReal)xt_uniform(rng, -5, 5); break;
    case 2: d->qvel[dof] = (ctReal)xt_uniform(rng, -2, 2); break;
    case 3: d->qpos[m->jnt_qposadr[m->dof_jntid[dof]]] += (ctReal)xt_uniform(rng, -0.1, 0.1); break;
    case 4:
      d->mocap_pos[0] = (ctReal)xt_uniform(rng, -0.5, 0.5);
      d->mocap_pos[2] = (ctReal)xt_uniform(rng, 0.2, 1);
      break;
    case 5: d->eq_active[0] = !d->eq_active[0]; break;
    default: ct_data_reset_keyframe(m, d, 0); break;
  }
  return true;
}

static void check_rest(const ctModel* m, const ctData* d, const ctReal* qpos, const int* before) {
  for (int t = 0; t < m->ntree; t++) {
    // one that slept before the step and after it was not touched by it
    if (before[t] < 0 || d->tree_asleep[t] < 0) continue;
    for (int i = m->tree_dofadr[t]; i < m->tree_dofadr[t] + m->tree_dofnum[t]; i++) XT_TRUE(d->qvel[i] == 0);
    for (int j = 0; j < m->njnt; j++) {
      if (m->dof_treeid[m->jnt_dofadr[j]] != t) continue;
      int adr = m->jnt_qposadr[j],
          n = m->jnt_type[j] == CT_JOINT_FREE ? 7 : (m->jnt_type[j] == CT_JOINT_BALL ? 4 : 1);
      XT_SAME(d->qpos + adr, qpos + adr, n);
    }
  }
}

// Contacts of the step are those of its start: two trees that press on each other are both awake, or have
// both fallen asleep at its end.
static void check_touch(const ctModel* m, const ctData* d) {
  for (int c = 0; c < d->ncon; c++) {
    if (d->contact[c].efc_address < 0) continue;
    int a = m->body_treeid[m->geom_bodyid[d->contact[c].geom[0]]];
    int b = m->body_treeid[m->geom_bodyid[d->contact[c].geom[1]]];
    if (a >= 0 && b >= 0) XT_TRUE((d->tree_asleep[a] < 0) == (d->tree_asleep[b] < 0));
  }
}

XT_TEST(sleep, random_scenes_and_events) {
  xtRng rng = xt_rng(20);
  int falls = 0, wakes = 0;
  for (int scene = 0; scene < SCENES; scene++) {
    ctModel* m = random_scene(&rng);
    ctData* d = xt_data(m);
    ctReal* qpos = malloc(sizeof(ctReal) * (size_t)m->nq);
    int* before = malloc(sizeof(int) * (size_t)m->ntree);
    for (int step = 0; step < STEPS; step++) {
      bool touched = event(m, d, &rng, step);
      memcpy(qpos, d->qpos, sizeof(ctReal) * (size_t)m->nq);
      memcpy(before, d->tree_asleep, sizeof(int) * (size_t)m->ntree);
      ctStatus status = ct_step(m, d);
      // a mocap body that appears inside of others may throw them too far: then all begins again, with or
      // without sleep
      if (status == CT_STEP_DIVERGED) continue;
      XT_TRUE(status == CT_OK ||
              (sizeof(ctReal) == 4 && status == CT_STEP_SINGULAR));  // deep contacts, in float
      ctReal energy = d->energy[0] + d->energy[1];                   // of the state before the step
      int fell = 0;
      for (int t = 0; t < m->ntree; t++) {
        fell += before[t] < 0 && d->tree_asleep[t] >= 0;
        wakes += before[t] >= 0 && d->tree_asleep[t] < 0;
      }
      falls += fell;
      check_rest(m, d, qpos, before);
      check_touch(m, d);
      if (fell && !touched && d->ntree_awake == 0) {
        // all at rest: what is left of the energy is where they lie
        ct_forward(m, d);
        XT_TRUE(d->energy[0] + d->energy[1] <= energy + CT_R(XT_TOL(1e-9, 1e-3)));
        XT_TRUE(d->energy[1] == 0);
      }
    }
    free(qpos);
    free(before);
    ct_data_free(d);
    ct_model_free(m);
  }
  XT_TRUE(falls > 500 && wakes > 300);
}

XT_MAIN()
