// Remarks: what is worth saying about a model that loads.
#pragma once

#include "spec/spec.h"

// Tell the log of the spec, if it has one, about an element: position, path, message.
void cti_remark(const ctSpec* spec, ctLogLevel level, const ctiElement* e, const char* format, ...)
    CTI_PRINTF(4, 5);
