// What the functions of an mjSpec return, also when they cannot do what they are asked for.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char xml[] =
    "<mujoco model='arm'><default><default class='thin'><geom "
    "size='.05'/></default></default><asset><texture name='t' type='2d' builtin='checker' width='8' "
    "height='8'/><material name='m' texture='t'/></asset><worldbody><light name='sun'/><camera "
    "name='eye'/><body name='a'><freejoint name='free'/><geom "
    "name='g1' size='.1'/><frame name='f' pos='0 0 1'><geom name='g2' class='thin'/><site name='s' pos='1 2 "
    "3'/></frame><body name='b'><joint name='j'/><geom "
    "name='g3' size='.1'/><site name='s2'/></body></body><body name='c'><joint name='k'/><geom name='g4' "
    "size='.1'/></body></worldbody><tendon><spatial "
    "name='rope'><site site='s'/><site site='s2'/></spatial></tendon><actuator><motor name='mot' "
    "joint='j'/></actuator><sensor><jointpos name='sens' "
    "joint='j'/></sensor><equality><joint name='eq' joint1='j' joint2='k'/></equality><contact><exclude "
    "body1='a' body2='c'/></contact><keyframe><key "
    "name='home'/></keyframe></mujoco>";

static mjSpec* parse(const char* text) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!s) printf("not read, says something: %d\n", error[0] != 0);
  return s;
}
static const char* name_of(mjsElement* e) {
  return e ? mjs_getString(mjs_getName(e)) : "none";
}

static void reading(void) {
  printf("bad: ");
  mjSpec* bad = parse("<mujoco><worldbody><nothing/></worldbody></mujoco>");
  printf("%d\n", bad == NULL);
  char error[100] = "x";
  printf("no file: %d %d\n", mj_parseXML("/no/such/file.xml", NULL, error, sizeof(error)) == NULL,
         strlen(error) > 1);
  printf("no model: %d\n", mj_loadXML("/no/such/file.xml", NULL, error, sizeof(error)) == NULL);
}

static void searching(void) {
  mjSpec* s = parse(xml);
  printf("name %s\n", mjs_getString(s->modelname));
  printf("found %s %s %s %s\n", name_of(mjs_findElement(s, mjOBJ_GEOM, "g1")),
         name_of(mjs_findElement(s, mjOBJ_GEOM, "no")), name_of(mjs_findElement(s, mjOBJ_SENSOR, "sens")),
         name_of(mjs_findElement(s, mjOBJ_KEY, "home")));
  printf("bodies %d %d world %d\n", mjs_findBody(s, "b") != NULL, mjs_findBody(s, "x") != NULL,
         mjs_findBody(s, "world") != NULL);
  printf("frames %d %d\n", mjs_findFrame(s, "f") != NULL, mjs_findFrame(s, "x") != NULL);
  printf("children %d %d\n", mjs_findChild(mjs_findBody(s, "a"), "b") != NULL,
         mjs_findChild(mjs_findBody(s, "c"), "b") != NULL);
  const mjtObj kinds[] = {mjOBJ_BODY,   mjOBJ_GEOM,     mjOBJ_JOINT,    mjOBJ_SITE,   mjOBJ_CAMERA,
                          mjOBJ_LIGHT,  mjOBJ_TEXTURE,  mjOBJ_MATERIAL, mjOBJ_TENDON, mjOBJ_ACTUATOR,
                          mjOBJ_SENSOR, mjOBJ_EQUALITY, mjOBJ_EXCLUDE,  mjOBJ_KEY,    mjOBJ_FLEX,
                          mjOBJ_SKIN,   mjOBJ_MESH,     mjOBJ_TUPLE};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    printf("%d:", kinds[k]);
    for (mjsElement* e = mjs_firstElement(s, kinds[k]); e; e = mjs_nextElement(s, e))
      printf(" %s %d", name_of(e), e->elemtype == kinds[k]);
    printf("\n");
  }
  for (int deep = 0; deep < 2; deep++) {
    mjsBody* a = mjs_findBody(s, "a");
    for (mjsElement* e = mjs_firstChild(a, mjOBJ_GEOM, deep); e; e = mjs_nextChild(a, e, deep))
      printf("%s ", name_of(e));
    printf("| %d\n", mjs_firstChild(a, mjOBJ_CAMERA, deep) == NULL);
  }
  mjsElement *g2 = mjs_findElement(s, mjOBJ_GEOM, "g2"), *g1 = mjs_findElement(s, mjOBJ_GEOM, "g1");
  printf("around g2: %s %s, g1: %s %d\n", name_of(mjs_getParent(g2)->element),
         name_of(mjs_getFrame(g2)->element), name_of(mjs_getParent(g1)->element), mjs_getFrame(g1) == NULL);
  printf("spec %d class %s %s\n", mjs_getSpec(g2) == s, name_of(mjs_getDefault(g2)->element),
         name_of(mjs_getDefault(g1)->element));
  printf("kinds %d %d %d\n", mjs_asGeom(g1) != NULL, mjs_asBody(g1) == NULL, mjs_asGeom(NULL) == NULL);
  printf("classes %d %d %d\n", mjs_findDefault(s, "thin") != NULL, mjs_findDefault(s, "no") == NULL,
         mjs_getSpecDefault(s) != NULL);
  printf("thin %g\n", mjs_findDefault(s, "thin")->geom->size[0]);
  mjsTendon* rope = mjs_asTendon(mjs_findElement(s, mjOBJ_TENDON, "rope"));
  printf("path %d %s %d\n", mjs_getWrapNum(rope), name_of(mjs_getWrapTarget(mjs_getWrap(rope, 1))),
         mjs_getWrap(rope, 0)->type);
  mjModel* m = mj_compile(s, NULL);
  printf("ids %d %d %d\n", mjs_getId(g2), mjs_getId(mjs_findElement(s, mjOBJ_JOINT, "k")),
         mjs_getId(mjs_findBody(s, "c")->element));
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void changing(void) {
  mjSpec* s = parse(xml);
  mjsElement *g1 = mjs_findElement(s, mjOBJ_GEOM, "g1"), *g4 = mjs_findElement(s, mjOBJ_GEOM, "g4");
  printf("named %d", mjs_setName(g1, "first"));
  printf(" %s %d\n", name_of(g1), mjs_findElement(s, mjOBJ_GEOM, "g1") == NULL);
  mjsFrame* f = mjs_findFrame(s, "f");
  printf("into the frame %d", mjs_setFrame(g1, f));
  printf(" %d, of another body %d\n", mjs_getFrame(g1) == f, mjs_setFrame(g4, f) != 0);
  printf("class %d %d\n", mjs_addDefault(s, "new", mjs_findDefault(s, "thin")) != NULL,
         mjs_addDefault(s, "thin", NULL) == NULL);
  mjs_findDefault(s, "new")->geom->size[0] = 0.07;
  mjsGeom* made = mjs_addGeom(mjs_findBody(s, "c"), mjs_findDefault(s, "new"));
  printf("made %g", made->size[0]);
  mjs_setDefault(made->element, mjs_findDefault(s, "thin"));
  printf(" %s %g\n", name_of(mjs_getDefault(made->element)->element), made->size[0]);
  printf("deleted %d", mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "mot")));
  printf(" %d", mjs_findElement(s, mjOBJ_ACTUATOR, "mot") == NULL);
  printf(" body %d", mjs_delete(s, mjs_findBody(s, "b")->element));
  printf(" gone with it: %s %s %s %s\n", name_of(mjs_findElement(s, mjOBJ_SENSOR, "sens")),
         name_of(mjs_findElement(s, mjOBJ_EQUALITY, "eq")), name_of(mjs_findElement(s, mjOBJ_TENDON, "rope")),
         name_of(mjs_findElement(s, mjOBJ_JOINT, "j")));
  mjModel* m = mj_compile(s, NULL);
  printf("compiled %d", m != NULL);
  if (m) printf(" %d %d %d %d", (int)m->nbody, (int)m->ngeom, (int)m->nsensor, (int)m->neq);
  printf("\n");
  mj_deleteModel(m);
  // what cannot be compiled says why, and can be mended
  mjsActuator* bad = mjs_addActuator(s, NULL);
  bad->trntype = mjTRN_JOINT;
  mjs_setString(bad->target, "nothing");
  m = mj_compile(s, NULL);
  printf("wrong %d, says something %d\n", m == NULL, mjs_getError(s)[0] != 0);
  mjs_setString(bad->target, "k");
  m = mj_compile(s, NULL);
  printf("mended %d, says something %d\n", m != NULL, mjs_getError(s)[0] != 0);
  mj_deleteModel(m);
  char text[100] = "";
  printf("too short %d\n", mj_saveXMLString(s, text, 10, text, sizeof(text)) != 0);
  mjSpec* copy = mj_copySpec(s);
  mj_deleteSpec(s);
  m = mj_compile(copy, NULL);
  printf("copy %d %d\n", m != NULL, m ? (int)m->ngeom : -1);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
}

static void attaching(void) {
  mjSpec *s = parse(xml), *child = parse(xml), *other = parse(xml);
  mjsFrame* f = mjs_addFrame(mjs_findBody(s, "world"), NULL);
  f->pos[0] = 3;
  mjsElement* e = mjs_attach(f->element, mjs_findBody(child, "c")->element, "l_", "_r");
  printf("attached %s", name_of(e));
  mjsElement* again =
      mjs_attach(mjs_findElement(s, mjOBJ_SITE, "s2"), mjs_findBody(other, "c")->element, "p_", "");
  printf(" %s\n", name_of(again));
  mj_deleteSpec(child);
  mj_deleteSpec(other);
  mjModel* m = mj_compile(s, NULL);
  if (!m) printf("%s\n", mjs_getError(s));
  if (m) {
    printf("bodies %d joints %d sensors %d actuators %d tendons %d\n", (int)m->nbody, (int)m->njnt,
           (int)m->nsensor, (int)m->nactuator, (int)m->ntendon);
    for (int i = 0; i < m->nbody; i++) printf("%s ", mj_id2name(m, mjOBJ_BODY, i));
    for (int i = 0; i < m->njnt; i++) printf("%s ", mj_id2name(m, mjOBJ_JOINT, i));
    printf("\n");
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  reading();
  searching();
  changing();
  attaching();
}
