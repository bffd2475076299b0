// The vertices of a model as they stood in the file: the model keeps them turned and rounded to single
// precision, so each coordinate is known up to an interval. Authors write few digits, and put vertices into
// planes: of the numbers in the interval the one with the fewest digits is taken, the same for all vertices
// that can share it. That often is the very number of the file.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "asset/vec.h"
#include "lift/mesh.h"

// A rounded number is off by at most this part of it.
static const double rounding = (double)FLT_EPSILON / 2;

// One coordinate of a vertex.
typedef struct Interval {
  double low, high;
  int vertex;
} Interval;

static int by_low(const void* a, const void* b) {
  const Interval *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->vertex - y->vertex;
}

// A number of few decimals is no accident in an interval that is this much shorter than the last decimal.
#define LUCK 16

// The number of the fewest decimals between two; the middle where it could be by accident.
static double simplest(double low, double high) {
  double middle = (low + high) / 2;
  for (double unit = 1; (high - low) * unit * LUCK < 1; unit *= 10) {
    double x = round(middle * unit) / unit;
    if (x >= low && x <= high) return x == 0 ? 0 : x;
    if (unit > 1e15) break;
  }
  return middle;
}

// Coordinate `axis` of all vertices; `list` has room for one interval each.
static void settle_axis(const ctiRawParts* raw, Interval* list, int axis) {
  for (int i = 0; i < raw->nvert; i++) {
    double x = raw->at[3 * i + axis], off = raw->slack[3 * i + axis];
    list[i] = (Interval){x - off, x + off, i};
  }
  qsort(list, (size_t)raw->nvert, sizeof(*list), by_low);
  for (int first = 0, end; first < raw->nvert; first = end) {
    // as many as have something in common
    double low = list[first].low, high = list[first].high;
    for (end = first + 1; end < raw->nvert && list[end].low <= high; end++) {
      low = list[end].low;
      high = fmin(high, list[end].high);
    }
    double x = simplest(low, high);
    for (int i = first; i < end; i++) raw->vert[3 * list[i].vertex + axis] = (float)x;
  }
}

ctStatus cti_raw_settle(const ctiRawParts* raw, bool simple, ctiRegion* scratch, ctError* err) {
  for (int i = 0; !simple && i < 3 * raw->nvert; i++) raw->vert[i] = (float)raw->at[i];
  if (!simple) return CT_OK;
  Interval* list = CTI_NEW_ARRAY(scratch, Interval, raw->nvert);
  if (!list) return cti_error_memory(err);
  for (int axis = 0; axis < 3; axis++) settle_axis(raw, list, axis);
  return CT_OK;
}

void cti_raw_place(const ctiRawParts* raw, const ctModel* m, int id, const ctiLiftFrame* frame) {
  const ctReal* scale = m->mesh_scale + 3 * id;
  double rot[9];
  cti_dquat_to_mat(rot, frame->quat);
  for (int i = 0; i < raw->nvert; i++) {
    const float* from = m->mesh_vert + 3 * (m->mesh_vertadr[id] + i);
    double v[3];
    cti_drow(v, from, 0);
    cti_dmul3(v, rot, v);
    for (int k = 0; k < 3; k++) {
      double off = 0;
      for (int j = 0; j < 3; j++) off += fabs(rot[3 * k + j] * (double)from[j]) * rounding;
      // in single precision the frame is rounded as well
      if (sizeof(ctReal) < sizeof(double)) off += 2 * off + fabs(frame->pos[k]) * rounding;
      raw->at[3 * i + k] = (v[k] + frame->pos[k]) / (double)scale[k];
      raw->slack[3 * i + k] = off / fabs((double)scale[k]);
    }
  }
  for (int i = 0; i < raw->nnormal; i++) {
    double n[3];
    cti_drow(n, m->mesh_normal, m->mesh_normaladr[id] + i);
    cti_dmul3(n, rot, n);
    for (int k = 0; k < 3; k++) n[k] *= (double)scale[k];
    cti_dnormalize3(n, 1e-30);
    for (int k = 0; k < 3; k++)
      raw->normal[3 * i + k] = (float)simplest(n[k] - 2 * rounding, n[k] + 2 * rounding);
  }
}
