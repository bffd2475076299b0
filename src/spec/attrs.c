#include "spec/attrs.h"

#include "asset/mesh.h"
#include "base/kinds.h"

#include <stddef.h>

#include "spec/records.h"

// ---- settings

// The words that tables of attributes are written in.
// clang-format off
// Tables made from the lists in corten/types.h.
#define WORDS(table, prefix, list) static const ctiKeyword table[] = {list(prefix)};
static const ctiKeyword tristate_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO}};

// `T` is the record; a name that differs from its member is written out.
#define ROW(text, kind, member, lo, hi) \
  { .name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = (lo), .max = (hi) }
#define REAL(name)                     ROW(#name, REAL, name, 1, 1)
#define REALS(name, lo, hi)            ROW(#name, REAL, name, lo, hi)
#define REALS_AS(text, member, lo, hi) ROW(text, REAL, member, lo, hi)
#define REPEATED(member, n) \
  {.name = #member, .type = CTI_ATTR_REAL, .offset = offsetof(T, member), .min = 1, .max = (n), .rules = CTI_ATTR_REPEAT}
#define RULED(text, kind, member, rule) \
  {.name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = 1, .max = 1, .rules = CTI_ATTR_##rule}
#define RANGE_AS(text, member) \
  {.name = (text), .type = CTI_ATTR_REAL, .offset = offsetof(T, member), .min = 2, .max = 2, .rules = CTI_ATTR_RANGE}
#define RANGE(name)                    RANGE_AS(#name, name)
#define CTREAL(name)                   ROW(#name, CTREAL, name, 1, 1)
#define CTREALS(name, lo, hi)          ROW(#name, CTREAL, name, lo, hi)
#define FLOATS(name, lo, hi)           ROW(#name, FLOAT, name, lo, hi)
#define INT(name)                      ROW(#name, INT, name, 1, 1)
#define INTS(name, lo, hi)             ROW(#name, INT, name, lo, hi)
#define BOOL(name)                     ROW(#name, BOOL, name, 1, 1)
#define TEXT(name)                     ROW(#name, TEXT, name, 1, 1)
#define REF(member, object) \
  {.name = #member, .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, .refers = CT_OBJ_##object}
#define REF_BY(member, kind) \
  {.name = #member, .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, .refers = CTI_REFERS_##kind}
// What belongs to one element alone: a default class cannot set it.
#define OWN(member, kind, lo, hi) \
  {.name = #member, .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = (lo), .max = (hi), \
   .rules = CTI_ATTR_NOT_DEFAULT}
#define OWN_REF(member, object) \
  {.name = #member, .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, \
   .rules = CTI_ATTR_NOT_DEFAULT, .refers = CT_OBJ_##object}
#define USER                           ROW("user", LIST, user, 0, 0)
#define CHILDCLASS REF_BY(childclass, CLASS)
#define NAME \
  { .name = "name", .type = CTI_ATTR_NAME, .offset = offsetof(T, head.name), .refers = CTI_REFERS_SELF, \
   .rules = CTI_ATTR_NOT_DEFAULT }
#define CLASS \
  { .name = "class", .type = CTI_ATTR_CLASS, .rules = CTI_ATTR_NOT_DEFAULT }
#define WORD_AS(text, member, table, noun)                                                       \
  {                                                                                              \
    .name = (text), .type = CTI_ATTR_KEYWORD, .offset = offsetof(T, member), .min = 1, .max = 1, \
    .keywords = (table), .nkeyword = CT_COUNT_OF(table), .what = (noun)                                \
  }
#define WORD(name, table, noun) WORD_AS(#name, name, table, noun)
#define FLAGS(member, table, noun) \
  {.name = #member, .type = CTI_ATTR_FLAGS, .offset = offsetof(T, member), .keywords = (table), \
   .nkeyword = CT_COUNT_OF(table), .what = (noun)}
#define ORDERED(member, table, noun) \
  {.name = #member, .type = CTI_ATTR_FLAGS, .offset = offsetof(T, member), .max = CT_COUNT_OF(table), \
   .keywords = (table), .nkeyword = CT_COUNT_OF(table), .what = (noun), .rules = CTI_ATTR_ORDERED}
#define LIST(name)               ROW(#name, LIST, name, 0, 0)
#define NEEDED_LIST(member) \
  {.name = #member, .type = CTI_ATTR_LIST, .offset = offsetof(T, member), .rules = CTI_ATTR_REQUIRED}
#define NEEDED(text, kind, member) \
  {.name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = 1, .max = 1, .rules = CTI_ATTR_REQUIRED}
#define NEEDED_REF(text, member, object) \
  {.name = (text), .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, \
   .rules = CTI_ATTR_REQUIRED, .refers = (object)}
#define TRISTATE(name)          WORD_AS(#name, name, tristate_words, "keyword")
#define ORIENTATION                                                                   \
  REALS_AS("quat", orient.quat, 4, 4), REALS_AS("axisangle", orient.axisangle, 4, 4), \
      REALS_AS("xyaxes", orient.xyaxes, 6, 6), REALS_AS("zaxis", orient.zaxis, 3, 3), \
      REALS_AS("euler", orient.euler, 3, 3)
#define TABLE(table, rows)                                                                  \
  _Static_assert(CT_COUNT_OF(rows) <= 64, "ctiHead.given is 64 bits, one for each row"); \
  const ctiAttrTable cti_attrs_##table = {(rows), CT_COUNT_OF(rows)}
#define REQUIRED(text, member, n)                                                                 \
  {                                                                                               \
    .name = (text), .type = CTI_ATTR_REAL, .offset = offsetof(T, member), .min = (n), .max = (n), \
    .rules = CTI_ATTR_REQUIRED                                                                    \
  }
// clang-format on

// clang-format off
#define AS_INT(id, text)        {text, CT_INT_##id},
WORDS(integrator_words, AS_INT, CT_INTEGRATOR_LIST)
#define AS_CONE(id, text)       {text, CT_CONE_##id},
WORDS(cone_words, AS_CONE, CT_CONE_LIST)
#define AS_JAC(id, text)        {text, CT_JAC_##id},
WORDS(jacobian_words, AS_JAC, CT_JACOBIAN_LIST)
#define AS_SOL(id, text)        {text, CT_SOL_##id},
WORDS(solver_words, AS_SOL, CT_SOLVER_LIST)
static const ctiKeyword lrmode_words[] = {{"none", CTI_LENGTH_NONE}, {"muscle", CTI_LENGTH_MUSCLE},
    {"muscleuser", CTI_LENGTH_MUSCLEUSER}, {"all", CTI_LENGTH_ALL}};
static const ctiKeyword headlight_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO},
                                             {"0", CTI_FALSE},     {"1", CTI_TRUE},    {"2", CTI_AUTO}};
static const ctiKeyword coordinate_words[] = {{"local", 0}, {"global", 1}};
static const ctiKeyword conflict_words[] = {{"warning", CTI_CONFLICT_WARNING},
    {"merge", CTI_CONFLICT_MERGE}, {"error", CTI_CONFLICT_ERROR}};
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
static const ctiAttr statistic_rows[] = {REAL(meaninertia), REAL(meanmass), REAL(meansize),
                                         RULED("extent", REAL, extent, POSITIVE),
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
#define VISUAL_WORDS_map       RULED("znear", FLOAT, map.znear, POSITIVE),
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
const ctiAttrTable cti_attrs_visual[CTI_VISUAL_COUNT] = {
    {visual_global_rows, CT_COUNT_OF(visual_global_rows)},       {visual_quality_rows, CT_COUNT_OF(visual_quality_rows)},
    {visual_headlight_rows, CT_COUNT_OF(visual_headlight_rows)}, {visual_map_rows, CT_COUNT_OF(visual_map_rows)},
    {visual_scale_rows, CT_COUNT_OF(visual_scale_rows)},         {visual_rgba_rows, CT_COUNT_OF(visual_rgba_rows)},
};
#undef T

#define T ctiClass
static const ctiAttr default_rows[] = {{.name = "class", .type = CTI_ATTR_NAME, .offset = offsetof(T, name)}};
TABLE(default, default_rows);
#undef T

#define T ctiLengthRange
static const ctiAttr lengthrange_rows[] = {WORD(mode, lrmode_words, "mode"), BOOL(useexisting), BOOL(uselimit), REAL(accel),
                                           REAL(maxforce), REAL(timeconst), REAL(timestep), REAL(inttotal),
                                           REAL(interval), REAL(tolrange)};
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
const int cti_template_count = CT_COUNT_OF(cti_templates);

// ---- what stands in bodies

// clang-format off
#define AS_JOINT(id, text, ...)      {text, CT_JOINT_##id},
WORDS(joint_words, AS_JOINT, CT_JOINT_LIST)
#define AS_GEOM(id, text)       {text, CT_GEOM_##id},
WORDS(geom_words, AS_GEOM, CT_GEOM_LIST)
#define AS_CAMLIGHT(id, text)   {text, CT_CAMLIGHT_##id},
WORDS(camlight_words, AS_CAMLIGHT, CT_CAMLIGHT_LIST)
#define AS_PROJ(id, text)       {text, CT_PROJ_##id},
WORDS(projection_words, AS_PROJ, CT_PROJECTION_LIST)
#define AS_LIGHT(id, text)      {text, CT_LIGHT_##id},
WORDS(light_words, AS_LIGHT, CT_LIGHT_LIST)
static const ctiKeyword camout_words[] = {{"rgb", CTI_CAMERA_RGB}, {"depth", CTI_CAMERA_DEPTH},
    {"distance", CTI_CAMERA_DISTANCE}, {"normal", CTI_CAMERA_NORMAL},
    {"segmentation", CTI_CAMERA_SEGMENTATION}};
static const ctiKeyword false_auto_words[] = {{"false", CTI_FALSE}, {"auto", CTI_AUTO}};
static const ctiKeyword sleep_words[] = {{"auto", CT_SLEEP_AUTO},
                                         {"never", CT_SLEEP_NEVER},
                                         {"allowed", CT_SLEEP_ALLOWED},
                                         {"init", CT_SLEEP_INIT}};
static const ctiKeyword scaling_words[] = {{"similar", CTI_SCALING_SIMILAR}, {"geometry", CTI_SCALING_GEOMETRY}};
static const ctiKeyword fluidshape_words[] = {{"none", 0}, {"ellipsoid", 1}};

#define T ctiBody
static const ctiAttr body_rows[] = {
    NAME,
    CHILDCLASS,
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
    RANGE(range),
    RANGE_AS("actuatorfrcrange", actfrcrange),
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
    REF(material, MATERIAL),
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
    REF(hfield, HFIELD),
    REF(mesh, MESH),
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
    REF(material, MATERIAL),
    REF(mesh, MESH),
    REALS(size, 1, 3),
    REALS(fromto, 6, 6),
    FLOATS(rgba, 4, 4),
    USER,
};
TABLE(site, site_rows);
#undef T

#define T ctiFrame
static const ctiAttr frame_rows[] = {
    NAME, CHILDCLASS, REALS(pos, 3, 3), ORIENTATION, REALS(scale, 1, 3), REAL(massscale),
    WORD(scaling, scaling_words, "scaling policy")};
TABLE(frame, frame_rows);
#undef T

#define T ctiCamera
static const ctiAttr camera_rows[] = {
    NAME, CLASS, WORD(projection, projection_words, "projection"), REAL(fovy), REAL(ipd), INTS(resolution, 2, 2),
    FLAGS(output, camout_words, "camera output"), REALS(pos, 3, 3), ORIENTATION, WORD(mode, camlight_words, "tracking mode"),
    REF(target, BODY), FLOATS(focal, 2, 2), FLOATS(focalpixel, 2, 2), FLOATS(principal, 2, 2), FLOATS(principalpixel, 2, 2),
    FLOATS(sensorsize, 2, 2), USER,
};
TABLE(camera, camera_rows);
#undef T

#define T ctiLight
static const ctiAttr light_rows[] = {
    NAME, CLASS, BOOL(directional), WORD(type, light_words, "light type"), BOOL(castshadow), BOOL(active), REALS(pos, 3, 3),
    REALS(dir, 3, 3), FLOATS(bulbradius, 1, 1), FLOATS(intensity, 1, 1), FLOATS(range, 1, 1), FLOATS(attenuation, 3, 3),
    FLOATS(cutoff, 1, 1), FLOATS(softness, 1, 1), FLOATS(exponent, 1, 1), FLOATS(ambient, 3, 3), FLOATS(diffuse, 3, 3),
    FLOATS(specular, 3, 3), WORD(mode, camlight_words, "tracking mode"), REF(target, BODY), OWN_REF(texture, TEXTURE),
};
TABLE(light, light_rows);
#undef T

#define T ctiReplicateWords
static const ctiAttr replicate_rows[] = {NEEDED("count", INT, count), REALS(offset, 3, 3),
    REALS(euler, 3, 3), TEXT(sep), TEXT(prefix), CHILDCLASS};
TABLE(replicate, replicate_rows);
#undef T

#define T ctiAttachWords
static const ctiAttr attach_rows[] = {REF(model, MODEL), REF(body, BODY), REF(frame, FRAME), NEEDED("prefix", TEXT, prefix)};
TABLE(attach, attach_rows);
#undef T
// clang-format on

// ---- what stands in sections

// clang-format off
#define AS_ROLE(id, text)       {text, CT_TEXROLE_##id},
#define AS_TEXTURE(id, text)    {text, CT_TEXTURE_##id},
WORDS(texture_words, AS_TEXTURE, CT_TEXTURE_LIST)
#define AS_COLORSPACE(id, text) {text, CT_COLORSPACE_##id},
WORDS(colorspace_words, AS_COLORSPACE, CT_COLORSPACE_LIST)
static const ctiKeyword builtin_words[] = {{"none", CTI_PICTURE_NONE}, {"gradient", CTI_PICTURE_GRADIENT},
    {"checker", CTI_PICTURE_CHECKER}, {"flat", CTI_PICTURE_FLAT}};
static const ctiKeyword mark_words[] = {{"none", CTI_MARK_NONE}, {"edge", CTI_MARK_EDGE},
    {"cross", CTI_MARK_CROSS}, {"random", CTI_MARK_RANDOM}};
#define AS_MESH_INERTIA(id, text) {text, CTI_INERTIA_##id},
static const ctiKeyword meshinertia_words[] = {CTI_MESH_INERTIAS(AS_MESH_INERTIA)};

#define T ctiContactPair
static const ctiAttr pair_rows[] = {
    NAME, CLASS, REF(geom1, GEOM), REF(geom2, GEOM), INT(condim), REALS(friction, 1, 5), REALS(solref, 1, CT_NREF),
    REALS(solreffriction, 1, CT_NREF), REALS(solimp, 1, CT_NIMP), REAL(gap), REAL(margin), REAL(adhesion),
};
TABLE(pair, pair_rows);
#undef T

#define T ctiExclude
static const ctiAttr exclude_rows[] = {NAME, NEEDED_REF("body1", body1, CT_OBJ_BODY), NEEDED_REF("body2", body2, CT_OBJ_BODY)};
TABLE(exclude, exclude_rows);
#undef T

#define T ctiEquality
#define EQUALITY_COMMON NAME, CLASS, BOOL(active), REALS(solref, 1, CT_NREF), REALS(solimp, 1, CT_NIMP)
static const ctiAttr connect_rows[] = {EQUALITY_COMMON, REF(body1, BODY), REF(body2, BODY),
    REALS(anchor, 3, 3), REF(site1, SITE), REF(site2, SITE)};
static const ctiAttr weld_rows[] = {EQUALITY_COMMON, REF(body1, BODY), REF(body2, BODY),
                                    REALS(relpose, 7, 7), REALS(anchor, 3, 3),
                                    REF(site1, SITE), REF(site2, SITE), REAL(torquescale)};
static const ctiAttr eq_joint_rows[] = {EQUALITY_COMMON, NEEDED_REF("joint1", joint1, CT_OBJ_JOINT),
    REF(joint2, JOINT), REALS(polycoef, 1, 5)};
static const ctiAttr eq_tendon_rows[] = {EQUALITY_COMMON, NEEDED_REF("tendon1", tendon1, CT_OBJ_TENDON),
    REF(tendon2, TENDON), REALS(polycoef, 1, 5)};
static const ctiAttr equality_rows[] = {BOOL(active), REALS(solref, 1, CT_NREF), REALS(solimp, 1, CT_NIMP)};
TABLE(connect, connect_rows);
TABLE(weld, weld_rows);
TABLE(eq_joint, eq_joint_rows);
static const ctiAttr eq_flex_rows[] = {EQUALITY_COMMON, NEEDED_REF("flex", flex, CT_OBJ_FLEX)};
static const ctiAttr eq_flexstrain_rows[] = {EQUALITY_COMMON, NEEDED_REF("flex", flex, CT_OBJ_FLEX), REALS(cell, 3, 3)};
TABLE(eq_tendon, eq_tendon_rows);
TABLE(eq_flex, eq_flex_rows);
TABLE(eq_flexstrain, eq_flexstrain_rows);
TABLE(equality, equality_rows);
#undef T

#define T ctiTendon
#define TENDON_COMMON                                                                                                  \
  INT(group), TRISTATE(limited), WORD_AS("actuatorfrclimited", actfrclimited, tristate_words, "keyword"),              \
      RANGE(range), RANGE_AS("actuatorfrcrange", actfrcrange),                                             \
      REALS_AS("solreflimit", solref_limit, 1, CT_NREF), REALS_AS("solimplimit", solimp_limit, 1, CT_NIMP),            \
      REALS_AS("solreffriction", solref_friction, 1, CT_NREF), REALS_AS("solimpfriction", solimp_friction, 1, CT_NIMP), \
      REAL(frictionloss), {.name = "springlength", .type = CTI_ATTR_REAL, \
      .offset = offsetof(T, springlength), .min = 1, .max = 2, .rules = CTI_ATTR_REPEAT | CTI_ATTR_RANGE}, \
      REAL(springyield), REAL(margin), REALS(stiffness, 1, 1 + CT_NPOLY), \
      REALS(damping, 1, 1 + CT_NPOLY), REAL(armature), USER
#define TENDON_DRAWN REAL(width), REF(material, MATERIAL), FLOATS(rgba, 4, 4)
static const ctiAttr spatial_rows[] = {NAME, CLASS, TENDON_COMMON, TENDON_DRAWN};
static const ctiAttr fixed_rows[] = {NAME, CLASS, TENDON_COMMON};
static const ctiAttr tendon_rows[] = {TENDON_COMMON, TENDON_DRAWN};
TABLE(spatial, spatial_rows);
TABLE(fixed, fixed_rows);
TABLE(tendon, tendon_rows);
#undef T

#define T ctiWrap
static const ctiAttr wrap_site_rows[] = {NEEDED_REF("site", object, CT_OBJ_SITE)};
static const ctiAttr wrap_geom_rows[] = {NEEDED_REF("geom", object, CT_OBJ_GEOM), REF(sidesite, SITE)};
static const ctiAttr wrap_pulley_rows[] = {NEEDED("divisor", REAL, value)};
static const ctiAttr wrap_joint_rows[] = {NEEDED_REF("joint", object, CT_OBJ_JOINT), NEEDED("coef", REAL, value)};
TABLE(wrap_site, wrap_site_rows);
TABLE(wrap_geom, wrap_geom_rows);
TABLE(wrap_pulley, wrap_pulley_rows);
TABLE(wrap_joint, wrap_joint_rows);
#undef T

#define T ctiModelWords
static const ctiAttr submodel_rows[] = {{.name = "name", .type = CTI_ATTR_NAME,
    .offset = offsetof(T, name)}, NEEDED("file", TEXT, file), TEXT(content_type)};
TABLE(submodel, submodel_rows);
#undef T

#define T ctiNumeric
static const ctiAttr numeric_rows[] = {NEEDED_REF("name", head.name, CTI_REFERS_SELF), INT(size), LIST(data)};
TABLE(numeric, numeric_rows);
#undef T

#define T ctiText
static const ctiAttr text_rows[] = {NEEDED_REF("name", head.name, CTI_REFERS_SELF), TEXT(data)};
TABLE(text, text_rows);
#undef T

#define T ctiTuple
static const ctiAttr tuple_rows[] = {NEEDED_REF("name", head.name, CTI_REFERS_SELF)};
TABLE(tuple, tuple_rows);
#undef T

#define T ctiTupleItem
static const ctiAttr tuple_item_rows[] = {NEEDED("objtype", NAME, objtype),
    NEEDED_REF("objname", objname, CTI_REFERS_OBJTYPE), REAL(prm)};
TABLE(tuple_item, tuple_item_rows);
#undef T

#define T ctiSkin
static const ctiAttr skin_rows[] = {NAME, TEXT(file), REF(material, MATERIAL), FLOATS(rgba, 4, 4), FLOATS(inflate, 1, 1),
                                    LIST(vertex), LIST(texcoord), LIST(face), INT(group)};
TABLE(skin, skin_rows);
#undef T

#define T ctiBone
static const ctiAttr bone_rows[] = {NEEDED_REF("body", body, CT_OBJ_BODY), REQUIRED("bindpos", bindpos, 3),
                                    REQUIRED("bindquat", bindquat, 4),
                                    NEEDED_LIST(vertid), NEEDED_LIST(vertweight)};
TABLE(bone, bone_rows);
#undef T

static const ctiKeyword flexdof_words[] = {{"full", CTI_FLEXDOF_FULL}, {"radial", CTI_FLEXDOF_RADIAL},
    {"trilinear", CTI_FLEXDOF_TRILINEAR}, {"quadratic", CTI_FLEXDOF_QUADRATIC}, {"2d", CTI_FLEXDOF_2D}};
static const ctiKeyword order_words[] = {{"trilinear", 1}, {"quadratic", 2}, {"full", 0}, {"radial", 0}, {"2d", 0}};
static const ctiKeyword elastic2d_words[] = {{"none", CTI_ELASTIC2D_NONE}, {"bend", CTI_ELASTIC2D_BEND},
    {"stretch", CTI_ELASTIC2D_STRETCH}, {"both", CTI_ELASTIC2D_BOTH}};
static const ctiKeyword section_words[] = {{"circle", CTI_SECTION_CIRCLE}, {"box", CTI_SECTION_BOX}};
static const ctiKeyword selfcollide_words[] = {{"none", CTI_SELF_NONE}, {"narrow", CTI_SELF_NARROW},
    {"bvh", CTI_SELF_BVH}, {"sap", CTI_SELF_SAP}, {"auto", CTI_SELF_AUTO}};
static const ctiKeyword flexeq_words[] = {{"false", CTI_FLEXEQ_NONE}, {"true", CTI_FLEXEQ_EDGES}, {"strain", CTI_FLEXEQ_STRAIN}};
#define AS_FLEXCOMP(id, text) {text, CTI_FLEXCOMP_##id},
WORDS(flexcomp_words, AS_FLEXCOMP, CTI_FLEXCOMP_TYPES)

#define T ctiFlex
#define NAMES(member, object, rule) \
  {.name = #member, .type = CTI_ATTR_NAMES, .offset = offsetof(T, member), .refers = CT_OBJ_##object, .rules = (rule)}
#define FLEX_CONTACT INT(contype), INT(conaffinity), INT(condim), INT(priority), REALS(friction, 1, 3), \
    REAL(solmix), REALS(solref, 1, CT_NREF), \
    REALS(solimp, 1, CT_NIMP), REAL(margin), REAL(gap), \
    WORD(selfcollide, selfcollide_words, "way to find self-contacts"), INT(activelayers), BOOL(passive)
#define FLEX_ELASTICITY REAL(young), REAL(poisson), REAL(shear), REAL(damping), REAL(thickness), REALS(yield, 1, 2), \
    WORD(elastic2d, elastic2d_words, "kind of elasticity"), WORD(section, section_words, "section"), REALS(sectionsize, 2, 2)
// the attributes of the element itself come first: a file may write those; those of its parts follow, by names of their own
#define FLEX_OWN 16
static const ctiAttr flex_rows[] = {
    NAME, INT(group), INT(dim), REAL(radius), NAMES(material, MATERIAL, 0), FLOATS(rgba, 4, 4),
    BOOL(flatskin), NAMES(body, BODY, CTI_ATTR_REQUIRED),
    LIST(vertex), NEEDED_LIST(element), LIST(texcoord), LIST(elemtexcoord), NAMES(node, BODY, 0),
    LIST(nodecoord), INTS(cellcount, 3, 3),
    WORD_AS("dof", order, order_words, "kind of dofs"),
    FLEX_CONTACT, REAL(edgestiffness), REAL(edgedamping), FLEX_ELASTICITY,
};
static const ctiAttr flex_contact_rows[] = {FLEX_CONTACT};
static const ctiAttr flex_edge_rows[] = {REALS_AS("stiffness", edgestiffness, 1, 1), REALS_AS("damping", edgedamping, 1, 1)};
static const ctiAttr flex_elasticity_rows[] = {FLEX_ELASTICITY};
TABLE(flex, flex_rows);
const ctiAttrTable cti_attrs_flex_own = {flex_rows, FLEX_OWN};
TABLE(flex_contact, flex_contact_rows);
TABLE(flex_edge, flex_edge_rows);
TABLE(flex_elasticity, flex_elasticity_rows);
#undef T

#define T ctiFlexcompWords
static const ctiAttr flexcomp_rows[] = {
    NEEDED_REF("name", head.name, CTI_REFERS_SELF), WORD(type, flexcomp_words, "type of flexcomp"),
    INT(group), INT(dim), WORD(dof, flexdof_words, "kind of dofs"),
    INTS(count, 3, 3), INTS(cellcount, 3, 3), REALS(spacing, 3, 3), REAL(radius), BOOL(rigid), REAL(mass),
    REAL(inertiabox), REALS(scale, 3, 3),
    TEXT(file), REF(mesh, MESH), LIST(point), LIST(element), LIST(texcoord), NAMES(material, MATERIAL, 0),
    FLOATS(rgba, 4, 4), BOOL(flatskin),
    REALS(pos, 3, 3), ORIENTATION, REALS(origin, 3, 3),
};
static const ctiAttr flexcomp_edge_rows[] = {WORD(equality, flexeq_words, "kind of equality"),
                                             REALS(solref, 1, CT_NREF), REALS(solimp, 1, CT_NIMP),
                                             {.name = "stiffness", .type = CTI_ATTR_REAL, .min = 1,
                                             .max = 1},
                                             {.name = "damping", .type = CTI_ATTR_REAL, .min = 1,
                                             .max = 1}};
TABLE(flexcomp, flexcomp_rows);
TABLE(flexcomp_edge, flexcomp_edge_rows);
#undef T

#define T ctiPin
static const ctiAttr pin_rows[] = {LIST(id), LIST(range), LIST(grid), LIST(gridrange)};
TABLE(pin, pin_rows);
#undef T

#define T ctiKey
static const ctiAttr key_rows[] = {NAME, REAL(time), LIST(qpos), LIST(qvel), LIST(act), LIST(mpos),
    LIST(mquat), LIST(ctrl), LIST(plastic)};
TABLE(key, key_rows);
#undef T

#define T ctiTexture
static const ctiAttr texture_rows[] = {
    NAME, CLASS, WORD(type, texture_words, "texture type"),
    WORD(colorspace, colorspace_words, "colour space"), OWN(content_type, TEXT, 1, 1),
    OWN(file, TEXT, 1, 1), INTS(gridsize, 2, 2), TEXT(gridlayout), OWN(fileright, TEXT, 1, 1),
    OWN(fileleft, TEXT, 1, 1), OWN(fileup, TEXT, 1, 1), OWN(filedown, TEXT, 1, 1),
    OWN(filefront, TEXT, 1, 1), OWN(fileback, TEXT, 1, 1), WORD(builtin, builtin_words, "builtin texture"),
    REALS(rgb1, 3, 3), REALS(rgb2, 3, 3),
    WORD(mark, mark_words, "mark"), REALS(markrgb, 3, 3), REAL(random), INT(width), INT(height), BOOL(hflip), BOOL(vflip),
    INT(nchannel), TRISTATE(embed),
};
TABLE(texture, texture_rows);
#undef T

#define T ctiMaterial
static const ctiAttr material_rows[] = {
    NAME, CLASS, {.name = "texture", .type = CTI_ATTR_NAME, .offset = offsetof(T, texture[CT_TEXROLE_RGB]),
    .refers = CT_OBJ_TEXTURE}, FLOATS(texrepeat, 2, 2),
    BOOL(texuniform), FLOATS(emission, 1, 1), FLOATS(specular, 1, 1), FLOATS(shininess, 1, 1), FLOATS(reflectance, 1, 1),
    FLOATS(metallic, 1, 1), FLOATS(roughness, 1, 1), FLOATS(rgba, 4, 4),
};
TABLE(material, material_rows);
#undef T

WORDS(role_words, AS_ROLE, CT_TEXROLE_LIST)
#define T ctiMaterialLayer
static const ctiAttr layer_rows[] = {REF(texture, TEXTURE), WORD(role, role_words, "texture role")};
TABLE(layer, layer_rows);
#undef T

#define T ctiHField
static const ctiAttr hfield_rows[] = {NAME, TEXT(content_type), TEXT(file), INT(nrow), INT(ncol),
                                      {.name = "size", .type = CTI_ATTR_REAL, .offset = offsetof(T, size),
                                      .min = 4, .max = 4, .rules = CTI_ATTR_REQUIRED},
                                      LIST(elevation)};
TABLE(hfield, hfield_rows);
#undef T

#define T ctiMeshAsset
static const ctiAttr mesh_rows[] = {
    NAME, CLASS, OWN(content_type, TEXT, 1, 1), OWN(file, TEXT, 1, 1), OWN(vertex, LIST, 0, 0),
    OWN(normal, LIST, 0, 0), OWN(texcoord, LIST, 0, 0), OWN(face, LIST, 0, 0), OWN(refpos, REAL, 3, 3),
    OWN(refquat, REAL, 4, 4), REALS(scale, 3, 3), OWN(smoothnormal, BOOL, 1, 1), INT(maxhullvert),
    WORD(inertia, meshinertia_words, "mesh inertia"), OWN(builtin, TEXT, 1, 1), OWN(params, LIST, 0, 0),
    OWN_REF(material, MATERIAL),
};
TABLE(mesh, mesh_rows);
#undef T
// clang-format on

// ---- sensors and actuators

// clang-format off
#define AS_DYN(id, text)        {text, CT_DYN_##id},
WORDS(dyn_words, AS_DYN, CT_DYN_LIST)
#define AS_GAIN(id, text)       {text, CT_GAIN_##id},
WORDS(gain_words, AS_GAIN, CT_GAIN_LIST)
#define AS_BIAS(id, text)       {text, CT_BIAS_##id},
WORDS(bias_words, AS_BIAS, CT_BIAS_LIST)
// inputs, of which a device may take several; what stands alone, last the charts of orientations
#define SEVERAL_INPUTS 5
static const ctiKeyword input_words[] = {{"pos", CTI_INPUT_POS}, {"vel", CTI_INPUT_VEL},
                                         {"ff", CTI_INPUT_FF}, {"voltage", CTI_INPUT_VOLTAGE},
                                         {"pressure", CTI_INPUT_PRESSURE},
                                         {"none", CTI_INPUT_NONE}, {"expmap", CTI_CHART_EXPMAP}, {"quat", CTI_CHART_QUAT}};
static const ctiKeyword interp_words[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};

#define AS_STAGE(id, text)    {text, CT_STAGE_##id},
#define AS_DATATYPE(id, text) {text, CT_DATATYPE_##id},
WORDS(stage_words, AS_STAGE, CT_STAGE_LIST)
WORDS(datatype_words, AS_DATATYPE, CT_DATATYPE_LIST)
static const ctiKeyword object_words[] = {{"body", CT_OBJ_BODY}, {"xbody", CT_OBJ_XBODY},
    {"geom", CT_OBJ_GEOM}, {"site", CT_OBJ_SITE}, {"camera", CT_OBJ_CAMERA}};
#define AS_OBJ(id, text) {text, CT_OBJ_##id},
WORDS(any_object_words, AS_OBJ, CT_OBJ_LIST)
#define AS_RAY(id, text, n) {text, CTI_RAY_##id},
static const ctiKeyword ray_words[] = {CTI_RAY_FIELDS(AS_RAY)};
#define AS_CONTACT(id, text, n) {text, CTI_CONTACT_##id},
static const ctiKeyword contact_words[] = {CTI_CONTACT_FIELDS(AS_CONTACT)};
#define AS_REDUCTION(id, text) {text, CTI_REDUCE_##id},
static const ctiKeyword reduce_words[] = {CTI_REDUCTIONS(AS_REDUCTION)};

#define T ctiSensor
#define SENSOR NAME, INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), \
    REALS(interval, 1, 2), REAL(cutoff), REAL(noise), USER
#define OBJECT {.name = "objtype", .type = CTI_ATTR_KEYWORD, .offset = offsetof(T, objtype), \
    .keywords = object_words, .nkeyword = CT_COUNT_OF(object_words), .what = "kind of object", \
    .rules = CTI_ATTR_REQUIRED}, NEEDED_REF("objname", objname, CTI_REFERS_OBJTYPE)
static const ctiAttr sensor_none[] = {SENSOR};
static const ctiAttr sensor_site[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE)};
static const ctiAttr sensor_site_camera[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE),
    NEEDED_REF("camera", camera, CT_OBJ_CAMERA)};
static const ctiAttr sensor_rays[] = {SENSOR, REF(site, SITE), REF(camera, CAMERA), ORDERED(data, ray_words, "ray field")};
static const ctiAttr sensor_joint[] = {SENSOR, NEEDED_REF("joint", joint, CT_OBJ_JOINT)};
static const ctiAttr sensor_tendon[] = {SENSOR, NEEDED_REF("tendon", tendon, CT_OBJ_TENDON)};
static const ctiAttr sensor_actuator[] = {SENSOR, NEEDED_REF("actuator", actuator, CT_OBJ_ACTUATOR)};
static const ctiAttr sensor_frame[] = {SENSOR, OBJECT, WORD(reftype, object_words, "kind of object"), REF_BY(refname, REFTYPE)};
static const ctiAttr sensor_frame_only[] = {SENSOR, OBJECT};
static const ctiAttr sensor_body[] = {SENSOR, NEEDED_REF("body", body, CT_OBJ_BODY)};
static const ctiAttr sensor_inside[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE), OBJECT, BOOL(enclosed)};
static const ctiAttr sensor_two[] = {SENSOR, REF(geom1, GEOM), REF(geom2, GEOM), REF(body1, BODY), REF(body2, BODY)};
static const ctiAttr sensor_contact[] = {SENSOR, REF(geom1, GEOM), REF(geom2, GEOM), REF(body1, BODY),
                                         REF(body2, BODY), REF(subtree1, BODY), REF(subtree2, BODY),
                                         REF(site, SITE), INT(num),
                                         ORDERED(data, contact_words, "contact field"), WORD(reduce, reduce_words, "reduction")};
static const ctiAttr sensor_tactile[] = {NAME, INT(nsample), WORD(interp, interp_words, "interpolation"),
                                         REAL(delay), REALS(interval, 1, 2), REAL(cutoff), USER,
                                         NEEDED_REF("geom", geom, CT_OBJ_GEOM), NEEDED_REF("mesh", mesh, CT_OBJ_MESH)};
static const ctiAttr sensor_user[] = {NAME, WORD(objtype, any_object_words, "kind of object"),
                                      REF_BY(objname, OBJTYPE), WORD(datatype, datatype_words, "data type"),
                                      WORD(needstage, stage_words, "stage"), NEEDED("dim", INT, dim),
                                      REAL(cutoff), REAL(noise), USER};
#define USE {.name = "plugin", .type = CTI_ATTR_TEXT, .offset = offsetof(T, use.plugin), .min = 1, .max = 1}, \
            {.name = "instance", .type = CTI_ATTR_NAME, .offset = offsetof(T, use.instance), .min = 1, \
             .max = 1, .refers = CT_OBJ_PLUGIN}
static const ctiAttr sensor_plugin[] = {SENSOR, USE, WORD(objtype, any_object_words, "kind of object"), REF_BY(objname, OBJTYPE),
                                        WORD(reftype, any_object_words, "kind of object"), REF_BY(refname, REFTYPE)};
#define SENSOR_ROWS(rows) {(rows), CT_COUNT_OF(rows)}
const ctiAttrTable cti_attrs_sensor[CTI_ATTACH_COUNT] = {
    [CTI_ATTACH_NONE] = SENSOR_ROWS(sensor_none), [CTI_ATTACH_SITE] = SENSOR_ROWS(sensor_site),
    [CTI_ATTACH_SITE_CAMERA] = SENSOR_ROWS(sensor_site_camera), [CTI_ATTACH_RAYS] = SENSOR_ROWS(sensor_rays),
    [CTI_ATTACH_JOINT] = SENSOR_ROWS(sensor_joint), [CTI_ATTACH_TENDON] = SENSOR_ROWS(sensor_tendon),
    [CTI_ATTACH_ACTUATOR] = SENSOR_ROWS(sensor_actuator), [CTI_ATTACH_FRAME] = SENSOR_ROWS(sensor_frame),
    [CTI_ATTACH_FRAME_ONLY] = SENSOR_ROWS(sensor_frame_only), [CTI_ATTACH_BODY] = SENSOR_ROWS(sensor_body),
    [CTI_ATTACH_INSIDE] = SENSOR_ROWS(sensor_inside), [CTI_ATTACH_TWO] = SENSOR_ROWS(sensor_two),
    [CTI_ATTACH_CONTACT] = SENSOR_ROWS(sensor_contact), [CTI_ATTACH_TACTILE] = SENSOR_ROWS(sensor_tactile),
    [CTI_ATTACH_USER] = SENSOR_ROWS(sensor_user), [CTI_ATTACH_PLUGIN] = SENSOR_ROWS(sensor_plugin),
};
#undef T

#define T ctiActuator
#define ACTUATOR_COMMON                                                                                                \
  NAME, CLASS, INT(group), INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), RANGE(ctrlrange), USER
#define LIMITS     TRISTATE(ctrllimited), TRISTATE(forcelimited), RANGE(forcerange)
#define MECHANICAL OWN(lengthrange, REAL, 2, 2), REALS(gear, 1, 6), REALS(damping, 1, 1 + CT_NPOLY), \
    REAL(armature), REAL(cranklength)
#define TRANSMISSION REF(joint, JOINT), REF(jointinparent, JOINT), REF(tendon, TENDON), \
    REF(slidersite, SITE), REF(cranksite, SITE), REF(site, SITE), REF(refsite, SITE)
#define INPUT \
  {.name = "input", .type = CTI_ATTR_FLAGS, .offset = offsetof(T, input), .max = SEVERAL_INPUTS, .keywords = input_words, \
   .nkeyword = CT_COUNT_OF(input_words), .what = "input", .rules = CTI_ATTR_ORDERED}
static const ctiAttr actuator_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION};
static const ctiAttr actuator_servo_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange)};
static const ctiAttr actuator_intvelocity_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange),
                                                    TRISTATE(actlimited), RANGE(actrange)};
static const ctiAttr actuator_general_rows[] = {
    ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange), TRISTATE(actlimited), RANGE(actrange), REF(body, BODY),
    INT(actdim), INPUT, RANGE(velrange), RANGE(ffrange), BOOL(actearly),
    WORD_AS("dyntype", drive.dyntype, dyn_words, "dynamics type"), WORD_AS("gaintype", drive.gaintype, gain_words, "gain type"),
    WORD_AS("biastype", drive.biastype, bias_words, "bias type"), REALS_AS("dynprm", drive.dynprm, 1, CT_NDYN),
    REALS_AS("gainprm", drive.gainprm, 1, CT_NGAIN), REALS_AS("biasprm", drive.biasprm, 1, CT_NBIAS),
};
static const ctiAttr actuator_plugin_rows[] = {
    ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, TRISTATE(actlimited), RANGE(actrange),
    REF(body, BODY), INT(actdim), BOOL(actearly),
    WORD_AS("dyntype", drive.dyntype, dyn_words, "dynamics type"), REALS_AS("dynprm", drive.dynprm, 1, CT_NDYN), USE,
};
TABLE(plugin_actuator, actuator_plugin_rows);
static const ctiAttr actuator_orientation_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited),
    RANGE(forcerange), REF(joint, JOINT), REF(site, SITE), REF(refsite, SITE), INPUT};
static const ctiAttr actuator_pid_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange),
                                            RANGE_AS("posrange", ctrlrange), RANGE(velrange), RANGE(ffrange), INPUT};
static const ctiAttr actuator_damper_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited), RANGE(forcerange),
    MECHANICAL, TRANSMISSION};
static const ctiAttr actuator_muscle_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, REF(joint, JOINT),
    REF(jointinparent, JOINT), REF(tendon, TENDON), REF(slidersite, SITE), REF(cranksite, SITE)};
static const ctiAttr actuator_adhesion_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited), RANGE(forcerange), REF(body, BODY)};
static const ctiAttr actuator_dcmotor_rows[] = {ACTUATOR_COMMON, TRISTATE(ctrllimited), MECHANICAL, TRANSMISSION, INPUT};
#define ROWS(rows) {(rows), CT_COUNT_OF(rows)}
const ctiAttrTable cti_attrs_actuator[CTI_SHORTCUT_COUNT] = {
    [CTI_SHORTCUT_GENERAL] = ROWS(actuator_general_rows), [CTI_SHORTCUT_MOTOR] = ROWS(actuator_rows),
    [CTI_SHORTCUT_POSITION] = ROWS(actuator_servo_rows), [CTI_SHORTCUT_VELOCITY] = ROWS(actuator_rows),
    [CTI_SHORTCUT_INTVELOCITY] = ROWS(actuator_intvelocity_rows), [CTI_SHORTCUT_ORIENTATION] = ROWS(actuator_orientation_rows),
    [CTI_SHORTCUT_PID] = ROWS(actuator_pid_rows), [CTI_SHORTCUT_DAMPER] = ROWS(actuator_damper_rows),
    [CTI_SHORTCUT_CYLINDER] = ROWS(actuator_rows), [CTI_SHORTCUT_MUSCLE] = ROWS(actuator_muscle_rows),
    [CTI_SHORTCUT_ADHESION] = ROWS(actuator_adhesion_rows), [CTI_SHORTCUT_DCMOTOR] = ROWS(actuator_dcmotor_rows),
};
#undef T

#define T ctiExtension
static const ctiAttr extension_rows[] = {NEEDED("plugin", TEXT, plugin)};
TABLE(extension, extension_rows);
#undef T

#define T ctiInstance
static const ctiAttr instance_rows[] = {{.name = "name", .type = CTI_ATTR_NAME,
    .offset = offsetof(T, head.name), .refers = CTI_REFERS_SELF, .rules = CTI_ATTR_REQUIRED}};
TABLE(instance, instance_rows);
#undef T

// Inside a body, geom or mesh; the values are read from what stands inside.
#define T ctiPluginUse
static const ctiAttr plugin_rows[] = {TEXT(plugin), REF(instance, PLUGIN)};
static const ctiAttr plugin_config_rows[] = {TEXT(config)};
TABLE(plugin, plugin_rows);
TABLE(plugin_config, plugin_config_rows);
#undef T

#define T ctiConfigWords
static const ctiAttr config_rows[] = {NEEDED("key", NAME, key), TEXT(value)};
TABLE(config, config_rows);
#undef T

#define T ctiShortcutWords
#define NOT_NEGATIVE(name) RULED(#name, REAL, name, NOT_NEGATIVE)
static const ctiAttr position_words[] = {REAL(kp), NOT_NEGATIVE(kv), NOT_NEGATIVE(dampratio),
    RULED("timeconst", REAL, timeconst, NOT_NEGATIVE)};
static const ctiAttr velocity_words[] = {REAL(kv)};
static const ctiAttr damper_words[] = {NOT_NEGATIVE(kv)};
static const ctiAttr servo_words[] = {REAL(kp), NOT_NEGATIVE(kv), NOT_NEGATIVE(dampratio)};
static const ctiAttr pid_words[] = {REAL(kp), NOT_NEGATIVE(kv), NOT_NEGATIVE(dampratio), REAL(ki), REAL(imax), REAL(slewmax)};
static const ctiAttr cylinder_words[] = {REALS(timeconst, 1, 1), REAL(area), REAL(diameter), REALS(bias, 3, 3)};
static const ctiAttr muscle_words[] = {REALS(timeconst, 2, 2), NOT_NEGATIVE(tausmooth), REALS(range, 2, 2),
                                       REAL(force), REAL(scale),
                                       REAL(lmin), REAL(lmax), REAL(vmax), REAL(fpmax), REAL(fvmax)};
static const ctiAttr adhesion_words[] = {NOT_NEGATIVE(gain)};
static const ctiAttr dcmotor_words[] = {REALS(motorconst, 1, 2), REAL(resistance), REALS(nominal, 1, 3), REALS(saturation, 1, 3),
                                        REALS(inductance, 1, 2), REALS(cogging, 1, 3), REALS(controller, 1, 6),
                                        REALS(thermal, 1, 6), REALS(lugre, 1, 5)};
const ctiAttrTable cti_attrs_shortcut[CTI_SHORTCUT_COUNT] = {
    [CTI_SHORTCUT_POSITION] = ROWS(position_words), [CTI_SHORTCUT_VELOCITY] = ROWS(velocity_words),
    [CTI_SHORTCUT_INTVELOCITY] = ROWS(servo_words), [CTI_SHORTCUT_ORIENTATION] = ROWS(servo_words),
    [CTI_SHORTCUT_PID] = ROWS(pid_words), [CTI_SHORTCUT_DAMPER] = ROWS(damper_words),
    [CTI_SHORTCUT_CYLINDER] = ROWS(cylinder_words), [CTI_SHORTCUT_MUSCLE] = ROWS(muscle_words),
    [CTI_SHORTCUT_ADHESION] = ROWS(adhesion_words), [CTI_SHORTCUT_DCMOTOR] = ROWS(dcmotor_words),
};
#undef T
// clang-format on

// ---- kinds of sensors

const ctiSensorKind cti_sensor_kinds[CT_SENS_COUNT] = {
#define X(id, text, on, numbers, type, when, scales, ...) \
  [CT_SENS_##id] = {.tag = text,                          \
                    .attach = CTI_ATTACH_##on,            \
                    .dim = (numbers),                     \
                    .datatype = CT_DATATYPE_##type,       \
                    .stage = CT_STAGE_##when,             \
                    .quantity = CTI_QUANTITY_##scales},
#include "corten/fields/sensors.def"
#undef X
};
