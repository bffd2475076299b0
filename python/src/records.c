// The small structs of types.h as NumPy record types: records = {name: (offset, count, itemsize, members)},
// members as (name, code, count, offset). The offset is the array's in ctData; -1 for contacts, which are in
// the arena, and for the solver's report, which Block.solver_offset() finds.
#include <stddef.h>

#include "core.h"

#ifdef CT_SINGLE
#define REAL "f"
#else
#define REAL "d"
#endif

typedef struct Member {
  const char *name, *code;
  int count;
  size_t offset, bytes;
} Member;

#define ONE(record, code, member) \
  { #member, code, 0, offsetof(record, member), sizeof(((record*)0)->member) }
#define MANY(record, code, member, count) \
  { #member, code, count, offsetof(record, member), sizeof(((record*)0)->member) }
#define END \
  { NULL, NULL, 0, 0, 0 }

static const Member contact[] = {
    ONE(ctContact, REAL, dist),
    MANY(ctContact, REAL, pos, 3),
    MANY(ctContact, REAL, frame, 9),
    ONE(ctContact, REAL, includemargin),
    MANY(ctContact, REAL, friction, 5),
    MANY(ctContact, REAL, solref, CT_NREF),
    MANY(ctContact, REAL, solreffriction, CT_NREF),
    MANY(ctContact, REAL, solimp, CT_NIMP),
    ONE(ctContact, REAL, adhesion),
    MANY(ctContact, REAL, surfacevel, 3),
    ONE(ctContact, REAL, mu),
    MANY(ctContact, REAL, H, 36),
    ONE(ctContact, "i", dim),
    ONE(ctContact, "i", geom1),
    ONE(ctContact, "i", geom2),
    MANY(ctContact, "i", geom, 2),
    MANY(ctContact, "i", flex, 2),
    MANY(ctContact, "i", elem, 2),
    MANY(ctContact, "i", vert, 2),
    ONE(ctContact, "i", exclude),
    ONE(ctContact, "i", efc_address),
    END,
};
static const Member warning[] = {ONE(ctWarningStat, "i", lastinfo), ONE(ctWarningStat, "i", number), END};
static const Member timer[] = {ONE(ctTimerStat, "d", duration), ONE(ctTimerStat, "q", number), END};
static const Member solver[] = {
    ONE(ctSolverStat, REAL, improvement), ONE(ctSolverStat, REAL, gradient),
    ONE(ctSolverStat, REAL, lineslope),   ONE(ctSolverStat, "i", nactive),
    ONE(ctSolverStat, "i", nchange),      ONE(ctSolverStat, "i", neval),
    ONE(ctSolverStat, "i", nupdate),      END,
};

static const struct {
  const char* name;
  long long offset, count;
  size_t itemsize;
  const Member* members;
} records[] = {
    {"contact", -1, 0, sizeof(ctContact), contact},
    {"warning", offsetof(ctData, warning), CT_WARN_COUNT, sizeof(ctWarningStat), warning},
    {"timer", offsetof(ctData, timer), CT_TIMER_COUNT, sizeof(ctTimerStat), timer},
    {"solver", -1, CT_NISLAND* CT_NSOLVER, sizeof(ctSolverStat), solver},
};

// The members as a list. They must fill the struct but for padding at its end: else one was forgotten here.
static PyObject* members_of(const Member* member, size_t itemsize) {
  PyObject* list = PyList_New(0);
  size_t bytes = 0;
  for (; list && member->name; member++) {
    PyObject* item =
        Py_BuildValue("ssin", member->name, member->code, member->count, (Py_ssize_t)member->offset);
    if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
    Py_XDECREF(item);
    bytes += member->bytes;
  }
  if (list && itemsize - bytes >= sizeof(double)) {
    PyErr_SetString(PyExc_SystemError, "a member of a record is not listed");
    Py_CLEAR(list);
  }
  return list;
}

bool records_init(PyObject* module) {
  PyObject* all = PyDict_New();
  bool ok = all != NULL;
  for (size_t i = 0; ok && i < sizeof(records) / sizeof(records[0]); i++) {
    PyObject* members = members_of(records[i].members, records[i].itemsize);
    PyObject* row = members ? Py_BuildValue("LLnN", records[i].offset, records[i].count,
                                            (Py_ssize_t)records[i].itemsize, members)
                            : NULL;
    ok = row && PyDict_SetItemString(all, records[i].name, row) == 0;
    Py_XDECREF(row);
  }
  ok = ok && PyModule_AddObjectRef(module, "records", all) == 0;
  Py_XDECREF(all);
  return ok;
}
