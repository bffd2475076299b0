// Attributes of what stands in the body tree.
#include "spec/attrs_rows.h"

// clang-format off
#define AS_JOINT(id, text)      {text, CT_JOINT_##id},
WORDS(joint_words, AS_JOINT, CT_JOINT_LIST)
#define AS_GEOM(id, text)       {text, CT_GEOM_##id},
WORDS(geom_words, AS_GEOM, CT_GEOM_LIST)
#define AS_CAMLIGHT(id, text)   {text, CT_CAMLIGHT_##id},
WORDS(camlight_words, AS_CAMLIGHT, CT_CAMLIGHT_LIST)
#define AS_PROJ(id, text)       {text, CT_PROJ_##id},
WORDS(projection_words, AS_PROJ, CT_PROJECTION_LIST)
#define AS_LIGHT(id, text)      {text, CT_LIGHT_##id},
WORDS(light_words, AS_LIGHT, CT_LIGHT_LIST)
static const ctiKeyword camout_words[] = {{"rgb", 1}, {"depth", 2}, {"distance", 4}, {"normal", 8}, {"segmentation", 16}};
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
    FLOATS(specular, 3, 3), WORD(mode, camlight_words, "tracking mode"), REF(target, BODY), REF(texture, TEXTURE),
};
TABLE(light, light_rows);
#undef T

#define T ctiReplicateWords
static const ctiAttr replicate_rows[] = {NEEDED("count", INT, count), REALS(offset, 3, 3), REALS(euler, 3, 3), TEXT(sep), CHILDCLASS};
TABLE(replicate, replicate_rows);
#undef T

#define T ctiAttachWords
static const ctiAttr attach_rows[] = {REF(model, MODEL), REF(body, BODY), REF(frame, FRAME), NEEDED("prefix", TEXT, prefix)};
TABLE(attach, attach_rows);
#undef T
// clang-format on
