// Text -> spec: files that are included, then section by section.
#include "mjcf/read.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files.h"
#include "base/strings.h"
#include "corten/model.h"
#include "spec/spec.h"
#include "transform/keyframes.h"
#include "urdf/urdf.h"
#include "xml/parse.h"

// ---- <include>

// <include file="..."/>: other files spliced into the tree before it is read.

// The documents that a model was read from; the first is the model file itself.
typedef CTI_ARRAY(ctiXmlDoc*) XmlDocs;

typedef struct Expander {
  XmlDocs* docs;
  ctiRegion* region;  // paths
  const char* model_dir;
  const ctLoadOptions* opt;
  ctiNameMap seen;  // normalised paths
  ctiBudget* budget;
  ctError* err;
} Expander;

// The path of an included file: from the model's folder if it is there, else from the including file's.
static const char* find_file(Expander* x, const ctiXml* e, const char* name) {
  const ctVfs* vfs = x->opt ? x->opt->vfs : NULL;
  const char* path = cti_path_join(x->region, x->model_dir, name);
  if (!path || cti_file_exists(vfs, path)) return path;
  const char* dir = cti_path_dir(x->region, e->file);
  const char* nearby = dir ? cti_path_join(x->region, dir, name) : NULL;
  return nearby && cti_file_exists(vfs, nearby) ? nearby : path;
}

static ctStatus note_path(Expander* x, const ctiXml* e, const char* path) {
  char* normal = cti_path_normalise(x->region, path);
  if (!normal) return cti_error_memory(x->err);
  ctStatus status = cti_names_add(&x->seen, normal, 1);
  if (status == CT_ERR_INVALID) {
    return cti_xml_error(x->err, status, e, NULL, "file \"%s\" is included twice, or includes itself", path);
  }
  return status == CT_OK ? CT_OK : cti_error_memory(x->err);
}

static ctStatus parse_file(Expander* x, const ctiXml* e, const char* path, ctiXmlDoc** out) {
  const ctAllocator* a = x->opt ? x->opt->allocator : NULL;
  ctiXmlLimits limits = {.size = x->opt ? x->opt->max_file_size : 0, .depth = x->opt ? x->opt->max_depth : 0};
  ctiFile file;
  ctError inner = {0};
  ctStatus status = cti_file_read(&file, x->opt ? x->opt->vfs : NULL, path, limits.size, a, &inner);
  // a file that is not there is the including element's fault
  if (status != CT_OK)
    return cti_xml_error(x->err, status, e, NULL, "cannot include \"%s\": %s", path, inner.message);
  status = cti_xml_parse(out, file.data, file.size, path, &limits, a, x->err);
  cti_budget_earn(x->budget, file.size);
  cti_file_release(&file, a);
  if (status != CT_OK) return status;
  if (cti_array_push(x->docs, a, *out) == CT_OK) return CT_OK;
  cti_xml_free(*out);
  return cti_error_memory(x->err);
}

// Put the children of `root` in the place of `e`. Returns what now stands there: the next element to look at.
static ctiXml* splice(ctiXml* e, ctiXml* root) {
  ctiXml** link = &e->parent->first;
  while (*link != e) link = &(*link)->next;
  if (!root->first) return *link = e->next;
  ctiXml* last = NULL;
  for (ctiXml* child = root->first; child; child = child->next) {
    child->parent = e->parent;
    last = child;
  }
  last->next = e->next;
  return *link = root->first;
}

static ctStatus include_file(Expander* x, ctiXml* e, ctiXml** next) {
  const ctiXmlAttr* a = cti_xml_find(e, "file");
  if (!a || !a->value[0])
    return cti_xml_error(x->err, CT_ERR_INVALID, e, NULL, "<include> needs the attribute \"file\"");
  const char* path = find_file(x, e, a->value);
  if (!path) return cti_error_memory(x->err);
  CT_TRY(note_path(x, e, path));
  ctiXmlDoc* doc;
  CT_TRY(parse_file(x, e, path, &doc));
  *next = splice(e, doc->root);
  return CT_OK;
}

// Walk the growing tree in document order.
static ctStatus expand(Expander* x, ctiXml* root) {
  ctiXml* e = root->first;
  while (e) {
    if (cti_text_equal_nocase(e->name, "include")) {
      ctiXml *parent = e->parent, *next = NULL;
      CT_TRY(include_file(x, e, &next));
      if (next) {
        e = next;
        continue;
      }
      // the include was the last child: go on behind the parent
      e = parent;
      if (e == root) return CT_OK;
    } else if (e->first) {
      e = e->first;
      continue;
    }
    while (!e->next && e->parent != root) e = e->parent;
    e = e->next;
  }
  return CT_OK;
}

// Replace every <include> below the root of the first document by the children of the root of the file it
// names; files are added to `docs`, which the caller frees. A path is tried from the folder of the model,
// then from that of the including file. A file may be included once.
static ctStatus expand_includes(XmlDocs* docs, const char* model_file, const ctLoadOptions* opt,
                                ctiBudget* budget, ctError* err) {
  ctiRegion* region = cti_region_create(opt ? opt->allocator : NULL);
  if (!region) return cti_error_memory(err);
  Expander x = {.docs = docs, .region = region, .opt = opt, .budget = budget, .err = err};
  cti_names_init(&x.seen, cti_region_allocator(region));
  x.model_dir = model_file ? cti_path_dir(region, model_file) : "";
  ctStatus status = x.model_dir ? CT_OK : cti_error_memory(err);
  if (status == CT_OK && model_file) status = note_path(&x, docs->data[0]->root, model_file);
  if (status == CT_OK) status = expand(&x, docs->data[0]->root);
  cti_region_free(region);
  return status;
}

// ---- documents

// <size nkey> asks for more keyframes than are written: they are in the reference configuration.
static ctStatus add_empty_keys(ctiReader* r, const ctiXml* root) {
  const int most = 1000000;
  if (r->spec->size.nkey > most)
    return cti_xml_error(r->err, CT_ERR_LIMIT, cti_xml_child(root, "size"), NULL, "nkey is above %d", most);
  while (r->spec->keys.count < r->spec->size.nkey) {
    ctiKey* key = cti_spec_add_to_keys(r->spec);
    if (!key) return cti_error_memory(r->err);
    cti_mjcf_place(r, root, &key->head);
  }
  return CT_OK;
}

void cti_mjcf_free_models(ctiReader* r) {
  for (int i = 0; i < r->models.count; i++) {
    r->spec->budget.used -= r->models.data[i].charged;
    ct_spec_free(r->models.data[i].spec);
  }
}

// ---- URDF

static bool is_robot(const ctiXml* root) {
  return cti_text_equal(root->name, "robot");
}

// What a <mujoco> element in a <robot> may say. MuJoCo reads the first three kinds and skips the rest.
static const struct {
  const char* tag;
  const ctiAttrTable* attrs;
  bool of_mujoco;
} robot_settings[] = {{"compiler", &cti_attrs_compiler, true},
                      {"option", &cti_attrs_option, true},
                      {"size", &cti_attrs_size, true},
                      {"visual", &cti_attrs_none, false},
                      {"statistic", &cti_attrs_statistic, false}};

// Take out what has no effect, with a remark for each.
static void skip_unknown(const ctSpec* spec, ctiXml* holder, bool as_mujoco) {
  for (ctiXml** link = &holder->first; *link;) {
    ctiXml* e = *link;
    const int n = CT_COUNT_OF(robot_settings);
    int i = 0;
    while (i < n && !cti_text_equal(robot_settings[i].tag, e->name)) i++;
    if (i == n || (as_mujoco && !robot_settings[i].of_mujoco)) {
      char hint[160];
      cti_urdf_remark(
          spec, e, NULL, "<%s> in the <mujoco> of a robot has no effect%s", e->name,
          cti_suggest_nearest_text(hint, sizeof(hint), e->name, CTI_WORDS_IN(robot_settings, n, tag)));
      *link = e->next;
      continue;
    }
    const ctiAttrTable* t = robot_settings[i].attrs;
    const ctiWords words = t->count > 0 ? CTI_WORDS_IN(t->rows, t->count, name) : (ctiWords){0};
    cti_urdf_remark_attrs(spec, e, &words);
    link = &e->next;
  }
}

static ctStatus read_robot(ctSpec* spec, ctiXml* root, const ctLoadOptions* opt, ctError* err) {
  const ctUrdfOptions* urdf = opt ? opt->urdf : NULL;
  cti_urdf_settings(spec, urdf);
  ctiReader reader = {.spec = spec, .err = err, .opt = opt};
  for (ctiXml* e = cti_xml_child(root, "mujoco"); e; e = cti_xml_next(e, "mujoco")) {
    skip_unknown(spec, e, urdf && urdf->mujoco);
    CT_TRY(cti_mjcf_read_settings(&reader, e));
  }
  // URDF says what angles are in
  spec->compiler.degree = false;
  memcpy(spec->compiler.eulerseq, "XYZ", sizeof(spec->compiler.eulerseq));
  return cti_urdf_read(spec, root, urdf, err);
}

// ---- documents

static ctStatus read_document(ctSpec* spec, ctiXml* root, const ctLoadOptions* opt, const ctiOrigin* origin,
                              ctError* err) {
  if (is_robot(root)) return read_robot(spec, root, opt, err);
  if (!cti_text_equal(root->name, "mujoco")) {
    return cti_xml_error(err, CT_ERR_INVALID, root, NULL,
                         "the root element is <%s>; a model starts with <mujoco>, or with <robot> (URDF)",
                         root->name);
  }
  CT_TRY(cti_mjcf_validate(spec, root, err));
  ctiReader reader = {.spec = spec, .err = err, .opt = opt, .origin = origin};
  ctStatus status = cti_mjcf_read_sections(&reader, root);
  if (status == CT_OK && !origin->outer) status = add_empty_keys(&reader, root);
  cti_mjcf_free_models(&reader);
  cti_keys_forget_sources(spec);
  return status;
}

// Files that are not strict XML.
static void remark_mended(const ctSpec* spec, const XmlDocs* docs) {
  char line[1100];
  for (int i = 0; i < docs->count && spec->log.write; i++) {
    if (!docs->data[i]->remark) continue;
    snprintf(line, sizeof(line), "%s; taken all the same", docs->data[i]->remark);
    spec->log.write(spec->log.context, CT_LOG_WARNING, line);
  }
}

// The document with its includes, and the spec read from it.
static ctStatus parse_into(ctSpec* spec, XmlDocs* docs, const char* text, size_t size, const char* file,
                           const ctLoadOptions* opt, const ctiOrigin* outer, ctError* err) {
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiXmlLimits limits = {.size = opt ? opt->max_file_size : 0, .depth = opt ? opt->max_depth : 0};
  ctiXmlDoc* doc;
  CT_TRY(cti_xml_parse(&doc, text, size, file, &limits, allocator, err));
  if (cti_array_push(docs, allocator, doc) != CT_OK) {
    cti_xml_free(doc);
    return cti_error_memory(err);
  }
  cti_budget_earn(&spec->budget, size);
  if (!is_robot(doc->root)) CT_TRY(expand_includes(docs, file, opt, &spec->budget, err));
  remark_mended(spec, docs);
  if (file) spec->file = cti_intern(&spec->strings, file);
  if (!spec->file) return cti_error_memory(err);
  spec->compiler.file = spec->file;
  const ctiOrigin origin = {file ? cti_path_normalise(spec->region, file) : NULL, outer, &spec->budget};
  return read_document(spec, doc->root, opt, &origin, err);
}

ctStatus cti_mjcf_parse(ctSpec** out, const char* text, size_t size, const char* file,
                        const ctLoadOptions* opt, const ctiOrigin* outer, ctError* err) {
  *out = NULL;
  ctSpec* spec;
  CT_TRY(ct_spec_create(&spec, opt, err));
  // a model inside another has what that one has left
  if (outer) spec->budget.limit = outer->budget->limit - outer->budget->used;
  XmlDocs docs = {0};
  ctStatus status = parse_into(spec, &docs, text, size, file, opt, outer, err);
  for (int i = 0; i < docs.count; i++) cti_xml_free(docs.data[i]);
  cti_array_free(&docs, opt ? opt->allocator : NULL);
  if (status == CT_ERR_MEMORY && spec->budget.refused)
    status = cti_spec_no_memory(err, &spec->budget, &spec->world->head);
  if (status != CT_OK) {
    ct_spec_free(spec);
    return status;
  }
  *out = spec;
  return CT_OK;
}
