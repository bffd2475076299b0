// Reading MJCF: attributes, default classes, settings and the flat sections.
#include "mjcf/read.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/files.h"
#include "base/number.h"
#include "spec/defaults.h"
#include "spec/walk.h"

// ---- attributes

typedef ctStatus (*AttrReader)(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                               void* at);

static ctStatus read_reals(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  int count;
  const bool range = (row->rules & CTI_ATTR_RANGE) != 0;
  CT_TRY((range ? cti_read_range : cti_read_reals)(at, &count, e, a, row->min, row->max, r->err));
  double* values = at;
  if ((row->rules & CTI_ATTR_REPEAT) && count == 1)
    for (int i = 1; i < row->max; i++) values[i] = values[0];
  return CT_OK;
}

// What is kept in fewer bits must fit into them.
static ctStatus check_size(const ctiXml* e, const ctiXmlAttr* a, const double* values, int count, double most,
                           ctError* err) {
  for (int i = 0; i < count; i++) {
    if (fabs(values[i]) > most)
      return cti_xml_error(err, CT_ERR_INVALID, e, a, "%s: %g: number too large, the limit is %g", a->name,
                           values[i], most);
  }
  return CT_OK;
}

static ctStatus read_ctreals(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                             void* at) {
  double values[CTI_READ_MAX];
  int count;
  CT_TRY(cti_read_reals(values, &count, e, a, row->min, row->max, r->err));
  if (sizeof(ctReal) < sizeof(double)) CT_TRY(check_size(e, a, values, count, FLT_MAX, r->err));
  for (int i = 0; i < count; i++) ((ctReal*)at)[i] = (ctReal)values[i];
  return CT_OK;
}

static ctStatus read_floats(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  double values[CTI_READ_MAX];
  int count;
  CT_TRY(cti_read_reals(values, &count, e, a, row->min, row->max, r->err));
  CT_TRY(check_size(e, a, values, count, FLT_MAX, r->err));
  for (int i = 0; i < count; i++) ((float*)at)[i] = (float)values[i];
  return CT_OK;
}

static ctStatus read_ints(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  return cti_read_ints(at, NULL, e, a, row->min, row->max, INT32_MIN, INT32_MAX, r->err);
}

static ctStatus read_bool(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  return cti_read_bool(at, e, a, r->err);
}

static ctStatus read_flag(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  bool value;
  CT_TRY(cti_read_bool(&value, e, a, r->err));
  *(int*)at = value;
  return CT_OK;
}

static ctStatus read_keyword(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                             void* at) {
  return cti_read_keyword(at, e, a, row->keywords, row->nkeyword, row->what, r->err);
}

// The words of an ordered list, which are known to be in the table.
static ctStatus check_order(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row) {
  const char* cursor = a->value;
  ctiToken token;
  int last = -1, count = (int)cti_token_count(a->value);
  while (cti_token_next(&token, &cursor)) {
    int i = 0;
    size_t size = (size_t)(token.end - token.begin);
    while (strlen(row->keywords[i].text) != size || strncmp(row->keywords[i].text, token.begin, size) != 0)
      i++;
    if (i >= row->max && count > 1)
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "%s: \"%s\" stands alone", row->name,
                           row->keywords[i].text);
    if (i < last) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "%s: \"%s\" comes before \"%s\"", row->name,
                           row->keywords[i].text, row->keywords[last].text);
    }
    last = i;
  }
  return CT_OK;
}

static ctStatus read_flags(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  int value = *(const int*)at;
  CT_TRY(cti_read_flags(&value, e, a, row->keywords, row->nkeyword, row->what, r->err));
  if (row->rules & CTI_ATTR_ORDERED) CT_TRY(check_order(r, e, a, row));
  *(int*)at = value;
  return CT_OK;
}

static ctStatus read_degree(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  (void)row;
  static const ctiKeyword words[] = {{"radian", 0}, {"degree", 1}};
  int value;
  CT_TRY(cti_read_keyword(&value, e, a, words, 2, "unit of angle", r->err));
  *(bool*)at = value != 0;
  return CT_OK;
}

static ctStatus read_eulerseq(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                              void* at) {
  (void)row;
  return cti_read_chars(at, e, a, 3, "xyzXYZ", r->err);
}

static ctStatus read_text(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)e;
  (void)row;
  const char* text = cti_intern(&r->spec->strings, a->value);
  if (!text) return cti_error_memory(r->err);
  *(const char**)at = text;
  return CT_OK;
}

static ctStatus read_name(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  // an empty name is no name
  if (a->value[0] == 0) return CT_OK;
  return read_text(r, e, a, row, at);
}

static ctStatus read_list(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  double* values;
  int count;
  CT_TRY(cti_read_real_list(&values, &count, r->spec->region, e, a, r->err));
  *(ctiReals*)at = (ctiReals){values, count};
  return CT_OK;
}

static ctStatus read_names(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)e;
  (void)row;
  const char* cursor = a->value;
  ctiToken token;
  ctiNames names = {.data = CTI_NEW_ARRAY(r->spec->region, const char*, cti_token_count(a->value))};
  if (!names.data) return cti_error_memory(r->err);
  while (cti_token_next(&token, &cursor)) {
    const char* name = cti_intern_sized(&r->spec->strings, token.begin, (size_t)(token.end - token.begin));
    if (!name) return cti_error_memory(r->err);
    names.data[names.count++] = name;
  }
  *(ctiNames*)at = names;
  return CT_OK;
}

static ctStatus read_groups(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  (void)row;
  int* groups;
  int count, mask = 0;
  CT_TRY(cti_read_int_list(&groups, &count, r->spec->region, e, a, 0, 30, r->err));
  for (int i = 0; i < count; i++) mask |= 1 << groups[i];
  *(int*)at = mask;
  return CT_OK;
}

static ctStatus read_bit(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  static const ctiKeyword words[] = {{"disable", 0}, {"enable", 1}};
  int enable, bit = 1 << row->max;
  CT_TRY(cti_read_keyword(&enable, e, a, words, 2, "keyword", r->err));
  bool on = row->type == CTI_ATTR_ENABLE ? enable == 1 : enable == 0;
  *(int*)at = on ? *(int*)at | bit : *(int*)at & ~bit;
  return CT_OK;
}

static const AttrReader readers[] = {
    [CTI_ATTR_REAL] = read_reals,        [CTI_ATTR_CTREAL] = read_ctreals, [CTI_ATTR_FLOAT] = read_floats,
    [CTI_ATTR_INT] = read_ints,          [CTI_ATTR_BOOL] = read_bool,      [CTI_ATTR_FLAG] = read_flag,
    [CTI_ATTR_KEYWORD] = read_keyword,   [CTI_ATTR_DEGREE] = read_degree,  [CTI_ATTR_FLAGS] = read_flags,
    [CTI_ATTR_EULERSEQ] = read_eulerseq, [CTI_ATTR_TEXT] = read_text,      [CTI_ATTR_NAME] = read_name,
    [CTI_ATTR_LIST] = read_list,         [CTI_ATTR_GROUPS] = read_groups,  [CTI_ATTR_ENABLE] = read_bit,
    [CTI_ATTR_DISABLE] = read_bit,       [CTI_ATTR_NAMES] = read_names,
};

ctStatus cti_mjcf_read_attr(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* record) {
  const void* at = (char*)record + row->offset;
  CT_TRY(readers[row->type](r, e, a, row, (char*)record + row->offset));
  if (!(row->rules & (CTI_ATTR_POSITIVE | CTI_ATTR_NOT_NEGATIVE))) return CT_OK;
  const double x = row->type == CTI_ATTR_FLOAT ? (double)*(const float*)at : *(const double*)at;
  const bool positive = (row->rules & CTI_ATTR_POSITIVE) != 0;
  if (x > 0 || (x == 0 && !positive)) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "%s must %s, not %g", row->name,
                       positive ? "be positive" : "not be negative", x);
}

static int find_row(const ctiAttrTable* table, const char* name) {
  for (int i = 0; i < table->count; i++) {
    if (strcmp(table->rows[i].name, name) == 0) return i;
  }
  return -1;
}

ctStatus cti_mjcf_read_attrs(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, void* record,
                             uint64_t* given) {
  uint64_t seen = 0;
  for (int i = 0; i < e->nattr; i++) {
    int k = find_row(table, e->attrs[i].name);
    // the document is valid: what is not in this table belongs to the element's other one
    if (k < 0 || table->rows[k].type == CTI_ATTR_CLASS) continue;
    const ctiAttr* row = &table->rows[k];
    CT_TRY(cti_mjcf_read_attr(r, e, &e->attrs[i], row, record));
    seen |= (uint64_t)1 << k;
  }
  for (int k = 0; k < table->count; k++) {
    bool required = (table->rows[k].rules & CTI_ATTR_REQUIRED) != 0;
    if (required && !(seen & (uint64_t)1 << k)) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "<%s> needs the attribute \"%s\"", e->name,
                           table->rows[k].name);
    }
  }
  if (given) *given |= seen;
  return CT_OK;
}

bool cti_mjcf_given(const ctiAttrTable* table, uint64_t given, const char* name) {
  int k = find_row(table, name);
  return k >= 0 && (given & (uint64_t)1 << k) != 0;
}

ctStatus cti_mjcf_read_orient(ctiReader* r, const ctiXml* e, ctiOrient* orient) {
  static const struct {
    const char* name;
    ctiOrientForm form;
  } forms[] = {{"quat", CTI_ORIENT_QUAT},
               {"axisangle", CTI_ORIENT_AXISANGLE},
               {"xyaxes", CTI_ORIENT_XYAXES},
               {"zaxis", CTI_ORIENT_ZAXIS},
               {"euler", CTI_ORIENT_EULER}};
  const char* first = NULL;
  for (int i = 0; i < CT_COUNT_OF(forms); i++) {
    const ctiXmlAttr* a = cti_xml_find(e, forms[i].name);
    if (!a) continue;
    if (first) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a,
                           "orientation is given twice, as \"%s\" and \"%s\": keep one", first, a->name);
    }
    first = a->name;
    orient->form = forms[i].form;
  }
  return CT_OK;
}

void cti_mjcf_place(ctiReader* r, const ctiXml* e, ctiElement* head) {
  head->tag = cti_intern(&r->spec->strings, e->name);
  if (!head->tag) head->tag = "element";
  const char* file = cti_intern(&r->spec->strings, e->file);
  head->where = (ctiWhere){file, e->line, e->column};
  if (!r->first) r->first = head;
}

ctStatus cti_mjcf_read_element(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, ctiElement* head) {
  cti_mjcf_place(r, e, head);
  head->attrs = table;
  return cti_mjcf_read_attrs(r, e, table, head, &head->given);
}

static ctStatus read_layers(ctiReader* r, const ctiXml* e, ctiMaterial* material);

// ---- plugins

ctStatus cti_mjcf_read_config(ctiReader* r, const ctiXml* e, ctiPluginUse* use) {
  ctiRegion* region = r->spec->region;
  for (const ctiXml* c = cti_xml_child(e, "config"); c; c = cti_xml_next(c, "config")) {
    ctiConfigWords words = {.value = ""};
    CT_TRY(cti_mjcf_read_attrs(r, c, &cti_attrs_config, &words, NULL));
    use->config =
        cti_region_printf(region, "%s%s%c%s%c", use->config ? use->config : "", words.key ? words.key : "",
                          CTI_CONFIG_VALUE, words.value, CTI_CONFIG_END);
    if (!use->config) return cti_error_memory(r->err);
  }
  if (use->config) use->config = cti_intern(&r->spec->strings, use->config);
  return CT_OK;
}

ctStatus cti_mjcf_read_use(ctiReader* r, const ctiXml* p, ctiPluginUse* use) {
  CT_TRY(cti_mjcf_read_attrs(r, p, &cti_attrs_plugin, use, NULL));
  if (!use->plugin && !use->instance)
    return cti_xml_error(r->err, CT_ERR_INVALID, p, NULL,
                         "<plugin> needs the attribute \"plugin\" or \"instance\"");
  return cti_mjcf_read_config(r, p, use);
}

ctStatus cti_mjcf_read_plugin(ctiReader* r, const ctiXml* e, ctiPluginUse* use) {
  const ctiXml* p = cti_xml_child(e, "plugin");
  if (!p) return CT_OK;
  if (cti_xml_next(p, "plugin"))
    return cti_xml_error(r->err, CT_ERR_INVALID, cti_xml_next(p, "plugin"), NULL, "one <plugin> is enough");
  return cti_mjcf_read_use(r, p, use);
}

static ctStatus read_extension(ctiReader* r, const ctiXml* e) {
  ctiExtension* x = cti_spec_add_to_extensions(r->spec);
  if (!x) return cti_error_memory(r->err);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_extension, &x->head));
  for (const ctiXml* c = cti_xml_child(e, "instance"); c; c = cti_xml_next(c, "instance")) {
    ctiInstance* i = cti_spec_add_to_instances(r->spec);
    if (!i) return cti_error_memory(r->err);
    CT_TRY(cti_mjcf_read_element(r, c, &cti_attrs_instance, &i->head));
    i->use.plugin = x->plugin;
    CT_TRY(cti_mjcf_read_config(r, c, &i->use));
  }
  return CT_OK;
}

// ---- default classes

// One template a kind of element; nested classes start as copies of their parents.

ctStatus cti_mjcf_read_template(ctiReader* r, const ctiXml* e, ctiClass* class_) {
  for (int i = 0; i < cti_template_count; i++) {
    const ctiTemplate* t = &cti_templates[i];
    if (!cti_text_equal(t->tag, e->name)) continue;
    char* base = (char*)class_;
    CT_TRY(cti_mjcf_read_attrs(r, e, t->attrs, base + t->record, NULL));
    if (t->orient) CT_TRY(cti_mjcf_read_orient(r, e, (ctiOrient*)(void*)(base + t->orient)));
    if (cti_text_equal(e->name, "material")) return read_layers(r, e, &class_->material);
    return CT_OK;
  }
  return cti_mjcf_read_actuator_default(r, e, class_);
}

// The class of a <default> element: the one it names, made as a child of `parent`.
static ctStatus open_class(ctiReader* r, const ctiXml* e, ctiClass* parent, ctiClass** out) {
  const ctiXmlAttr* a = cti_xml_find(e, "class");
  const char* name = a && a->value[0] ? a->value : NULL;
  if (!parent) {
    if (name && !cti_text_equal(name, "main")) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a,
                           "the top default class is called \"main\", not \"%s\"", name);
    }
    *out = r->spec->classes.data[0];
    return CT_OK;
  }
  if (!name)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "a nested <default> needs the attribute \"class\"");
  if (cti_spec_find_class(r->spec, name)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "default class \"%s\" is defined twice", name);
  }
  *out = cti_spec_add_class(r->spec, name, parent);
  if (!*out) return cti_error_memory(r->err);
  (*out)->where = (ctiWhere){cti_intern(&r->spec->strings, e->file), e->line, e->column};
  return CT_OK;
}

// A class is complete before its nested classes start as copies of it, so each <default> is read when its
// parent's own elements have been: level by level, in document order.
static ctStatus read_defaults(ctiReader* r, const ctiXml* section) {
  typedef struct {
    const ctiXml* element;
    ctiClass* parent;
  } Open;
  CTI_ARRAY(Open) stack = {0};
  const ctAllocator* a = r->spec->in_region;
  ctStatus status = cti_array_push(&stack, a, ((Open){section, NULL}));
  while (status == CT_OK && stack.count > 0) {
    Open at = stack.data[--stack.count];
    ctiClass* class_ = NULL;
    CT_TRY(open_class(r, at.element, at.parent, &class_));
    for (const ctiXml* e = at.element->first; e; e = e->next) {
      if (!cti_text_equal(e->name, "default")) CT_TRY(cti_mjcf_read_template(r, e, class_));
    }
    // pushed last to first, so that they are read first to last
    int first = stack.count;
    for (const ctiXml* e = at.element->first; e && status == CT_OK; e = e->next) {
      if (cti_text_equal(e->name, "default")) status = cti_array_push(&stack, a, ((Open){e, class_}));
    }
    for (int i = first, k = stack.count - 1; i < k; i++, k--) {
      Open swap = stack.data[i];
      stack.data[i] = stack.data[k];
      stack.data[k] = swap;
    }
  }
  return status == CT_OK ? CT_OK : cti_error_memory(r->err);
}

ctStatus cti_mjcf_class_of(ctiReader* r, const ctiXml* e, const char* fallback, ctiClass** out) {
  const ctiXmlAttr* a = cti_xml_find(e, "class");
  const char* name = a && a->value[0] ? a->value : fallback;
  *out = name ? cti_spec_find_class(r->spec, name) : r->spec->classes.data[0];
  if (*out) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "default class \"%s\" is not defined", name);
}

// ---- settings

static ctStatus read_compiler(ctiReader* r, const ctiXml* e) {
  ctiCompiler* c = &r->spec->compiler;
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_compiler, c, &c->head.given));
  if (c->coordinate != 0) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "coordinate"),
                         "coordinate=\"global\" is no longer part of the format; use \"local\"");
  }
  const ctiXml* range = cti_xml_child(e, "lengthrange");
  if (range) CT_TRY(cti_mjcf_read_attrs(r, range, &cti_attrs_lengthrange, &r->spec->lengthrange, NULL));
  return CT_OK;
}

static ctStatus read_option(ctiReader* r, const ctiXml* e) {
  ctOption* o = &r->spec->option;
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_option, o, &r->spec->given_option));
  for (const ctiXml* flag = cti_xml_child(e, "flag"); flag; flag = cti_xml_next(flag, "flag")) {
    CT_TRY(cti_mjcf_read_attrs(r, flag, &cti_attrs_flag, o, &r->spec->given_flag));
  }
  if (!(o->timestep > 0)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "timestep"), "timestep must be positive");
  }
  return CT_OK;
}

// Bytes, with a unit; -1: as many as are needed. It is not used here, but what it says must have a meaning.
static bool is_memory(const char* text) {
  static const char units[] = "KMGTPE";
  const size_t size = strlen(text);
  const char* unit = size > 1 ? strchr(units, text[size - 1] & ~0x20) : NULL;
  int64_t n = 0;
  if (cti_text_equal(text, "-1")) return true;
  if (cti_parse_int(text, text + size - (unit ? 1 : 0), &n) != CTI_NUMBER_OK || n < 0) return false;
  return n <= INT64_MAX >> (unit ? 10 * (unit - units + 1) : 0);
}

static ctStatus read_size(ctiReader* r, const ctiXml* e) {
  ctiSize* s = &r->spec->size;
  cti_mjcf_place(r, e, &s->head);
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_size, s, &s->head.given));
  const ctiXmlAttr* memory = cti_xml_find(e, "memory");
  if (memory && !is_memory(memory->value))
    return cti_xml_error(
        r->err, CT_ERR_INVALID, e, memory,
        "memory: \"%s\" is not a size: write a whole number, with K, M, G, T, P or E behind it "
        "for a unit; or leave it out, memory grows as needed",
        memory->value);
  if (memory && (cti_xml_find(e, "nstack") || cti_xml_find(e, "njmax"))) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, memory,
                         "\"memory\" replaces \"nstack\" and \"njmax\": remove those");
  }
  return CT_OK;
}

static ctStatus read_statistic(ctiReader* r, const ctiXml* e) {
  ctiStatistic* s = &r->spec->statistic;
  return cti_mjcf_read_attrs(r, e, &cti_attrs_statistic, s, &s->head.given);
}

static ctStatus read_visual(ctiReader* r, const ctiXml* e) {
  static const char* const groups[6] = {"global", "quality", "headlight", "map", "scale", "rgba"};
  for (const ctiXml* group = e->first; group; group = group->next) {
    for (int i = 0; i < 6; i++) {
      if (!cti_text_equal(group->name, groups[i])) continue;
      CT_TRY(
          cti_mjcf_read_attrs(r, group, &cti_attrs_visual[i], &r->spec->visual, &r->spec->given_visual[i]));
    }
  }
  return CT_OK;
}

// Kinds are read in a fixed order, whatever their order in the file.
ctStatus cti_mjcf_read_settings(ctiReader* r, const ctiXml* root) {
  static const struct {
    const char* tag;
    ctStatus (*read)(ctiReader* r, const ctiXml* e);
  } sections[] = {{"compiler", read_compiler},
                  {"option", read_option},
                  {"size", read_size},
                  {"visual", read_visual},
                  {"statistic", read_statistic}};
  for (int i = 0; i < CT_COUNT_OF(sections); i++) {
    for (const ctiXml* e = cti_xml_child(root, sections[i].tag); e; e = cti_xml_next(e, sections[i].tag)) {
      CT_TRY(sections[i].read(r, e));
    }
  }
  return CT_OK;
}

// ---- sections

// A new element of a list that takes its defaults from a class.
#define ADD_FROM_CLASS(out, kind, e)               \
  ctiClass* from_;                                 \
  CT_TRY(cti_mjcf_class_of(r, (e), NULL, &from_)); \
  out = cti_spec_add_##kind(r->spec, from_);       \
  if (!out) return cti_error_memory(r->err)

#define ADD_PLAIN(out, list)             \
  out = cti_spec_add_to_##list(r->spec); \
  if (!out) return cti_error_memory(r->err)

// ---- custom

static ctStatus read_numeric(ctiReader* r, const ctiXml* e) {
  ctiNumeric* numeric;
  ADD_PLAIN(numeric, numerics);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_numeric, &numeric->head));
  if (!cti_xml_find(e, "size")) numeric->size = numeric->data.count;
  if (numeric->size <= 0 || numeric->data.count > numeric->size) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "numeric \"%s\": %d numbers do not fit the size %d",
                         numeric->head.name, numeric->data.count, numeric->size);
  }
  return CT_OK;
}

static ctStatus read_text_element(ctiReader* r, const ctiXml* e) {
  ctiText* text;
  ADD_PLAIN(text, texts);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_text, &text->head));
  if (!text->data && e->text) text->data = cti_intern_sized(&r->spec->strings, e->text, e->text_size);
  if (text->data) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "text \"%s\" is empty: give it data",
                       text->head.name);
}

static ctStatus read_tuple_item(ctiReader* r, const ctiXml* e, ctiTuple* tuple) {
  ctiTupleItem* item = CTI_NEW(r->spec->region, ctiTupleItem);
  if (!item || cti_array_push(&tuple->items, r->spec->in_region, item) != CT_OK)
    return cti_error_memory(r->err);
  item->head.parent = &tuple->head;
  return cti_mjcf_read_element(r, e, &cti_attrs_tuple_item, &item->head);
}

static ctStatus read_tuple(ctiReader* r, const ctiXml* e) {
  ctiTuple* tuple;
  ADD_PLAIN(tuple, tuples);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_tuple, &tuple->head));
  for (const ctiXml* child = e->first; child; child = child->next) CT_TRY(read_tuple_item(r, child, tuple));
  return CT_OK;
}

// ---- assets

// The layers of a material into its texture roles.
static ctStatus read_layers(ctiReader* r, const ctiXml* e, ctiMaterial* material) {
  for (const ctiXml* child = cti_xml_child(e, "layer"); child; child = cti_xml_next(child, "layer")) {
    ctiMaterialLayer layer = {0};
    CT_TRY(cti_mjcf_read_attrs(r, child, &cti_attrs_layer, &layer, NULL));
    material->texture[layer.role] = layer.texture;
  }
  return CT_OK;
}

static ctStatus read_material(ctiReader* r, const ctiXml* e) {
  ctiMaterial* material;
  ADD_FROM_CLASS(material, material, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_material, &material->head));
  if (cti_xml_find(e, "texture") && cti_xml_child(e, "layer")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "a material has either a texture or layers");
  }
  return read_layers(r, e, material);
}

// An asset without a name is called like its file, without folder and extension.
static ctStatus name_after_file(ctiReader* r, ctiElement* head, const char* file) {
  if (head->name || !file) return CT_OK;
  const char *base = cti_path_base(file), *dot = strrchr(base, '.');
  head->name =
      cti_intern_sized(&r->spec->strings, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  return head->name ? CT_OK : cti_error_memory(r->err);
}

static ctStatus read_texture(ctiReader* r, const ctiXml* e) {
  ctiTexture* texture;
  ADD_FROM_CLASS(texture, texture, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_texture, &texture->head));
  return name_after_file(r, &texture->head, texture->file);
}

static ctStatus read_hfield(ctiReader* r, const ctiXml* e) {
  ctiHField* hfield;
  ADD_PLAIN(hfield, hfields);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_hfield, &hfield->head));
  return name_after_file(r, &hfield->head, hfield->file);
}

static ctStatus read_mesh(ctiReader* r, const ctiXml* e) {
  ctiMeshAsset* mesh;
  ADD_FROM_CLASS(mesh, mesh, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_mesh, &mesh->head));
  CT_TRY(cti_mjcf_read_plugin(r, e, &mesh->use));
  return name_after_file(r, &mesh->head, mesh->file);
}

static ctStatus read_bone(ctiReader* r, const ctiXml* e, ctiSkin* skin) {
  ctiBone* bone = CTI_NEW(r->spec->region, ctiBone);
  if (!bone || cti_array_push(&skin->bones, r->spec->in_region, bone) != CT_OK)
    return cti_error_memory(r->err);
  bone->head.parent = &skin->head;
  return cti_mjcf_read_element(r, e, &cti_attrs_bone, &bone->head);
}

static ctStatus read_skin(ctiReader* r, const ctiXml* e) {
  ctiSkin* skin;
  ADD_PLAIN(skin, skins);
  cti_default_skin(skin);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_skin, &skin->head));
  for (const ctiXml* child = e->first; child; child = child->next) CT_TRY(read_bone(r, child, skin));
  return name_after_file(r, &skin->head, skin->file);
}

// ---- contact, equality

static ctStatus read_pair(ctiReader* r, const ctiXml* e) {
  ctiContactPair* pair;
  ADD_FROM_CLASS(pair, pair, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_pair, &pair->head));
  if (pair->geom1 && pair->geom2) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                       "a pair needs the attributes \"geom1\" and \"geom2\"");
}

static ctStatus read_exclude(ctiReader* r, const ctiXml* e) {
  ctiExclude* exclude;
  ADD_PLAIN(exclude, excludes);
  return cti_mjcf_read_element(r, e, &cti_attrs_exclude, &exclude->head);
}

static ctStatus read_constraint(ctiReader* r, const ctiXml* e, int type, const ctiAttrTable* attrs) {
  ctiEquality* eq;
  ADD_FROM_CLASS(eq, equality, e);
  eq->type = type;
  CT_TRY(cti_mjcf_read_element(r, e, attrs, &eq->head));
  if (type != CT_EQ_CONNECT && type != CT_EQ_WELD) return CT_OK;
  // two ways to say it: by sites, or by bodies
  bool sites = eq->site1 || eq->site2,
       bodies = eq->body1 || eq->body2 || cti_xml_find(e, "anchor") || cti_xml_find(e, "relpose");
  if (sites && bodies)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "give either site1 and site2, or body1 with its companions");
  if (sites && !(eq->site1 && eq->site2))
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "site1 and site2 come together");
  if (!sites && !eq->body1)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "<%s> needs body1, or site1 and site2", e->name);
  if (!sites && type == CT_EQ_CONNECT && !cti_xml_find(e, "anchor")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "<connect> between bodies needs the attribute \"anchor\"");
  }
  return CT_OK;
}

static ctStatus read_connect(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_CONNECT, &cti_attrs_connect);
}
static ctStatus read_weld(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_WELD, &cti_attrs_weld);
}
static ctStatus read_eq_joint(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_JOINT, &cti_attrs_eq_joint);
}
static ctStatus read_eq_tendon(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_TENDON, &cti_attrs_eq_tendon);
}

static ctStatus read_eq_flex(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_FLEX, &cti_attrs_eq_flex);
}
static ctStatus read_eq_flexstrain(ctiReader* r, const ctiXml* e) {
  return read_constraint(r, e, CT_EQ_FLEXSTRAIN, &cti_attrs_eq_flexstrain);
}

// ---- tendons

static const struct {
  const char* tag;
  const ctiAttrTable* attrs;
  int type;
} wraps[] = {{"site", &cti_attrs_wrap_site, CT_WRAP_SITE},
             {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE},
             {"pulley", &cti_attrs_wrap_pulley, CT_WRAP_PULLEY},
             {"joint", &cti_attrs_wrap_joint, CT_WRAP_JOINT}};

static ctStatus read_wrap(ctiReader* r, const ctiXml* e, ctiTendon* tendon) {
  ctiWrap* wrap = CTI_NEW(r->spec->region, ctiWrap);
  if (!wrap || cti_array_push(&tendon->path, r->spec->in_region, wrap) != CT_OK)
    return cti_error_memory(r->err);
  wrap->head.parent = &tendon->head;
  for (int i = 0; i < CT_COUNT_OF(wraps); i++) {
    if (!cti_text_equal(wraps[i].tag, e->name)) continue;
    wrap->type = wraps[i].type;
    CT_TRY(cti_mjcf_read_element(r, e, wraps[i].attrs, &wrap->head));
  }
  if (wrap->type == CT_WRAP_PULLEY && !(wrap->value > 0)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "divisor"),
                         "the divisor of a pulley must be positive");
  }
  return CT_OK;
}

static ctStatus read_tendon(ctiReader* r, const ctiXml* e) {
  ctiTendon* tendon;
  ADD_FROM_CLASS(tendon, tendon, e);
  bool fixed = cti_text_equal(e->name, "fixed");
  tendon->type = fixed ? CT_TENDON_FIXED : CT_TENDON_SPATIAL;
  CT_TRY(cti_mjcf_read_element(r, e, fixed ? &cti_attrs_fixed : &cti_attrs_spatial, &tendon->head));
  for (const ctiXml* child = e->first; child; child = child->next) CT_TRY(read_wrap(r, child, tendon));
  return CT_OK;
}

static ctStatus read_key(ctiReader* r, const ctiXml* e) {
  ctiKey* key;
  ADD_PLAIN(key, keys);
  return cti_mjcf_read_element(r, e, &cti_attrs_key, &key->head);
}

// ---- sensors

static ctStatus read_sensors(ctiReader* r, const ctiXml* section) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    ctiSensor* sensor;
    ADD_PLAIN(sensor, sensors);
    while (!cti_text_equal(cti_sensor_kinds[sensor->type].tag, e->name)) sensor->type++;
    const ctiSensorKind* kind = &cti_sensor_kinds[sensor->type];
    sensor->num = sensor->data = 1;
    sensor->needstage = kind->stage;
    sensor->datatype = kind->datatype;
    CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_sensor[kind->attach], &sensor->head));
    if (kind->attach == CTI_ATTACH_PLUGIN) CT_TRY(cti_mjcf_read_config(r, e, &sensor->use));
    if (kind->attach == CTI_ATTACH_FRAME && !sensor->reftype != !sensor->refname) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "reftype and refname come together");
    }
    if (kind->attach == CTI_ATTACH_RAYS && !sensor->site == !sensor->camera) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                           "a rangefinder is attached to a site or to a camera");
    }
  }
  return CT_OK;
}

// ---- which reader for which element

typedef struct Entry {
  const char* tag;
  ctStatus (*read)(ctiReader* r, const ctiXml* e);
} Entry;

static ctStatus read_section(ctiReader* r, const ctiXml* section, const Entry* entries, int n) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    for (int i = 0; i < n; i++) {
      if (cti_text_equal(entries[i].tag, e->name)) CT_TRY(entries[i].read(r, e));
    }
  }
  return CT_OK;
}

#define SECTION(name, ...)                                                     \
  static ctStatus read_##name##_section(ctiReader* r, const ctiXml* section) { \
    static const Entry entries[] = {__VA_ARGS__};                              \
    return read_section(r, section, entries, CT_COUNT_OF(entries));            \
  }
SECTION(extensions, {"plugin", read_extension})
SECTION(custom, {"numeric", read_numeric}, {"text", read_text_element}, {"tuple", read_tuple})
SECTION(assets, {"texture", read_texture}, {"material", read_material}, {"hfield", read_hfield},
        {"mesh", read_mesh}, {"skin", read_skin}, {"model", cti_mjcf_read_model})
SECTION(deformables, {"flex", cti_mjcf_read_flex}, {"skin", read_skin})
SECTION(contact, {"pair", read_pair}, {"exclude", read_exclude})
SECTION(equality, {"connect", read_connect}, {"weld", read_weld}, {"joint", read_eq_joint},
        {"tendon", read_eq_tendon}, {"flex", read_eq_flex}, {"flexstrain", read_eq_flexstrain})
SECTION(tendons, {"spatial", read_tendon}, {"fixed", read_tendon})
SECTION(keyframes, {"key", read_key})

ctStatus cti_mjcf_read_parts(ctiReader* r, const ctiXml* holder, ctiElement* owner) {
  if (owner->attrs == &cti_attrs_material) return read_layers(r, holder, (ctiMaterial*)(void*)owner);
  ctiPluginUse* use = cti_plugin_use(owner);
  if (use) CT_TRY(cti_mjcf_read_plugin(r, holder, use));
  if (use) CT_TRY(cti_mjcf_read_config(r, holder, use));
  for (const ctiXml* e = holder->first; e; e = e->next) {
    if (owner->attrs == &cti_attrs_spatial || owner->attrs == &cti_attrs_fixed)
      CT_TRY(read_wrap(r, e, (ctiTendon*)(void*)owner));
    if (owner->attrs == &cti_attrs_tuple) CT_TRY(read_tuple_item(r, e, (ctiTuple*)(void*)owner));
    if (owner->attrs == &cti_attrs_skin) CT_TRY(read_bone(r, e, (ctiSkin*)(void*)owner));
    if (owner->attrs == &cti_attrs_flex) CT_TRY(cti_mjcf_read_flex_part(r, e, (ctiFlex*)(void*)owner));
  }
  return CT_OK;
}

// Parts meant to be included into a <worldbody> have bodies right in the root: alone they are empty models.
static void remark_stray_bodies(const ctiReader* r, const ctiXml* root) {
  static const char* const tags[] = {"body", "frame", "replicate"};
  for (int i = 0; i < 3; i++) {
    const ctiXml* e = cti_xml_child(root, tags[i]);
    if (!e) continue;
    const ctiElement here = {.tag = tags[i], .where = {e->file, e->line, e->column}};
    cti_remark(r->spec, CT_LOG_WARNING, &here, "it has no effect outside <worldbody>");
  }
}

ctStatus cti_mjcf_read_sections(ctiReader* r, const ctiXml* root) {
  static const struct {
    const char* tag;
    ctStatus (*read)(ctiReader* r, const ctiXml* e);
  } sections[] = {{"extension", read_extensions_section},   {"default", read_defaults},
                  {"custom", read_custom_section},          {"asset", read_assets_section},
                  {"deformable", read_deformables_section}, {"contact", read_contact_section},
                  {"equality", read_equality_section},      {"tendon", read_tendons_section},
                  {"actuator", cti_mjcf_read_actuators},    {"sensor", read_sensors},
                  {"keyframe", read_keyframes_section},     {"worldbody", cti_mjcf_read_world}};
  CT_TRY(cti_mjcf_read_attrs(r, root, &cti_attrs_model, r->spec, NULL));
  CT_TRY(cti_mjcf_read_settings(r, root));
  remark_stray_bodies(r, root);
  for (int i = 0; i < CT_COUNT_OF(sections); i++) {
    for (const ctiXml* e = cti_xml_child(root, sections[i].tag); e; e = cti_xml_next(e, sections[i].tag)) {
      CT_TRY(sections[i].read(r, e));
    }
  }
  return CT_OK;
}
