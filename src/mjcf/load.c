// Text or file -> spec.
#include "mjcf/load.h"

#include <stdio.h>

#include "base/files.h"
#include "mjcf/include.h"
#include "mjcf/reader.h"
#include "model/binary.h"
#include "spec/spec.h"
#include "transform/keyframes.h"

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
  } sections[] = {{"default", cti_mjcf_read_defaults}, {"custom", cti_mjcf_read_custom},
                  {"asset", cti_mjcf_read_assets},     {"deformable", cti_mjcf_read_deformables},
                  {"contact", cti_mjcf_read_contact},  {"equality", cti_mjcf_read_equality},
                  {"tendon", cti_mjcf_read_tendons},   {"actuator", cti_mjcf_read_actuators},
                  {"sensor", cti_mjcf_read_sensors},   {"keyframe", cti_mjcf_read_keyframes},
                  {"worldbody", cti_mjcf_read_world}};
  CT_TRY(cti_mjcf_read_attrs(r, root, &cti_attrs_model, r->spec, NULL));
  CT_TRY(cti_mjcf_read_settings(r, root));
  remark_stray_bodies(r, root);
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    for (const ctiXml* e = cti_xml_child(root, sections[i].tag); e; e = cti_xml_next(e, sections[i].tag)) {
      CT_TRY(sections[i].read(r, e));
    }
  }
  return CT_OK;
}

static ctStatus read_document(ctSpec* spec, const ctiXml* root, const ctLoadOptions* opt,
                              const ctiOrigin* origin, ctError* err) {
  if (cti_text_equal(root->name, "robot")) {
    return cti_xml_error(err, CT_ERR_UNSUPPORTED, root, NULL, "URDF models (<robot>) are not supported yet");
  }
  if (!cti_text_equal(root->name, "mujoco")) {
    return cti_xml_error(err, CT_ERR_INVALID, root, NULL,
                         "the root element is <%s>; a model starts with <mujoco>", root->name);
  }
  CT_TRY(cti_mjcf_validate(root, &spec->allocator, err));
  ctiReader reader = {.spec = spec, .err = err, .opt = opt, .origin = origin};
  ctStatus status = cti_mjcf_read_sections(&reader, root);
  if (status == CT_OK && !origin->outer) status = add_empty_keys(&reader, root);
  for (int i = 0; i < reader.models.count; i++) ct_spec_free(reader.models.data[i].spec);
  cti_keys_settle(spec);
  return status;
}

// Files that are not strict XML.
static void remark_mended(const ctSpec* spec, const ctiXmlDocs* docs) {
  char line[1100];
  for (int i = 0; i < docs->count && spec->log.write; i++) {
    if (!docs->data[i]->remark) continue;
    snprintf(line, sizeof(line), "%s; taken all the same", docs->data[i]->remark);
    spec->log.write(spec->log.context, CT_LOG_WARNING, line);
  }
}

// The document with its includes, and the spec read from it.
static ctStatus parse_into(ctSpec* spec, ctiXmlDocs* docs, const char* text, size_t size, const char* file,
                           const ctLoadOptions* opt, const ctiOrigin* outer, ctError* err) {
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiXmlLimits limits = {.size = opt ? opt->max_file_size : 0, .depth = opt ? opt->max_depth : 0};
  ctiXmlDoc* doc;
  CT_TRY(cti_xml_parse(&doc, text, size, file, &limits, allocator, err));
  if (cti_array_push(docs, allocator, doc) != CT_OK) {
    cti_xml_free(doc);
    return cti_error_memory(err);
  }
  CT_TRY(cti_mjcf_expand_includes(docs, file, opt, err));
  remark_mended(spec, docs);
  if (file) spec->file = cti_intern(&spec->strings, file);
  if (!spec->file) return cti_error_memory(err);
  spec->compiler.file = spec->file;
  const ctiOrigin origin = {file ? cti_path_normalise(spec->region, file) : NULL, outer};
  return read_document(spec, doc->root, opt, &origin, err);
}

ctStatus cti_mjcf_parse(ctSpec** out, const char* text, size_t size, const char* file,
                        const ctLoadOptions* opt, const ctiOrigin* outer, ctError* err) {
  *out = NULL;
  ctSpec* spec;
  CT_TRY(ct_spec_create(&spec, opt, err));
  ctiXmlDocs docs = {0};
  ctStatus status = parse_into(spec, &docs, text, size, file, opt, outer, err);
  for (int i = 0; i < docs.count; i++) cti_xml_free(docs.data[i]);
  cti_array_free(&docs, opt ? opt->allocator : NULL);
  if (status != CT_OK) {
    ct_spec_free(spec);
    return status;
  }
  *out = spec;
  return CT_OK;
}

ctStatus cti_spec_parse(ctSpec** out, const char* text, size_t size, const char* file,
                        const ctLoadOptions* opt, ctError* err) {
  return cti_mjcf_parse(out, text, size, file, opt, NULL, err);
}

static ctStatus no_source(const char* path, ctError* err) {
  return cti_error_at(err, CT_ERR_UNSUPPORTED, path, 0, 0, NULL,
                      "this is a compiled model, which has no source: use the MJCF file it was made from, "
                      "or load the model and call ct_spec_from_model()");
}

ctStatus ct_spec_load(ctSpec** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load: out and path must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiFile file;
  CT_TRY(cti_file_read(&file, opt ? opt->vfs : NULL, path, opt ? opt->max_file_size : 0, allocator, err));
  ctStatus status = cti_model_is_binary(file.data, file.size)
                        ? no_source(path, err)
                        : cti_spec_parse(out, file.data, file.size, path, opt, err);
  cti_file_release(&file, allocator);
  return status;
}

ctStatus ct_spec_load_string(ctSpec** out, const char* text, size_t len, const ctLoadOptions* opt,
                             ctError* err) {
  if (!out || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load_string: out and text must not be NULL");
  *out = NULL;
  return cti_spec_parse(out, text, len, NULL, opt, err);
}
