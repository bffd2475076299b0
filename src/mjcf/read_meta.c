// Elements that make other elements: models to attach from, attachments, replicas.
#include "base/files.h"
#include "mjcf/reader.h"
#include "transform/attach.h"
#include "transform/merge.h"

static ctStatus check_cycle(ctiReader* r, const ctiXml* e, const char* path) {
  char* normal = cti_path_normalise(r->spec->region, path);
  if (!normal) return cti_error_memory(r->err);
  int depth = 0;
  for (const ctiOrigin* o = r->origin; o; o = o->outer) {
    depth++;
    if (!cti_text_equal(o->file, normal)) continue;
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "model \"%s\" is part of itself", path);
  }
  const int most = 100;
  if (depth > most)
    return cti_xml_error(r->err, CT_ERR_LIMIT, e, NULL, "models are nested more than %d deep", most);
  return CT_OK;
}

// From the folder of the file that has the element, else from the model's.
static const char* model_path(const ctiReader* r, const ctiXml* e, const char* name) {
  const char* dir = cti_path_dir(r->spec->region, e->file);
  const char* path = dir ? cti_path_join(r->spec->region, dir, name) : NULL;
  if (!path || cti_file_exists(r->opt ? r->opt->vfs : NULL, path)) return path;
  dir = cti_path_dir(r->spec->region, r->spec->file);
  return dir ? cti_path_join(r->spec->region, dir, name) : NULL;
}

ctStatus cti_mjcf_read_model(ctiReader* r, const ctiXml* e) {
  ctiModelWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_submodel, &words, NULL));
  if (words.content_type && words.content_type[0] && !cti_text_equal(words.content_type, "text/xml")) {
    return cti_xml_error(r->err, CT_ERR_UNSUPPORTED, e, cti_xml_find(e, "content_type"),
                         "a model to attach is \"text/xml\", not \"%s\"", words.content_type);
  }
  const char* path = model_path(r, e, words.file);
  if (!path) return cti_error_memory(r->err);
  CT_TRY(check_cycle(r, e, path));
  const ctAllocator* allocator = r->opt ? r->opt->allocator : NULL;
  const ctVfs* vfs = r->opt ? r->opt->vfs : NULL;
  ctiFile file;
  ctError inner = {0};
  ctStatus status = cti_file_read(&file, vfs, path, r->opt ? r->opt->max_file_size : 0, allocator, &inner);
  if (status != CT_OK)
    return cti_xml_error(r->err, status, e, NULL, "cannot read the model \"%s\": %s", path, inner.message);
  ctiSubmodel model = {words.name, NULL};
  status = cti_mjcf_parse(&model.spec, file.data, file.size, path, r->opt, r->origin, r->err);
  cti_file_release(&file, allocator);
  if (status != CT_OK) return status;
  if (!model.name) model.name = model.spec->modelname;
  if (cti_array_push(&r->models, r->spec->in_region, model) == CT_OK) return CT_OK;
  ct_spec_free(model.spec);
  return cti_error_memory(r->err);
}

// ---- attach

static ctSpec* find_model(const ctiReader* r, const char* name) {
  for (int i = 0; i < r->models.count; i++) {
    if (cti_text_equal(r->models.data[i].name, name)) return r->models.data[i].spec;
  }
  return NULL;
}

// The body or the frame that is asked for; false when it is not there, or memory runs out.
static bool find_part(ctiReader* r, const ctiAttachWords* words, ctiAttachment* g) {
  int n;
  ctiBody** bodies = cti_spec_bodies(g->from->world, r->spec->region, &n);
  for (int i = 0; bodies && i < n; i++) {
    if (words->body && cti_text_equal(bodies[i]->head.name, words->body)) {
      g->what = bodies[i];
      return true;
    }
    for (int k = 0; words->frame && k < bodies[i]->frames.count; k++) {
      if (!cti_text_equal(bodies[i]->frames.data[k]->head.name, words->frame)) continue;
      g->what = bodies[i];
      g->only = bodies[i]->frames.data[k];
      g->contents = true;
      return true;
    }
  }
  return false;
}

ctStatus cti_mjcf_read_attach(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiAttachWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_attach, &words, NULL));
  if (words.body && words.frame)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "body and frame exclude each other: keep one");
  ctSpec* from = words.model ? find_model(r, words.model) : r->spec;
  if (!from) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "model"),
                         "there is no model called \"%s\" in <asset>", words.model);
  }
  char complaint[300];
  if (cti_spec_merge(r->spec, from, complaint, sizeof(complaint)) != CT_OK)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "%s", complaint);
  ctiAttachment g = {
      .to = r->spec, .body = body, .frame = r->frame, .from = from, .prefix = words.prefix, .suffix = ""};
  if (words.body || words.frame) {
    if (!find_part(r, &words, &g)) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "there is no %s called \"%s\" %s%s",
                           words.body ? "body" : "frame", words.body ? words.body : words.frame,
                           words.model ? "in model " : "above this element", words.model ? words.model : "");
    }
  } else if (!words.model) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "attaching a part of the same model needs the attribute \"body\" or \"frame\"");
  } else {
    g.what = from->world;
    g.contents = true;
  }
  return cti_spec_attach(&g, r->err);
}

// ---- replicate

ctStatus cti_mjcf_open_replicate(ctiReader* r, const ctiXml* e, ctiBody* body, const char** class_,
                                 ctiBody** holder) {
  ctiReplicateWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_replicate, &words, NULL));
  if (words.count < 0)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "count"), "count must not be negative");
  if (words.childclass) *class_ = words.childclass;
  *holder = CTI_NEW(r->spec->region, ctiBody);
  if (!*holder) return cti_error_memory(r->err);
  (*holder)->depth = body->depth;
  (*holder)->parent = body;
  (*holder)->head.parent = &body->head;
  cti_mjcf_place(r, e, &(*holder)->head);
  return cti_mjcf_check_class(r, e, words.childclass);
}

ctStatus cti_mjcf_close_replicate(ctiReader* r, const ctiXml* e, ctiBody* holder, ctiBody* body,
                                  const ctiFrame* frame) {
  ctiReplicateWords words = {.sep = ""};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_replicate, &words, NULL));
  if (holder->joints.count > 0 || holder->has_inertial) {
    const ctiElement* misplaced =
        holder->joints.count > 0 ? &holder->joints.data[0]->head : &holder->inertial.head;
    return cti_spec_error(r->err, CT_ERR_INVALID, misplaced,
                          "cannot stand in <replicate> directly: put it into a <body> there");
  }
  ctiReplication how = {.body = body,
                        .frame = frame,
                        .holder = holder,
                        .childclass = words.childclass,
                        .at = &holder->head,
                        .count = words.count,
                        .sep = words.sep};
  for (int i = 0; i < 3; i++) {
    how.offset[i] = words.offset[i];
    how.euler[i] = words.euler[i];
  }
  return cti_spec_replicate(r->spec, &how, r->err);
}
