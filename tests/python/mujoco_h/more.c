// Functions mj_* that programs ask for less often.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(const char* what, const mjtNum* x, int n) {
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %.5g", mju_abs(x[i]) < 1e-7 ? 0.0 : (double)x[i]);
  printf("\n");
}

static const char scene[] =
    "<mujoco><option cone='%s' jacobian='dense'/><worldbody><geom type='plane' size='3 3 .1'/>"
    "<body name='a' pos='0 0 .09'><freejoint/><geom name='ball' size='.1' condim='%d'/></body>"
    "<body name='b' pos='1 0 .3'><joint name='h' axis='0 1 0' damping='.1' frictionloss='.2' limited='true' "
    "range='-5 5'/><geom name='bar' type='capsule' "
    "fromto='0 0 0 .4 0 0' size='.05'/>"
    "<body pos='.4 0 0'><joint name='s' axis='0 1 0'/><geom size='.08' pos='.1 0 0'/><site name='tip' "
    "pos='.2 0 .1' euler='30 0 0'/></body></body>"
    "<body pos='0 2 1'><joint name='ball' type='ball'/><geom size='.1'/></body></worldbody>"
    "<equality><joint joint1='h' joint2='s'/></equality>"
    "<actuator><position joint='h'/><velocity joint='h'/><motor joint='h'/><pid joint='h' kp='1' input='pos "
    "vel ff'/><intvelocity joint='h'/>"
    "<cylinder joint='h'/><orientation joint='ball' kp='1'/><orientation joint='ball' kp='1' "
    "input='quat'/></actuator>"
    "<sensor><jointpos joint='h'/><framepos objtype='site' objname='tip'/><gyro site='tip'/><force "
    "site='tip'/></sensor></mujoco>";

static mjModel* load(const char* cone, int condim) {
  char xml[3000], error[300] = "";
  snprintf(xml, sizeof(xml), scene, cone, condim);
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  if (!m) printf("%s %s\n", error, s ? mjs_getError(s) : "");
  mj_deleteSpec(s);
  return m;
}

static void move(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * i - 1;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.1 * i;
  d->ctrl[8] = 0.2;
}

static void constraints(void) {
  const char* const cones[] = {"pyramidal", "elliptic"};
  for (int c = 0; c < 2; c++)
    for (int dim = 1; dim <= 6; dim += dim == 1 ? 2 : 1) {
      if (dim == 5) continue;
      mjModel* m = load(cones[c], dim);
      mjData* d = mj_makeData(m);
      move(m, d);
      mj_forward(m, d);
      mjtNum jar[100], cost;
      mj_mulJacVec(m, d, jar, d->qacc);
      mju_subFrom(jar, d->efc_aref, d->nefc);
      for (int k = 0; k < 3; k++) {
        mju_scl(jar, jar, k == 2 ? -1 : 1, d->nefc);
        for (int i = 0; k == 1 && i < d->nefc; i++) jar[i] = jar[i] * (i % 3) - 0.2 * i;
        mju_zero(d->efc_force, d->nefc);
        mj_constraintUpdate(m, d, jar, &cost, 1);
        show("cost", &cost, 1);
        show("force", d->efc_force, d->nefc);
        show("joints", d->qfrc_constraint, m->nv);
        printf("states");
        for (int i = 0; i < d->nefc; i++) printf(" %d", d->efc_state[i]);
        printf("\n");
        if (d->ncon > 0 && d->efc_state[d->contact[0].efc_address] == mjCNSTRSTATE_CONE)
          show("cone", d->contact[0].H, dim * dim);
      }
      mj_deleteData(d);
      mj_deleteModel(m);
    }
}

static void stages(void) {
  mjModel* m = load("pyramidal", 3);
  mjData* d = mj_makeData(m);
  move(m, d);
  mj_forward(m, d);
  mj_inverse(m, d);
  show("inverse", d->qfrc_inverse, m->nv);
  mju_zero(d->qfrc_inverse, m->nv);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  show("again", d->qfrc_inverse, m->nv);
  d->qacc[0] = 3;
  mj_inverseSkip(m, d, mjSTAGE_NONE, 0);
  show("whole", d->qfrc_inverse, m->nv);
  show("sensors", d->sensordata, m->nsensordata);
  mj_fwdPosition(m, d);
  mj_island(m, d);
  printf("islands %d:", d->nisland);
  for (int i = 0; i < m->nv; i++) printf(" %d", d->dof_island[i]);
  printf("\n");
  mj_resetCtrl(m, d);
  show("controls", d->ctrl, m->nu);
  for (int i = -1; i <= m->nactuator; i++)
    for (int k = -1; k < 5; k++)
      printf("%s ", mj_actuatorInputName(m, i, k) ? mj_actuatorInputName(m, i, k) : "-");
  printf("\n");
  mjtNum xpos[3], xmat[9];
  const mjtNum pos[3] = {.1, .2, .3}, quat[4] = {.8, 0, .6, 0};
  for (int same = 0; same < 5; same++) {
    mj_local2Global(d, xpos, xmat, pos, quat, 2, (mjtByte)same);
    show("place", xpos, 3);
    show("turn", xmat, 9);
  }
  const mjtNum eye[3] = {0, -1, 2}, rays[12] = {0, 0, -1, 0, 1, -1.9, .5, .4, -1, 0, 0, 1};
  mjtNum dist[4], normal[12];
  int geoms[4];
  for (int k = 0; k < 3; k++) {
    mj_multiRay(m, d, eye, rays, NULL, k != 1, k == 2 ? 1 : -1, geoms, dist, normal, 4, mjMAXVAL);
    show("rays", dist, 4);
    show("normals", normal, 12);
    printf("geoms %d %d %d %d\n", geoms[0], geoms[1], geoms[2], geoms[3]);
  }
  // contacts that a program adds make rows
  const int before = d->nefc;
  mjContact extra = d->contact[0];
  extra.pos[0] += 0.05;
  printf("contacts %d added %d", d->ncon, mj_addContact(m, d, &extra));
  mj_makeConstraint(m, d);
  printf(" now %d, %d more rows\n", d->ncon, d->nefc - before);
  show("place", d->contact[d->ncon - 1].pos, 3);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void matrices(void) {
  mjModel* m = load("pyramidal", 3);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjtNum *full = (mjtNum*)mju_malloc(sizeof(mjtNum) * (size_t)(m->nv * m->nv)), sum[400], product[30],
         halved[30], scale[30];
  int nnz[30], adr[30], col[400], at = 0;
  mj_fullM(m, d, full);
  for (int i = 0; i < m->nv; i++) {
    adr[i] = at;
    nnz[i] = i + 1;
    for (int k = 0; k <= i; k++) {
      sum[at] = 1;
      col[at++] = k;
    }
  }
  mj_addM(m, d, sum, nnz, adr, col);
  for (int i = 0; i < m->nv; i++)
    for (int k = 0; k <= i; k++) sum[adr[i] + k] -= 1 + full[i * m->nv + k];
  const mjtNum left = mju_norm(sum, at);
  show("difference", &left, 1);
  for (int i = 0; i < m->nv; i++) {
    product[i] = i + 1;
    scale[i] = mju_sqrt(d->qLDiagInv[i]);
  }
  mj_solveM2(m, d, halved, product, scale, 1);
  const mjtNum length = mju_norm(halved, m->nv);
  show("half", halved, m->nv);
  show("length", &length, 1);
  mju_free(full);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void stack(void) {
  mjModel* m = load("pyramidal", 3);
  mjData* d = mj_makeData(m);
  mj_markStack(d);
  mjtNum* numbers = mj_stackAllocNum(d, 1000);
  int* ints = mj_stackAllocInt(d, 7);
  for (int i = 0; i < 1000; i++) numbers[i] = i;
  for (int i = 0; i < 7; i++) ints[i] = i;
  mj_markStack(d);
  char* bytes = (char*)mj_stackAllocByte(d, 100, 64);
  memset(bytes, 1, 100);
  printf("aligned %d %d %d", (uintptr_t)bytes % 64 == 0, (uintptr_t)numbers % sizeof(mjtNum) == 0,
         mj_stackAllocNum(d, 0) == NULL);
  mj_freeStack(d);
  mjtNum sum = 0;
  for (int i = 0; i < 1000; i++) sum += numbers[i];
  printf(" sum %g %d\n", (double)sum, ints[6]);
  mj_freeStack(d);
  mj_step(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void settings(void) {
  mjLROpt lr;
  mjOption option;
  mjVisual visual;
  mj_defaultLROpt(&lr);
  mj_defaultOption(&option);
  mj_defaultVisual(&visual);
  printf("ranges %d %d %d %g %g %g %g %g %g %g\n", lr.mode, lr.useexisting, lr.uselimit, (double)lr.accel,
         (double)lr.maxforce, (double)lr.timeconst, (double)lr.timestep, (double)lr.inttotal,
         (double)lr.interval, (double)lr.tolrange);
  printf("option %g %g %d %d %d %d %d %g\n", (double)option.timestep, (double)option.gravity[2],
         option.integrator, option.cone, option.solver, option.iterations, option.disableflags,
         (double)option.tolerance);
  printf("visual %g %d %g %g %d\n", (double)visual.global.fovy, visual.global.offwidth,
         (double)visual.map.znear, (double)visual.rgba.contactforce[1], visual.headlight.active);
  mj_clearCache(mj_getCache());
  printf("cache %d %d\n", mj_getCache() != NULL, (int)mj_getCacheSize(mj_getCache()));
  mjSpec* s = mj_makeSpec();
  s->visual.global.fovy = 30;
  s->visual.rgba.fog[2] = 0.5f;
  s->visual.headlight.active = 0;
  s->visual.global.ellipsoidinertia = 1;
  s->compiler.LRopt.accel = 5;
  s->strippath = 1;
  s->option.timestep = 0.004;
  mjModel* m = mj_compile(s, NULL);
  printf("compiled %g %g %d %d %g\n", (double)m->vis.global.fovy, (double)m->vis.rgba.fog[2],
         m->vis.headlight.active, m->vis.global.ellipsoidinertia, (double)m->opt.timestep);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void ranges(void) {
  char error[300] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><site name='a' pos='0 0 1'/><body><joint name='j' axis='0 1 0' range='-60 80' "
      "armature='.1'/><geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/>"
      "<site name='b' pos='.4 0 0'/></body><body pos='0 1 0'><joint name='k' range='-1 1'/><geom "
      "size='.1'/></body></worldbody><tendon><spatial name='t'><site "
      "site='a'/><site site='b'/></spatial></tendon><actuator><muscle tendon='t' lengthrange='0.1 "
      "0.2'/><motor joint='k'/><muscle joint='k' lengthrange='0.1 "
      "0.2'/></actuator></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  mjLROpt opt;
  mj_defaultLROpt(&opt);
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY |
                         mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  m->opt.timestep = opt.timestep;
  for (int k = 0; k < 2; k++) {
    opt.useexisting = k == 0;
    opt.uselimit = 1;
    for (int i = 0; i < 3; i++) printf("%d ", mj_setLengthRange(m, d, i, &opt, error, sizeof(error)));
    show("ranges", m->actuator_lengthrange, 6);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static mjtNum two_rates(const mjModel* m, const mjData* d, int id) {
  if (m->actuator_actnum[id] == 2)
    for (int k = 0; k < 2; k++) ((mjData*)d)->act_dot[m->actuator_actadr[id] + k] = 7 + k;
  return 3;
}

// Callbacks with several activations, a matrix of which half is read, numbers that no int can be.
static void edges(void) {
  char error[300] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
      "<general joint='j' dyntype='user' actdim='2'/><general joint='j' dyntype='user' actdim='1'/>"
      "</actuator></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(s, NULL);
  mjData* d = mj_makeData(m);
  mjcb_act_dyn = two_rates;
  mj_forward(m, d);
  show("rates", d->act_dot, 3);
  mjcb_act_dyn = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  const mjtNum H[2][4] = {{2, 1e3, 0, 2}, {2, 0, 1, 2}}, g[2] = {2, 2}, low[2] = {-10, -10},
               high[2] = {10, 10};
  for (int k = 0; k < 2; k++) {
    mjtNum x[2] = {0, 0}, R[18];
    int index[2];
    printf("free %d ", mju_boxQP(x, R, index, H[k], g, 2, low, high));
    show("box", x, 2);
    show("factor", R + 2, 2);
  }
  const double large[] = {1e18, -1e18, 2147483647.5, -2147483649.0, 0.5, -0.5, 2.5, 2147483646.4};
  for (int k = 0; k < 8; k++) printf("%d ", mju_round((mjtNum)large[k]));
  printf("\n");
}

static int heard = 0;
static void listen(const char* text) {
  heard += strstr(text, "QVEL") != NULL || strstr(text, "makeData") != NULL ||
           strstr(text, "Invalid data") != NULL;
}

static void warnings(void) {
  mjModel* m = load("pyramidal", 3);
  mjData* d = mj_makeData(m);
  mju_user_warning = listen;
  mj_warning(d, mjWARN_BADQVEL, 3);
  mj_warning(d, mjWARN_BADQVEL, 4);
  printf("warned %d times, last %d, heard %d\n", d->warning[mjWARN_BADQVEL].number,
         d->warning[mjWARN_BADQVEL].lastinfo, heard);
  m->nbody = -1;
  printf("data %d heard %d\n", mj_makeData(m) != NULL, heard);
  m->nbody = 4;
  mju_user_warning = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  constraints();
  stages();
  matrices();
  stack();
  settings();
  ranges();
  warnings();
  edges();
}
