// Prints the MJCF schema: one line an attribute, "element attribute default", or "element - missing".
#include <stdio.h>
#include <string.h>

#include "mjcf/schema.h"
#include "spec/defaults.h"
#include "spec/format.h"

// Records with the defaults of what has any.
typedef struct Defaults {
  ctiClass class_;
  ctiBody body;
  ctiFrame frame;
  ctiCompiler compiler;
  ctOption option;
  ctVisual visual;
  ctiSize size;
  ctiLengthRange range;
  ctiStatistic statistic;
  ctiSensor sensor;
} Defaults;

static const void* record_of(const Defaults* d, const ctiAttrTable* t) {
  const struct {
    const ctiAttrTable* attrs;
    const void* record;
  } known[] = {{&cti_attrs_compiler, &d->compiler},
               {&cti_attrs_lengthrange, &d->range},
               {&cti_attrs_option, &d->option},
               {&cti_attrs_flag, &d->option},
               {&cti_attrs_size, &d->size},
               {&cti_attrs_statistic, &d->statistic},
               {&cti_attrs_body, &d->body},
               {&cti_attrs_frame, &d->frame},
               {&cti_attrs_inertial, &d->body.inertial},
               {&cti_attrs_freejoint, &d->class_.joint},
               {&cti_attrs_connect, &d->class_.equality},
               {&cti_attrs_weld, &d->class_.equality},
               {&cti_attrs_eq_joint, &d->class_.equality},
               {&cti_attrs_eq_tendon, &d->class_.equality},
               {&cti_attrs_spatial, &d->class_.tendon},
               {&cti_attrs_fixed, &d->class_.tendon}};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (known[i].attrs == t) return known[i].record;
  }
  for (int i = 0; i < cti_template_count; i++) {
    if (cti_templates[i].attrs == t) return (const char*)&d->class_ + cti_templates[i].record;
  }
  if (t >= cti_attrs_visual && t < cti_attrs_visual + 6) return &d->visual;
  if (t >= cti_attrs_actuator && t < cti_attrs_actuator + CTI_SHORTCUT_COUNT) return &d->class_.actuator;
  if (t >= cti_attrs_sensor && t < cti_attrs_sensor + CTI_ATTACH_COUNT) return &d->sensor;
  return NULL;
}

static void print_table(const Defaults* d, const char* path, const ctiAttrTable* t) {
  const void* record = t ? record_of(d, t) : NULL;
  for (int i = 0; t && i < t->count; i++) {
    const ctiAttr* row = &t->rows[i];
    char text[400] = "";
    ctiOut out = {.data = text, .size = sizeof(text)};
    if (record) cti_attr_format(&out, row, record);
    printf("%s\t%s\t%s\n", path, row->name, text);
  }
}

static void print_schema(const Defaults* d, const ctiSchema* s, const char* above) {
  char path[200];
  snprintf(path, sizeof(path), "%s%s%s", above, above[0] ? "/" : "", s->tag);
  print_table(d, path, s->attrs);
  print_table(d, path, s->more);
  for (int i = 0; i < s->nchild; i++) print_schema(d, &s->children[i], path);
}

int main(void) {
  static Defaults d;
  cti_default_class(&d.class_);
  cti_default_body(&d.body);
  cti_default_frame(&d.frame);
  cti_default_compiler(&d.compiler);
  cti_default_option(&d.option);
  cti_default_visual(&d.visual);
  cti_default_size(&d.size);
  cti_default_length_range(&d.range);
  cti_default_statistic(&d.statistic);
  d.sensor.num = d.sensor.data = 1;
  print_schema(&d, &cti_schema_root, "");
  print_schema(&d, &cti_schema_body, "");
  printf("frame\t-\t\n");
  print_table(&d, "frame", cti_schema_frame.attrs);
  print_table(&d, "replicate", cti_schema_replicate.attrs);
  return 0;
}
