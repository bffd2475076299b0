// The document against the schema, before anything is read.
#include "mjcf/reader.h"

#include <string.h>

typedef CTI_ARRAY(const ctiSchema*) Path;

static ctStatus unknown_child(const ctiXml* e, const ctiSchema* s, ctError* err) {
  return cti_read_unknown_element(e, CTI_WORDS_IN(s->children, s->nchild, tag), err);
}

static const ctiAttr* find_attr(const ctiAttrTable* t, const char* name) {
  for (int k = 0; t && k < t->count; k++) {
    if (cti_text_equal(t->rows[k].name, name)) return &t->rows[k];
  }
  return NULL;
}

static ctiWords words_of(const ctiAttrTable* t) {
  return t && t->count > 0 ? CTI_WORDS_IN(t->rows, t->count, name) : (ctiWords){0};
}

// The nearest known word, looked for in both tables of the element.
static ctStatus unknown_attr(const ctiXml* e, const ctiXmlAttr* a, const ctiSchema* s, ctError* err) {
  ctiWords known = words_of(s->attrs), more = words_of(s->more);
  if (known.count == 0 || (more.count > 0 && cti_suggest_in(a->name, more))) known = more;
  return cti_read_unknown_attr(e, a, known, err);
}

// What belongs to one element: its name, what it is attached to, where its data come from.
static bool not_in_default(const char* tag, const ctiAttr* row) {
  static const char* const own[][2] = {
      {"mesh", "content_type"}, {"mesh", "file"},      {"mesh", "vertex"},          {"mesh", "normal"},
      {"mesh", "texcoord"},     {"mesh", "face"},      {"mesh", "refpos"},          {"mesh", "refquat"},
      {"mesh", "smoothnormal"}, {"mesh", "builtin"},   {"mesh", "params"},          {"mesh", "material"},
      {"light", "texture"},     {"texture", "file"},   {"texture", "content_type"}, {"texture", "fileright"},
      {"texture", "fileleft"},  {"texture", "fileup"}, {"texture", "filedown"},     {"texture", "filefront"},
      {"texture", "fileback"}};
  const int kind = row->type == CTI_ATTR_NAME ? row->refers : 0;
  bool attached = kind == CT_OBJ_JOINT || kind == CT_OBJ_SITE || kind == CT_OBJ_BODY ||
                  kind == CT_OBJ_TENDON || kind == CT_OBJ_GEOM || cti_text_equal(row->name, "lengthrange");
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
    attached = attached || (cti_text_equal(own[i][0], tag) && cti_text_equal(own[i][1], row->name));
  return attached || (row->rules & CTI_ATTR_NOT_DEFAULT);
}

// The root may name other languages.
static bool is_foreign(const ctiXml* e, const char* name) {
  return !e->parent && (cti_text_equal(name, "xmlns") || strchr(name, ':'));
}

static ctStatus check_attrs(const ctiXml* e, const ctiSchema* s, bool in_default, ctError* err) {
  for (int i = 0; i < e->nattr; i++) {
    if (is_foreign(e, e->attrs[i].name)) continue;
    const ctiAttr* row = find_attr(s->attrs, e->attrs[i].name);
    if (!row) row = find_attr(s->more, e->attrs[i].name);
    if (!row) return unknown_attr(e, &e->attrs[i], s, err);
    if (in_default && not_in_default(e->name, row)) {
      return cti_xml_error(err, CT_ERR_INVALID, e, &e->attrs[i], "\"%s\" cannot be set in a default class",
                           row->name);
    }
  }
  return CT_OK;
}

// Elements that may appear once in their parent: some kinds, and each kind in a default class.
static ctStatus check_single(const ctiXml* e, bool in_default, ctError* err) {
  static const char* const single[] = {"inertial", "freejoint", "flag", "lengthrange"};
  for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
    bool counts = in_default ? i == 0 : cti_text_equal(e->name, single[i]);
    if (!counts) continue;
    const ctiXml* first = cti_xml_child(e->parent, e->name);
    if (first != e) {
      return cti_xml_error(err, CT_ERR_INVALID, e, NULL,
                           "<%s> may stand in <%s> only once; the first is at line %d", e->name,
                           e->parent->name, first->line);
    }
  }
  return CT_OK;
}

static ctStatus check_element(const ctiXml* e, const ctiSchema* parent, const ctiSchema** out, ctError* err) {
  const ctiSchema* s = cti_schema_child(parent, e->name);
  if (!s) return unknown_child(e, parent, err);
  if (s->missing) {
    return cti_xml_error(err, CT_ERR_UNSUPPORTED, e, NULL, "<%s> in <%s> is not supported yet", e->name,
                         e->parent->name);
  }
  *out = s;
  bool in_default = cti_text_equal(e->parent->name, "default") && !cti_text_equal(e->name, "default");
  CT_TRY(check_attrs(e, s, in_default, err));
  return check_single(e, in_default, err);
}

ctStatus cti_mjcf_validate(const ctiXml* root, const ctAllocator* a, ctError* err) {
  CT_TRY(check_attrs(root, &cti_schema_document, false, err));
  return cti_mjcf_validate_in(root, &cti_schema_document, a, err);
}

ctStatus cti_mjcf_validate_in(const ctiXml* root, const ctiSchema* schema, const ctAllocator* a,
                              ctError* err) {
  // path[d] is the schema of the ancestor at depth d of the element at hand
  Path path = {0};
  ctStatus status = cti_array_push(&path, a, schema);
  if (status != CT_OK) status = cti_error_memory(err);
  int depth = 0;
  const ctiXml* e = root;
  while (status == CT_OK) {
    // next element in document order, and its depth
    if (e == root && !e->first) break;
    if (e->first) {
      e = e->first;
      depth++;
    } else {
      while (e != root && !e->next) {
        e = e->parent;
        depth--;
      }
      if (e == root) break;
      e = e->next;
    }
    path.count = depth;
    const ctiSchema* s = NULL;
    status = check_element(e, path.data[depth - 1], &s, err);
    if (status == CT_OK && cti_array_push(&path, a, s) != CT_OK) status = cti_error_memory(err);
  }
  cti_array_free(&path, a);
  return status;
}
