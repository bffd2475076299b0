#include "asset/mesh.h"

#include <string.h>

#include "asset/decode.h"
#include "asset/hull.h"
#include "asset/inertia.h"
#include "asset/polygon.h"
#include "asset/vec.h"
#include "math/eig3.h"

void cti_mesh_source_default(ctiMeshSource* source) {
  *source = (ctiMeshSource){
      .scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}, .inertia = CTI_INERTIA_LEGACY, .maxhullvert = -1};
}

ctStatus cti_mesh_build(ctiMesh* out, const ctiMeshSource* source, ctiRegion* region, ctError* err) {
  *out = (ctiMesh){0};
  ctiRawMesh raw = {0};
  if (source->data) {
    CT_TRY(
        cti_mesh_decode(&raw, source->file, source->content_type, source->data, source->size, region, err));
  } else {
    raw.nvert = source->nvertex / 3;
    raw.vert = CTI_NEW_ARRAY(region, float, source->nvertex);
    memcpy(raw.vert, source->vertex, sizeof(float) * (size_t)source->nvertex);
    raw.nface = source->nface / 3;
    raw.face = (int*)source->face;
  }
  out->nvert = raw.nvert;
  out->vert = raw.vert;
  double rot[9];
  double rq[4], nn = sqrt(source->refquat[0] * source->refquat[0] + source->refquat[1] * source->refquat[1] +
                          source->refquat[2] * source->refquat[2] + source->refquat[3] * source->refquat[3]);
  for (int k = 0; k < 4; k++) rq[k] = source->refquat[k] / nn;
  cti_dquat_to_mat(rot, rq);
  for (int i = 0; i < raw.nvert; i++) {
    double v[3];
    cti_dvertex(v, out->vert, i);
    cti_dsub3(v, v, source->refpos);
    cti_dmul_t3(v, rot, v);
    for (int k = 0; k < 3; k++) out->vert[3 * i + k] = (float)(v[k] * source->scale[k]);
  }
  ctiHull hull;
  CT_TRY(cti_hull_make(&hull, out->vert, out->nvert, source->maxhullvert, region, err));
  out->ngraph = hull.ngraph;
  out->graph = hull.graph;
  CT_TRY(cti_polygons_merge(out, &hull, out->vert, region, err));
  CT_TRY(cti_polygons_normals(out, region, err));
  if (raw.nface) {
    out->nface = raw.nface;
    out->face = raw.face;
  } else {
    out->nface = hull.nface;
    out->face = hull.face_globalid;
  }
  ctiMassProperties mass;
  ctiSurface surf = {out->vert, out->face, out->nface};
  if (source->inertia == CTI_INERTIA_CONVEX) {
    surf.face = hull.face_globalid;
    surf.nface = hull.nface;
  }
  CT_TRY(cti_surface_mass(&mass, &surf, source->inertia, err));
  double *I = mass.inertia, eig[3], quat[4], full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  cti_eig3(eig, NULL, quat, full, CTI_EIG_MESH_TOL, CTI_EIG_MESH_SORT);
  memcpy(out->pos, mass.centre, 24);
  memcpy(out->quat, quat, 32);
  cti_dquat_to_mat(rot, quat);
  for (int i = 0; i < raw.nvert; i++) {
    double v[3];
    cti_dvertex(v, out->vert, i);
    cti_dsub3(v, v, mass.centre);
    cti_dmul_t3(v, rot, v);
    for (int k = 0; k < 3; k++) out->vert[3 * i + k] = (float)(v[k]);
  }
  cti_hull_extrema(out->extrema, &hull, out->vert);
  for (int i = 0; i < out->npoly; i++) cti_dmul_t3(out->polynormal+3*i, rot, out->polynormal+3*i);
  out->volume = mass.volume;
  for (int k = 0; k < 3; k++)
    out->boxsz[k] = sqrt(6 * (eig[(k + 1) % 3] + eig[(k + 2) % 3] - eig[k]) / mass.volume) / 2;
  return CT_OK;
}
