// Joints of the kit as joints of the engine. Host code.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kit/kit.h"
#include "math/vec3.h"

#define MOST_JOINTS 3

// One of the engine's joints.
typedef struct Piece {
  const char* type;
  ctReal axis[3];
} Piece;

static int pieces_of(Piece out[MOST_JOINTS], const ctKitJoint* j) {
  static const struct {
    int count;
    const char* type[MOST_JOINTS];
  } table[CT_KIT_JOINT_COUNT] = {
      [CT_KIT_JOINT_REVOLUTE] = {1, {"hinge"}},
      [CT_KIT_JOINT_PRISMATIC] = {1, {"slide"}},
      [CT_KIT_JOINT_UNIVERSAL] = {2, {"hinge", "hinge"}},
      [CT_KIT_JOINT_CYLINDRICAL] = {2, {"hinge", "slide"}},
      [CT_KIT_JOINT_PLANAR] = {3, {"slide", "slide", "hinge"}},
      [CT_KIT_JOINT_SPHERICAL] = {1, {"ball"}},
      [CT_KIT_JOINT_FREE] = {1, {"free"}},
  };
  for (int k = 0; k < table[j->kind].count; k++) {
    out[k].type = table[j->kind].type[k];
    cti_copy3(out[k].axis, j->axis);
  }
  if (j->kind == CT_KIT_JOINT_UNIVERSAL) cti_copy3(out[1].axis, j->axis2);
  if (j->kind == CT_KIT_JOINT_PLANAR) {
    cti_copy3(out[0].axis, j->axis2);
    cti_cross3(out[1].axis, j->axis, j->axis2);
  }
  return table[j->kind].count;
}

static ctStatus add_piece(ctElement** out, ctSpec* spec, ctElement* body, const Piece* piece,
                          const char* name, int number, ctError* err) {
  char full[256];
  const char* attrs[] = {"type", piece->type, NULL, NULL, NULL};
  if (name) {
    int length = number > 0 ? snprintf(full, sizeof(full), "%s_%d", name, number)
                            : snprintf(full, sizeof(full), "%s", name);
    if (length < 0 || (size_t)length >= sizeof(full))
      return cti_error(err, CT_ERR_LIMIT, "the name of a joint is longer than %d bytes",
                       (int)sizeof(full) - 1);
    attrs[2] = "name";
    attrs[3] = full;
  }
  CT_TRY(ct_spec_add(out, spec, body, "joint", attrs, err));
  if (strcmp(piece->type, "ball") == 0 || strcmp(piece->type, "free") == 0) return CT_OK;
  double axis[3] = {(double)piece->axis[0], (double)piece->axis[1], (double)piece->axis[2]};
  return ct_element_set_reals(spec, *out, "axis", axis, 3, err);
}

ctStatus ct_kit_joint_to_spec(const ctKitJoint* joint, ctSpec* spec, ctElement* body, const char* name,
                              ctError* err) {
  ctStatus status = ct_kit_joint_check(joint);
  if (!spec || !body) status = CT_ERR_ARGUMENT;
  if (status != CT_OK) return cti_error(err, status, "joint of the kit: %s", ct_status_text(status));
  Piece piece[MOST_JOINTS];
  ctElement* made[MOST_JOINTS];
  const int count = pieces_of(piece, joint);
  for (int k = 0; k < count; k++) {
    status = add_piece(&made[k], spec, body, &piece[k], name, count > 1 ? k + 1 : 0, err);
    if (status == CT_OK) continue;
    while (k-- > 0) ct_spec_remove(spec, made[k], NULL);
    break;
  }
  return status;
}
