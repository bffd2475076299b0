// Attributes of assets, contacts, equalities, tendons, custom data and keyframes.
#include "spec/attrs_rows.h"

// clang-format off
#define AS_ROLE(id, text)       {text, CT_TEXROLE_##id},
#define AS_TEXTURE(id, text)    {text, CT_TEXTURE_##id},
WORDS(texture_words, AS_TEXTURE, CT_TEXTURE_LIST)
#define AS_COLORSPACE(id, text) {text, CT_COLORSPACE_##id},
WORDS(colorspace_words, AS_COLORSPACE, CT_COLORSPACE_LIST)
static const ctiKeyword builtin_words[] = {{"none", 0}, {"gradient", 1}, {"checker", 2}, {"flat", 3}};
static const ctiKeyword mark_words[] = {{"none", 0}, {"edge", 1}, {"cross", 2}, {"random", 3}};
static const ctiKeyword meshinertia_words[] = {{"convex", 0}, {"exact", 1}, {"legacy", 2}, {"shell", 3}};

#define T ctiPair
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
static const ctiAttr connect_rows[] = {EQUALITY_COMMON, REF(body1, BODY), REF(body2, BODY), REALS(anchor, 3, 3), REF(site1, SITE), REF(site2, SITE)};
static const ctiAttr weld_rows[] = {EQUALITY_COMMON, REF(body1, BODY), REF(body2, BODY), REALS(relpose, 7, 7), REALS(anchor, 3, 3),
                                    REF(site1, SITE), REF(site2, SITE), REAL(torquescale)};
static const ctiAttr eq_joint_rows[] = {EQUALITY_COMMON, NEEDED_REF("joint1", joint1, CT_OBJ_JOINT), REF(joint2, JOINT), REALS(polycoef, 1, 5)};
static const ctiAttr eq_tendon_rows[] = {EQUALITY_COMMON, NEEDED_REF("tendon1", tendon1, CT_OBJ_TENDON), REF(tendon2, TENDON), REALS(polycoef, 1, 5)};
static const ctiAttr equality_rows[] = {BOOL(active), REALS(solref, 1, CT_NREF), REALS(solimp, 1, CT_NIMP)};
TABLE(connect, connect_rows);
TABLE(weld, weld_rows);
TABLE(eq_joint, eq_joint_rows);
TABLE(eq_tendon, eq_tendon_rows);
TABLE(equality, equality_rows);
#undef T

#define T ctiTendon
#define TENDON_COMMON                                                                                                  \
  INT(group), TRISTATE(limited), WORD_AS("actuatorfrclimited", actfrclimited, tristate_words, "keyword"),              \
      REALS(range, 2, 2), REALS_AS("actuatorfrcrange", actfrcrange, 2, 2),                                             \
      REALS_AS("solreflimit", solref_limit, 1, CT_NREF), REALS_AS("solimplimit", solimp_limit, 1, CT_NIMP),            \
      REALS_AS("solreffriction", solref_friction, 1, CT_NREF), REALS_AS("solimpfriction", solimp_friction, 1, CT_NIMP), \
      REAL(frictionloss), REALS(springlength, 1, 2), REAL(springyield), REAL(margin), REALS(stiffness, 1, 1 + CT_NPOLY), \
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
static const ctiAttr submodel_rows[] = {{.name = "name", .type = CTI_ATTR_NAME, .offset = offsetof(T, name)}, NEEDED("file", TEXT, file), TEXT(content_type)};
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
static const ctiAttr tuple_item_rows[] = {NEEDED("objtype", NAME, objtype), NEEDED_REF("objname", objname, CTI_REFERS_OBJTYPE), REAL(prm)};
TABLE(tuple_item, tuple_item_rows);
#undef T

#define T ctiSkin
static const ctiAttr skin_rows[] = {NAME, TEXT(file), REF(material, MATERIAL), FLOATS(rgba, 4, 4), FLOATS(inflate, 1, 1),
                                    LIST(vertex), LIST(texcoord), LIST(face), INT(group)};
TABLE(skin, skin_rows);
#undef T

#define T ctiBone
static const ctiAttr bone_rows[] = {NEEDED_REF("body", body, CT_OBJ_BODY), REQUIRED("bindpos", bindpos, 3), REQUIRED("bindquat", bindquat, 4),
                                    NEEDED_LIST(vertid), NEEDED_LIST(vertweight)};
TABLE(bone, bone_rows);
#undef T

#define T ctiKey
static const ctiAttr key_rows[] = {NAME, REAL(time), LIST(qpos), LIST(qvel), LIST(act), LIST(mpos), LIST(mquat), LIST(ctrl), LIST(plastic)};
TABLE(key, key_rows);
#undef T

#define T ctiTexture
static const ctiAttr texture_rows[] = {
    NAME, CLASS, WORD(type, texture_words, "texture type"), WORD(colorspace, colorspace_words, "colour space"), TEXT(content_type),
    TEXT(file), INTS(gridsize, 2, 2), TEXT(gridlayout), TEXT(fileright), TEXT(fileleft), TEXT(fileup), TEXT(filedown),
    TEXT(filefront), TEXT(fileback), WORD(builtin, builtin_words, "builtin texture"), REALS(rgb1, 3, 3), REALS(rgb2, 3, 3),
    WORD(mark, mark_words, "mark"), REALS(markrgb, 3, 3), REAL(random), INT(width), INT(height), BOOL(hflip), BOOL(vflip),
    INT(nchannel), TRISTATE(embed),
};
TABLE(texture, texture_rows);
#undef T

#define T ctiMaterial
static const ctiAttr material_rows[] = {
    NAME, CLASS, {.name = "texture", .type = CTI_ATTR_NAME, .offset = offsetof(T, texture[CT_TEXROLE_RGB]), .refers = CT_OBJ_TEXTURE}, FLOATS(texrepeat, 2, 2),
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
                                      {.name = "size", .type = CTI_ATTR_REAL, .offset = offsetof(T, size), .min = 4, .max = 4, .rules = CTI_ATTR_REQUIRED},
                                      LIST(elevation)};
TABLE(hfield, hfield_rows);
#undef T

#define T ctiMeshAsset
static const ctiAttr mesh_rows[] = {
    NAME, CLASS, TEXT(content_type), TEXT(file), LIST(vertex), LIST(normal), LIST(texcoord), LIST(face), REALS(refpos, 3, 3),
    REALS(refquat, 4, 4), REALS(scale, 3, 3), BOOL(smoothnormal), INT(maxhullvert),
    WORD(inertia, meshinertia_words, "mesh inertia"), TEXT(builtin), LIST(params), REF(material, MATERIAL),
};
TABLE(mesh, mesh_rows);
#undef T
// clang-format on
