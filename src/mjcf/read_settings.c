// The sections that are settings: compiler, option, size, visual, statistic.
#include "mjcf/reader.h"

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
    CT_TRY(cti_mjcf_read_attrs(r, flag, &cti_attrs_flag, o, NULL));
  }
  if (!(o->timestep > 0)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "timestep"), "timestep must be positive");
  }
  return CT_OK;
}

static ctStatus read_size(ctiReader* r, const ctiXml* e) {
  ctiSize* s = &r->spec->size;
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_size, s, &s->head.given));
  const ctiXmlAttr* memory = cti_xml_find(e, "memory");
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
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    for (const ctiXml* e = cti_xml_child(root, sections[i].tag); e; e = cti_xml_next(e, sections[i].tag)) {
      CT_TRY(sections[i].read(r, e));
    }
  }
  return CT_OK;
}
