#include "mjcf/schema.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LEAF(name, table) \
  { .tag = (name), .attrs = &(table) }
#define NODE(name, table, inside) \
  { .tag = (name), .attrs = &(table), .children = (inside), .nchild = COUNT(inside) }
#define MISSING(name) \
  { .tag = (name), .missing = true }

static const ctiSchema compiler_children[] = {MISSING("lengthrange")};
static const ctiSchema option_children[] = {LEAF("flag", cti_attrs_flag)};
static const ctiSchema visual_children[] = {
    LEAF("global", cti_attrs_visual[0]),    LEAF("quality", cti_attrs_visual[1]),
    LEAF("headlight", cti_attrs_visual[2]), LEAF("map", cti_attrs_visual[3]),
    LEAF("scale", cti_attrs_visual[4]),     LEAF("rgba", cti_attrs_visual[5]),
};

static const ctiSchema default_children[] = {
    LEAF("joint", cti_attrs_joint),
    LEAF("geom", cti_attrs_geom),
    LEAF("site", cti_attrs_site),
    LEAF("motor", cti_attrs_motor),
    MISSING("general"),
    MISSING("position"),
    MISSING("velocity"),
    MISSING("intvelocity"),
    MISSING("orientation"),
    MISSING("pid"),
    MISSING("damper"),
    MISSING("cylinder"),
    MISSING("muscle"),
    MISSING("adhesion"),
    MISSING("dcmotor"),
    MISSING("mesh"),
    MISSING("material"),
    MISSING("texture"),
    MISSING("camera"),
    MISSING("light"),
    MISSING("pair"),
    MISSING("equality"),
    MISSING("tendon"),
};

static const ctiSchema body_children[] = {
    LEAF("inertial", cti_attrs_inertial),
    LEAF("joint", cti_attrs_joint),
    LEAF("freejoint", cti_attrs_freejoint),
    LEAF("geom", cti_attrs_geom),
    LEAF("site", cti_attrs_site),
    MISSING("frame"),
    MISSING("replicate"),
    MISSING("attach"),
    MISSING("camera"),
    MISSING("light"),
    MISSING("plugin"),
    MISSING("flexcomp"),
};
static const ctiSchema worldbody_children[] = {
    {.tag = "body",
     .attrs = &cti_attrs_body,
     .children = body_children,
     .nchild = COUNT(body_children),
     .recursive = true},
    LEAF("geom", cti_attrs_geom),
    LEAF("site", cti_attrs_site),
    MISSING("frame"),
    MISSING("replicate"),
    MISSING("attach"),
    MISSING("camera"),
    MISSING("light"),
    MISSING("plugin"),
    MISSING("flexcomp"),
};

static const ctiSchema actuator_children[] = {
    LEAF("motor", cti_attrs_motor),
    MISSING("general"),
    MISSING("position"),
    MISSING("velocity"),
    MISSING("intvelocity"),
    MISSING("orientation"),
    MISSING("pid"),
    MISSING("damper"),
    MISSING("cylinder"),
    MISSING("muscle"),
    MISSING("adhesion"),
    MISSING("dcmotor"),
    MISSING("plugin"),
};

static const ctiSchema root_children[] = {
    NODE("compiler", cti_attrs_compiler, compiler_children),
    NODE("option", cti_attrs_option, option_children),
    LEAF("size", cti_attrs_size),
    LEAF("statistic", cti_attrs_statistic),
    NODE("visual", cti_attrs_none, visual_children),
    {.tag = "default",
     .attrs = &cti_attrs_default,
     .children = default_children,
     .nchild = COUNT(default_children),
     .recursive = true},
    NODE("worldbody", cti_attrs_none, worldbody_children),
    NODE("actuator", cti_attrs_none, actuator_children),
    MISSING("extension"),
    MISSING("custom"),
    MISSING("asset"),
    MISSING("deformable"),
    MISSING("contact"),
    MISSING("tendon"),
    MISSING("equality"),
    MISSING("sensor"),
    MISSING("keyframe"),
    MISSING("include"),
};

const ctiSchema cti_schema_root = NODE("mujoco", cti_attrs_model, root_children);

const ctiSchema* cti_schema_child(const ctiSchema* s, const char* tag) {
  for (int i = 0; i < s->nchild; i++) {
    if (strcmp(s->children[i].tag, tag) == 0) return &s->children[i];
  }
  return s->recursive && strcmp(s->tag, tag) == 0 ? s : NULL;
}
