// Data fields by name: the table behind ct_data_field().
#include <stddef.h>
#include <string.h>

#include "corten/data.h"
#include "data/data.h"
#include "model/fields.h"
#include "model/print.h"

// Arrays first, so that a row's index among them is its index in the shapes.
static const ctiFieldRow data_rows[] = {
#define X(type, name, rows, cols, doc) CTI_FIELD_ARRAY(ctData, type, CT_PLACE_BLOCK, name, rows, cols, doc)
#include "corten/fields/data.def"
#undef X
#define X(type, name, rows, cols, group, doc) \
  CTI_FIELD_ARRAY(ctData, type, CT_PLACE_ARENA, name, rows, cols, doc)
#include "corten/fields/data_arena.def"
#undef X
#define X(type, name, doc) CTI_FIELD_INSIDE(ctData, type, CT_PLACE_SIZE, #name, name, 1, doc)
#include "corten/fields/data_sizes.def"
#undef X
#define X(type, name, count, doc) CTI_FIELD_INSIDE(ctData, type, CT_PLACE_MEMBER, #name, name, count, doc)
#include "corten/fields/data_scalars.def"
#undef X
};
#define DATA_ROW_COUNT CT_COUNT_OF(data_rows)

static void data_shape(const ctModel* m, const ctData* d, int i, int64_t* rows_out, int64_t* cols_out) {
#define X(type, name, ...)      \
  const int64_t name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, name, ...)      \
  const int64_t name = d->name; \
  (void)name;
#include "corten/fields/data_sizes.def"
#undef X
  const int64_t shapes[][2] = {
#define X(type, name, rows, cols, ...) {rows, cols},
#include "corten/fields/data.def"
#include "corten/fields/data_arena.def"
#undef X
  };
  *rows_out = shapes[i][0];
  *cols_out = shapes[i][1];
}

static void data_field_at(const ctModel* m, const ctData* d, int i, ctField* out) {
  int64_t rows = 0, cols = 0;
  if (!data_rows[i].inside) data_shape(m, d, i, &rows, &cols);
  cti_field_fill(out, &data_rows[i], d, rows, cols);
  // an arena array that no stage has made yet is empty
  if (!data_rows[i].inside && !out->data) out->rows = 0;
}

const ctiFieldRow* cti_data_field_row(const char* name) {
  return cti_field_find(data_rows, DATA_ROW_COUNT, name);
}

ctStatus ct_data_field(const ctModel* m, const ctData* d, const char* name, ctField* out) {
  if (!m || !d || !name || !out) return CT_ERR_ARGUMENT;
  const ctiFieldRow* row = cti_data_field_row(name);
  if (!row) return CT_ERR_NOT_FOUND;
  data_field_at(m, d, (int)(row - data_rows), out);
  return CT_OK;
}

int ct_data_field_count(void) {
  return DATA_ROW_COUNT;
}

const char* ct_data_field_name(int i) {
  return i >= 0 && i < DATA_ROW_COUNT ? data_rows[i].info.name : NULL;
}

const ctFieldInfo* ct_data_field_info(int i) {
  return i >= 0 && i < DATA_ROW_COUNT ? &data_rows[i].info : NULL;
}

const char* ct_data_compare(const ctModel* m, const ctData* a, const ctData* b) {
  if (!a || !b) return a == b ? NULL : "";
  if (!cti_data_fits(m, a) || !cti_data_fits(m, b)) return "";
  for (int i = 0; i < DATA_ROW_COUNT; i++) {
    ctField fa, fb;
    data_field_at(m, a, i, &fa);
    data_field_at(m, b, i, &fb);
    if (!cti_field_equal(&fa, &fb)) return fa.name;
  }
  return NULL;
}

// ---- a data as readable text ----

static const char* const warning_texts[CT_WARN_COUNT] = {
#define X(id, text) [CT_WARN_##id] = (text),
    CT_WARNING_LIST(X)
#undef X
};

size_t ct_data_print(const ctModel* m, const ctData* d, char* buffer, size_t size) {
  ctiPrinter p = {buffer, buffer ? size : 0, 0};
  if (p.size) buffer[0] = 0;
  if (!cti_data_fits(m, d)) return 0;
  cti_print(&p, "data of model \"%s\" at time %.9g\n\n", m->names, (double)d->time);
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number)
      cti_print(&p, "warning: %s, %d times, last at %d\n", warning_texts[i], d->warning[i].number,
                d->warning[i].lastinfo);
  }
  for (int i = 0; i < ct_data_field_count(); i++) {
    ctField f;
    if (ct_data_field(m, d, ct_data_field_name(i), &f) == CT_OK) cti_print_field(&p, m, &f);
  }
  return p.length;
}

// What is computed late reads what has passed by then.
static unsigned with_transient(unsigned lifetimes) {
  // who falls asleep has velocities and references computed again
  if (lifetimes & (CTI_LIVE_SLEEP | CTI_LIVE_INVERSE)) lifetimes |= CTI_LIVE_TRANSIENT | CTI_LIVE_TERMS;
  if (lifetimes & (CTI_LIVE_FORCES | CTI_LIVE_MOMENTA)) lifetimes |= CTI_LIVE_FRAMES | CTI_LIVE_VELOCITY;
  if (lifetimes & CTI_LIVE_DERIVATIVE) lifetimes |= CTI_LIVE_COMPOSITE | CTI_LIVE_VELOCITY | CTI_LIVE_METRIC;
  return lifetimes;
}

unsigned cti_field_lifetime(const char* field) {
#define X(name, room) \
  if (strcmp(#name, field) == 0) return with_transient(CTI_LIVE_##room);
  CTI_OPTIONAL_ARRAYS(X)
  CTI_TRANSIENT_ARRAYS(X)
#undef X
  return 0;
}

unsigned cti_value_lifetime(const char* field) {
  // worlds whose sensors are late
  if (strcmp(field, "sensor_delay") == 0) return with_transient(CTI_LIVE_TRANSIENT | CTI_LIVE_TERMS);
  const bool medium = strcmp(field, "opt.density") == 0 || strcmp(field, "opt.viscosity") == 0;
  return medium ? CTI_LIVE_SHAPES | CTI_LIVE_FRAMES : 0;
}

// Columns of fields/sensors.def: what a kind of sensor has computed on demand, and reads late.
#define CTI_LIVE_NOTHING  0
#define CTI_LIVE_ANYTHING (CTI_LIVE_FORCES | CTI_LIVE_MOMENTA | CTI_LIVE_TERMS)
static const struct {
  unsigned needs, late;
} sensor_kinds[CT_SENS_COUNT] = {
#define X(id, text, on, numbers, type, when, scales, reader, wants, late_read, ...) \
  [CT_SENS_##id] = {CTI_LIVE_##wants, CTI_LIVE_##late_read},
#include "corten/fields/sensors.def"
#undef X
};

// Does a sensor look at the frame of an inertia or a geom when these are dead? Sensors of positions are read
// before, unless they have a history, which is written when the state advances.
static bool sensor_is_late(const ctModel* m, int i) {
  if (m->sensor_needstage[i] == CT_STAGE_POS && m->sensor_history[2 * i] == 0) return false;
  const int type[2] = {m->sensor_objtype[i], m->sensor_reftype[i]};
  for (int k = 0; k < 2; k++) {
    if (type[k] == CT_OBJ_BODY || type[k] == CT_OBJ_GEOM) return true;
  }
  return sensor_kinds[m->sensor_type[i]].late != 0;
}

unsigned cti_model_lifetimes(const ctModel* m) {
  unsigned lifetimes = 0;
  const int integrator = m->opt.integrator, inverse = CT_ENBL_FWDINV | CT_ENBL_INVDISCRETE;
  if (integrator != CT_INT_EULER && integrator != CT_INT_RK4) lifetimes |= CTI_LIVE_DERIVATIVE;
  if (integrator == CT_INT_IMPLICIT) lifetimes |= CTI_LIVE_LU;
  if (m->opt.enableflags & inverse) lifetimes |= CTI_LIVE_INVERSE | CTI_LIVE_DERIVATIVE;
  if (m->opt.enableflags & CT_ENBL_SLEEP) lifetimes |= CTI_LIVE_SLEEP;
  // deformables and the discrete integrator read much of what passes late, the medium frames
  if (m->nflex || integrator == CT_INT_DISCRETE) lifetimes |= CTI_LIVE_TRANSIENT | CTI_LIVE_TERMS;
  if (m->opt.enableflags & CT_ENBL_DIAGEXACT) lifetimes |= CTI_LIVE_TERMS;
  if (m->opt.density > 0) lifetimes |= cti_value_lifetime("opt.density");
  if (m->opt.viscosity > 0) lifetimes |= cti_value_lifetime("opt.viscosity");
  for (int i = 0; i < m->nsensor; i++) {
    lifetimes |= sensor_kinds[m->sensor_type[i]].needs;
    if (sensor_is_late(m, i)) lifetimes |= CTI_LIVE_SHAPES | CTI_LIVE_FRAMES;
  }
  return with_transient(lifetimes);
}

unsigned cti_data_needs(const char* field) {
  static const struct {
    const char* name;
    unsigned needs;
  } table[] = {{"energy", CTI_NEED_ENERGY},
               {"subtree_linvel", CTI_NEED_SUBTREE_VELOCITY},
               {"subtree_angmom", CTI_NEED_SUBTREE_VELOCITY},
               {"cacc", CTI_NEED_BODY_FORCES},
               {"cfrc_int", CTI_NEED_BODY_FORCES},
               {"cfrc_ext", CTI_NEED_BODY_FORCES}};
  for (int i = 0; i < CT_COUNT_OF(table); i++) {
    if (strcmp(table[i].name, field) == 0) return table[i].needs;
  }
  return 0;
}
