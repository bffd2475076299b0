// Deformables, skins, pictures, files in memory, and the tree of an mjSpec.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void show(const char* what, const mjtNum* x, int n) {
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %.6g", mju_abs(x[i]) < 1e-9 ? 0.0 : (double)x[i]);
  printf("\n");
}

static mjModel* compile(mjSpec* s, const mjVFS* vfs) {
  mjModel* m = mj_compile(s, vfs);
  if (!m) printf("not compiled: %s\n", mjs_getError(s));
  return m;
}

static void flexes(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  for (int i = 0; i < 4; i++) {
    char name[16];
    snprintf(name, sizeof(name), "v%d", i);
    mjsBody* b = mjs_addBody(world, NULL);
    mjs_setName(b->element, name);
    b->pos[0] = i % 2 * 0.1;
    b->pos[1] = i / 2 * 0.1;
    b->pos[2] = 1;
    mjsJoint* j = mjs_addJoint(b, NULL);
    j->type = mjJNT_SLIDE;
    j->axis[2] = 1;
    b->mass = 0.1;
    b->explicitinertial = 1;
    b->inertia[0] = b->inertia[1] = b->inertia[2] = 1e-4;
    b->ipos[0] = b->ipos[1] = b->ipos[2] = 0;
  }
  mjsFlex* f = mjs_addFlex(s);
  const int elements[6] = {0, 1, 2, 1, 3, 2};
  const double vertices[12] = {0};
  mjs_setName(f->element, "cloth");
  mjs_setStringVec(f->vertbody, "v0 v1 v2");
  mjs_appendString(f->vertbody, "v3");
  mjs_setInt(f->elem, elements, 6);
  mjs_setDouble(f->vert, vertices, 12);
  f->dim = 2;
  f->radius = 0.02;
  f->young = 500;
  f->poisson = 0.2;
  f->thickness = 0.01;
  f->damping = 0.1;
  f->elastic2d = 2;
  f->friction[0] = 0.7;
  f->selfcollide = mjFLEXSELF_NONE;
  f->rgba[0] = 0.25f;
  mjModel* m = compile(s, NULL);
  if (m) {
    printf("flex %d %d %d %s\n", (int)m->nflex, (int)m->nflexvert, (int)m->nflexelem,
           mj_id2name(m, mjOBJ_FLEX, 0));
    printf("vertices of");
    for (int i = 0; i < m->nflexvert; i++) printf(" %d", m->flex_vertbodyid[i]);
    printf("\nself %d dim %d rgba %g\n", m->flex_selfcollide[0], m->flex_dim[0], (double)m->flex_rgba[0]);
    show("friction", m->flex_friction, 3);
    show("radius", m->flex_radius, 1);
    show("damping", m->flex_damping, 1);
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 50; i++) mj_step(m, d);
    show("fallen", d->qpos, m->nq);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  mjs_setString(mjs_getName(f->element), "cloth");
  printf("found %d, id %d\n", mjs_asFlex(mjs_findElement(s, mjOBJ_FLEX, "cloth")) == f,
         mjs_getId(f->element));
  mj_deleteSpec(s);

  s = mj_makeSpec();
  const int count[3] = {3, 2, 2};
  const double spacing[3] = {0.1, 0.1, 0.1}, pos[3] = {0, 0, 1};
  f = mjs_makeFlex(mjs_findBody(s, "world"), "block", "grid", 3, NULL, count, NULL, spacing, NULL, 0.01, 2,
                   0.005, 0, 0, 0, 0, pos, NULL, NULL, NULL, NULL);
  printf("made %d\n", f != NULL);
  m = compile(s, NULL);
  if (m) {
    printf("block %d %d %d bodies %d\n", m->flex_dim[0], (int)m->nflexvert, (int)m->nflexelem, (int)m->nbody);
    const mjtNum mass = mj_getTotalmass(m);
    show("mass", &mass, 1);
    mj_deleteModel(m);
  }
  mj_deleteSpec(s);
}

static void skins(void) {
  char error[200] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body><body name='b' pos='1 0 "
      "0'><joint/><geom size='.1'/></body>"
      "</worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjsSkin* k = mjs_addSkin(s);
  const float vertices[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, pos[6] = {0, 0, 0, 1, 0, 0},
              quat[8] = {1, 0, 0, 0, 1, 0, 0, 0};
  const float first[2] = {1, 0.5f}, second[3] = {0.5f, 1, 1};
  const int faces[6] = {0, 1, 2, 0, 2, 3}, own[2] = {0, 1}, others[3] = {1, 2, 3};
  mjs_setName(k->element, "hide");
  mjs_setFloat(k->vert, vertices, 12);
  mjs_setInt(k->face, faces, 6);
  mjs_setStringVec(k->bodyname, "a b");
  mjs_setFloat(k->bindpos, pos, 6);
  mjs_setFloat(k->bindquat, quat, 8);
  mjs_appendIntVec(k->vertid, own, 2);
  mjs_appendIntVec(k->vertid, others, 3);
  mjs_appendFloatVec(k->vertweight, first, 2);
  mjs_appendFloatVec(k->vertweight, second, 3);
  k->inflate = 0.125f;
  k->rgba[1] = 0.5f;
  mjModel* m = compile(s, NULL);
  if (m) {
    printf("skin %d vertices %d faces %d bones %d of", (int)m->nskin, (int)m->nskinvert, (int)m->nskinface,
           (int)m->nskinbone);
    for (int i = 0; i < m->nskinbone; i++) printf(" %d", m->skin_bonebodyid[i]);
    printf(" weights");
    for (int i = 0; i < m->nskinbonevert; i++)
      printf(" %d:%g", m->skin_bonevertid[i], (double)m->skin_bonevertweight[i]);
    printf(" inflate %g green %g\n", (double)m->skin_inflate[0], (double)m->skin_rgba[1]);
    mj_deleteModel(m);
  }
  printf("deleted %d", mjs_delete(s, k->element));
  m = compile(s, NULL);
  printf(": %d skins\n", m ? (int)m->nskin : -1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void pictures(void) {
  mjSpec* s = mj_makeSpec();
  mjsTexture* t = mjs_addTexture(s, NULL);
  unsigned char pixels[4 * 3 * 3];
  for (int i = 0; i < 36; i++) pixels[i] = (unsigned char)(7 * i);
  mjs_setName(t->element, "image");
  t->type = mjTEXTURE_2D;
  t->width = 4;
  t->height = 3;
  t->nchannel = 3;
  mjs_setBuffer(t->data, pixels, 36);
  mjsMaterial* mat = mjs_addMaterial(s, NULL);
  mjs_setName(mat->element, "shiny");
  printf("roles %d", mjs_setInStringVec(mat->textures, mjTEXROLE_RGB, "image"));
  printf(" %d\n", mjs_setInStringVec(mat->textures, mjTEXROLE_ROUGHNESS, "image"));
  mat->reflectance = 0.5f;
  mjsGeom* g = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  g->size[0] = 0.1;
  mjs_setString(g->material, "shiny");
  mjModel* m = compile(s, NULL);
  if (m) {
    int same = 0;
    for (int i = 0; i < m->ntexdata && i < 36; i++) same += m->tex_data[i] == pixels[i];
    printf("texture %d x %d x %d, %d bytes are the same, of roles %d %d %d, material %d\n", m->tex_width[0],
           m->tex_height[0], m->tex_nchannel[0], same, m->mat_texid[mjTEXROLE_RGB],
           m->mat_texid[mjTEXROLE_ROUGHNESS], m->mat_texid[mjTEXROLE_NORMAL], m->geom_matid[0]);
    mjtByte* copied = NULL;
    int width = 0, height = 0, space = -1;
    char error[200] = "";
    printf("loaded %d", mj_loadTexture(m, 0, &copied, &width, &height, &space, error, sizeof(error)));
    printf(" %d x %d, %d %d\n", width, height, copied ? copied[1] : -1, space == m->tex_colorspace[0]);
    mju_free(copied);
    printf("no such one %d %d\n", mj_loadTexture(m, 7, &copied, NULL, NULL, NULL, error, sizeof(error)) != 0,
           error[0] != 0);
    mjModel* whole = mj_embedAssets(m, error, sizeof(error));
    printf("embedded %d\n", whole ? (int)whole->ntexdata : -1);
    mj_deleteModel(whole);
    mj_deleteModel(m);
  }
  // a copy in another spec outlives the one it came from
  mjSpec* to = mj_makeSpec();
  mjsFrame* frame = mjs_addFrame(mjs_findBody(to, "world"), NULL);
  printf("attached %d\n", mjs_attach(frame->element, s->element, "x_", "") != NULL);
  mj_deleteSpec(s);
  m = compile(to, NULL);
  if (m) printf("%d texture %s\n", (int)m->ntex, mj_id2name(m, mjOBJ_TEXTURE, 0));
  mj_deleteModel(m);
  mj_deleteSpec(to);
}

static void files(void) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const char* obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  printf("added %d", mj_addBufferVFS(&vfs, "a.obj", obj, (int)strlen(obj)));
  printf(" again %d there %d %d not %d\n", mj_addBufferVFS(&vfs, "a.obj", obj, (int)strlen(obj)),
         mj_containsBufferVFS(&vfs, "a.obj"), mj_containsFileVFS(&vfs, "", "a.obj"),
         mj_containsFileVFS(&vfs, "", "b.obj"));
  char error[200] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><geom name='g' type='mesh' mesh='a'/></worldbody><asset><mesh name='a' "
      "file='a.obj'/></asset></mujoco>",
      &vfs, error, sizeof(error));
  mjModel* m = mj_compile(s, NULL);
  printf("without files: %d, says something: %d\n", m != NULL, mjs_getError(s)[0] != 0);
  m = compile(s, &vfs);
  printf("with files: %d vertices, warnings %d %d %d\n", m ? (int)m->nmeshvert : -1, mjs_isWarning(s),
         mjs_numWarnings(s), mjs_getWarning(s, 0) != NULL);
  mj_deleteModel(m);
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, "b");
  mjs_setString(mesh->file, "a.obj");
  mjsGeom* g = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  g->type = mjGEOM_MESH;
  mjs_setString(g->meshname, "b");
  printf("merged %d", mjs_dedupAssets(s));
  printf(" now %s\n", mjs_getString(g->meshname));
  m = compile(s, &vfs);
  if (m) printf("meshes %d of %d %d\n", (int)m->nmesh, m->geom_dataid[0], m->geom_dataid[1]);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
}

static int cleaned = 0;
static void cleanup(const void* value) {
  cleaned += *(const int*)value;
}

static void tree(void) {
  for (int k = 0; k < 4; k++) {
    char error[300] = "", xml[1000];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><body name='p' pos='1 0 0'><joint/>%s<geom size='.1'/><body name='b' pos='0 "
             "1 0' euler='0 0 90'><joint axis='1 0 0'/>%s"
             "<geom name='g' pos='1 0 0' size='.2'/><frame pos='0 0 1'><site name='s'/></frame><body "
             "name='c' pos='0 0 3'><geom size='.3'/></body></body></body>"
             "</worldbody></mujoco>",
             k & 2 ? "<inertial pos='0 0 .1' mass='3' diaginertia='1 2 2'/>" : "",
             k & 1 ? "<inertial pos='0 0 0' mass='5' diaginertia='1 1 1'/>" : "");
    mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjsBody *b = mjs_findBody(s, "b"), *p = mjs_findBody(s, "p");
    mjsGeom* g = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"));
    mjsFrame* f = mjs_bodyToFrame(&b);
    printf("frame %d body %d mass %g %d", f != NULL, b == NULL, p->mass, p->explicitinertial);
    g->size[0] = 0.25;
    printf(" in it %d\n", mjs_getFrame(g->element) == f);
    mjModel* m = compile(s, NULL);
    if (m) {
      printf("bodies %d joints %d %s\n", (int)m->nbody, (int)m->njnt, mj_id2name(m, mjOBJ_BODY, 2));
      show("mass", m->body_mass, m->nbody);
      show("centre", m->body_ipos + 3, 3);
      show("inertia", m->body_inertia + 3, 3);
      show("places", m->body_pos, 9);
      show("turns", m->body_quat, 12);
      show("geoms", m->geom_pos, 9);
      show("sizes", m->geom_size, 9);
      show("site", m->site_pos, 3);
      mj_deleteModel(m);
    }
    b = mjs_findBody(s, "world");
    printf("world %d\n", mjs_bodyToFrame(&b) != NULL);
    mj_deleteSpec(s);
  }
  mjSpec* s = mj_makeSpec();
  mjsBody* b = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsGeom* g = mjs_addGeom(b, NULL);
  g->type = mjGEOM_BOX;
  g->size[0] = 0.1, g->size[1] = 0.2, g->size[2] = 0.3;
  g->pos[1] = 1;
  printf("adopted %d", mjs_adoptInertial(b, NULL));
  printf(" %g %g %g %d\n", b->mass, b->ipos[1], b->inertia[0], b->explicitinertial);
  int one = 1, ten = 10;
  mjs_setUserValue(b->element, "a", &one);
  mjs_setUserValueWithCleanup(b->element, "b", &one, cleanup);
  mjs_setUserValueWithCleanup(b->element, "b", &ten, cleanup);
  printf("values %d %d %d cleaned %d", mjs_getUserValue(b->element, "a") == &one,
         mjs_getUserValue(b->element, "b") == &ten, mjs_getUserValue(b->element, "c") == NULL, cleaned);
  mjs_deleteUserValue(b->element, "a");
  mjs_deleteUserValue(b->element, "none");
  printf(" %d", mjs_getUserValue(b->element, "a") == NULL);
  mj_deleteSpec(s);
  printf(" %d\n", cleaned);
}

static void orientations(void) {
  mjsOrientation o;
  mjs_defaultOrientation(&o);
  const mjtOrientation kinds[] = {mjORIENTATION_QUAT, mjORIENTATION_XYAXES, mjORIENTATION_ZAXIS,
                                  mjORIENTATION_AXISANGLE, mjORIENTATION_EULER};
  const char* const seqs[] = {"xyz", "zYx", "abc", "xy"};
  for (int filled = 0; filled < 2; filled++) {
    const double xy[6] = {1, 1, 0, 0.3, 2, 0.1}, z[3] = {0.1, -2, 0.4}, turn[4] = {0, 3, 1, 40},
                 euler[3] = {10, 20, -30};
    if (filled) {
      memcpy(o.xyaxes, xy, sizeof(xy));
      memcpy(o.zaxis, z, sizeof(z));
      memcpy(o.axisangle, turn, sizeof(turn));
      memcpy(o.euler, euler, sizeof(euler));
    }
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 4; k++) {
        double q[4] = {9, 9, 9, 9};
        o.type = kinds[i];
        const char* trouble = mjs_resolveOrientation(q, k % 2, seqs[k], &o);
        printf("%s", trouble ? trouble : "fine");
        if (!trouble) printf(" %.8g %.8g %.8g %.8g", q[0] + 0.0, q[1] + 0.0, q[2] + 0.0, q[3] + 0.0);
        printf("\n");
      }
  }
}

static void again(void) {
  char error[300] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='.1'/></body><body><joint/><geom "
      "size='.1'/></body>"
      "<body name='m' mocap='true'/></worldbody><actuator><position joint='j' timeconst='.1' kp='3'/><motor "
      "joint='j'/></actuator></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = compile(s, NULL);
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.25, d->qpos[1] = 0.5, d->qvel[1] = 2, d->act[0] = 0.75, d->ctrl[1] = 7, d->mocap_pos[2] = 3,
  d->time = 4;
  mjsBody* first = mjs_addBody(mjs_findBody(s, "a"), NULL);
  mjsJoint* ball = mjs_addJoint(first, NULL);
  ball->type = mjJNT_BALL;
  mjs_addGeom(first, NULL)->size[0] = 0.1;
  printf("again %d\n", mj_recompile(s, NULL, m, d));
  printf("time %g nq %d\n", (double)d->time, (int)m->nq);
  show("qpos", d->qpos, m->nq);
  show("qvel", d->qvel, m->nv);
  show("act", d->act, m->na);
  show("ctrl", d->ctrl, m->nu);
  show("mocap", d->mocap_pos, 3);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  flexes();
  skins();
  pictures();
  files();
  tree();
  orientations();
  again();
}
