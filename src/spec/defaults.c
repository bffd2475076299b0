#include "spec/defaults.h"

#include <math.h>
#include <string.h>

#include "base/fn.h"

static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};

static const double solref0[CT_NREF] = {0.02, 1};
static const double solimp0[CT_NIMP] = {0.9, 0.95, 0.001, 0.5, 2};

#define SET(to, ...)                                                          \
  do {                                                                        \
    const double values_[] = {__VA_ARGS__};                                   \
    for (int i_ = 0; i_ < CT_COUNT_OF(values_); i_++) (to)[i_] = values_[i_]; \
  } while (0)
#define COPY(to, from) memcpy((to), (from), sizeof(from))

void cti_default_compiler(ctiCompiler* c) {
  memset(c, 0, sizeof(*c));
  c->autolimits = c->usethread = c->savecompiled = c->savecanonical = true;
  c->settotalmass = -1;
  c->degree = true;
  c->inertiafromgeom = CTI_AUTO;
  c->inertiagrouprange[1] = 5;
  strcpy(c->eulerseq, "xyz");
}

void cti_default_option(ctOption* o) {
  memset(o, 0, sizeof(*o));
  o->timestep = CT_R(0.002);
  o->impratio = 1;
  o->tolerance = CT_R(1e-8);
  o->ls_tolerance = CT_R(0.01);
  o->noslip_tolerance = CT_R(1e-6);
  o->ccd_tolerance = CT_R(1e-6);
  o->sleep_tolerance = CT_R(1e-3);
  o->gravity[2] = CT_R(-9.81);
  o->magnetic[1] = CT_R(-0.5);
  for (int i = 0; i < CT_NREF; i++) o->o_solref[i] = (ctReal)solref0[i];
  for (int i = 0; i < CT_NIMP; i++) o->o_solimp[i] = (ctReal)solimp0[i];
  const ctReal friction[5] = {1, 1, CT_R(0.005), CT_R(0.0001), CT_R(0.0001)};
  COPY(o->o_friction, friction);
  o->integrator = CT_INT_EULER;
  o->cone = CT_CONE_PYRAMIDAL;
  o->jacobian = CT_JAC_AUTO;
  o->solver = CT_SOL_NEWTON;
  o->iterations = 100;
  o->ls_iterations = 50;
  o->ccd_iterations = 35;
  o->sdf_iterations = 10;
  o->sdf_initpoints = 40;
}

// The colours, in the order of the list.
static void default_colours(ctVisual* v) {
  static const float rgba[][4] = {
      {0, 0, 0, 1},              // fog
      {1, 1, 1, 1},              // haze
      {1, 0.5f, 0.5f, 1},        // force
      {0.8f, 0.2f, 0.2f, 0.6f},  // inertia
      {0.2f, 0.6f, 0.8f, 1},     // joint
      {0.2f, 0.25f, 0.2f, 1},    // actuator
      {0.2f, 0.6f, 0.9f, 1},     // actuatornegative
      {0.9f, 0.4f, 0.2f, 1},     // actuatorpositive
      {0.9f, 0.9f, 0.9f, 1},     // com
      {0.6f, 0.9f, 0.6f, 1},     // camera
      {0.6f, 0.6f, 0.9f, 1},     // light
      {0.9f, 0.9f, 0.1f, 1},     // selectpoint
      {0.2f, 0.2f, 0.8f, 1},     // connect
      {0.9f, 0.6f, 0.2f, 1},     // contactpoint
      {0.7f, 0.9f, 0.9f, 1},     // contactforce
      {0.9f, 0.8f, 0.4f, 1},     // contactfriction
      {0.9f, 0.7f, 0.9f, 1},     // contacttorque
      {0.5f, 0.8f, 0.9f, 1},     // contactgap
      {1, 1, 0.1f, 1},           // rangefinder
      {0.9f, 0, 0, 1},           // constraint
      {0.5f, 0.3f, 0.8f, 1},     // slidercrank
      {0.9f, 0, 0, 1},           // crankbroken
      {1, 1, 0, 0.2f},           // frustum
      {0, 1, 0, 0.5f},           // bv
      {1, 0, 0, 0.5f},           // bvactive
  };
  _Static_assert(sizeof(rgba) == sizeof(v->rgba), "one colour for each field of the group");
  memcpy(&v->rgba, rgba, sizeof(rgba));
}

void cti_default_visual(ctVisual* v) {
  memset(v, 0, sizeof(*v));
  v->global.cameraid = -1;
  v->global.fovy = 45;
  v->global.ipd = 0.068f;
  v->global.azimuth = 90;
  v->global.elevation = -45;
  v->global.linewidth = 1;
  v->global.glow = 0.3f;
  v->global.realtime = 1;
  v->global.offwidth = 640;
  v->global.offheight = 480;
  v->quality.shadowsize = 4096;
  v->quality.offsamples = 4;
  v->quality.numslices = 28;
  v->quality.numstacks = 16;
  v->quality.numquads = 4;
  for (int i = 0; i < 3; i++) {
    v->headlight.ambient[i] = 0.1f;
    v->headlight.diffuse[i] = 0.4f;
    v->headlight.specular[i] = 0.5f;
  }
  v->headlight.active = CTI_AUTO;
  v->map.stiffness = 100;
  v->map.stiffnessrot = 500;
  v->map.force = 0.005f;
  v->map.torque = 0.1f;
  v->map.alpha = 0.3f;
  v->map.fogstart = 3;
  v->map.fogend = 10;
  v->map.znear = 0.01f;
  v->map.zfar = 50;
  v->map.haze = 0.3f;
  v->map.shadowclip = 1;
  v->map.shadowscale = 0.6f;
  v->map.actuatortendon = 2;
  v->scale.forcewidth = 0.1f;
  v->scale.contactwidth = 0.3f;
  v->scale.contactheight = 0.1f;
  v->scale.connect = 0.2f;
  v->scale.com = 0.4f;
  v->scale.camera = 0.3f;
  v->scale.light = 0.3f;
  v->scale.selectpoint = 0.2f;
  v->scale.jointlength = 1;
  v->scale.jointwidth = 0.1f;
  v->scale.actuatorlength = 0.7f;
  v->scale.actuatorwidth = 0.2f;
  v->scale.framelength = 1;
  v->scale.framewidth = 0.1f;
  v->scale.constraint = 0.1f;
  v->scale.slidercrank = 0.2f;
  v->scale.frustum = 10;
  default_colours(v);
}

void cti_default_size(ctiSize* s) {
  memset(s, 0, sizeof(*s));
  s->njmax = s->nconmax = s->nstack = -1;
  s->nuser_body = s->nuser_jnt = s->nuser_geom = s->nuser_site = s->nuser_cam = -1;
  s->nuser_tendon = s->nuser_actuator = s->nuser_sensor = -1;
}

void cti_default_length_range(ctiLengthRange* s) {
  *s = (ctiLengthRange){.mode = CTI_LENGTH_MUSCLE,
                        .useexisting = true,
                        .accel = 20,
                        .timeconst = 1,
                        .timestep = 0.01,
                        .inttotal = 10,
                        .interval = 2,
                        .tolrange = 0.05};
}

void cti_default_statistic(ctiStatistic* s) {
  memset(s, 0, sizeof(*s));
  s->meaninertia = s->meanmass = s->meansize = s->extent = NAN;
  SET(s->center, NAN, NAN, NAN);
}

static void default_orient(ctiOrient* o) {
  o->form = CTI_ORIENT_QUAT;
  SET(o->quat, 1, 0, 0, 0);
}

static void default_joint(ctiJoint* j) {
  j->type = CT_JOINT_HINGE;
  j->align = CTI_AUTO;
  SET(j->axis, 0, 0, 1);
  j->limited = j->actfrclimited = CTI_AUTO;
  COPY(j->solref_limit, solref0);
  COPY(j->solimp_limit, solimp0);
  COPY(j->solref_friction, solref0);
  COPY(j->solimp_friction, solimp0);
}

static void default_geom(ctiGeom* g) {
  g->type = CT_GEOM_SPHERE;
  g->contype = g->conaffinity = 1;
  g->condim = 3;
  SET(g->friction, 1, 0.005, 0.0001);
  g->mass = NAN;
  g->density = 1000;
  g->solmix = 1;
  COPY(g->solref, solref0);
  COPY(g->solimp, solimp0);
  g->castshadow = true;
  SET(g->fromto, NAN);
  default_orient(&g->orient);
  g->fitscale = 1;
  COPY(g->rgba, grey);
  SET(g->fluidcoef, 0.5, 0.25, 1.5, 1, 1);
}

static void default_site(ctiSite* s) {
  s->type = CT_GEOM_SPHERE;
  SET(s->size, 0.005, 0.005, 0.005);
  SET(s->fromto, NAN);
  default_orient(&s->orient);
  COPY(s->rgba, grey);
}

static void default_camera(ctiCamera* c) {
  c->fovy = 45;
  c->ipd = 0.068;
  c->resolution[0] = c->resolution[1] = 1;
  c->output = 1;
  default_orient(&c->orient);
}

static void default_light(ctiLight* l) {
  l->castshadow = l->active = true;
  SET(l->dir, 0, 0, -1);
  l->bulbradius = 0.02f;
  l->range = 10;
  l->attenuation[0] = 1;
  l->cutoff = 45;
  l->softness = 0.2f;
  l->exponent = 10;
  for (int i = 0; i < 3; i++) {
    l->diffuse[i] = 0.7f;
    l->specular[i] = 0.3f;
  }
}

static void default_pair(ctiContactPair* p) {
  p->condim = 3;
  SET(p->friction, 1, 1, 0.005, 0.0001, 0.0001);
  COPY(p->solref, solref0);
  COPY(p->solimp, solimp0);
}

static void default_equality(ctiEquality* e) {
  e->active = true;
  COPY(e->solref, solref0);
  COPY(e->solimp, solimp0);
  // a zero quaternion means: the pose at the reference configuration
  SET(e->relpose, 0, 1, 0, 0, 0, 0, 0);
  e->torquescale = 1;
  SET(e->polycoef, 0, 1, 0, 0, 0);
  SET(e->cell, 0, 1, 0);
}

static void default_tendon(ctiTendon* t) {
  t->limited = t->actfrclimited = CTI_AUTO;
  COPY(t->solref_limit, solref0);
  COPY(t->solimp_limit, solimp0);
  COPY(t->solref_friction, solref0);
  COPY(t->solimp_friction, solimp0);
  SET(t->springlength, -1, -1);
  t->width = 0.003;
  COPY(t->rgba, grey);
}

static void default_actuator(ctiActuator* a) {
  a->ctrllimited = a->forcelimited = a->actlimited = CTI_AUTO;
  a->actdim = a->input = -1;
  a->gear[0] = 1;
  cti_default_drive(&a->drive);
}

static void default_texture(ctiTexture* t) {
  t->type = CT_TEXTURE_CUBE;
  t->nchannel = 3;
  t->embed = CTI_AUTO;
  t->gridsize[0] = t->gridsize[1] = 1;
  SET(t->rgb1, 0.8, 0.8, 0.8);
  SET(t->rgb2, 0.5, 0.5, 0.5);
  t->random = 0.01;
}

static void default_material(ctiMaterial* m) {
  m->texrepeat[0] = m->texrepeat[1] = 1;
  m->specular = m->shininess = 0.5f;
  m->metallic = m->roughness = -1;
  const float white[4] = {1, 1, 1, 1};
  COPY(m->rgba, white);
}

static void default_mesh(ctiMeshAsset* m) {
  SET(m->refquat, 1, 0, 0, 0);
  SET(m->scale, 1, 1, 1);
  m->maxhullvert = -1;
  m->inertia = 2;  // legacy
}

void cti_default_drive(ctiDrive* d) {
  memset(d, 0, sizeof(*d));
  d->dynprm[0] = d->gainprm[0] = 1;
}

void cti_default_words(ctiShortcutWords* words) {
  double* each = (double*)(void*)words;
  for (size_t i = 0; i < sizeof(*words) / sizeof(double); i++) each[i] = NAN;
}

void cti_default_class(ctiClass* c) {
  memset(c, 0, sizeof(*c));
#define X(record, member) default_##member(&c->member);
  CTI_TEMPLATES(X)
#undef X
  for (int i = 0; i < CTI_SHORTCUT_COUNT; i++) {
    cti_default_drive(&c->drive[i]);
    cti_default_words(&c->words[i]);
  }
}

void cti_default_body(ctiBody* b) {
  memset(b, 0, sizeof(*b));
  default_orient(&b->orient);
  b->simple = b->fuse = CTI_AUTO;
  b->sleep = CT_SLEEP_AUTO;
  default_orient(&b->inertial.orient);
  SET(b->inertial.fullinertia, NAN);
}

void cti_default_frame(ctiFrame* f) {
  *f = (ctiFrame){.orient.quat = {1, 0, 0, 0}, .scale = {1, NAN, NAN}};
}

void cti_default_skin(ctiSkin* s) {
  COPY(s->rgba, grey);
}

void cti_default_flex(ctiFlex* f) {
  f->dim = 2;
  f->radius = 0.005;
  COPY(f->rgba, grey);
  for (int i = 0; i < 3; i++) f->cellcount[i] = 1;
  f->contype = f->conaffinity = f->activelayers = 1;
  f->condim = 3;
  f->selfcollide = CTI_SELF_AUTO;
  SET(f->friction, 1, 0.005, 0.0001);
  f->solmix = 1;
  COPY(f->solref, solref0);
  COPY(f->solimp, solimp0);
  f->thickness = -1;
  SET(f->yield, 0, NAN);
}

void cti_default_flexcomp(ctiFlexcompWords* f) {
  *f = (ctiFlexcompWords){
      .type = CTI_FLEXCOMP_GRID, .dim = 2, .radius = 0.005, .mass = 1, .inertiabox = 0.005};
  default_orient(&f->orient);
  COPY(f->rgba, grey);
  COPY(f->solref, solref0);
  COPY(f->solimp, solimp0);
  for (int i = 0; i < 3; i++) {
    f->count[i] = 10;
    f->cellcount[i] = 1;
    f->spacing[i] = 0.02;
    f->scale[i] = 1;
  }
}
