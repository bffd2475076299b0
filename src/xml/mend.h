// Text that strict XML refuses, and many files have all the same: made strict.
#pragma once

#include <stddef.h>

#include "base/region.h"

// Writes a strict version of `text` into `*out`, of `*out_size` bytes, in `region`; NULL when there is
// nothing to mend. Comments that have "--" or bytes that are not UTF-8 in them become blank, as does an <?xml
// ...?> line that has blanks before it or names an encoding we do not know; a blank is put between attributes
// that touch. Lines keep their numbers. CT_ERR_MEMORY.
ctStatus cti_xml_mend(const char** out, size_t* out_size, const char* text, size_t size, ctiRegion* region,
                      ctError* err);
