#include "xt_model.h"

#define MASS \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LINK(name)    "<link name='" name "'>" MASS "</link>"
#define ROBOT(inside) "<robot name='r'>\n" inside "\n</robot>"
#define JOINT(name, type, from, to, inside) \
  "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to "'/>" inside "</joint>"
#define PAIR(type, inside) ROBOT(LINK("a") LINK("b") "\n" JOINT("j", type, "a", "b", inside))

static ctModel* load_with(const char* text, const ctUrdfOptions* urdf, const ctLog* log) {
  const ctLoadOptions opt = {.urdf = urdf, .log = log};
  ctModel* m = NULL;
  ctError err = {0};
  if (ct_model_load_string(&m, text, strlen(text), &opt, &err) != CT_OK) fail_msg("%s", err.message);
  return m;
}

XT_TEST(urdf, trees_that_are_none_say_which_link) {
  XT_HAS(xt_refused("<robot/>"), "1:1: the robot has no <link>");
  XT_HAS(xt_refused(ROBOT(LINK("a") "\n" LINK("b"))),
         "3:1: link \"b\" hangs on nothing, and neither does \"a\"");
  XT_HAS(xt_refused(ROBOT(LINK("a") "\n" LINK("a"))), "3:7: the name \"a\" is used twice");
}

XT_TEST(urdf, joints_that_go_wrong_say_where_and_what_helps) {
  XT_HAS(xt_refused(PAIR("revolut", "")), "3:17: ");
  XT_HAS(xt_refused(PAIR("revolut", "")), "revolute");
  XT_HAS(xt_refused(ROBOT(LINK("arm") "\n" JOINT("j", "fixed", "arm", "amr", ""))),
         "there is no link called \"amr\"; did you mean \"arm\"?");
  XT_HAS(xt_refused(ROBOT(LINK("a") LINK("b")
                              JOINT("j", "fixed", "a", "b", "") "\n" JOINT("k", "fixed", "a", "b", ""))),
         "link \"b\" hangs on joint \"j\" already");
  XT_HAS(xt_refused(ROBOT(LINK("r") LINK("a") LINK("b")
                              JOINT("j", "fixed", "a", "b", "") "\n" JOINT("k", "fixed", "b", "a", ""))),
         "hang on each other in a circle");
  XT_HAS(xt_refused(ROBOT(LINK("a") LINK("b") LINK("c")
                              JOINT("j", "fixed", "a", "b", "") "\n" JOINT("j", "fixed", "b", "c", ""))),
         "3:8: the name \"j\" is used twice");
  XT_HAS(xt_refused(PAIR("revolute", "<limit lower='1' upper='-1'/>")),
         "are reversed, lower is 1 and upper -1: exchange them");
  XT_HAS(xt_refused(PAIR("revolute", "<limit lower='nan' upper='1'/>")), "nan");
  XT_HAS(xt_refused(PAIR("revolute", "<limit lower='-1' upper='1' effort='-2'/>")), "must not be negative");
  XT_HAS(xt_refused(PAIR("revolute", "<axis xyz='0 0 0'/>")), "has no direction");
  XT_HAS(xt_refused(PAIR("revolute", "<axis xyz='0 1'/>")), "3 numbers, got 2");
  XT_HAS(xt_refused(PAIR("revolute", "<dynamics damping='-1'/>")), "damping is -1");
  XT_HAS(xt_refused(PAIR("revolute", "<mimic joint='k'/>")), "joint \"k\" is not there");
  XT_HAS(xt_refused(PAIR("revolute", "<mimic joint='j'/>")), "mimics itself");
  XT_HAS(xt_refused(ROBOT("<link name='world'/>" LINK("a") JOINT("j", "fixed", "a", "world", ""))),
         "is the world itself");
}

#define SHAPE(geometry) \
  ROBOT("<link name='a'>\n<collision><geometry>" geometry "</geometry></collision></link>")
#define INERTIA(mass, numbers) \
  ROBOT("<link name='a'><inertial>\n<mass value='" mass "'/>\n<inertia " numbers "/></inertial></link>")

XT_TEST(urdf, links_that_no_body_can_be_are_refused) {
  XT_HAS(xt_refused(INERTIA("-1", "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'")),
         "3:7: the mass of link \"a\" is -1");
  XT_HAS(xt_refused(INERTIA("inf", "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'")), "3:7: ");
  XT_HAS(xt_refused(INERTIA("1", "ixx='1' iyy='1'")), "needs the attribute \"izz\"");
  XT_HAS(xt_refused(SHAPE("<box size='1 0 1'/>")), "sizes of a <box> must be positive");
  XT_HAS(xt_refused(SHAPE("<boxx size='1 1 1'/>")), "has no shape that is known");
  XT_HAS(xt_refused(SHAPE("<box size='1 1 1'/><sphere radius='1'/>")), "a <geometry> is one shape");
  XT_HAS(xt_refused(SHAPE("<mesh filename='package://robot/none.stl'/>")),
         "3:28: there is no file \"package://robot/none.stl\"");
  XT_HAS(xt_refused(SHAPE("<mesh filename='package://robot/none.stl'/>")), "ROS_PACKAGE_PATH");
  XT_HAS(xt_refused(SHAPE("<mesh filename='none.stl' scale='0 1 1'/>")), "flat");
}

// What is wrong, in which element, and what helps: for everything a robot may have wrong with it.
XT_TEST(urdf, bad_input_names_file_line_element_and_remedy) {
  static const struct {
    const char *text, *element, *message;
    int line;
  } cases[] = {
      {INERTIA("nan", "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/mass",
       "nan is not allowed: numbers are finite", 3},
      {INERTIA("-1", "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/mass",
       "it must not be negative", 3},
      {INERTIA("1", "ixx='inf' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/inertia",
       "inf is not allowed: numbers are finite", 4},
      {INERTIA("1", "ixx='-1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/inertia",
       "ixx of link \"a\"", 4},
      {INERTIA("1", "ixx='1' iyy='1' izz='1' ixy='3' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/inertia",
       "correct them, or load with bound_inertia", 4},
      {INERTIA("1", "ixx='1' iyy='1' izz='9' ixy='0' ixz='0' iyz='0'"), "robot[r]/link[a]/inertial/inertia",
       "correct them, or load with balance_inertia", 4},
      {PAIR("revolute", "<limit lower='1' upper='-1'/>"), "robot[r]/joint[j]/limit", "exchange them", 3},
      {PAIR("revolute", "<limit lower='-1' upper='nan'/>"), "robot[r]/joint[j]/limit", "numbers are finite",
       3},
      {PAIR("revolute", "<origin xyz='0 inf 0'/>"), "robot[r]/joint[j]/origin", "numbers are finite", 3},
      {PAIR("revolute", "<axis xyz='0 0 0'/>"), "robot[r]/joint[j]/axis", "give it a length", 3},
      {PAIR("revolute", "<dynamics friction='-1'/>"), "robot[r]/joint[j]/dynamics", "must not be negative",
       3},
      {SHAPE("<sphere radius='-1'/>"), "robot[r]/link[a]/collision/geometry/sphere", "must be positive", 3},
      {SHAPE("<mesh filename='none.stl'/>"), "robot[r]/link[a]/collision/geometry/mesh", "correct the path",
       3},
      {SHAPE("<mesh filename='package://p/none.stl'/>"), "robot[r]/link[a]/collision/geometry/mesh",
       "add the folder that has the package", 3},
      {ROBOT(LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") "\n" JOINT("k", "fixed", "b", "a", "")),
       "robot[r]/joint[k]", "one link must be the root", 3},
      {ROBOT(LINK("a") "\n" JOINT("j", "fixed", "a", "a", "")), "robot[r]/joint[j]",
       "one link must be the root", 3},
      {ROBOT(LINK("a") LINK("b") LINK("c")
                 JOINT("j", "fixed", "a", "c", "") "\n" JOINT("k", "fixed", "b", "c", "")),
       "robot[r]/joint[k]/child", "close loops with an equality constraint", 3},
      {ROBOT(LINK("a") LINK("c") JOINT("j", "fixed", "a", "c", "") "\n" LINK("b")), "robot[r]/link[b]",
       "join them with a joint", 3},
      {ROBOT(LINK("a") "\n" LINK("a")), "robot[r]/link[a]", "every link needs its own", 3},
      {ROBOT(LINK("a") LINK("b") LINK("c")
                 JOINT("j", "fixed", "a", "b", "") "\n" JOINT("j", "fixed", "b", "c", "")),
       "robot[r]/joint[j]", "every joint needs its own", 3}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ctVfs* files = NULL;
    ctModel* m = NULL;
    ctError err = {0};
    XT_INT(ct_vfs_create(&files, NULL, &err), CT_OK);
    XT_INT(ct_vfs_add(files, "bad.urdf", cases[i].text, strlen(cases[i].text), &err), CT_OK);
    const ctUrdfOptions strict = {.strict_inertia = true};
    const ctLoadOptions opt = {.vfs = files, .urdf = &strict};
    XT_TRUE(ct_model_load(&m, "bad.urdf", &opt, &err) != CT_OK);
    XT_TEXT(err.file, "bad.urdf");
    XT_INT(err.line, cases[i].line);
    XT_TEXT(err.element, cases[i].element);
    XT_HAS(err.message, cases[i].message);
    ct_vfs_free(files);
  }
}

XT_TEST(urdf, xacro_is_refused_with_the_way_to_expand_it) {
  XT_HAS(xt_refused(ROBOT("<xacro:macro name='x'/>")), "2:1: <xacro:macro> is Xacro");
  XT_HAS(xt_refused(ROBOT("<xacro:macro name='x'/>")), "xacro FILE > robot.urdf");
  XT_HAS(xt_refused(PAIR("fixed", "<origin xyz='${x} 0 0'/>")), "is Xacro");
}

static void collect(void* context, ctLogLevel level, const char* text) {
  (void)level;
  char* all = context;
  const size_t used = strlen(all);
  snprintf(all + used, 4000 - used, "%s\n", text);
}

XT_TEST(urdf, what_has_no_counterpart_is_named_with_its_position) {
  char said[4000] = "";
  const ctLog log = {.write = collect, .context = said};
  ctModel* m = load_with(
      ROBOT(LINK("a") LINK("b") "\n"
                                "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n"
                                "<limit lower='-1' upper='1' velocity='2'/>\n<safety_controller/><dynamics "
                                "dampng='1'/></joint>\n"
                                "<gazebo/>\n<ros2_control/>\n<transmission/>\n<foo/>\n<lnk/>"),
      NULL, &log);
  XT_HAS(said, "4:1: the velocity of joint \"j\" is not limited to 2");
  XT_HAS(said, "5:1: <safety_controller>");
  XT_HAS(said, "attribute \"dampng\" of <dynamics> has no effect; did you mean \"damping\"?");
  XT_HAS(said, "6:1: <gazebo>");
  XT_HAS(said, "7:1: <ros2_control>");
  XT_HAS(said, "8:1: <transmission>");
  XT_HAS(said, "9:1: <foo> in <robot> is not part of URDF");
  XT_HAS(said, "did you mean <link>?");
  ct_model_free(m);
  said[0] = 0;
  m = load_with(
      ROBOT("<material name='m'><color rgba='1 0 0 1'/></material>\n<material name='m'><color rgba='0 "
            "1 0 1'/></material>" LINK("a")),
      NULL, &log);
  XT_HAS(said, "3:11: the material \"m\" is there already and looks different");
  ct_model_free(m);
}

XT_TEST(urdf, every_kind_of_joint_has_its_dofs) {
  static const struct {
    const char* text;
    int nq, nv;
  } kinds[] = {{PAIR("fixed", ""), 0, 0},
               {PAIR("revolute", ""), 1, 1},
               {PAIR("continuous", ""), 1, 1},
               {PAIR("prismatic", ""), 1, 1},
               {PAIR("floating", ""), 7, 6},
               {PAIR("planar", ""), 3, 3},
               {PAIR("spherical", ""), 4, 3},
               {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "revolute", "a", "b", "")
                          JOINT("k", "floating", "b", "c", "")),
                8, 7}};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    ctModel* m = load_with(kinds[i].text, NULL, NULL);
    XT_INT(m->nq, kinds[i].nq);
    XT_INT(m->nv, kinds[i].nv);
    ct_model_free(m);
  }
}

XT_TEST(urdf, limits_damping_friction_and_effort_are_kept) {
  ctModel* m = load_with(PAIR("prismatic",
                              "<axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='3'/>"
                              "<dynamics damping='4' friction='5'/>"),
                         NULL, NULL);
  XT_NEAR(m->jnt_range[0], -1, 0);
  XT_NEAR(m->jnt_range[1], 2, 0);
  XT_NEAR(m->jnt_actfrcrange[1], 3, 0);
  XT_TRUE(m->jnt_limited[0] && m->jnt_actfrclimited[0]);
  XT_NEAR(m->dof_damping[0], 4, 0);
  XT_NEAR(m->dof_frictionloss[0], 5, 0);
  XT_NEAR(m->jnt_axis[2], 1, 0);
  ct_model_free(m);
}

XT_TEST(urdf, options_fuse_free_and_drive) {
  const char* text =
      ROBOT(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='-1' upper='1' effort='10'/>")
            "<transmission><joint name='j'/><actuator name='m'><mechanicalReduction>5</mechanicalReduction>"
            "</actuator></transmission>");
  ctModel* m = load_with(text, &(ctUrdfOptions){.mujoco = true}, NULL);
  XT_INT(m->nbody, 2);  // the root is fused
  ct_model_free(m);
  m = load_with(text, &(ctUrdfOptions){.floating_base = true, .actuators = true, .total_mass = 8}, NULL);
  XT_INT(m->nbody, 3);
  XT_INT(m->nv, 7);
  XT_INT(ct_model_name2id(m, CT_OBJ_JOINT, "a_free_joint"), 0);
  XT_INT(ct_model_name2id(m, CT_OBJ_ACTUATOR, "m"), 0);
  XT_NEAR(m->actuator_gear[0], 5, 0);
  XT_NEAR(m->actuator_ctrlrange[1], 2, 0);
  XT_NEAR(m->body_mass[1] + m->body_mass[2], 8, XT_TOL(1e-12, 1e-5));
  ct_model_free(m);
}

XT_TEST(urdf, followers_and_materials_become_elements) {
  ctModel* m =
      load_with(ROBOT("<material name='red'><color rgba='1 0 0 1'/></material>" LINK("a") LINK("b") LINK("c")
                          JOINT("j", "revolute", "a", "b", "<mimic joint='k' multiplier='2' offset='.5'/>")
                              JOINT("k", "revolute", "a", "c",
                                    "") "<link name='d'><visual><geometry><sphere "
                                        "radius='1'/></geometry><material name='red'/></visual>"
                                        "<visual><geometry><sphere radius='1'/></geometry><material "
                                        "name='red'/></visual></link>" JOINT("l", "fixed", "a", "d", "")),
                NULL, NULL);
  XT_INT(m->neq, 1);
  XT_NEAR(m->eq_data[0], 0.5, 0);
  XT_NEAR(m->eq_data[1], 2, 0);
  XT_INT(m->nmat, 1);
  XT_INT(m->ngeom, 2);
  XT_INT(m->geom_matid[1], 0);
  XT_INT(m->geom_contype[0], 0);
  XT_INT(m->geom_group[0], 1);
  ct_model_free(m);
}

XT_TEST(urdf, a_box_of_collada_is_placed_and_measured) {
  ctModel* m = NULL;
  ctError err = {0};
  const char* text = SHAPE("<mesh filename='package://any/box.dae' scale='2 2 2'/>");
  const ctUrdfOptions urdf = {.package_path = CT_SOURCE_DIR "/tests/models/urdf/packages"};
  const ctLoadOptions opt = {.urdf = &urdf};
  if (ct_model_load_string(&m, text, strlen(text), &opt, &err) != CT_OK) fail_msg("%s", err.message);
  // a unit cube in centimetres, stretched along z and moved to 1 2 3
  XT_INT(m->nmeshvert, 8);
  XT_INT(m->nmeshface, 12);
  XT_NEAR(m->body_mass[1], 1000 * 0.02 * 0.02 * 0.04, 1e-8);
  XT_NEAR(m->body_ipos[3], 2 * 0.005, 1e-7);
  XT_NEAR(m->body_ipos[4], 2 * 0.025, 1e-7);
  XT_NEAR(m->body_ipos[5], 2 * 0.04, 1e-7);
  ct_model_free(m);
}

XT_MAIN()
