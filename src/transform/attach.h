// Copying a part of one spec into another, or within one: the body tree, what refers to it, and, from another
// spec, the classes, assets, custom data and keyframes it needs. Names get a prefix and a suffix, and so does
// what refers to them.
#pragma once

#include "spec/spec.h"

typedef struct ctiAttachment {
  ctSpec* to;
  ctiBody* body;          // the copy stands in this body ...
  const ctiFrame* frame;  // ... and in this frame of it; NULL for none
  ctSpec* from;           // may be `to`
  ctiBody* what;  // this body; or its contents; or of these, what stands in the frame `only`, frame included
  bool contents;
  const ctiFrame* only;
  const char *prefix, *suffix;  // never NULL
  bool own_keys;  // within one spec: copies get keyframes of their own, else they take the others'
} ctiAttachment;

// Elements that refer to what is copied come along when everything they refer to does; those that refer to
// nothing (a clock) always do. What the target already has under the new name counts as copied. Tendons,
// pairs, excludes and sensors may also refer to what the target has under the old name. What stays behind
// although it refers to what is copied is remarked on. On failure the target may hold a part of the copy and
// must be thrown away.
ctStatus cti_spec_attach(const ctiAttachment* attachment, ctError* err);

// The contents of `holder`, which stands in no list, `count` times into a body: copy i in a frame displaced
// by i steps and with the suffix `sep` and its number. What referred to the originals is removed.
typedef struct ctiReplication {
  ctiBody* body;
  const ctiFrame* frame;
  ctiBody* holder;
  const char* childclass;
  const ctiElement* at;  // for messages and positions
  int count;
  const char* sep;
  double offset[3], euler[3];
} ctiReplication;
ctStatus cti_spec_replicate(ctSpec* spec, const ctiReplication* how, ctError* err);

// ---- settings

// Resolve the conflicts as the settings of `to` demand: its own values stay; or they are merged; or it is an
// error when both models say something and differ. CT_ERR_INVALID with the conflict in `complaint`; nothing
// is changed then.
ctStatus cti_spec_merge(ctSpec* to, const ctSpec* from, char* complaint, size_t size);
