// Sensors of shapes in space: is an object in a zone, how far are two apart.
#include "math/vec3.h"
#include "query/distance.h"
#include "query/inside.h"
#include "query/object.h"
#include "sense/readers.h"

CT_FN void cti_sense_inside_site(const ctModel* m, ctData* d, int i, ctReal* out) {
  int site = m->sensor_refid[i], type = m->sensor_objtype[i], id = m->sensor_objid[i];
  if (m->sensor_intprm[CT_NSENS * i]) {
    out[0] = cti_protrusion(m, d, site, type, id);
    return;
  }
  const ctReal *pos, *mat;
  cti_object_frame(m, d, type, id, &pos, &mat);
  out[0] = cti_inside_site(m, d, site, pos) ? CT_R(1) : CT_R(0);
}

// The geoms of a geom (itself) or body: first id and number.
static CT_FN void geoms_of(const ctModel* m, int type, int id, int* first, int* count) {
  bool geom = type == CT_OBJ_GEOM;
  *first = geom ? id : m->body_geomadr[id];
  *count = geom ? 1 : m->body_geomnum[id];
}

// Smallest distance up to the cutoff, and its end points (zero when there are none).
static CT_FN ctReal sensed_distance(const ctModel* m, ctData* d, int i, ctReal fromto[6]) {
  int first1, count1, first2, count2;
  ctReal best = m->sensor_cutoff[i];
  geoms_of(m, m->sensor_objtype[i], m->sensor_objid[i], &first1, &count1);
  geoms_of(m, m->sensor_reftype[i], m->sensor_refid[i], &first2, &count2);
  for (int k = 0; k < 6; k++) fromto[k] = 0;
  for (int a = first1; a < first1 + count1; a++) {
    for (int b = first2; b < first2 + count2; b++) {
      ctReal points[6], dist = cti_geom_distance(m, d, a, b, m->sensor_cutoff[i], points);
      if (dist >= best) continue;
      best = dist;
      for (int k = 0; k < 6; k++) fromto[k] = points[k];
    }
  }
  return best;
}

CT_FN void cti_sense_distance(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal fromto[6];
  out[0] = sensed_distance(m, d, i, fromto);
}

CT_FN void cti_sense_normal(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal fromto[6];
  sensed_distance(m, d, i, fromto);
  cti_sub3(out, fromto + 3, fromto);
  if (cti_dot3(out, out) > 0) cti_normalize3(out);
}

CT_FN void cti_sense_fromto(const ctModel* m, ctData* d, int i, ctReal* out) {
  sensed_distance(m, d, i, out);
}
