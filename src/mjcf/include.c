#include "mjcf/include.h"

#include "base/files.h"
#include "base/strings.h"

typedef struct Expander {
  ctiXmlDocs* docs;
  ctiRegion* region;  // paths
  const char* model_dir;
  const ctLoadOptions* opt;
  ctiNameMap seen;  // normalised paths
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

ctStatus cti_mjcf_expand_includes(ctiXmlDocs* docs, const char* model_file, const ctLoadOptions* opt,
                                  ctError* err) {
  ctiRegion* region = cti_region_create(opt ? opt->allocator : NULL);
  if (!region) return cti_error_memory(err);
  Expander x = {.docs = docs, .region = region, .opt = opt, .err = err};
  cti_names_init(&x.seen, cti_region_allocator(region));
  x.model_dir = model_file ? cti_path_dir(region, model_file) : "";
  ctStatus status = x.model_dir ? CT_OK : cti_error_memory(err);
  if (status == CT_OK && model_file) status = note_path(&x, docs->data[0]->root, model_file);
  if (status == CT_OK) status = expand(&x, docs->data[0]->root);
  cti_region_free(region);
  return status;
}
