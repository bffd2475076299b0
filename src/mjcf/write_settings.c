// Settings: which ones are written, and what elements with other settings become in them.
#include <math.h>
#include <string.h>

#include "base/files.h"
#include "math/quat.h"
#include "mjcf/write.h"
#include "spec/defaults.h"
#include "spec/orient.h"

// ---- attached parts may have been written with other settings

// Settings of a part against those that are written so far. Where they differ, something is chosen that both
// can be said in: radians, explicit limits, inertia in numbers.
static void meet(ctiWriter* w, const ctiCompiler* c) {
  ctiCompiler *t = &w->target, *own = &w->spec->compiler;
  if (c->degree != own->degree) t->degree = false;
  if (c->autolimits != own->autolimits) t->autolimits = true;
  if (c->boundmass != own->boundmass) t->boundmass = 0;
  if (c->boundinertia != own->boundinertia) t->boundinertia = 0;
  if (c->balanceinertia != own->balanceinertia) t->balanceinertia = false;
  if (c->inertiafromgeom != own->inertiafromgeom) t->inertiafromgeom = CTI_AUTO;
  w->moves_files = w->moves_files || c->strippath != own->strippath || !cti_text_equal(c->file, own->file) ||
                   !cti_text_equal(c->meshdir, own->meshdir) ||
                   !cti_text_equal(c->texturedir, own->texturedir) ||
                   !cti_text_equal(c->assetdir, own->assetdir);
}

static void meet_element(ctiWriter* w, const ctiElement* e, const ctiCompiler** last) {
  if (!e->compiler || e->compiler == *last) return;
  *last = e->compiler;
  meet(w, e->compiler);
}

ctStatus cti_write_choose_settings(ctiWriter* w) {
  const ctSpec* s = w->spec;
  w->target = s->compiler;
  const char *home = cti_path_dir(w->region, s->file ? s->file : ""), *here = NULL;
  const char* folder = w->folder ? w->folder : home;
  if (home && folder) here = cti_path_normalise(w->region, cti_path_dir(w->region, folder));
  const char* there = home ? cti_path_normalise(w->region, home) : NULL;
  if (!here || !there) return cti_error_memory(w->err);
  w->moves_files = strcmp(here, there) != 0;
  w->folder = folder;
  const ctiCompiler* last = NULL;
  int nbody;
  ctiBody** bodies = cti_spec_bodies(s->world, w->region, &nbody);
  if (!bodies) return cti_error_memory(w->err);
  for (int i = 0; i < nbody; i++) {
    meet_element(w, &bodies[i]->head, &last);
#define X(record, list, template_) \
  for (int k = 0; k < bodies[i]->list.count; k++) meet_element(w, &bodies[i]->list.data[k]->head, &last);
    CTI_BODY_LISTS(X)
#undef X
    for (int k = 0; k < bodies[i]->frames.count; k++)
      meet_element(w, &bodies[i]->frames.data[k]->head, &last);
  }
#define X(record, list, template_) \
  for (int i = 0; i < s->list.count; i++) meet_element(w, &s->list.data[i]->head, &last);
  CTI_SPEC_LISTS(X)
#undef X
  for (int i = 0; i < s->hfields.count; i++) meet_element(w, &s->hfields.data[i]->head, &last);
  if (w->moves_files) {
    w->target.meshdir = w->target.texturedir = w->target.assetdir = NULL;
    w->target.strippath = false;
  }
  return CT_OK;
}

// ---- elements in the chosen settings

void cti_write_settle_joint(const ctiWriter* w, ctiJoint* j) {
  const ctiCompiler* c = cti_compiler_of(w->spec, &j->head);
  if (c->degree && !w->target.degree) {
    const double unit = CTI_PI / 180;
    bool hinge = j->type == CT_JOINT_HINGE;
    if (hinge) {
      j->ref *= unit;
      j->springref *= unit;
    }
    if (hinge || j->type == CT_JOINT_BALL) {
      j->springyield *= unit;
      for (int i = 0; i < 2 && j->limited != CTI_FALSE; i++) j->range[i] *= unit;
    }
  }
  if (j->type == CT_JOINT_FREE && j->align == CTI_AUTO && c->alignfree != w->target.alignfree)
    j->align = c->alignfree ? CTI_TRUE : CTI_FALSE;
}

void cti_write_settle_orient(const ctiWriter* w, const ctiElement* e, ctiOrient* o) {
  const ctiCompiler* c = cti_compiler_of(w->spec, e);
  bool other_order = strcmp(c->eulerseq, w->target.eulerseq) != 0;
  if (o->form == CTI_ORIENT_EULER && other_order) {
    ctReal quat[4];
    cti_orient_to_quat(quat, o, c);
    o->form = CTI_ORIENT_QUAT;
    for (int i = 0; i < 4; i++) o->quat[i] = (double)quat[i];
  }
  if (!c->degree || w->target.degree) return;
  o->axisangle[3] *= CTI_PI / 180;
  for (int i = 0; i < 3; i++) o->euler[i] *= CTI_PI / 180;
}

bool cti_write_explicit_inertia(const ctiWriter* w, const ctiBody* body) {
  const ctiCompiler *c = cti_compiler_of(w->spec, &body->head), *t = &w->target;
  if (!body->parent) return false;
  bool geoms = c->inertiafromgeom == CTI_TRUE || (c->inertiafromgeom == CTI_AUTO && !body->has_inertial);
  bool other_groups = memcmp(c->inertiagrouprange, t->inertiagrouprange, sizeof(t->inertiagrouprange)) != 0;
  bool empty = c->inertiafromgeom == CTI_FALSE && t->inertiafromgeom != CTI_FALSE && !body->has_inertial;
  bool unlike_given = c->inertiafromgeom == CTI_TRUE && t->inertiafromgeom == CTI_AUTO && body->has_inertial;
  return unlike_given || c->boundmass != t->boundmass || c->boundinertia != t->boundinertia ||
         c->balanceinertia != t->balanceinertia || (geoms && other_groups) || empty;
}

// ---- files

const char* cti_write_settle_file(ctiWriter* w, const ctiElement* e, const char* dir, const char* file) {
  const ctiCompiler* c = cti_compiler_of(w->spec, e);
  if (!file) return file;
  const char* at = cti_asset_path(w->region, c, e, dir, file);
  const char* folder = cti_asset_folder(w->region, c, dir);
  const char* plain =
      folder ? cti_path_join(w->region, folder, c->strippath ? cti_path_base(file) : file) : NULL;
  if (!at || !plain) return NULL;
  if (!w->moves_files && strcmp(at, plain) == 0) return file;
  at = cti_path_normalise(w->region, at);
  if (w->moves_files && (!at || cti_file_in_memory(c->vfs, at))) return at;
  // one that was found beside an included file is named as seen from the folder of its kind
  return cti_path_relative(w->region, w->moves_files ? w->folder : folder, at);
}

// ---- the sections

static void write_section(ctiWriter* w, const char* tag, const ctiAttrTable* table, const void* record,
                          const void* base) {
  cti_write_begin(w, tag);
  cti_write_attrs(w, table, record, base, NULL);
  cti_write_end_or_drop(w, tag);
}

static void write_compiler(ctiWriter* w) {
  ctiCompiler plain;
  ctiLengthRange range;
  cti_default_compiler(&plain);
  cti_default_length_range(&range);
  cti_write_begin(w, "compiler");
  cti_write_attrs(w, &cti_attrs_compiler, &w->target, &plain, NULL);
  write_section(w, "lengthrange", &cti_attrs_lengthrange, &w->spec->lengthrange, &range);
  cti_write_end_or_drop(w, "compiler");
}

static void write_option(ctiWriter* w) {
  ctOption plain;
  cti_default_option(&plain);
  cti_write_begin(w, "option");
  cti_write_attrs(w, &cti_attrs_option, &w->spec->option, &plain, NULL);
  write_section(w, "flag", &cti_attrs_flag, &w->spec->option, &plain);
  cti_write_end_or_drop(w, "option");
}

static void write_visual(ctiWriter* w) {
  static const char* const groups[6] = {"global", "quality", "headlight", "map", "scale", "rgba"};
  ctVisual plain;
  cti_default_visual(&plain);
  cti_write_begin(w, "visual");
  for (int i = 0; i < 6; i++) write_section(w, groups[i], &cti_attrs_visual[i], &w->spec->visual, &plain);
  cti_write_end_or_drop(w, "visual");
}

void cti_write_settings(ctiWriter* w) {
  ctiSize size;
  ctiStatistic statistic;
  cti_default_size(&size);
  cti_default_statistic(&statistic);
  write_compiler(w);
  write_option(w);
  write_section(w, "size", &cti_attrs_size, &w->spec->size, &size);
  write_visual(w);
  write_section(w, "statistic", &cti_attrs_statistic, &w->spec->statistic, &statistic);
}
