// Attributes of settings: compiler, option, size, statistic, visual; and what default classes are made of.
#include "spec/attrs_rows.h"

// clang-format off
#define AS_INT(id, text)        {text, CT_INT_##id},
WORDS(integrator_words, AS_INT, CT_INTEGRATOR_LIST)
#define AS_CONE(id, text)       {text, CT_CONE_##id},
WORDS(cone_words, AS_CONE, CT_CONE_LIST)
#define AS_JAC(id, text)        {text, CT_JAC_##id},
WORDS(jacobian_words, AS_JAC, CT_JACOBIAN_LIST)
#define AS_SOL(id, text)        {text, CT_SOL_##id},
WORDS(solver_words, AS_SOL, CT_SOLVER_LIST)
static const ctiKeyword lrmode_words[] = {{"none", CTI_LENGTH_NONE}, {"muscle", CTI_LENGTH_MUSCLE}, {"muscleuser", CTI_LENGTH_MUSCLEUSER}, {"all", CTI_LENGTH_ALL}};
static const ctiKeyword headlight_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO},
                                             {"0", CTI_FALSE},     {"1", CTI_TRUE},    {"2", CTI_AUTO}};
static const ctiKeyword coordinate_words[] = {{"local", 0}, {"global", 1}};
static const ctiKeyword conflict_words[] = {{"warning", CTI_CONFLICT_WARNING}, {"merge", CTI_CONFLICT_MERGE}, {"error", CTI_CONFLICT_ERROR}};
static const ctiKeyword passthrough_words[] = {{"none", 0}, {"textures", 1}};

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
#define X(group, type_, member, count, ...) \
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

#define T ctiLengthRange
static const ctiAttr lengthrange_rows[] = {WORD(mode, lrmode_words, "mode"), BOOL(useexisting), BOOL(uselimit), REAL(accel),
                                           REAL(maxforce), REAL(timeconst), REAL(timestep), REAL(inttotal), REAL(interval), REAL(tolrange)};
TABLE(lengthrange, lengthrange_rows);
#undef T
// clang-format on

#define TEMPLATE(name) \
  { #name, &cti_attrs_##name, offsetof(ctiClass, name), 0 }
#define TEMPLATE_TURNED(name) \
  { #name, &cti_attrs_##name, offsetof(ctiClass, name), offsetof(ctiClass, name.orient) }
const ctiTemplate cti_templates[] = {
    TEMPLATE(joint), TEMPLATE_TURNED(geom), TEMPLATE_TURNED(site), TEMPLATE_TURNED(camera),
    TEMPLATE(light), TEMPLATE(pair),        TEMPLATE(equality),    TEMPLATE(tendon),
    TEMPLATE(mesh),  TEMPLATE(texture),     TEMPLATE(material),
};
const int cti_template_count = COUNT(cti_templates);
