#include "mjcf/schema.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LEAF(name, table) \
  { .tag = (name), .attrs = &(table) }
#define NODE(name, table, inside) \
  { .tag = (name), .attrs = &(table), .children = (inside), .nchild = COUNT(inside) }
#define MISSING(name) \
  { .tag = (name), .missing = true }

// clang-format off
static const ctiSchema compiler_children[] = {LEAF("lengthrange", cti_attrs_lengthrange)};
static const ctiSchema option_children[] = {LEAF("flag", cti_attrs_flag)};
static const ctiSchema visual_children[] = {
    LEAF("global", cti_attrs_visual[0]), LEAF("quality", cti_attrs_visual[1]), LEAF("headlight", cti_attrs_visual[2]),
    LEAF("map", cti_attrs_visual[3]), LEAF("scale", cti_attrs_visual[4]), LEAF("rgba", cti_attrs_visual[5]),
};

#define ACTUATOR(id, name) \
  {.tag = #name, .attrs = &cti_attrs_actuator[CTI_SHORTCUT_##id], .more = &cti_attrs_shortcut[CTI_SHORTCUT_##id]},
static const ctiSchema material_children[] = {LEAF("layer", cti_attrs_layer)};
static const ctiSchema default_children[] = {
    LEAF("joint", cti_attrs_joint), LEAF("geom", cti_attrs_geom), LEAF("site", cti_attrs_site),
    LEAF("camera", cti_attrs_camera), LEAF("light", cti_attrs_light), LEAF("pair", cti_attrs_pair),
    LEAF("equality", cti_attrs_equality), LEAF("tendon", cti_attrs_tendon), LEAF("mesh", cti_attrs_mesh),
    LEAF("texture", cti_attrs_texture), NODE("material", cti_attrs_material, material_children),
    CTI_SHORTCUTS(ACTUATOR)
};

// what may stand in a body, a frame in it, or the world
#define IN_ANY_BODY                                                                                                    \
    LEAF("geom", cti_attrs_geom), LEAF("site", cti_attrs_site), LEAF("camera", cti_attrs_camera),                      \
    LEAF("light", cti_attrs_light), LEAF("attach", cti_attrs_attach), MISSING("plugin"), MISSING("flexcomp")
#define IN_MOVING_BODY LEAF("inertial", cti_attrs_inertial), LEAF("joint", cti_attrs_joint), LEAF("freejoint", cti_attrs_freejoint)
static const ctiSchema body_children[] = {IN_ANY_BODY, IN_MOVING_BODY};
const ctiSchema cti_schema_body = {.tag = "body", .attrs = &cti_attrs_body, .children = body_children, .nchild = COUNT(body_children), .tree = true};
const ctiSchema cti_schema_frame = {.tag = "frame", .attrs = &cti_attrs_frame, .children = body_children, .nchild = COUNT(body_children), .tree = true};
const ctiSchema cti_schema_replicate = {.tag = "replicate", .attrs = &cti_attrs_replicate, .children = body_children, .nchild = COUNT(body_children), .tree = true};
static const ctiSchema worldbody_children[] = {IN_ANY_BODY};

static const ctiSchema skin_children[] = {LEAF("bone", cti_attrs_bone)};
static const ctiSchema deformable_children[] = {MISSING("flex"), NODE("skin", cti_attrs_skin, skin_children)};
static const ctiSchema asset_children[] = {
    LEAF("mesh", cti_attrs_mesh), LEAF("hfield", cti_attrs_hfield), LEAF("texture", cti_attrs_texture),
    NODE("material", cti_attrs_material, material_children), NODE("skin", cti_attrs_skin, skin_children), LEAF("model", cti_attrs_submodel),
};
static const ctiSchema contact_children[] = {LEAF("pair", cti_attrs_pair), LEAF("exclude", cti_attrs_exclude)};
static const ctiSchema equality_children[] = {
    LEAF("connect", cti_attrs_connect), LEAF("weld", cti_attrs_weld), LEAF("joint", cti_attrs_eq_joint),
    LEAF("tendon", cti_attrs_eq_tendon), MISSING("flex"), MISSING("flexstrain"),
};
static const ctiSchema spatial_children[] = {LEAF("site", cti_attrs_wrap_site), LEAF("geom", cti_attrs_wrap_geom), LEAF("pulley", cti_attrs_wrap_pulley)};
static const ctiSchema fixed_children[] = {LEAF("joint", cti_attrs_wrap_joint)};
static const ctiSchema tendon_children[] = {NODE("spatial", cti_attrs_spatial, spatial_children), NODE("fixed", cti_attrs_fixed, fixed_children)};
static const ctiSchema actuator_children[] = {CTI_SHORTCUTS(ACTUATOR) MISSING("plugin")};
static const ctiSchema tuple_children[] = {LEAF("element", cti_attrs_tuple_item)};
static const ctiSchema custom_children[] = {LEAF("numeric", cti_attrs_numeric), LEAF("text", cti_attrs_text), NODE("tuple", cti_attrs_tuple, tuple_children)};
static const ctiSchema keyframe_children[] = {LEAF("key", cti_attrs_key)};

// the way each sensor is attached, in the order of the types
#define SENSOR_AS(name, on)  {.tag = (name), .attrs = &cti_attrs_sensor[CTI_ATTACH_##on]}
static const ctiSchema sensor_children[] = {
    SENSOR_AS("touch", SITE), SENSOR_AS("accelerometer", SITE), SENSOR_AS("velocimeter", SITE), SENSOR_AS("gyro", SITE),
    SENSOR_AS("force", SITE), SENSOR_AS("torque", SITE), SENSOR_AS("magnetometer", SITE), SENSOR_AS("rangefinder", RAYS),
    SENSOR_AS("camprojection", SITE_CAMERA), SENSOR_AS("jointpos", JOINT), SENSOR_AS("jointvel", JOINT),
    SENSOR_AS("tendonpos", TENDON), SENSOR_AS("tendonvel", TENDON), SENSOR_AS("actuatorpos", ACTUATOR),
    SENSOR_AS("actuatorvel", ACTUATOR), SENSOR_AS("actuatorfrc", ACTUATOR), SENSOR_AS("jointactuatorfrc", JOINT),
    SENSOR_AS("tendonactuatorfrc", TENDON), SENSOR_AS("ballquat", JOINT), SENSOR_AS("ballangvel", JOINT),
    SENSOR_AS("jointlimitpos", JOINT), SENSOR_AS("jointlimitvel", JOINT), SENSOR_AS("jointlimitfrc", JOINT),
    SENSOR_AS("tendonlimitpos", TENDON), SENSOR_AS("tendonlimitvel", TENDON), SENSOR_AS("tendonlimitfrc", TENDON),
    SENSOR_AS("framepos", FRAME), SENSOR_AS("framequat", FRAME), SENSOR_AS("framexaxis", FRAME),
    SENSOR_AS("frameyaxis", FRAME), SENSOR_AS("framezaxis", FRAME), SENSOR_AS("framelinvel", FRAME),
    SENSOR_AS("frameangvel", FRAME), SENSOR_AS("framelinacc", FRAME_ONLY), SENSOR_AS("frameangacc", FRAME_ONLY),
    SENSOR_AS("subtreecom", BODY), SENSOR_AS("subtreelinvel", BODY), SENSOR_AS("subtreeangmom", BODY),
    SENSOR_AS("insidesite", INSIDE), SENSOR_AS("distance", TWO), SENSOR_AS("normal", TWO), SENSOR_AS("fromto", TWO),
    SENSOR_AS("contact", CONTACT), SENSOR_AS("e_potential", NONE), SENSOR_AS("e_kinetic", NONE), SENSOR_AS("clock", NONE),
    SENSOR_AS("tactile", TACTILE), MISSING("plugin"), SENSOR_AS("user", USER),
};

static const ctiSchema root_children[] = {
    NODE("compiler", cti_attrs_compiler, compiler_children), NODE("option", cti_attrs_option, option_children),
    LEAF("size", cti_attrs_size), LEAF("statistic", cti_attrs_statistic), NODE("visual", cti_attrs_none, visual_children),
    {.tag = "default", .attrs = &cti_attrs_default, .children = default_children, .nchild = COUNT(default_children), .recursive = true},
    {.tag = "worldbody", .attrs = &cti_attrs_none, .children = worldbody_children, .nchild = COUNT(worldbody_children), .tree = true},
    NODE("asset", cti_attrs_none, asset_children), NODE("contact", cti_attrs_none, contact_children),
    NODE("equality", cti_attrs_none, equality_children), NODE("tendon", cti_attrs_none, tendon_children),
    NODE("actuator", cti_attrs_none, actuator_children), NODE("custom", cti_attrs_none, custom_children),
    NODE("keyframe", cti_attrs_none, keyframe_children),
    MISSING("extension"), NODE("deformable", cti_attrs_none, deformable_children), NODE("sensor", cti_attrs_none, sensor_children),
};

const ctiSchema cti_schema_root = NODE("mujoco", cti_attrs_model, root_children);
const ctiSchema cti_schema_document = {.tag = "mujoco", .attrs = &cti_attrs_model, .children = root_children, .nchild = COUNT(root_children), .tree = true};
// clang-format on

const ctiSchema* cti_schema_child(const ctiSchema* s, const char* tag) {
  for (int i = 0; i < s->nchild; i++) {
    if (strcmp(s->children[i].tag, tag) == 0) return &s->children[i];
  }
  if (s->tree && strcmp(tag, "body") == 0) return &cti_schema_body;
  if (s->tree && strcmp(tag, "frame") == 0) return &cti_schema_frame;
  if (s->tree && strcmp(tag, "replicate") == 0) return &cti_schema_replicate;
  return s->recursive && strcmp(s->tag, tag) == 0 ? s : NULL;
}
