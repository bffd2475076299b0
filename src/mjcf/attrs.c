// One table an element: every attribute of the language that the element has, and where its value goes.
#include "mjcf/schema.h"

// ---- keywords --------------------------------------------------------------------------------------------

#define X(id, text) {text, CT_JOINT_##id},
static const ctiKeyword joint_words[] = {CT_JOINT_LIST(X)};
#undef X
#define X(id, text) {text, CT_GEOM_##id},
static const ctiKeyword geom_words[] = {CT_GEOM_LIST(X)};
#undef X
#define X(id, text) {text, CT_INT_##id},
static const ctiKeyword integrator_words[] = {CT_INTEGRATOR_LIST(X)};
#undef X
#define X(id, text) {text, CT_CONE_##id},
static const ctiKeyword cone_words[] = {CT_CONE_LIST(X)};
#undef X
#define X(id, text) {text, CT_JAC_##id},
static const ctiKeyword jacobian_words[] = {CT_JACOBIAN_LIST(X)};
#undef X
#define X(id, text) {text, CT_SOL_##id},
static const ctiKeyword solver_words[] = {CT_SOLVER_LIST(X)};
#undef X
static const ctiKeyword tristate_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO}};
static const ctiKeyword false_auto_words[] = {{"false", CTI_FALSE}, {"auto", CTI_AUTO}};
static const ctiKeyword headlight_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO},
                                             {"0", CTI_FALSE},     {"1", CTI_TRUE},    {"2", CTI_AUTO}};
static const ctiKeyword coordinate_words[] = {{"local", 0}, {"global", 1}};
static const ctiKeyword conflict_words[] = {{"warning", 0}, {"merge", 1}, {"error", 2}};
static const ctiKeyword passthrough_words[] = {{"none", 0}, {"textures", 1}};
static const ctiKeyword sleep_words[] = {{"auto", CT_SLEEP_AUTO},
                                         {"never", CT_SLEEP_NEVER},
                                         {"allowed", CT_SLEEP_ALLOWED},
                                         {"init", CT_SLEEP_INIT}};
static const ctiKeyword fluidshape_words[] = {{"none", 0}, {"ellipsoid", 1}};
static const ctiKeyword interp_words[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};

// ---- rows ------------------------------------------------------------------------------------------------

// `T` is the record; a name that differs from its member is written out.
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ROW(text, kind, member, lo, hi) \
  { .name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = (lo), .max = (hi) }
#define REAL(name)                     ROW(#name, REAL, name, 1, 1)
#define REALS(name, lo, hi)            ROW(#name, REAL, name, lo, hi)
#define REALS_AS(text, member, lo, hi) ROW(text, REAL, member, lo, hi)
#define CTREAL(name)                   ROW(#name, CTREAL, name, 1, 1)
#define CTREALS(name, lo, hi)          ROW(#name, CTREAL, name, lo, hi)
#define FLOATS(name, lo, hi)           ROW(#name, FLOAT, name, lo, hi)
#define INT(name)                      ROW(#name, INT, name, 1, 1)
#define INTS(name, lo, hi)             ROW(#name, INT, name, lo, hi)
#define BOOL(name)                     ROW(#name, BOOL, name, 1, 1)
#define TEXT(name)                     ROW(#name, TEXT, name, 1, 1)
#define REF(name)                      ROW(#name, NAME, name, 1, 1)
#define USER                           ROW("user", LIST, user, 0, 0)
#define NAME \
  { .name = "name", .type = CTI_ATTR_NAME, .offset = offsetof(T, head.name), .rules = CTI_ATTR_NOT_DEFAULT }
#define CLASS \
  { .name = "class", .type = CTI_ATTR_CLASS, .rules = CTI_ATTR_NOT_DEFAULT }
#define WORD_AS(text, member, table, noun)                                                       \
  {                                                                                              \
    .name = (text), .type = CTI_ATTR_KEYWORD, .offset = offsetof(T, member), .min = 1, .max = 1, \
    .keywords = (table), .nkeyword = COUNT(table), .what = (noun)                                \
  }
#define WORD(name, table, noun) WORD_AS(#name, name, table, noun)
#define TRISTATE(name)          WORD_AS(#name, name, tristate_words, "keyword")
#define ORIENTATION                                                                   \
  REALS_AS("quat", orient.quat, 4, 4), REALS_AS("axisangle", orient.axisangle, 4, 4), \
      REALS_AS("xyaxes", orient.xyaxes, 6, 6), REALS_AS("zaxis", orient.zaxis, 3, 3), \
      REALS_AS("euler", orient.euler, 3, 3)
#define TABLE(table, rows) const ctiAttrTable cti_attrs_##table = {(rows), COUNT(rows)}

const ctiAttrTable cti_attrs_none = {NULL, 0};

#define T ctSpec
static const ctiAttr model_rows[] = {
    {.name = "model", .type = CTI_ATTR_TEXT, .offset = offsetof(T, modelname)}};
TABLE(model, model_rows);
#undef T

#define T ctiCompiler
static const ctiAttr compiler_rows[] = {
    BOOL(autolimits),
    REAL(boundmass),
    REAL(boundinertia),
    REAL(settotalmass),
    BOOL(balanceinertia),
    BOOL(strippath),
    WORD(coordinate, coordinate_words, "coordinate system"),
    {.name = "angle", .type = CTI_ATTR_DEGREE, .offset = offsetof(T, degree)},
    BOOL(fitaabb),
    {.name = "eulerseq", .type = CTI_ATTR_EULERSEQ, .offset = offsetof(T, eulerseq)},
    TEXT(meshdir),
    TEXT(texturedir),
    TEXT(assetdir),
    BOOL(discardvisual),
    BOOL(usethread),
    BOOL(fusestatic),
    TRISTATE(inertiafromgeom),
    INTS(inertiagrouprange, 2, 2),
    BOOL(saveinertial),
    BOOL(alignfree),
    WORD(conflict, conflict_words, "keyword"),
    WORD(passthrough, passthrough_words, "keyword"),
    BOOL(savecompiled),
    BOOL(savecanonical),
};
TABLE(compiler, compiler_rows);
#undef T

#define T ctOption
static const ctiAttr option_rows[] = {
    CTREAL(timestep),
    CTREAL(impratio),
    CTREAL(tolerance),
    CTREAL(ls_tolerance),
    CTREAL(noslip_tolerance),
    CTREAL(ccd_tolerance),
    CTREAL(sleep_tolerance),
    CTREALS(gravity, 3, 3),
    CTREALS(wind, 3, 3),
    CTREALS(magnetic, 3, 3),
    CTREAL(density),
    CTREAL(viscosity),
    CTREAL(o_margin),
    CTREALS(o_solref, 1, CT_NREF),
    CTREALS(o_solimp, 1, CT_NIMP),
    CTREALS(o_friction, 1, 5),
    WORD(integrator, integrator_words, "integrator"),
    WORD(cone, cone_words, "friction cone"),
    WORD(jacobian, jacobian_words, "kind of Jacobian"),
    WORD(solver, solver_words, "solver"),
    INT(iterations),
    INT(ls_iterations),
    INT(noslip_iterations),
    INT(ccd_iterations),
    INT(sdf_iterations),
    INT(sdf_initpoints),
    {.name = "actuatorgroupdisable", .type = CTI_ATTR_GROUPS, .offset = offsetof(T, disableactuator)},
};
TABLE(option, option_rows);

#define X(id, text, bit) \
  {.name = (text), .type = CTI_ATTR_DISABLE, .offset = offsetof(T, disableflags), .max = (bit)},
#define Y(id, text, bit) \
  {.name = (text), .type = CTI_ATTR_ENABLE, .offset = offsetof(T, enableflags), .max = (bit)},
static const ctiAttr flag_rows[] = {CT_DISABLE_LIST(X) CT_ENABLE_LIST(Y)};
#undef X
#undef Y
TABLE(flag, flag_rows);
#undef T

#define T ctiSize
static const ctiAttr size_rows[] = {
    TEXT(memory),   INT(njmax),        INT(nconmax),        INT(nstack),       INT(nuserdata),
    INT(nkey),      INT(nuser_body),   INT(nuser_jnt),      INT(nuser_geom),   INT(nuser_site),
    INT(nuser_cam), INT(nuser_tendon), INT(nuser_actuator), INT(nuser_sensor),
};
TABLE(size, size_rows);
#undef T

#define T ctiStatistic
static const ctiAttr statistic_rows[] = {REAL(meaninertia), REAL(meanmass), REAL(meansize), REAL(extent),
                                         REALS(center, 3, 3)};
TABLE(statistic, statistic_rows);
#undef T

// Drawing settings come straight from the list of fields. Those that are words in the file are listed first:
// the first row of a name wins.
#define T                      ctVisual
#define VISUAL_FLAG(member)    {.name = #member, .type = CTI_ATTR_FLAG, .offset = offsetof(T, global.member)},
#define VISUAL_WORDS_global    VISUAL_FLAG(orthographic) VISUAL_FLAG(ellipsoidinertia) VISUAL_FLAG(bvactive)
#define VISUAL_WORDS_headlight WORD_AS("active", headlight.active, headlight_words, "keyword"),
#define VISUAL_WORDS_quality
#define VISUAL_WORDS_map
#define VISUAL_WORDS_scale
#define VISUAL_WORDS_rgba
#define KIND_int     CTI_ATTR_INT
#define KIND_float   CTI_ATTR_FLOAT
#define GROUP(group) static const ctiAttr visual_##group##_rows[] = {VISUAL_WORDS_##group
#define X(group, type_, member, count)  \
  {.name = #member,                     \
   .type = KIND_##type_,                \
   .offset = offsetof(T, group.member), \
   .min = (count),                      \
   .max = (count)},
#define END(group) \
  }                \
  ;
#include "corten/fields/visual.def"
#undef GROUP
#undef X
#undef END
const ctiAttrTable cti_attrs_visual[6] = {
    {visual_global_rows, COUNT(visual_global_rows)},       {visual_quality_rows, COUNT(visual_quality_rows)},
    {visual_headlight_rows, COUNT(visual_headlight_rows)}, {visual_map_rows, COUNT(visual_map_rows)},
    {visual_scale_rows, COUNT(visual_scale_rows)},         {visual_rgba_rows, COUNT(visual_rgba_rows)},
};
#undef T

#define T ctiClass
static const ctiAttr default_rows[] = {{.name = "class", .type = CTI_ATTR_NAME, .offset = offsetof(T, name)}};
TABLE(default, default_rows);
#undef T

#define T ctiBody
static const ctiAttr body_rows[] = {
    NAME,
    {.name = "childclass", .type = CTI_ATTR_NAME, .offset = offsetof(T, childclass)},
    REALS(pos, 3, 3),
    ORIENTATION,
    BOOL(mocap),
    REAL(gravcomp),
    WORD(sleep, sleep_words, "sleep policy"),
    WORD(simple, false_auto_words, "keyword"),
    WORD(fuse, false_auto_words, "keyword"),
    USER,
};
TABLE(body, body_rows);
#undef T

#define REQUIRED(text, member, n)                                                                 \
  {                                                                                               \
    .name = (text), .type = CTI_ATTR_REAL, .offset = offsetof(T, member), .min = (n), .max = (n), \
    .rules = CTI_ATTR_REQUIRED                                                                    \
  }
#define T ctiInertial
static const ctiAttr inertial_rows[] = {
    REQUIRED("pos", pos, 3),
    REQUIRED("mass", mass, 1),
    REALS(diaginertia, 3, 3),
    REALS(fullinertia, 6, 6),
    ORIENTATION,
};
TABLE(inertial, inertial_rows);
#undef T

#define T ctiJoint
static const ctiAttr joint_rows[] = {
    NAME,
    CLASS,
    WORD(type, joint_words, "joint type"),
    INT(group),
    REALS(pos, 3, 3),
    REALS(axis, 3, 3),
    REALS(springdamper, 2, 2),
    TRISTATE(limited),
    WORD_AS("actuatorfrclimited", actfrclimited, tristate_words, "keyword"),
    REALS_AS("solreflimit", solref_limit, 1, CT_NREF),
    REALS_AS("solimplimit", solimp_limit, 1, CT_NIMP),
    REALS_AS("solreffriction", solref_friction, 1, CT_NREF),
    REALS_AS("solimpfriction", solimp_friction, 1, CT_NIMP),
    REALS(stiffness, 1, 1 + CT_NPOLY),
    REALS(range, 2, 2),
    REALS_AS("actuatorfrcrange", actfrcrange, 2, 2),
    {.name = "actuatorgravcomp", .type = CTI_ATTR_BOOL, .offset = offsetof(T, actgravcomp)},
    REAL(margin),
    REAL(ref),
    REAL(springref),
    REAL(springyield),
    REAL(armature),
    REALS(damping, 1, 1 + CT_NPOLY),
    REAL(frictionloss),
    USER,
};
TABLE(joint, joint_rows);
static const ctiAttr freejoint_rows[] = {NAME, INT(group), TRISTATE(align)};
TABLE(freejoint, freejoint_rows);
#undef T

#define T ctiGeom
static const ctiAttr geom_rows[] = {
    NAME,
    CLASS,
    WORD(type, geom_words, "geom type"),
    INT(contype),
    INT(conaffinity),
    INT(condim),
    INT(group),
    INT(priority),
    REALS(size, 1, 3),
    REF(material),
    REALS(friction, 1, 3),
    REAL(mass),
    REAL(density),
    BOOL(shellinertia),
    REAL(solmix),
    REALS(solref, 1, CT_NREF),
    REALS(solimp, 1, CT_NIMP),
    REAL(margin),
    REAL(gap),
    REALS(surfacevel, 1, 6),
    REAL(adhesion),
    REALS(fromto, 6, 6),
    REALS(pos, 3, 3),
    ORIENTATION,
    REF(hfield),
    REF(mesh),
    REAL(fitscale),
    FLOATS(rgba, 4, 4),
    BOOL(castshadow),
    WORD(fluidshape, fluidshape_words, "fluid shape"),
    REALS(fluidcoef, 1, 5),
    USER,
};
TABLE(geom, geom_rows);
#undef T

#define T ctiSite
static const ctiAttr site_rows[] = {
    NAME,
    CLASS,
    WORD(type, geom_words, "site type"),
    INT(group),
    REALS(pos, 3, 3),
    ORIENTATION,
    REF(material),
    REF(mesh),
    REALS(size, 1, 3),
    REALS(fromto, 6, 6),
    FLOATS(rgba, 4, 4),
    USER,
};
TABLE(site, site_rows);
#undef T

#define T ctiActuator
#define ACTUATOR_COMMON                                                                            \
  NAME, CLASS, INT(group), INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), \
      REALS(ctrlrange, 2, 2), USER, REALS(lengthrange, 2, 2), REALS(gear, 1, 6),                   \
      REALS(damping, 1, 1 + CT_NPOLY), REAL(armature), REAL(cranklength)
#define TRANSMISSION \
  REF(joint), REF(jointinparent), REF(tendon), REF(slidersite), REF(cranksite), REF(site), REF(refsite)
static const ctiAttr motor_rows[] = {ACTUATOR_COMMON, TRANSMISSION, TRISTATE(ctrllimited),
                                     TRISTATE(forcelimited), REALS(forcerange, 2, 2)};
TABLE(motor, motor_rows);
#undef T
