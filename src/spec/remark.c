#include "spec/remark.h"

#include <stdarg.h>
#include <stdio.h>

void cti_remark(const ctSpec* spec, ctLogLevel level, const ctiElement* e, const char* format, ...) {
  if (!spec->log.write) return;
  char what[512], line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof(what), format, args);
  va_end(args);
  ctError err = {0};
  cti_spec_error(&err, CT_ERR_INVALID, e, "%s", what);
  ct_error_format(&err, line, sizeof(line));
  spec->log.write(spec->log.context, level, line);
}
