// <flexcomp>: a few words become a deformable with the bodies, joints and equalities it needs.
#pragma once

#include "spec/spec.h"

// Where a flexcomp stands.
typedef struct ctiFlexcompPlace {
  ctiBody* body;
  const ctiFrame* frame;   // NULL for none
  const ctiClass* class_;  // joints take their defaults from it
  const char* childclass;  // its name; NULL: main
  bool moves;              // the body, or one around it, has joints
} ctiFlexcompPlace;

// `flex` is in the spec and has what is said of contacts, edges and material; the rest is filled in here. On
// failure the spec may hold a part and must be thrown away or taken back.
ctStatus cti_spec_expand_flexcomp(ctSpec* spec, ctiFlex* flex, const ctiFlexcompWords* words,
                                  const ctiFlexcompPlace* place, ctError* err);
