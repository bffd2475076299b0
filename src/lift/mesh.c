// Meshes: in the text where it can say them, as OBJ files otherwise.
#include "lift/mesh.h"

#include <stdio.h>
#include <string.h>

#include "spec/format.h"
#include "spec/spec.h"

bool cti_raw_is_plain(const ctiRawParts* raw) {
  int factor = raw->nnormal / raw->nvert;
  for (int i = 0; i < 3 * raw->nface; i++) {
    if (raw->facenormal[i] != factor * raw->face[i]) return false;
    if (raw->ntexcoord > 0 && raw->facetexcoord[i] != raw->face[i]) return false;
  }
  return raw->ntexcoord == 0 || raw->ntexcoord == raw->nvert;
}

static void put_rows(ctiOut* out, const char* word, const float* rows, int n, int width) {
  for (int i = 0; i < n; i++) {
    cti_out_text(out, word);
    for (int k = 0; k < width; k++) {
      float x = rows[width * i + k];
      cti_out_text(out, " ");
      // pictures start at the top, texture coordinates of the format at the bottom
      cti_out_float(out, width == 2 && k == 1 ? 1 - x : x);
    }
    cti_out_text(out, "\n");
  }
}

ctStatus cti_raw_to_obj(char** text, size_t* size, const ctiRawParts* raw, ctiRegion* region, ctError* err) {
  ctiOut out = {.region = region};
  put_rows(&out, "v", raw->vert, raw->nvert, 3);
  put_rows(&out, "vt", raw->texcoord, raw->ntexcoord, 2);
  put_rows(&out, "vn", raw->normal, raw->nnormal, 3);
  for (int i = 0; i < raw->nface; i++) {
    cti_out_text(&out, "f");
    for (int k = 3 * i; k < 3 * i + 3; k++) {
      char corner[48];
      if (raw->ntexcoord > 0) {
        snprintf(corner, sizeof(corner), " %d/%d/%d", raw->face[k] + 1, raw->facetexcoord[k] + 1,
                 raw->facenormal[k] + 1);
      } else {
        snprintf(corner, sizeof(corner), " %d//%d", raw->face[k] + 1, raw->facenormal[k] + 1);
      }
      cti_out_text(&out, corner);
    }
    cti_out_text(&out, "\n");
  }
  *text = out.data;
  *size = out.length;
  return out.failed ? cti_error_memory(err) : CT_OK;
}

static ctStatus say_inline(ctiLift* l, ctiMeshAsset* s, const ctiRawParts* raw, bool bare) {
  CT_TRY(cti_lift_floats(l, &s->vertex, raw->vert, 3 * raw->nvert));
  CT_TRY(cti_lift_floats(l, &s->normal, raw->normal, 3 * raw->nnormal));
  CT_TRY(cti_lift_floats(l, &s->texcoord, raw->texcoord, 2 * raw->ntexcoord));
  return bare ? CT_OK : cti_lift_ints(l, &s->face, raw->face, 3 * raw->nface);
}

static ctStatus say_file(ctiLift* l, ctiMeshAsset* s, int i, const ctiRawParts* raw, ctiRegion* scratch) {
  char* text;
  size_t size;
  CT_TRY(cti_raw_to_obj(&text, &size, raw, scratch, l->err));
  return cti_lift_file(l, &s->file, CT_OBJ_MESH, i, "mesh", "obj", text, size);
}

static ctStatus lift_mesh(ctiLift* l, int i, bool needs_hull, ctiRegion* scratch) {
  const ctModel* m = l->m;
  ctiMeshAsset* s = cti_spec_add_mesh(l->s, &l->s->plain);
  if (!s || !cti_lift_ref(l, CT_OBJ_MESH, i)) return cti_error_memory(l->err);
  cti_lift_place(l, &s->head, CT_OBJ_MESH, i, "mesh", &cti_attrs_mesh);
  ctiMeshGuess guess;
  CT_TRY(cti_lift_guess_mesh(&guess, m, i, needs_hull, scratch, l->err));
  l->mesh[i] = guess.made;
  s->inertia = guess.inertia;
  s->maxhullvert = guess.maxhullvert;
  cti_lift_reals(s->scale, m->mesh_scale + 3 * i, 3);
  const ctiElement e = {.tag = "mesh", .name = l->name[CT_OBJ_MESH][i]};
  const char* axes = NULL;
  if (guess.as_it_lies) axes = "it is said as it lies";
  if (guess.error > CTI_LIFT_MESH_TOLERANCE) axes = "mesh and geoms are turned against each other";
  if (axes)
    cti_remark(l->s, CT_LOG_INFO, &e,
               "its principal axes are not found again: %s, with shapes where they were", axes);
  if (!guess.hull && l->hulls++ == 0) l->hull = i;
  return cti_raw_is_plain(&guess.raw) ? say_inline(l, s, &guess.raw, guess.bare)
                                      : say_file(l, s, i, &guess.raw, scratch);
}

// A geom or site that needs the hull of its mesh.
static void note_hull(const ctModel* m, bool* needed, int type, int mesh) {
  bool shaped = type == CT_GEOM_MESH || type == CT_GEOM_SDF;
  if (shaped && mesh >= 0 && mesh < m->nmesh) needed[mesh] = true;
}

// Which meshes need a hull when they are read again. NULL when memory runs out.
static bool* find_hulls(ctiLift* l) {
  const ctModel* m = l->m;
  bool* needed = CTI_NEW_ARRAY(l->s->region, bool, m->nmesh);
  if (!needed) return NULL;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_contype[i] || m->geom_conaffinity[i])
      note_hull(m, needed, m->geom_type[i], m->geom_dataid[i]);
  }
  for (int i = 0; i < 2 * m->npair; i++) {
    int g = i % 2 ? m->pair_geom2[i / 2] : m->pair_geom1[i / 2];
    if (g >= 0 && g < m->ngeom) note_hull(m, needed, m->geom_type[g], m->geom_dataid[g]);
  }
  for (int i = 0; i < m->nsite; i++) note_hull(m, needed, m->site_type[i], m->site_dataid[i]);
  return needed;
}

ctStatus cti_lift_meshes(ctiLift* l) {
  const bool* hull = find_hulls(l);
  if (!hull) return cti_error_memory(l->err);
  ctStatus status = CT_OK;
  for (int i = 0; i < l->m->nmesh && status == CT_OK; i++) {
    ctiRegion* scratch = cti_region_create(&l->s->allocator);
    status = scratch ? lift_mesh(l, i, hull[i], scratch) : cti_error_memory(l->err);
    cti_region_free(scratch);
  }
  return status;
}
