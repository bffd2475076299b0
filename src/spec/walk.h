// Elements as the public calls see them.
#pragma once

#include "spec/spec.h"

// A body or the world.
bool cti_element_is_body(const ctiElement* e);
