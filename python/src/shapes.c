// Questions about shapes in space: distances and rays.
#include "core.h"

static bool holds(const Py_buffer* buffer, long long bytes, const char* name) {
  if (!buffer->obj || buffer->len == bytes) return true;
  PyErr_Format(PyExc_ValueError, "%s: expected %lld bytes, got %zd", name, bytes, buffer->len);
  return false;
}

// geom_distance(model, data, geom1, geom2, distmax, fromto) -> float
static PyObject* geom_distance(PyObject* module, PyObject* args) {
  PyObject *model, *data, *result = NULL;
  int geom1, geom2;
  double distmax;
  Py_buffer fromto;
  Call call;
  if (!PyArg_ParseTuple(args, "OOiidw*:geom_distance", &model, &data, &geom1, &geom2, &distmax, &fromto))
    return NULL;
  if (holds(&fromto, 6 * (long long)sizeof(ctReal), "fromto") &&
      call_begin(&call, PyModule_GetState(module), model, data)) {
    result = PyFloat_FromDouble(
        (double)ct_geom_distance(call.m, call.d, geom1, geom2, (ctReal)distmax, fromto.buf));
    call_end(&call);
  }
  PyBuffer_Release(&fromto);
  return result;
}

typedef struct Rays {
  Py_buffer point, dir, groups, dist, geom, normal;
  int skip_static, body;
  bool shared;  // one origin for all rays
} Rays;

static bool rays_fit(const Rays* r, long long n) {
  const long long real = sizeof(ctReal);
  return (r->shared || holds(&r->point, 3 * n * real, "point")) &&
         holds(&r->dir, 3 * n * real, "direction") && holds(&r->groups, 6, "geomgroup") &&
         holds(&r->dist, n * real, "distances") && holds(&r->geom, n * (long long)sizeof(int), "geoms") &&
         holds(&r->normal, 3 * n * real, "normals");
}

static ctStatus cast(const Call* call, const Rays* r, int n) {
  const ctRayFilter filter = {.geomgroup = r->groups.buf,
                              .skip_static = r->skip_static != 0,
                              .skip_body = r->body >= 0,
                              .body = r->body};
  ctStatus status;
  Py_BEGIN_ALLOW_THREADS status = ct_ray_cast_many(call->m, call->d, r->point.buf, r->shared, r->dir.buf, n,
                                                   &filter, r->dist.buf, r->geom.buf, r->normal.buf);
  Py_END_ALLOW_THREADS return status;
}

// cast_rays(model, data, point, directions, geomgroup or None, skip_static, body or -1, dist, geom, normal)
static PyObject* cast_rays(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Rays r;
  Call call;
  if (!PyArg_ParseTuple(args, "OOy*y*z*piw*w*w*:cast_rays", &model, &data, &r.point, &r.dir, &r.groups,
                        &r.skip_static, &r.body, &r.dist, &r.geom, &r.normal))
    return NULL;
  int n = (int)(r.dist.len / (Py_ssize_t)sizeof(ctReal));
  r.shared = r.point.len == 3 * (Py_ssize_t)sizeof(ctReal);
  if (rays_fit(&r, n) && call_begin(&call, state, model, data)) {
    ctStatus status = cast(&call, &r, n);
    call_end(&call);
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, "ray_cast", status);
  }
  Py_buffer* const taken[] = {&r.point, &r.dir, &r.groups, &r.dist, &r.geom, &r.normal};
  for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) PyBuffer_Release(taken[i]);
  return result;
}

// ray_geom(model, data, geom, point, direction, normal) -> float
static PyObject* ray_geom(PyObject* module, PyObject* args) {
  PyObject *model, *data, *result = NULL;
  Py_buffer point, dir, normal;
  int geom;
  Call call;
  if (!PyArg_ParseTuple(args, "OOiy*y*w*:ray_geom", &model, &data, &geom, &point, &dir, &normal)) return NULL;
  const long long three = 3 * (long long)sizeof(ctReal);
  if (holds(&point, three, "point") && holds(&dir, three, "direction") && holds(&normal, three, "normal") &&
      call_begin(&call, PyModule_GetState(module), model, data)) {
    if (geom >= 0 && geom < call.m->ngeom) {
      result = PyFloat_FromDouble((double)ct_ray_geom(call.m, call.d, geom, point.buf, dir.buf, normal.buf));
    } else {
      PyErr_Format(PyExc_IndexError, "there is no geom %d", geom);
    }
    call_end(&call);
  }
  PyBuffer_Release(&point);
  PyBuffer_Release(&dir);
  PyBuffer_Release(&normal);
  return result;
}

// ray_shape(type, pos, mat, size, point, direction, normal) -> float
static PyObject* ray_shape(PyObject* module, PyObject* args) {
  (void)module;
  static const struct {
    const char* name;
    int count;
  } arrays[] = {{"pos", 3}, {"mat", 9}, {"size", 3}, {"point", 3}, {"direction", 3}, {"normal", 3}};
  Py_buffer b[6];
  int type;
  if (!PyArg_ParseTuple(args, "iy*y*y*y*y*w*:ray_shape", &type, &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]))
    return NULL;
  bool ok = true;
  for (int i = 0; ok && i < 6; i++) {
    ok = holds(&b[i], arrays[i].count * (long long)sizeof(ctReal), arrays[i].name);
  }
  PyObject* result = ok ? PyFloat_FromDouble((double)ct_ray_shape((ctGeomType)type, b[0].buf, b[1].buf,
                                                                  b[2].buf, b[3].buf, b[4].buf, b[5].buf))
                        : NULL;
  for (int i = 0; i < 6; i++) PyBuffer_Release(&b[i]);
  return result;
}

// ray_flex(model, data, flex, vertices, edges, faces, skin, layer, point, direction, normal) -> (float, int)
static PyObject* ray_flex(PyObject* module, PyObject* args) {
  PyObject *model, *data, *result = NULL;
  Py_buffer point, dir, normal;
  int flex, vertices, edges, faces, skin, layer, vertex;
  Call call;
  if (!PyArg_ParseTuple(args, "OOippppiy*y*w*:ray_flex", &model, &data, &flex, &vertices, &edges, &faces,
                        &skin, &layer, &point, &dir, &normal))
    return NULL;
  const ctFlexLook look = {vertices != 0, edges != 0, faces != 0, skin != 0, layer};
  const long long three = 3 * (long long)sizeof(ctReal);
  if (holds(&point, three, "point") && holds(&dir, three, "direction") && holds(&normal, three, "normal") &&
      call_begin(&call, PyModule_GetState(module), model, data)) {
    if (flex >= 0 && flex < call.m->nflex) {
      ctReal dist = ct_ray_flex(call.m, call.d, flex, &look, point.buf, dir.buf, &vertex, normal.buf);
      result = Py_BuildValue("di", (double)dist, vertex);
    } else {
      PyErr_Format(PyExc_IndexError, "there is no deformable %d", flex);
    }
    call_end(&call);
  }
  PyBuffer_Release(&point);
  PyBuffer_Release(&dir);
  PyBuffer_Release(&normal);
  return result;
}

// ray_skin(faces, vertices, point, direction) -> (float, int)
static PyObject* ray_skin(PyObject* module, PyObject* args) {
  (void)module;
  Py_buffer face, vert, point, dir;
  PyObject* result = NULL;
  if (!PyArg_ParseTuple(args, "y*y*y*y*:ray_skin", &face, &vert, &point, &dir)) return NULL;
  const long long three = 3 * (long long)sizeof(ctReal);
  const Py_ssize_t nface = face.len / (3 * (Py_ssize_t)sizeof(int)),
                   nvert = vert.len / (3 * (Py_ssize_t)sizeof(float));
  if (nface > INT32_MAX || nvert > INT32_MAX) {
    PyErr_SetString(PyExc_ValueError, "more faces or vertices than an int counts");
  } else if (holds(&point, three, "point") && holds(&dir, three, "direction")) {
    int vertex;
    ctReal dist = ct_ray_skin((int)nface, (int)nvert, face.buf, vert.buf, point.buf, dir.buf, &vertex);
    result = Py_BuildValue("di", (double)dist, vertex);
  }
  PyBuffer_Release(&face);
  PyBuffer_Release(&vert);
  PyBuffer_Release(&point);
  PyBuffer_Release(&dir);
  return result;
}

PyMethodDef shape_methods[] = {
    {"ray_flex", ray_flex, METH_VARARGS,
     "ray_flex(model, data, flex, vertices, edges, faces, skin, layer, point, direction, normal) -> (float, "
     "int)"},
    {"ray_skin", ray_skin, METH_VARARGS, "ray_skin(faces, vertices, point, direction) -> (float, int)"},
    {"ray_geom", ray_geom, METH_VARARGS, "ray_geom(model, data, geom, point, direction, normal) -> float"},
    {"ray_shape", ray_shape, METH_VARARGS,
     "ray_shape(type, pos, mat, size, point, direction, normal) -> float"},
    {"geom_distance", geom_distance, METH_VARARGS,
     "geom_distance(model, data, geom1, geom2, distmax, fromto)"},
    {"cast_rays", cast_rays, METH_VARARGS,
     "cast_rays(model, data, point, directions, geomgroup, skip_static, body, dist, geom, normal)"},
    {NULL, NULL, 0, NULL},
};
