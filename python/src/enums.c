// The enumerations of types.h for the Python side: enums = {name: (is a set of bits, {identifier: value})}.
#include <string.h>

#include "core.h"

// X(list in types.h, name in Python): enumerators count from zero, in the order of the list.
// clang-format off
#define PLAIN_LIST(X)                                                                                 \
  X(STATUS, Status) X(JOINT, JointType) X(GEOM, GeomType) X(INTEGRATOR, Integrator) X(CONE, Cone)     \
  X(JACOBIAN, Jacobian) X(SOLVER, Solver) X(CAMLIGHT, CamLight) X(PROJECTION, Projection)             \
  X(LIGHT, LightType) X(TEXTURE, TextureType) X(TEXROLE, TextureRole) X(COLORSPACE, ColorSpace)       \
  X(EQ, EqType) X(TENDON, TendonType) X(WRAP, WrapType) X(TRN, TrnType) X(DYN, DynType)               \
  X(GAIN, GainType) X(BIAS, BiasType) X(OBJ, ObjType) X(STAGE, Stage) X(DATATYPE, DataType)           \
  X(SAMEFRAME, SameFrame) X(SLEEP, SleepPolicy) X(CONSTRAINT, ConstraintType) X(WARNING, WarningType) \
  X(EXCLUDE, ContactExclude) X(TIMER, TimerType) X(PART, Part)
// clang-format on

// The same for lists of flags: each says its bit.
#define BITS_LIST(X) X(DISABLE, DisableBit) X(ENABLE, EnableBit) X(STATE, State)

// The identifiers of each list, indexed by value or bit, ended by NULL.
#define ID(id, ...)           #id,
#define BIT_ID(id, text, bit) [bit] = #id,
#define PLAIN_IDS(list, name) static const char* const list##_ids[] = {CT_##list##_LIST(ID) NULL};
#define BITS_IDS(list, name)  static const char* const list##_ids[] = {CT_##list##_LIST(BIT_ID) NULL};
PLAIN_LIST(PLAIN_IDS)
BITS_LIST(BITS_IDS)

static const char* const SENSOR_ids[] = {
#define X(id, ...) #id,
#include "corten/fields/sensors.def"
#undef X
    NULL};

static const char* const sleep_state_ids[] = {[CT_ASLEEP] = "ASLEEP", [CT_AWAKE] = "AWAKE", NULL};

static const struct {
  const char* name;
  bool bits;
  const char* const* ids;
} enums[] = {
#define PLAIN_ROW(list, name_) {#name_, false, list##_ids},
#define BITS_ROW(list, name_)  {#name_, true, list##_ids},
    PLAIN_LIST(PLAIN_ROW){"SensorType", false, SENSOR_ids},
    {"SleepState", false, sleep_state_ids},
    BITS_LIST(BITS_ROW)};

// Enumerators outside the lists.
static const struct {
  const char *name, *id;
  int value;
} extras[] = {
    {"GeomType", "NONE", CT_GEOM_NONE},     {"TrnType", "UNDEFINED", CT_TRN_UNDEFINED},
    {"ObjType", "FRAME", CT_OBJ_FRAME},     {"ObjType", "DEFAULT", CT_OBJ_DEFAULT},
    {"ObjType", "MODEL", CT_OBJ_MODEL},     {"SleepState", "STATIC", CT_STATIC},
    {"State", "PHYSICS", CT_STATE_PHYSICS}, {"State", "FULLPHYSICS", CT_STATE_FULLPHYSICS},
    {"State", "INPUT", CT_STATE_INPUT},     {"State", "INTEGRATION", CT_STATE_INTEGRATION},
};

static bool add(PyObject* members, const char* id, int value) {
  PyObject* number = PyLong_FromLong(value);
  bool ok = number && PyDict_SetItemString(members, id, number) == 0;
  Py_XDECREF(number);
  return ok;
}

static PyObject* members_of(const char* name, bool bits, const char* const* ids) {
  PyObject* members = PyDict_New();
  bool ok = members != NULL;
  for (int i = 0; ok && ids[i]; i++) ok = add(members, ids[i], bits ? 1 << i : i);
  for (size_t i = 0; ok && i < sizeof(extras) / sizeof(extras[0]); i++) {
    if (strcmp(extras[i].name, name) == 0) ok = add(members, extras[i].id, extras[i].value);
  }
  if (!ok) Py_CLEAR(members);
  return members;
}

bool enums_init(PyObject* module) {
  PyObject* all = PyDict_New();
  bool ok = all != NULL;
  for (size_t i = 0; ok && i < sizeof(enums) / sizeof(enums[0]); i++) {
    PyObject* members = members_of(enums[i].name, enums[i].bits, enums[i].ids);
    PyObject* row = members ? Py_BuildValue("NN", PyBool_FromLong(enums[i].bits), members) : NULL;
    ok = row && PyDict_SetItemString(all, enums[i].name, row) == 0;
    Py_XDECREF(row);
  }
  ok = ok && PyModule_AddObjectRef(module, "enums", all) == 0;
  Py_XDECREF(all);
  return ok;
}
