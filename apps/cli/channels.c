#include "channels.h"

#include <stdio.h>
#include <string.h>

static const char* const free_pos[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
static const char* const free_vel[] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
static const char* const axes[] = {".x", ".y", ".z"};
static const char* const quat_parts[] = {".w", ".x", ".y", ".z"};
static const char* const one[] = {""};

// Units and keywords by kind of sensor; joints and what acts on them have units of their own.
#define X(id, text, on, numbers, type, when, scales, reader, needs, late, unit, ...) [CT_SENS_##id] = unit,
static const char* const sensor_units[CT_SENS_COUNT] = {
#include "corten/fields/sensors.def"
};
#undef X
#define X(id, text, ...) [CT_SENS_##id] = text,
static const char* const sensor_kinds[CT_SENS_COUNT] = {
#include "corten/fields/sensors.def"
};
#undef X

static const char* joint_unit(const ctModel* m, int joint, const char* angle, const char* length) {
  int type = m->jnt_type[joint];
  return type == CT_JOINT_SLIDE ? length : (type == CT_JOINT_HINGE ? angle : "");
}

static const char* sensor_unit(const ctModel* m, int i) {
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case CT_SENS_JOINTPOS:
    case CT_SENS_JOINTLIMITPOS: return joint_unit(m, id, "rad", "m");
    case CT_SENS_JOINTVEL:
    case CT_SENS_JOINTLIMITVEL: return joint_unit(m, id, "rad/s", "m/s");
    case CT_SENS_JOINTACTFRC:
    case CT_SENS_JOINTLIMITFRC: return joint_unit(m, id, "N m", "N");
    default: break;
  }
  const char* unit = sensor_units[m->sensor_type[i]];
  // several fields in one sensor have no unit in common
  bool mixed = m->sensor_type[i] == CT_SENS_RANGEFINDER && m->sensor_intprm[CT_NSENS * i] != 1;
  return mixed ? "" : unit;
}

static bool add(cli_Recording* r, const char* group, const char* object, int id, const char* part,
                const char* unit) {
  char name[300];
  if (object && *object) {
    snprintf(name, sizeof(name), "%s.%.200s%s", group, object, part);
  } else {
    snprintf(name, sizeof(name), "%s.%d%s", group, id, part);
  }
  return cli_recording_add_channel(r, name, strlen(name), unit);
}

static bool add_joint(cli_Recording* r, const ctModel* m, int j, bool vel) {
  int type = m->jnt_type[j], count = 1;
  const char* const* parts = one;
  const char* unit = vel ? joint_unit(m, j, "rad/s", "m/s") : joint_unit(m, j, "rad", "m");
  if (type == CT_JOINT_FREE) {
    parts = vel ? free_vel : free_pos;
    count = vel ? 6 : 7;
  } else if (type == CT_JOINT_BALL) {
    parts = vel ? axes : quat_parts;
    count = vel ? 3 : 4;
  }
  for (int k = 0; k < count; k++) {
    const char* own = unit;
    if (type == CT_JOINT_FREE) own = k < 3 ? (vel ? "m/s" : "m") : (vel ? "rad/s" : "");
    if (type == CT_JOINT_BALL) own = vel ? "rad/s" : "";
    if (!add(r, vel ? "qvel" : "qpos", ct_model_id2name(m, CT_OBJ_JOINT, j), j, parts[k], own)) return false;
  }
  return true;
}

static bool add_numbered(cli_Recording* r, const char* group, const char* object, int id, int count,
                         const char* const* parts, const char* unit) {
  char number[16];
  for (int k = 0; k < count; k++) {
    snprintf(number, sizeof(number), ".%d", k);
    if (!add(r, group, object, id, count == 1 ? "" : (parts ? parts[k] : number), unit)) return false;
  }
  return true;
}

static bool add_sensor(cli_Recording* r, const ctModel* m, int i) {
  int dim = m->sensor_dim[i];
  const char* name = ct_model_id2name(m, CT_OBJ_SENSOR, i);
  char kind[64];
  snprintf(kind, sizeof(kind), "%s%d", sensor_kinds[m->sensor_type[i]], i);
  bool quaternion = m->sensor_datatype[i] == CT_DATATYPE_QUATERNION;
  const char* const* parts = quaternion ? quat_parts : (dim == 3 ? axes : NULL);
  return add_numbered(r, "sensor", name ? name : kind, i, dim, parts, sensor_unit(m, i));
}

bool cli_name_channels(cli_Recording* r, const ctModel* m) {
  bool ok = cli_recording_add_channel(r, "time", 4, "s");
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < m->njnt && ok; j++) ok = add_joint(r, m, j, pass == 1);
  }
  for (int i = 0; i < m->nactuator && ok; i++) {
    ok =
        add_numbered(r, "ctrl", ct_model_id2name(m, CT_OBJ_ACTUATOR, i), i, m->actuator_ctrlnum[i], NULL, "");
  }
  for (int i = 0; i < m->nsensor && ok; i++) ok = add_sensor(r, m, i);
  if (ok && (m->opt.enableflags & CT_ENBL_SLEEP))
    ok = cli_recording_add_channel(r, "awake.trees", 11, "trees");
  return ok;
}

static double* copy_reals(double* to, const ctReal* from, int n) {
  for (int i = 0; i < n; i++) *to++ = (double)from[i];
  return to;
}

void cli_fill_state(double* row, const ctModel* m, const ctData* d) {
  *row++ = (double)d->time;
  row = copy_reals(row, d->qpos, m->nq);
  row = copy_reals(row, d->qvel, m->nv);
  copy_reals(row, d->ctrl, m->nu);
}

void cli_fill_sensors(double* row, const ctModel* m, const ctData* d) {
  row = copy_reals(row + 1 + m->nq + m->nv + m->nu, d->sensordata, m->nsensordata);
  if (m->opt.enableflags & CT_ENBL_SLEEP) *row = (double)d->ntree_awake;
}
