// Meshes and height fields: read, built, and stored in the model.
#include <math.h>
#include <string.h>

#include "asset/mesh.h"
#include "base/files.h"
#include "compile/build.h"
#include "spec/mesh_source.h"

// What the geoms and sites want of each mesh.
static ctStatus mark_uses(ctiBuild* b, bool* hull, bool* sdf) {
  for (int i = 0; i < b->sizes.ngeom; i++) {
    const ctiGeom* s = b->geom[i].spec;
    if (!s->mesh) continue;
    int id;
    CT_TRY(cti_find_object(&id, b, CT_OBJ_MESH, s->mesh, &s->head));
    bool shaped = s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF;
    if (shaped && cti_geom_collides(s->contype, s->conaffinity)) hull[id] = true;
    if (s->type == CT_GEOM_SDF) sdf[id] = true;
  }
  for (int i = 0; i < b->spec->pairs.count; i++) {
    const char* names[2] = {b->spec->pairs.data[i]->geom1, b->spec->pairs.data[i]->geom2};
    for (int k = 0; k < 2; k++) {
      int g = cti_names_find(&b->names[CT_OBJ_GEOM], names[k]);
      if (g < 0 || !b->geom[g].spec->mesh) continue;
      hull[cti_names_find(&b->names[CT_OBJ_MESH], b->geom[g].spec->mesh)] = true;
    }
  }
  for (int i = 0; i < b->sizes.nsite; i++) {
    const ctiSite* s = b->site[i].spec;
    if (s->type != CT_GEOM_MESH || !s->mesh) continue;
    int id;
    CT_TRY(cti_find_object(&id, b, CT_OBJ_MESH, s->mesh, &s->head));
    hull[id] = true;
  }
  return CT_OK;
}

ctStatus cti_read_asset(ctiBuild* b, const ctiElement* e, const char* dir, const char* name, ctiFile* file,
                        const char** path) {
  const ctiCompiler* c = cti_compiler_of(b->spec, e);
  const char* joined = cti_asset_path(b->region, c, e, dir, name);
  *path = joined ? cti_path_normalise(b->region, joined) : NULL;
  if (!*path) return cti_error_memory(b->err);
  ctError inner = {0};
  const ctVfs* vfs = c->vfs ? c->vfs : b->spec->vfs;
  ctStatus status = cti_file_read(file, vfs, *path, 0, &b->spec->allocator, &inner);
  if (status != CT_OK)
    return cti_spec_error(b->err, status, e, "cannot read \"%s\": %s", *path, inner.message);
  cti_budget_earn(&b->budget, file->size);
  return CT_OK;
}

// Vertices of generated shapes that hulls may have in all, for the memory that loading has by default; in
// proportion for more. About a second.
#define HULL_VERTICES 80000

// Cells of distance fields in all, likewise: some five fields, or as many more as files allow for.
#define FIELD_CELLS 300000

// The surface of a plugin stays where and as large as the plugin says.
static ctStatus check_surface(const ctiBuild* b, const ctiMeshAsset* s, const ctiMeshSource* source) {
  bool scaled = source->map != NULL;
  for (int k = 0; k < 3; k++) scaled = scaled || source->scale[k] != 1;
  if (scaled)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "the shape of a plugin cannot be scaled: change its attributes");
  return CT_OK;
}

// The decoder of the program for a mesh file, NULL when there is none: the last that was given counts.
static const ctDecoder* find_decoder(const ctSpec* spec, const ctiMeshAsset* s) {
  const char* extension = cti_path_extension(s->file);
  bool typed = s->content_type && s->content_type[0];
  for (int i = spec->ndecoder - 1; i >= 0; i--) {
    const ctDecoder* d = spec->decoders[i];
    const char *own = typed ? d->content_type : d->extension, *wanted = typed ? s->content_type : extension;
    if (own && d->decode && d->result && cti_text_equal_nocase(own, wanted)) return d;
  }
  return NULL;
}

// Bytes of a format of the program's become bytes of one that is known here.
static ctStatus decode_file(ctiBuild* b, const ctiMeshAsset* s, ctiFile* file, ctiMeshSource* source) {
  const ctDecoder* d = find_decoder(b->spec, s);
  if (!d) return CT_OK;
  char why[300] = "";
  ctBytes bytes = {0};
  ctStatus status = d->decode(d, s->file, file->data, file->size, &bytes, why, sizeof(why));
  if (status != CT_OK)
    return cti_spec_error(b->err, status, &s->head, "cannot decode \"%s\": %s", s->file,
                          why[0] ? why : "no reason given");
  char* copy = bytes.data ? cti_alloc(&b->spec->allocator, bytes.size + 1, CTI_ALIGN_ANY) : NULL;
  if (copy) memcpy(copy, bytes.data, bytes.size);
  if (bytes.release) bytes.release(bytes.owner);
  if (!copy)
    return bytes.data
               ? cti_error_memory(b->err)
               : cti_spec_error(b->err, CT_ERR_SYNTAX, &s->head, "decoding \"%s\" gave nothing", s->file);
  copy[bytes.size] = 0;
  cti_file_release(file, &b->spec->allocator);
  *file = (ctiFile){copy, bytes.size};
  source->content_type = d->result;
  return CT_OK;
}

static ctStatus build_mesh(ctiBuild* b, int i, bool hull, bool sdf, double* hull_left) {
  const ctiMeshAsset* s = b->spec->meshes.data[i];
  ctiMeshSource source;
  CT_TRY(cti_mesh_describe(&source, s, b->region, b->err));
  source.needs_hull = hull;
  source.needs_sdf = sdf;
  source.hull_left = hull_left;
  ctiFile file = {0};
  ctiField surface;
  if (b->mesh_plugin[i] >= 0) {
    cti_plugin_surface(&b->plugin[b->mesh_plugin[i]], &surface);
    CT_TRY(check_surface(b, s, &source));
    source.surface = &surface;
    source.needs_sdf = false;
  }
  if (s->file) {
    CT_TRY(cti_read_asset(b, &s->head, cti_compiler_of(b->spec, &s->head)->meshdir, s->file, &file,
                          &b->mesh_path[i]));
    ctStatus decoded = decode_file(b, s, &file, &source);
    if (decoded != CT_OK) {
      cti_file_release(&file, &b->spec->allocator);
      return decoded;
    }
    source.data = file.data;
    source.size = file.size;
    source.file = s->file;
  }
  ctError inner = {0};
  ctStatus status = cti_mesh_build(&b->mesh[i], &source, b->region, &inner);
  if (s->file) cti_file_release(&file, &b->spec->allocator);
  return status == CT_OK ? CT_OK : cti_spec_error(b->err, status, &s->head, "%s", inner.message);
}

static ctStatus count_mesh(ctiBuild* b, const ctiMesh* mesh, const ctiElement* e) {
  ctModel* n = &b->sizes;
  CT_TRY(CTI_GROW(b, nmeshvert, mesh->nvert, e));
  CT_TRY(CTI_GROW(b, nmeshnormal, mesh->nnormal, e));
  CT_TRY(CTI_GROW(b, nmeshtexcoord, mesh->ntexcoord, e));
  CT_TRY(CTI_GROW(b, nmeshface, mesh->nface, e));
  CT_TRY(CTI_GROW(b, nmeshgraph, mesh->ngraph, e));
  CT_TRY(CTI_GROW(b, nmeshpoly, mesh->npoly, e));
  CT_TRY(CTI_GROW(b, nmeshpolyvert, mesh->npolyvert, e));
  CT_TRY(CTI_GROW(b, nmeshpolymap, mesh->npolymap, e));
  CT_TRY(CTI_GROW(b, nbvhstatic, mesh->bvh.count, e));
  CT_TRY(CTI_GROW(b, noct, mesh->noct, e));
  for (int k = 0; k < mesh->npoly; k++) {
    if (mesh->polyvertnum[k] > n->npolygonmax) n->npolygonmax = mesh->polyvertnum[k];
  }
  for (int k = 0; k < mesh->nvert && mesh->npoly > 0; k++) {
    if (mesh->polymapnum[k] > n->nmeshdegmax) n->nmeshdegmax = mesh->polymapnum[k];
  }
  return CT_OK;
}

// Primitive shapes fitted to a mesh: of the same inertia, or around its box.
static void fit_shape(ctReal size[3], int type, const double half[3], bool around) {
  double x = half[0], y = half[1], z = half[2], cross = around ? fmax(x, y) : (x + y) / 2;
  switch (type) {
    case CT_GEOM_SPHERE: size[0] = (ctReal)(around ? fmax(cross, z) : (x + y + z) / 3); break;
    case CT_GEOM_CAPSULE:
      size[0] = (ctReal)cross;
      size[1] = (ctReal)fmax(0, around ? z - cross : z - cross / 2);
      break;
    case CT_GEOM_CYLINDER:
      size[0] = (ctReal)cross;
      size[1] = (ctReal)z;
      break;
    default:
      for (int k = 0; k < 3; k++) size[k] = (ctReal)half[k];
  }
}

// Of the box about the mesh's own centre that holds it.
static void mesh_half_sizes(ctReal size[3], const ctiMesh* mesh) {
  for (int k = 0; k < 3; k++) size[k] = (ctReal)fmax(fabs(mesh->aabb[k]), fabs(mesh->aabb[3 + k]));
}

// A geom made of a mesh, or fitted to one, stands where the mesh's centre and principal axes are.
static ctStatus place_mesh_geom(ctiBuild* b, ctiBuildGeom* g) {
  const ctiGeom* s = g->spec;
  g->mesh = cti_names_find(&b->names[CT_OBJ_MESH], s->mesh);
  const ctiMesh* mesh = &b->mesh[g->mesh];
  bool shaped = s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF,
       around = b->spec->compiler.fitaabb && !shaped;
  ctReal pos[3], quat[4], shift[3] = {0, 0, 0};
  double half[3];
  for (int k = 0; k < 3; k++) {
    pos[k] = (ctReal)mesh->pos[k];
    half[k] = around ? (mesh->aabb[3 + k] - mesh->aabb[k]) / 2 : mesh->boxsz[k];
    if (around) shift[k] = (ctReal)((mesh->aabb[3 + k] + mesh->aabb[k]) / 2);
  }
  for (int k = 0; k < 4; k++) quat[k] = (ctReal)mesh->quat[k];
  cti_quat_rotate_settled(shift, quat, shift);
  cti_add_to3(pos, shift);
  cti_quat_rotate_settled(pos, g->quat, pos);
  cti_add_to3(g->pos, pos);
  cti_quat_mul_settled(g->quat, g->quat, quat);
  if (shaped) {
    mesh_half_sizes(g->size, mesh);
  } else {
    cti_zero3(g->size);
    for (int k = 0; k < 3; k++) half[k] *= s->fitscale;
    fit_shape(g->size, s->type, half, around);
    g->mesh = -1;
  }
  return CT_OK;
}

// A site keeps its pose; only its size comes from the mesh.
static ctStatus place_mesh_site(ctiBuild* b, ctiBuildSite* t) {
  const ctiSite* s = t->spec;
  t->mesh = -1;
  if ((s->type == CT_GEOM_MESH) != (s->mesh != NULL)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          s->mesh ? "only a site of type=\"mesh\" has a mesh"
                                  : "a site of type=\"mesh\" needs the attribute \"mesh\"");
  }
  if (!s->mesh) return CT_OK;
  t->mesh = cti_names_find(&b->names[CT_OBJ_MESH], s->mesh);
  mesh_half_sizes(t->size, &b->mesh[t->mesh]);
  return CT_OK;
}

ctStatus cti_pass_meshes(ctiBuild* b) {
  int n = b->spec->meshes.count;
  bool *hull = CTI_NEW_ARRAY(b->region, bool, n), *sdf = CTI_NEW_ARRAY(b->region, bool, n);
  b->mesh = CTI_NEW_ARRAY(b->region, ctiMesh, n);
  b->mesh_path = CTI_NEW_ARRAY(b->region, const char*, n);
  if (!hull || !sdf || !b->mesh || !b->mesh_path) return cti_error_memory(b->err);
  CT_TRY(mark_uses(b, hull, sdf));
  double cells = 0, hull_left = HULL_VERTICES * (double)b->budget.limit / CTI_BUDGET_DEFAULT;
  for (int i = 0; i < n; i++) {
    b->at = &b->spec->meshes.data[i]->head;
    CT_TRY(build_mesh(b, i, hull[i], sdf[i], &hull_left));
    cells += b->mesh[i].noct;
    if (cells > FIELD_CELLS * (double)b->budget.limit / CTI_BUDGET_DEFAULT)
      return cti_spec_error(b->err, CT_ERR_LIMIT, &b->spec->meshes.data[i]->head,
                            "the distance fields of all meshes have more than %.0f cells: use fewer geoms of "
                            "type sdf, or allow more memory (max_memory)",
                            FIELD_CELLS * (double)b->budget.limit / CTI_BUDGET_DEFAULT);
    CT_TRY(count_mesh(b, &b->mesh[i], b->at));
  }
  for (int i = 0; i < b->sizes.ngeom; i++) {
    const ctiGeom* s = b->geom[i].spec;
    b->geom[i].mesh = b->geom[i].hfield = -1;
    if (s->mesh) CT_TRY(place_mesh_geom(b, &b->geom[i]));
    if (s->type == CT_GEOM_SDF && s->mesh) CT_TRY(cti_check_sdf_geom(b, &b->geom[i]));
    if (!s->mesh && (s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF)) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "a geom of this type needs the attribute \"mesh\"");
    }
  }
  for (int i = 0; i < b->sizes.nsite; i++) CT_TRY(place_mesh_site(b, &b->site[i]));
  return CT_OK;
}

static void fill_tree(ctModel* m, const ctiMesh* mesh, int adr) {
  const ctiBvh* t = &mesh->bvh;
  if (t->count == 0) return;
  memcpy(m->bvh_depth + adr, t->depth, sizeof(int) * (size_t)t->count);
  memcpy(m->bvh_child + 2 * adr, t->child, sizeof(int) * 2 * (size_t)t->count);
  memcpy(m->bvh_nodeid + adr, t->nodeid, sizeof(int) * (size_t)t->count);
  cti_to_real(m->bvh_aabb + 6 * adr, t->aabb, 6 * t->count);
}

// Running addresses of the arrays that all meshes share.
typedef struct MeshCursor {
  int vert, normal, texcoord, face, graph, poly, polyvert, polymap, bvh, oct;
} MeshCursor;

static void fill_mesh(ctiBuild* b, int i, MeshCursor* at) {
  ctModel* m = b->m;
  const ctiMesh* s = &b->mesh[i];
#define COPY(to, from, adr, count, width) \
  if ((count) > 0) memcpy(m->to + (width) * (adr), s->from, sizeof(*m->to) * (size_t)((width) * (count)))
  m->mesh_vertadr[i] = at->vert;
  m->mesh_vertnum[i] = s->nvert;
  m->mesh_normaladr[i] = at->normal;
  m->mesh_normalnum[i] = s->nnormal;
  m->mesh_texcoordadr[i] = s->ntexcoord > 0 ? at->texcoord : -1;
  m->mesh_texcoordnum[i] = s->ntexcoord;
  m->mesh_faceadr[i] = at->face;
  m->mesh_facenum[i] = s->nface;
  m->mesh_graphadr[i] = s->ngraph > 0 ? at->graph : -1;
  m->mesh_polyadr[i] = at->poly;
  m->mesh_polynum[i] = s->npoly;
  m->mesh_bvhadr[i] = at->bvh;
  m->mesh_bvhnum[i] = s->bvh.count;
  m->mesh_octadr[i] = s->noct > 0 ? at->oct : -1;
  m->mesh_octnum[i] = s->noct;
  for (int k = 0; k < 27; k++) m->mesh_extrema[27 * i + k] = s->extrema[k];
  cti_to_real(m->mesh_scale + 3 * i, s->scale, 3);
  cti_to_real(m->mesh_pos + 3 * i, s->pos, 3);
  cti_to_real(m->mesh_quat + 4 * i, s->quat, 4);
  COPY(mesh_vert, vert, at->vert, s->nvert, 3);
  COPY(mesh_normal, normal, at->normal, s->nnormal, 3);
  COPY(mesh_texcoord, texcoord, at->texcoord, s->ntexcoord, 2);
  COPY(mesh_face, face, at->face, s->nface, 3);
  COPY(mesh_facenormal, facenormal, at->face, s->nface, 3);
  COPY(mesh_facetexcoord, facetexcoord, at->face, s->nface, 3);
  COPY(mesh_graph, graph, at->graph, s->ngraph, 1);
  COPY(mesh_polyvertnum, polyvertnum, at->poly, s->npoly, 1);
  COPY(mesh_polyvert, polyvert, at->polyvert, s->npolyvert, 1);
  COPY(mesh_polymap, polymap, at->polymap, s->npolymap, 1);
  COPY(oct_depth, oct_depth, at->oct, s->noct, 1);
  COPY(oct_child, oct_child, at->oct, s->noct, 8);
  cti_to_real(m->oct_aabb + 6 * at->oct, s->oct_aabb, 6 * s->noct);
  cti_to_real(m->oct_coeff + 8 * at->oct, s->oct_coeff, 8 * s->noct);
  cti_to_real(m->mesh_polynormal + 3 * at->poly, s->polynormal, 3 * s->npoly);
  for (int k = 0; k < s->npoly; k++) m->mesh_polyvertadr[at->poly + k] = at->polyvert + s->polyvertadr[k];
  for (int k = 0; k < s->nvert; k++) {
    m->mesh_polymapadr[at->vert + k] = at->polymap + (s->npoly > 0 ? s->polymapadr[k] : 0);
    m->mesh_polymapnum[at->vert + k] = s->npoly > 0 ? s->polymapnum[k] : 0;
  }
#undef COPY
  fill_tree(m, s, at->bvh);
  at->vert += s->nvert;
  at->normal += s->nnormal;
  at->texcoord += s->ntexcoord;
  at->face += s->nface;
  at->graph += s->ngraph;
  at->poly += s->npoly;
  at->polyvert += s->npolyvert;
  at->polymap += s->npolymap;
  at->bvh += s->bvh.count;
  at->oct += s->noct;
}

ctStatus cti_pass_fill_meshes(ctiBuild* b) {
  ctModel* m = b->m;
  MeshCursor at = {0};
  for (int i = 0; i < m->nbody; i++) at.bvh += m->body_bvhnum[i];
  for (int i = 0; i < m->nmesh; i++) fill_mesh(b, i, &at);
  return CT_OK;
}
