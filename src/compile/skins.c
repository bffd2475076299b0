// Skins: surfaces that follow bodies, given in the model or by a SKN file. Only drawn.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/files.h"
#include "compile/build.h"

static ctStatus fail(const ctiBuild* b, const ctiSkin* s, const char* what) {
  return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "%s", what);
}

// ---- from the model

static float* floats(ctiBuild* b, const ctiReals* from) {
  float* out = CTI_NEW_ARRAY(b->region, float, from->count);
  for (int i = 0; out && i < from->count; i++) out[i] = (float)from->data[i];
  return out;
}

// Whole numbers; those that are none become -1, which is nowhere in range.
static int* integers(ctiBuild* b, const ctiReals* from) {
  int* out = CTI_NEW_ARRAY(b->region, int, from->count);
  for (int i = 0; out && i < from->count; i++) {
    double x = from->data[i];
    out[i] = x >= 0 && x < 2147483647.0 && x == floor(x) ? (int)x : -1;
  }
  return out;
}

static ctStatus bone_from_model(ctiBuild* b, const ctiBone* s, ctiBuildBone* out) {
  out->body_name = s->body;
  for (int i = 0; i < 3; i++) out->bindpos[i] = (float)s->bindpos[i];
  for (int i = 0; i < 4; i++) out->bindquat[i] = (float)s->bindquat[i];
  if (s->vertid.count != s->vertweight.count || s->vertid.count == 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "vertid has %d numbers, vertweight %d",
                          s->vertid.count, s->vertweight.count);
  out->count = s->vertid.count;
  out->vertid = integers(b, &s->vertid);
  out->weight = floats(b, &s->vertweight);
  return out->vertid && out->weight ? CT_OK : cti_error_memory(b->err);
}

static ctStatus from_model(ctiBuild* b, const ctiSkin* s, ctiBuildSkin* out) {
  if (s->vertex.count % 3) return fail(b, s, "vertex needs three numbers for each vertex");
  if (s->texcoord.count % 2) return fail(b, s, "texcoord needs two numbers for each vertex");
  if (s->face.count % 3) return fail(b, s, "face needs three vertices for each face");
  out->nvert = s->vertex.count / 3;
  out->ntexcoord = s->texcoord.count / 2;
  out->nface = s->face.count / 3;
  out->nbone = s->bones.count;
  out->vert = floats(b, &s->vertex);
  out->texcoord = floats(b, &s->texcoord);
  out->face = integers(b, &s->face);
  out->bone = CTI_NEW_ARRAY(b->region, ctiBuildBone, out->nbone);
  if (!out->vert || !out->texcoord || !out->face || !out->bone) return cti_error_memory(b->err);
  for (int i = 0; i < out->nbone; i++) CT_TRY(bone_from_model(b, s->bones.data[i], &out->bone[i]));
  return CT_OK;
}

// ---- from a file

#define NAME_SIZE 40

typedef struct Source {
  const unsigned char* at;
  size_t left;
} Source;

// A copy of the next `count` pieces of `size` bytes; NULL when there are not so many.
static void* take(ctiBuild* b, Source* s, int count, size_t size) {
  if (count < 0 || (size_t)count > s->left / size) return NULL;
  size_t bytes = (size_t)count * size;
  void* out = cti_region_alloc(b->region, bytes > 0 ? bytes : 1, 8);
  if (!out) return NULL;
  memcpy(out, s->at, bytes);
  s->at += bytes;
  s->left -= bytes;
  return out;
}

static bool take_bone(ctiBuild* b, Source* s, ctiBuildBone* out) {
  char* name = take(b, s, NAME_SIZE, 1);
  float* bind = name ? take(b, s, 7, sizeof(float)) : NULL;
  int* count = bind ? take(b, s, 1, sizeof(int)) : NULL;
  if (!count || *count <= 0) return false;
  name[NAME_SIZE - 1] = 0;
  out->body_name = name;
  memcpy(out->bindpos, bind, sizeof(out->bindpos));
  memcpy(out->bindquat, bind + 3, sizeof(out->bindquat));
  out->count = *count;
  out->vertid = take(b, s, out->count, sizeof(int));
  out->weight = out->vertid ? take(b, s, out->count, sizeof(float)) : NULL;
  return out->weight != NULL;
}

// A body named in the file, as it is called in the model.
static const char* name_here(ctiBuild* b, const ctiSkin* s, const char* name) {
  if (!s->bone_names) return name;
  int before = (int)strcspn(s->bone_names, CTI_NAME_IN_FILE);
  return cti_region_printf(b->region, "%.*s%s%s", before, s->bone_names, name, s->bone_names + before + 1);
}

static bool take_skin(ctiBuild* b, Source* s, ctiBuildSkin* out) {
  const int* head = take(b, s, 4, sizeof(int));
  if (!head || head[0] < 0 || head[1] < 0 || head[2] < 0 || head[3] < 0) return false;
  out->nvert = head[0];
  out->ntexcoord = head[1];
  out->nface = head[2];
  out->nbone = head[3];
  out->vert = take(b, s, out->nvert, 3 * sizeof(float));
  out->texcoord = out->vert ? take(b, s, out->ntexcoord, 2 * sizeof(float)) : NULL;
  out->face = out->texcoord ? take(b, s, out->nface, 3 * sizeof(int)) : NULL;
  if (!out->face || (size_t)out->nbone > s->left / NAME_SIZE) return false;
  out->bone = CTI_NEW_ARRAY(b->region, ctiBuildBone, out->nbone);
  for (int i = 0; out->bone && i < out->nbone; i++) {
    if (!take_bone(b, s, &out->bone[i])) return false;
  }
  return out->bone && s->left == 0;
}

static ctStatus from_file(ctiBuild* b, const ctiSkin* s, ctiBuildSkin* out) {
  if (s->vertex.count || s->texcoord.count || s->face.count || s->bones.count)
    return fail(b, s, "a skin has a file, or vertices and bones of its own, not both");
  if (strcasecmp(cti_path_extension(s->file), "skn") != 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "\"%s\": skins are SKN files", s->file);
  ctiFile file;
  CT_TRY(
      cti_read_asset(b, &s->head, cti_compiler_of(b->spec, &s->head)->meshdir, s->file, &file, &out->path));
  Source source = {(const unsigned char*)file.data, file.size};
  bool whole = take_skin(b, &source, out);
  cti_file_release(&file, &b->spec->allocator);
  for (int i = 0; whole && i < out->nbone; i++) {
    out->bone[i].body_name = name_here(b, s, out->bone[i].body_name);
    if (!out->bone[i].body_name) return cti_error_memory(b->err);
  }
  if (whole) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_SYNTAX, &s->head,
                        "%s: the sizes in the file do not go with its length: it is damaged, or no SKN file",
                        out->path);
}

// ---- checks

// The weights of each vertex add up to one.
static ctStatus balance(ctiBuild* b, const ctiSkin* s, ctiBuildSkin* out) {
  float* total = CTI_NEW_ARRAY(b->region, float, out->nvert);
  if (!total) return cti_error_memory(b->err);
  for (int i = 0; i < out->nbone; i++) {
    const ctiBuildBone* bone = &out->bone[i];
    for (int k = 0; k < bone->count; k++) {
      if (bone->vertid[k] < 0 || bone->vertid[k] >= out->nvert)
        return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "bone %d has a vertid that is not 0 to %d", i,
                              out->nvert - 1);
      total[bone->vertid[k]] += bone->weight[k];
    }
  }
  for (int v = 0; v < out->nvert; v++) {
    if (!(total[v] > 0) || !isfinite(total[v]))
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "the weights of vertex %d do not add up to a positive number: every vertex needs "
                            "a bone",
                            v);
  }
  for (int i = 0; i < out->nbone; i++) {
    for (int k = 0; k < out->bone[i].count; k++) out->bone[i].weight[k] /= total[out->bone[i].vertid[k]];
  }
  return CT_OK;
}

static void normalise(float quat[4]) {
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)quat[i] * (double)quat[i];
  for (int i = 0; i < 4 && square > 0; i++) quat[i] = (float)((double)quat[i] / sqrt(square));
}

static ctStatus check(ctiBuild* b, const ctiSkin* s, ctiBuildSkin* out) {
  if (!out->nvert || !out->nface || !out->nbone)
    return fail(b, s, "a skin needs a file, or vertices, faces and bones");
  if (out->ntexcoord && out->ntexcoord != out->nvert)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "there are %d vertices and %d texture coordinates", out->nvert, out->ntexcoord);
  for (int i = 0; i < 3 * out->nvert; i++) {
    if (!isfinite(out->vert[i])) return fail(b, s, "a vertex is not a number");
  }
  for (int i = 0; i < 3 * out->nface; i++) {
    if (out->face[i] < 0 || out->face[i] >= out->nvert)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "face %d has a vertex that is not 0 to %d",
                            i / 3, out->nvert - 1);
  }
  CT_TRY(balance(b, s, out));
  for (int i = 0; i < out->nbone; i++) {
    normalise(out->bone[i].bindquat);
    CT_TRY(cti_find_object(&out->bone[i].body, b, CT_OBJ_BODY, out->bone[i].body_name, &s->head));
  }
  out->material = -1;
  return s->material ? cti_find_object(&out->material, b, CT_OBJ_MATERIAL, s->material, &s->head) : CT_OK;
}

ctStatus cti_pass_skins(ctiBuild* b) {
  const ctModel* n = &b->sizes;
  b->skin = CTI_NEW_ARRAY(b->region, ctiBuildSkin, n->nskin);
  if (!b->skin) return cti_error_memory(b->err);
  for (int i = 0; i < n->nskin; i++) {
    const ctiSkin* s = b->spec->skins.data[i];
    ctiBuildSkin* skin = &b->skin[i];
    b->at = &s->head;
    CT_TRY(s->file ? from_file(b, s, skin) : from_model(b, s, skin));
    CT_TRY(check(b, s, skin));
    CT_TRY(CTI_GROW(b, nskinvert, skin->nvert, &s->head));
    CT_TRY(CTI_GROW(b, nskintexvert, skin->ntexcoord, &s->head));
    CT_TRY(CTI_GROW(b, nskinface, skin->nface, &s->head));
    CT_TRY(CTI_GROW(b, nskinbone, skin->nbone, &s->head));
    for (int k = 0; k < skin->nbone; k++) CT_TRY(CTI_GROW(b, nskinbonevert, skin->bone[k].count, &s->head));
  }
  return CT_OK;
}

// ---- into the model

static void fill_bone(ctModel* m, const ctiBuildBone* bone, int at, int bonevert) {
  m->skin_bonevertadr[at] = bonevert;
  m->skin_bonevertnum[at] = bone->count;
  m->skin_bonebodyid[at] = bone->body;
  memcpy(m->skin_bonebindpos + 3 * at, bone->bindpos, sizeof(bone->bindpos));
  memcpy(m->skin_bonebindquat + 4 * at, bone->bindquat, sizeof(bone->bindquat));
  memcpy(m->skin_bonevertid + bonevert, bone->vertid, sizeof(int) * (size_t)bone->count);
  memcpy(m->skin_bonevertweight + bonevert, bone->weight, sizeof(float) * (size_t)bone->count);
}

ctStatus cti_pass_fill_skins(ctiBuild* b) {
  ctModel* m = b->m;
  int vert = 0, tex = 0, face = 0, bone = 0, bonevert = 0;
  for (int i = 0; i < m->nskin; i++) {
    const ctiSkin* s = b->spec->skins.data[i];
    const ctiBuildSkin* skin = &b->skin[i];
    m->skin_matid[i] = skin->material;
    m->skin_group[i] = s->group;
    m->skin_inflate[i] = s->inflate;
    memcpy(m->skin_rgba + 4 * i, s->rgba, sizeof(s->rgba));
    m->skin_vertadr[i] = vert;
    m->skin_vertnum[i] = skin->nvert;
    m->skin_texcoordadr[i] = skin->ntexcoord ? tex : -1;
    m->skin_faceadr[i] = face;
    m->skin_facenum[i] = skin->nface;
    m->skin_boneadr[i] = bone;
    m->skin_bonenum[i] = skin->nbone;
    memcpy(m->skin_vert + 3 * vert, skin->vert, sizeof(float) * 3 * (size_t)skin->nvert);
    if (skin->ntexcoord)
      memcpy(m->skin_texcoord + 2 * tex, skin->texcoord, sizeof(float) * 2 * (size_t)skin->ntexcoord);
    memcpy(m->skin_face + 3 * face, skin->face, sizeof(int) * 3 * (size_t)skin->nface);
    for (int k = 0; k < skin->nbone; k++) {
      fill_bone(m, &skin->bone[k], bone + k, bonevert);
      bonevert += skin->bone[k].count;
    }
    vert += skin->nvert;
    tex += skin->ntexcoord;
    face += skin->nface;
    bone += skin->nbone;
  }
  return CT_OK;
}
