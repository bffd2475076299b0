// The URDF language: which elements stand where, with which attributes. What is not in it is named in a
// remark.
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/fn.h"
#include "urdf/read.h"

// ---- remarks

static void remark(const ctSpec* spec, ctLogLevel level, const ctiXml* e, const ctiXmlAttr* attr,
                   const char* format, va_list args) {
  if (!spec->log.write) return;
  char what[512], line[1024];
  cti_vformat(what, sizeof(what), format, args);
  ctError err = {0};
  cti_xml_error(&err, CT_ERR_INVALID, e, attr, "%s", what);
  ct_error_format(&err, line, sizeof(line));
  spec->log.write(spec->log.context, level, line);
}

void cti_urdf_remark(const ctSpec* spec, const ctiXml* e, const ctiXmlAttr* attr, const char* format, ...) {
  va_list args;
  va_start(args, format);
  remark(spec, CT_LOG_WARNING, e, attr, format, args);
  va_end(args);
}

void cti_urdf_note(const ctSpec* spec, const ctiXml* e, const char* format, ...) {
  va_list args;
  va_start(args, format);
  remark(spec, CT_LOG_INFO, e, NULL, format, args);
  va_end(args);
}

static bool is_word(const char* name, ctiWords words) {
  for (int i = 0; i < words.count; i++) {
    if (strcmp(cti_words_at(words, i), name) == 0) return true;
  }
  return false;
}

void cti_urdf_remark_attrs(const ctSpec* spec, const ctiXml* e, const ctiWords* allowed) {
  for (int i = 0; i < e->nattr; i++) {
    const char* name = e->attrs[i].name;
    // declarations and words of other name spaces
    if (strchr(name, ':') || strcmp(name, "xmlns") == 0 || is_word(name, *allowed)) continue;
    char hint[160];
    cti_urdf_remark(spec, e, &e->attrs[i], "attribute \"%s\" of <%s> has no effect%s", name, e->name,
                    cti_suggest_nearest_text(hint, sizeof(hint), name, *allowed));
  }
}

// ---- the language

#define MOST_WORDS 12

typedef struct Element {
  const char* tag;
  const char* attrs[MOST_WORDS];
  const struct Element* children;
  int nchild;
  const char* remark;  // what there is to say about it; its inside is not looked at
} Element;

#define CHILDREN(list) .children = (list), .nchild = CT_COUNT_OF(list)

static const Element shapes[] = {{.tag = "box", .attrs = {"size"}},
                                 {.tag = "sphere", .attrs = {"radius"}},
                                 {.tag = "cylinder", .attrs = {"radius", "length"}},
                                 {.tag = "capsule", .attrs = {"radius", "length"}},
                                 {.tag = "mesh", .attrs = {"filename", "scale"}}};
static const Element looks[] = {{.tag = "color", .attrs = {"rgba"}},
                                {.tag = "texture", .attrs = {"filename"}}};
static const Element of_inertial[] = {
    {.tag = "origin", .attrs = {"xyz", "rpy"}},
    {.tag = "mass", .attrs = {"value"}},
    {.tag = "inertia", .attrs = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}}};
static const Element of_shape[] = {{.tag = "origin", .attrs = {"xyz", "rpy"}},
                                   {.tag = "geometry", CHILDREN(shapes)},
                                   {.tag = "material", .attrs = {"name"}, CHILDREN(looks)},
                                   {.tag = "verbose", .remark = "it has no effect here"}};
static const Element of_link[] = {
    {.tag = "inertial", CHILDREN(of_inertial)},
    {.tag = "visual", .attrs = {"name"}, CHILDREN(of_shape)},
    {.tag = "collision", .attrs = {"name"}, CHILDREN(of_shape)},
    {.tag = "contact", .remark = "contact parameters of other simulators have no effect here"}};
static const Element of_joint[] = {
    {.tag = "origin", .attrs = {"xyz", "rpy"}},
    {.tag = "parent", .attrs = {"link"}},
    {.tag = "child", .attrs = {"link"}},
    {.tag = "axis", .attrs = {"xyz"}},
    {.tag = "limit", .attrs = {"lower", "upper", "effort", "velocity"}},
    {.tag = "dynamics", .attrs = {"damping", "friction"}},
    {.tag = "mimic", .attrs = {"joint", "multiplier", "offset"}},
    {.tag = "calibration", .remark = "it is for controllers and has no effect here"},
    {.tag = "safety_controller",
     .remark = "soft limits are for controllers and have no effect here: limit the controls"}};
static const Element of_robot[] = {
    {.tag = "link", .attrs = {"name", "type"}, CHILDREN(of_link)},
    {.tag = "joint", .attrs = {"name", "type"}, CHILDREN(of_joint)},
    {.tag = "material", .attrs = {"name"}, CHILDREN(looks)},
    {.tag = "mujoco", .remark = ""},
    {.tag = "transmission", .remark = ""},
    {.tag = "gazebo", .remark = "settings of Gazebo have no effect here"},
    {.tag = "ros2_control",
     .remark = "it is for controllers and has no effect here: add actuators to the model"}};
static const Element robot = {.tag = "robot", .attrs = {"name", "version"}, CHILDREN(of_robot)};

static ctiWords attr_words(const Element* s) {
  int n = 0;
  while (n < MOST_WORDS && s->attrs[n]) n++;
  return (ctiWords){s->attrs, n, sizeof(s->attrs[0])};
}

static ctStatus refuse_xacro(const ctiUrdf* u, const ctiXml* e) {
  return cti_xml_error(
      u->err, CT_ERR_UNSUPPORTED, e, NULL,
      "<%s> is Xacro, which is not expanded here: run \"xacro FILE > robot.urdf\" and load the "
      "result",
      e->name);
}

static ctStatus look_at(ctiUrdf* u, const ctiXml* e, const Element* s);

static ctStatus look_inside(ctiUrdf* u, const ctiXml* e, const Element* s) {
  for (const ctiXml* c = e->first; c; c = c->next) {
    if (strncmp(c->name, "xacro:", 6) == 0) return refuse_xacro(u, c);
    const Element* found = NULL;
    for (int i = 0; i < s->nchild && !found; i++) {
      if (strcmp(s->children[i].tag, c->name) == 0) found = &s->children[i];
    }
    if (found) {
      CT_TRY(look_at(u, c, found));
      continue;
    }
    const char* words[MOST_WORDS];
    for (int i = 0; i < s->nchild; i++) words[i] = s->children[i].tag;
    const char* near = s->nchild > 0 ? cti_suggest_in(c->name, CTI_WORDS(words, s->nchild)) : NULL;
    cti_urdf_remark(u->spec, c, NULL, "<%s> in <%s> is not part of URDF and has no effect%s%s%s", c->name,
                    e->name, near ? "; did you mean <" : "", near ? near : "", near ? ">?" : "");
  }
  return CT_OK;
}

// The language is a few levels deep, and so is the recursion.
static ctStatus look_at(ctiUrdf* u, const ctiXml* e, const Element* s) {
  if (s->remark) {
    if (s->remark[0]) cti_urdf_note(u->spec, e, "<%s>: %s", e->name, s->remark);
    return CT_OK;
  }
  const ctiWords words = attr_words(s);
  cti_urdf_remark_attrs(u->spec, e, &words);
  return look_inside(u, e, s);
}

ctStatus cti_urdf_look_over(ctiUrdf* u) {
  return look_at(u, u->root, &robot);
}

// ---- reading

ctStatus cti_urdf_child(ctiUrdf* u, const ctiXml** out, const ctiXml* e, const char* name, bool needed) {
  *out = cti_xml_child(e, name);
  if (!*out && needed)
    return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "<%s> needs a <%s> inside", e->name, name);
  const ctiXml* second = *out ? cti_xml_next(*out, name) : NULL;
  if (second)
    return cti_xml_error(u->err, CT_ERR_INVALID, second, NULL, "one <%s> in <%s> is enough: remove this one",
                         name, e->name);
  return CT_OK;
}

ctStatus cti_urdf_attr(ctiUrdf* u, const ctiXmlAttr** out, const ctiXml* e, const char* name) {
  *out = cti_xml_find(e, name);
  if (*out) return CT_OK;
  return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "<%s> needs the attribute \"%s\"", e->name, name);
}

// Properties of Xacro in a number.
static ctStatus check_expanded(ctiUrdf* u, const ctiXml* e, const ctiXmlAttr* a) {
  if (!strstr(a->value, "${") && !strstr(a->value, "$(")) return CT_OK;
  return cti_xml_error(u->err, CT_ERR_UNSUPPORTED, e, a,
                       "%s: \"%s\" is Xacro, which is not expanded here: run \"xacro FILE > robot.urdf\" and "
                       "load the result",
                       a->name, a->value);
}

ctStatus cti_urdf_reals(ctiUrdf* u, double* out, const ctiXml* e, const char* name, int n) {
  const ctiXmlAttr* a;
  CT_TRY(cti_urdf_attr(u, &a, e, name));
  CT_TRY(check_expanded(u, e, a));
  return cti_read_reals(out, NULL, e, a, n, n, u->err);
}

ctStatus cti_urdf_origin(ctiUrdf* u, const ctiXml* e, double pos[3], ctiOrient* orient) {
  const ctiXml* origin;
  CT_TRY(cti_urdf_child(u, &origin, e, "origin", false));
  if (!origin) return CT_OK;
  if (cti_xml_find(origin, "xyz")) CT_TRY(cti_urdf_reals(u, pos, origin, "xyz", 3));
  if (!cti_xml_find(origin, "rpy")) return CT_OK;
  CT_TRY(cti_urdf_reals(u, orient->euler, origin, "rpy", 3));
  orient->form = CTI_ORIENT_EULER;
  return CT_OK;
}

ctStatus cti_urdf_keep(ctiUrdf* u, const char** out, const char* text) {
  *out = cti_intern(&u->spec->strings, text);
  return *out ? CT_OK : cti_error_memory(u->err);
}

ctStatus cti_urdf_place(ctiUrdf* u, const ctiXml* e, ctiElement* head, const char* tag,
                        const struct ctiAttrTable* attrs) {
  head->tag = tag;
  head->attrs = attrs;
  const char* file;
  CT_TRY(cti_urdf_keep(u, &file, e->file));
  head->where = (ctiWhere){file, e->line, e->column};
  return CT_OK;
}
