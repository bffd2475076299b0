// A model that is built by code: a cart with a pole, a finger on a tendon, classes, sensors, a copy of the
// finger.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// A finger of two links, as a model of its own.
static mjSpec* make_finger(void) {
  mjSpec* s = mj_makeSpec();
  mjsDefault* thin = mjs_addDefault(s, "thin", mjs_getSpecDefault(s));
  thin->geom->rgba[0] = 1;
  thin->joint->damping[0] = 0.05;
  mjsBody* parent = mjs_findBody(s, "world");
  for (int i = 0; i < 2; i++) {
    char name[20];
    mjsBody* link = mjs_addBody(parent, NULL);
    snprintf(name, sizeof(name), "link%d", i);
    mjs_setName(link->element, name);
    link->pos[2] = i ? 0.2 : 0;
    mjsJoint* joint = mjs_addJoint(link, thin);
    snprintf(name, sizeof(name), "joint%d", i);
    mjs_setName(joint->element, name);
    joint->axis[0] = 0;
    joint->axis[1] = 1;
    joint->axis[2] = 0;
    joint->range[0] = -90;
    joint->range[1] = 90;
    mjsGeom* geom = mjs_addGeom(link, thin);
    geom->type = mjGEOM_CAPSULE;
    const double fromto[6] = {0, 0, 0, 0, 0, 0.2};
    memcpy(geom->fromto, fromto, sizeof(fromto));
    geom->size[0] = 0.02;
    mjsSite* site = mjs_addSite(link, NULL);
    snprintf(name, sizeof(name), "site%d", i);
    mjs_setName(site->element, name);
    site->pos[0] = 0.03;
    site->pos[2] = 0.1;
    parent = link;
  }
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "string");
  mjs_wrapSite(tendon, "site0");
  mjs_wrapSite(tendon, "site1");
  tendon->stiffness[0] = 10;
  mjsActuator* pull = mjs_addActuator(s, NULL);
  mjs_setName(pull->element, "pull");
  pull->trntype = mjTRN_TENDON;
  mjs_setString(pull->target, "string");
  pull->gear[0] = 2;
  mjs_setToMotor(pull);
  return s;
}

int main(void) {
  mjSpec* s = mj_makeSpec();
  mjs_setString(s->modelname, "cart");
  s->option.timestep = (mjtNum)0.005;
  s->option.integrator = mjINT_IMPLICITFAST;
  s->option.disableflags |= mjDSBL_FRICTIONLOSS;
  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom* floor = mjs_addGeom(world, NULL);
  floor->type = mjGEOM_PLANE;
  floor->size[0] = floor->size[1] = floor->size[2] = 1;
  mjsBody* cart = mjs_addBody(world, NULL);
  mjs_setName(cart->element, "cart");
  cart->pos[2] = 0.5;
  cart->alt.type = mjORIENTATION_EULER;
  cart->alt.euler[2] = 90;
  mjsJoint* slide = mjs_addJoint(cart, NULL);
  mjs_setName(slide->element, "slide");
  slide->type = mjJNT_SLIDE;
  slide->axis[0] = 1;
  slide->axis[2] = 0;
  mjsGeom* box = mjs_addGeom(cart, NULL);
  mjs_setName(box->element, "box");
  box->type = mjGEOM_BOX;
  box->size[0] = 0.2;
  box->size[1] = box->size[2] = 0.1;
  mjsBody* pole = mjs_addBody(cart, NULL);
  mjs_setName(pole->element, "pole");
  pole->explicitinertial = 1;
  pole->mass = 0.3;
  pole->ipos[0] = pole->ipos[1] = 0;
  pole->ipos[2] = 0.3;
  pole->inertia[0] = pole->inertia[1] = 0.01;
  pole->inertia[2] = 0.001;
  mjsJoint* hinge = mjs_addJoint(pole, NULL);
  mjs_setName(hinge->element, "hinge");
  hinge->axis[1] = 1;
  hinge->axis[2] = 0;
  mjsSite* tip = mjs_addSite(pole, NULL);
  mjs_setName(tip->element, "tip");
  tip->pos[2] = 0.6;

  mjsActuator* motor = mjs_addActuator(s, NULL);
  mjs_setName(motor->element, "motor");
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "slide");
  double kv[1] = {2};
  mjs_setToPosition(motor, 20, kv, NULL, NULL, 0);
  mjsSensor* where = mjs_addSensor(s);
  mjs_setName(where->element, "where");
  where->type = mjSENS_FRAMEPOS;
  where->objtype = mjOBJ_SITE;
  mjs_setString(where->objname, "tip");
  mjsSensor* speed = mjs_addSensor(s);
  speed->type = mjSENS_JOINTVEL;
  speed->objtype = mjOBJ_JOINT;
  mjs_setString(speed->objname, "hinge");
  mjsKey* key = mjs_addKey(s);
  const double qpos[2] = {0.1, 0.2};
  mjs_setDouble(key->qpos, qpos, 2);
  mjsNumeric* number = mjs_addNumeric(s);
  mjs_setName(number->element, "pi");
  const double pi = 3.14;
  mjs_setDouble(number->data, &pi, 1);
  number->size = 1;
  mjsExclude* apart = mjs_addExclude(s);
  mjs_setString(apart->bodyname1, "cart");
  mjs_setString(apart->bodyname2, "pole");

  double kp[1] = {0.5}, range[2] = {0.8, 1.2};
  mjsActuator* pid = mjs_addActuator(s, NULL);
  pid->trntype = mjTRN_JOINT;
  mjs_setString(pid->target, "hinge");
  mjs_setToPID(pid, 2, NULL, kp, kp, NULL, NULL, 0, 0);
  mjsActuator* muscle = mjs_addActuator(s, NULL);
  muscle->trntype = mjTRN_JOINT;
  mjs_setString(muscle->target, "hinge");
  mjs_setToMuscle(muscle, NULL, 0, range, 5, -1, -1, -1, -1, -1, -1);
  muscle->lengthrange[0] = -1;
  muscle->lengthrange[1] = 1;
  mjsMesh* shape = mjs_addMesh(s, NULL);
  mjs_setName(shape->element, "shape");
  double subdivisions[1] = {1};
  mjs_makeMesh(shape, mjMESH_BUILTIN_SPHERE, subdivisions, 1);
  shape->scale[0] = shape->scale[1] = shape->scale[2] = 0.05;
  mjsGeom* ball = mjs_addGeom(pole, NULL);
  ball->type = mjGEOM_MESH;
  mjs_setString(ball->meshname, "shape");
  ball->pos[2] = 0.6;

  // a finger on the cart, then one thing changed and one removed
  mjSpec* finger = make_finger();
  mjsFrame* frame = mjs_addFrame(cart, NULL);
  frame->pos[0] = 0.2;
  mjs_setDeepCopy(s, 1);
  mjsElement* copy = mjs_attach(frame->element, mjs_findBody(finger, "link0")->element, "f-", "");
  if (!copy) mju_error("could not attach: %s", mjs_getError(s));
  printf("%s in %s\n", mjs_getString(mjs_getName(copy)),
         mjs_getString(mjs_getName(mjs_getParent(copy)->element)));
  mjsGeom* geom = mjs_asGeom(mjs_firstChild(mjs_asBody(copy), mjOBJ_GEOM, 0));
  geom->size[0] = 0.03;
  mjsEquality* hold = mjs_addEquality(s, NULL);
  hold->type = mjEQ_JOINT;
  hold->objtype = mjOBJ_JOINT;
  mjs_setString(hold->name1, "f-joint0");
  mjs_setString(hold->name2, "f-joint1");
  mjs_delete(s, mjs_findElement(s, mjOBJ_SITE, "f-site1"));

  int joints = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_JOINT); e; e = mjs_nextElement(s, e)) joints++;
  mjsElement* string = mjs_findElement(s, mjOBJ_TENDON, "f-string");
  if (string) mjs_delete(s, string);
  mjsElement* pull = mjs_findElement(s, mjOBJ_ACTUATOR, "f-pull");
  if (pull) mjs_delete(s, pull);
  mjModel* m = mj_compile(s, NULL);
  if (!m) mju_error("could not compile: %s", mjs_getError(s));
  printf("%d joints, %d bodies, %d geoms, %d sites, %d actuators, %d sensors, %d equalities, %d keys\n",
         joints, (int)m->nbody, (int)m->ngeom, (int)m->nsite, (int)m->nu, (int)m->nsensor, (int)m->neq,
         (int)m->nkey);
  for (int i = 0; i < m->nv; i++) printf("%.6g %.6g ", (double)m->dof_damping[i], (double)m->dof_M0[i]);
  for (int i = 0; i < 3 * m->nbody; i++) printf("%.6g ", (double)m->body_pos[i]);
  for (int i = 0; i < 4 * m->nbody; i++) printf("%.6g ", (double)m->body_quat[i]);
  for (int i = 0; i < m->nbody; i++) printf("%.6g ", (double)m->body_mass[i]);
  for (int i = 0; i < m->nactuator; i++)
    printf("%d %d %d ", m->actuator_ctrlspec[i], m->actuator_gaintype[i], m->actuator_dyntype[i]);
  for (int i = 0; i < mjNGAIN * m->nactuator; i++) printf("%.6g ", (double)m->actuator_gainprm[i]);
  for (int i = 0; i < mjNBIAS * m->nactuator; i++) printf("%.6g ", (double)m->actuator_biasprm[i]);
  printf("\n");
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  d->ctrl[0] = (mjtNum)0.3;
  for (int i = 0; i < 200; i++) mj_step(m, d);
  for (int i = 0; i < m->nq; i++) printf("%.5f ", (double)d->qpos[i]);
  for (int i = 0; i < m->nsensordata; i++) printf("%.5f ", (double)d->sensordata[i]);
  printf("\n");
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(finger);
  return 0;
}
