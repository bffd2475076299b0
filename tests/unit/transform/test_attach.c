#include "xt_model.h"

#define WORLD(inside) "<mujoco>\n <worldbody>\n  " inside "\n </worldbody></mujoco>"

// A model made of files in memory; `line` receives "file:line: message" when it is refused.
static ctModel* load_files(const char* const (*files)[2], int n, char line[1200]) {
  ctVfs* vfs = NULL;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  for (int i = 0; i < n; i++)
    XT_INT(ct_vfs_add(vfs, files[i][0], files[i][1], strlen(files[i][1]), NULL), CT_OK);
  ctLoadOptions opt = {.vfs = vfs};
  ctModel* m = NULL;
  ctError err = {0};
  ctStatus status = ct_model_load(&m, files[0][0], &opt, &err);
  snprintf(line, 1200, "%s:%d: %s", err.file, err.line, err.message);
  XT_TRUE((status == CT_OK) == (m != NULL));
  ct_vfs_free(vfs);
  return m;
}

XT_TEST(attach, replicas_step_through_space_with_numbered_names) {
  ctModel* m = xt_load_string(
      WORLD("<replicate count='12' sep='_' offset='1 0 0' euler='0 0 90'><site name='s'/></replicate>"));
  XT_INT(m->nsite, 12);
  XT_TEXT(ct_model_id2name(m, CT_OBJ_SITE, 0), "s_00");
  XT_TEXT(ct_model_id2name(m, CT_OBJ_SITE, 11), "s_11");
  // four quarter turns of a unit square lead back
  for (int k = 0; k < 3; k++) XT_NEAR(m->site_pos[3 * 4 + k], 0, 1e-6);
  XT_NEAR(m->site_pos[3 * 2], 1, 1e-6);
  XT_NEAR(m->site_pos[3 * 2 + 1], 1, 1e-6);
  ct_model_free(m);
}

XT_TEST(attach, replicas_that_go_wrong_say_where) {
  XT_HAS(xt_refused(WORLD("<replicate><site/></replicate>")),
         "3:3: <replicate> needs the attribute \"count\"");
  XT_HAS(xt_refused(WORLD("<replicate count='-1'><site/></replicate>")), "must not be negative");
  XT_HAS(xt_refused(WORLD("<replicate count='2' childclass='no'><site/></replicate>")),
         "\"no\" is not defined");
  XT_HAS(xt_refused(WORLD("<body><geom size='1'/><replicate count='2'><joint/></replicate></body>")),
         "put it into a <body>");
  XT_HAS(xt_refused(
             "<mujoco><worldbody><replicate count='2'><body name='b'/></replicate></worldbody>"
             "<sensor><framepos objtype='body' objname='b' reftype='body' refname='x'/></sensor></mujoco>"),
         "no body called \"x\"");
  // what refers to nothing doubles with every replica
  XT_HAS(xt_refused("<mujoco><worldbody><replicate count='60'><site/></replicate></worldbody>"
                    "<sensor><clock/></sensor></mujoco>"),
         "loading may take");
}

XT_TEST(attach, a_part_of_a_model_brings_what_refers_to_it) {
  const char* const files[][2] = {
      {"main.xml",
       "<mujoco><asset><model name='m' file='part.xml'/></asset><worldbody><attach model='m' body='b' "
       "prefix='x'/>"
       "</worldbody></mujoco>"},
      {"part.xml",
       "<mujoco><asset><material name='red'/></asset><worldbody><body name='b'><joint name='j'/><geom "
       "size='1' "
       "material='red'/></body><body name='c'><joint name='k'/><geom size='1'/></body></worldbody>"
       "<actuator><motor name='a' joint='j'/><motor name='b' joint='k'/></actuator>"
       "<keyframe><key name='home' qpos='3 4' ctrl='5 6'/></keyframe></mujoco>"}};
  char line[1200];
  ctModel* m = load_files(files, 2, line);
  if (!m) fail_msg("%s", line);
  XT_INT(m->nbody, 2);
  XT_INT(m->nactuator, 1);
  XT_TEXT(ct_model_id2name(m, CT_OBJ_ACTUATOR, 0), "xa");
  XT_INT(m->geom_matid[0], ct_model_name2id(m, CT_OBJ_MATERIAL, "xred"));
  XT_TEXT(ct_model_id2name(m, CT_OBJ_KEY, 0), "xhome");
  XT_NEAR(m->key_qpos[0], 3, 0);
  XT_NEAR(m->key_ctrl[0], 5, 0);
  ct_model_free(m);
}

static const char* refused(const char* world, const char* part) {
  static char line[1200];
  char text[1000];
  snprintf(text, sizeof(text),
           "<mujoco>\n<asset><model name='m' file='part.xml'/></asset>\n<worldbody>%s</worldbody></mujoco>",
           world);
  const char* const files[][2] = {{"main.xml", text}, {"part.xml", part}};
  ctModel* m = load_files(files, 2, line);
  if (m) fail_msg("a bad model was accepted: %s", text);
  return line;
}

XT_TEST(attach, attachments_that_go_wrong_say_where) {
  const char* part = "<mujoco><worldbody><body name='b'/></worldbody></mujoco>";
  XT_HAS(refused("<attach model='m' body='b'/>", part),
         "main.xml:3: <attach> needs the attribute \"prefix\"");
  XT_HAS(refused("<attach model='n' body='b' prefix=''/>", part), "no model called \"n\"");
  XT_HAS(refused("<attach model='m' body='c' prefix=''/>", part), "no body called \"c\" in model m");
  XT_HAS(refused("<attach model='m' body='b' frame='b' prefix=''/>", part), "exclude each other");
  XT_HAS(refused("<attach prefix='x'/>", part), "needs the attribute \"body\"");
  XT_HAS(refused("<attach model='m' body='b' prefix=''/><attach model='m' body='b' prefix=''/>", part),
         "main.xml:3: the model has a body called \"b\" already: give what is attached another prefix");
  XT_HAS(refused("", "<mujoco>\n<worldbdy/></mujoco>"), "part.xml:2: unknown element");
  XT_HAS(refused("", "<mujoco><asset><model file='main.xml'/></asset></mujoco>"), "is part of itself");
  XT_HAS(refused("", "<mujoco><asset><model file='part.xml'/></asset></mujoco>"), "is part of itself");
  XT_HAS(refused("", "<mujoco><asset><model file='none.xml'/></asset></mujoco>"), "cannot read the model");
}

XT_TEST(attach, settings_that_conflict_are_errors_when_asked) {
  const char* const files[][2] = {{"main.xml",
                                   "<mujoco><compiler conflict='error'/><option "
                                   "timestep='.01'/><asset><model name='m' file='part.xml'/></asset>"
                                   "<worldbody><attach model='m' prefix='x'/></worldbody></mujoco>"},
                                  {"part.xml", "<mujoco><option timestep='.02' gravity='0 0 -1'/></mujoco>"}};
  char line[1200];
  XT_TRUE(load_files(files, 2, line) == NULL);
  XT_HAS(line, "main.xml:1: timestep is \"0.01\" here and \"0.02\" in the model that is attached");
}

XT_TEST(attach, a_body_can_be_attached_inside_itself) {
  ctModel* m =
      xt_load_string(WORLD("<body name='a'><geom size='1'/><body name='b'><geom size='1'/></body><attach "
                           "body='a' prefix='x'/></body>"));
  XT_INT(m->nbody, 5);
  XT_INT(m->body_parentid[ct_model_name2id(m, CT_OBJ_BODY, "xa")], ct_model_name2id(m, CT_OBJ_BODY, "a"));
  ct_model_free(m);
}

XT_MAIN()
