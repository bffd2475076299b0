// A data as readable text. Host code.
#include "model/print.h"

#include "corten/data.h"

static const char* const warning_texts[CT_WARN_COUNT] = {
#define X(id, text) [CT_WARN_##id] = (text),
    CT_WARNING_LIST(X)
#undef X
};

size_t ct_data_print(const ctModel* m, const ctData* d, char* buffer, size_t size) {
  ctiPrinter p = {buffer, buffer ? size : 0, 0};
  if (p.size) buffer[0] = 0;
  if (!m || !d) return 0;
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
