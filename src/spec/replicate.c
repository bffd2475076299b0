// Replicas: a part of the tree again and again.
#include <stdio.h>

#include "math/quat.h"
#include "spec/graft.h"
#include "spec/orient.h"

// A frame for copy `i`: its place follows from the one before, its orientation is i steps of the angles.
static ctiFrame* add_step(ctSpec* spec, const ctiReplication* how, int i, double pos[3]) {
  ctiFrame* frame = cti_spec_add_frame(spec, how->body, how->frame);
  if (!frame) return NULL;
  frame->head.attrs = &cti_attrs_frame;
  frame->head.where = how->at->where;
  frame->childclass = how->childclass;
  frame->orient.form = CTI_ORIENT_EULER;
  for (int k = 0; k < 3; k++) {
    frame->pos[k] = pos[k];
    frame->orient.euler[k] = i * how->euler[k];
  }
  ctReal quat[4], step[3];
  for (int k = 0; k < 3; k++) step[k] = (ctReal)how->offset[k];
  cti_orient_to_quat(quat, &frame->orient, &spec->compiler);
  cti_quat_rotate(step, quat, step);
  for (int k = 0; k < 3; k++) pos[k] += (double)step[k];
  return frame;
}

ctStatus cti_spec_replicate(ctSpec* spec, const ctiReplication* how, ctError* err) {
  char suffix[256];
  double pos[3] = {0, 0, 0};
  int digits = snprintf(NULL, 0, "%d", how->count);
  ctiGraft graft = {.to = spec,
                    .from = spec,
                    .body = how->body,
                    .what = how->holder,
                    .contents = true,
                    .prefix = "",
                    .suffix = suffix};
  ctiGraftWork w;
  ctStatus status = cti_graft_begin(&w, &graft, err);
  for (int i = 0; i < how->count && status == CT_OK; i++) {
    snprintf(suffix, sizeof(suffix), "%.200s%0*d", how->sep, digits, i);
    w.copies.count = 0;
    graft.frame = add_step(spec, how, i, pos);
    status = graft.frame ? cti_graft_run(&w) : cti_error_memory(err);
  }
  if (status == CT_OK) status = cti_graft_remove_referring(&w, true);
  cti_region_free(w.scratch);
  return status;
}
