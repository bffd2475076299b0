// Model and data -> list of things to draw.
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/quat.h"

// ---- items

ctItem* cti_scene_add(const ctiSceneBuild* b, ctShape shape, ctObjType type, int id, int body) {
  ctItem item = {.shape = shape, .data = -1, .material = -1, .type = type, .id = id, .body = body};
  item.mat[0] = item.mat[4] = item.mat[8] = 1;
  for (int k = 0; k < 4; k++) item.rgba[k] = 1;
  item.specular = item.shininess = 0.5f;
  ctiItems* items = &b->s->items;
  if (cti_array_push(items, &b->s->allocator, item) != CT_OK) return NULL;
  return items->data + items->count - 1;
}

void cti_scene_place(ctItem* item, const ctReal* pos, const ctReal* mat) {
  for (int k = 0; k < 3; k++) item->pos[k] = (float)pos[k];
  for (int k = 0; mat && k < 9; k++) item->mat[k] = (float)mat[k];
}

ctReal cti_scene_point(ctItem* item, const ctReal from[3], const ctReal vec[3]) {
  ctReal quat[4], mat[9];
  cti_quat_z_to_vec(quat, vec);
  cti_quat_to_mat(mat, quat);
  cti_scene_place(item, from, mat);
  return cti_norm3(vec);
}

ctItem* cti_scene_link(const ctiSceneBuild* b, ctObjType type, int id, const ctReal from[3],
                       const ctReal to[3], ctReal radius) {
  ctReal along[3], middle[3];
  cti_sub3(along, to, from);
  cti_add3(middle, to, from);
  cti_scale3(middle, middle, CT_R(0.5));
  ctItem* item = cti_scene_add(b, CT_SHAPE_CAPSULE, type, id, 0);
  if (item) cti_scene_size(item, radius, radius, cti_scene_point(item, middle, along) / 2);
  return item;
}

void cti_scene_size(ctItem* item, ctReal x, ctReal y, ctReal z) {
  item->size[0] = (float)x;
  item->size[1] = (float)y;
  item->size[2] = (float)z;
}

void cti_scene_colour(ctItem* item, const float rgba[4]) {
  memcpy(item->rgba, rgba, sizeof(item->rgba));
}

#define X(id, text) text,
static const char* const kinds[CT_OBJ_COUNT] = {CT_OBJ_LIST(X)};
#undef X

void cti_scene_label(const ctiSceneBuild* b, ctItem* item, ctObjType type, int id) {
  const char* name = ct_model_id2name(b->m, type, id);
  if (name && *name) {
    cti_copy_head(item->label, sizeof(item->label), name);
  } else {
    snprintf(item->label, sizeof(item->label), "%s %d", kinds[type], id);
  }
}

bool cti_scene_group(const ctByte* groups, int group) {
  return groups[group < 0 ? 0 : group >= CT_NGROUP ? CT_NGROUP - 1 : group] != 0;
}

// ---- colours

// Hues that stay apart however many there are: a third of a turn and a bit from one to the next.
static void hue_colour(int i, float rgba[4]) {
  float turn = 0.381966f * (float)i;
  turn = 6 * (turn - (float)(int)turn);
  const float shift[3] = {0, 4, 2};
  for (int k = 0; k < 3; k++) {
    float x = turn + shift[k];
    if (x >= 6) x -= 6;
    float level = x < 3 ? x - 1 : 5 - x;  // 1 within a sixth of the hue, 0 on the other side
    level = level < 0 ? 0 : level > 1 ? 1 : level;
    rgba[k] = 0.25f + 0.65f * level;
  }
}

void cti_scene_island_colour(const ctiSceneBuild* b, int body, float rgba[4]) {
  int tree = b->m->body_treeid[body];
  if (tree < 0) return;
  int island = b->d->nisland > 0 && b->d->tree_island ? b->d->tree_island[tree] : -1;
  // trees of an island share the colour of its first tree, which does not change as others come and go
  if (island >= 0) tree = b->d->map_itree2tree[b->d->island_itreeadr[island]];
  hue_colour(tree, rgba);
  if (b->d->body_awake[body] == CT_ASLEEP) {
    float grey = (rgba[0] + rgba[1] + rgba[2]) / 3;
    for (int k = 0; k < 3; k++) rgba[k] = 0.35f * (0.7f * grey + 0.3f * rgba[k]);
  }
}

// The default colour.
static bool is_plain(const float rgba[4]) {
  return rgba[0] == 0.5f && rgba[1] == 0.5f && rgba[2] == 0.5f && rgba[3] == 1;
}

// A colour that is not the default one goes before that of the material.
void cti_scene_material(const ctiSceneBuild* b, ctItem* item, int mat, const float rgba[4]) {
  const ctModel* m = b->m;
  memcpy(item->rgba, rgba, sizeof(item->rgba));
  if (mat < 0) return;
  if (is_plain(rgba)) memcpy(item->rgba, m->mat_rgba + 4 * mat, sizeof(item->rgba));
  item->material = b->opt->show[CT_SHOW_TEXTURE] ? mat : -1;
  item->emission = m->mat_emission[mat];
  item->specular = m->mat_specular[mat];
  item->shininess = m->mat_shininess[mat];
  item->reflectance = m->mat_reflectance[mat];
}

// What the options make of the colour of something on a body.
static void tint(const ctiSceneBuild* b, ctItem* item) {
  const ctSceneOption* o = b->opt;
  bool moves = b->m->body_weldid[item->body] > 0 || b->m->body_mocapid[item->body] >= 0;
  if (o->show[CT_SHOW_ISLAND] && b->m->body_treeid[item->body] >= 0) {
    cti_scene_island_colour(b, item->body, item->rgba);
    item->material = -1;
  }
  if (o->show[CT_SHOW_TRANSPARENT] && moves) item->rgba[3] *= b->m->vis.map.alpha;
  if (o->show[CT_SHOW_SELECT] && o->selected > 0 && o->selected == item->body)
    item->emission += b->m->vis.global.glow;
}

// ---- parts of the model

static bool body_shown(const ctiSceneBuild* b, int body) {
  return b->opt->show[CT_SHOW_STATIC] || b->m->body_weldid[body] > 0 || b->m->body_mocapid[body] >= 0;
}

// Sizes of a geom or site as those of an item.
static void set_shape(ctItem* item, int type, const ctReal size[3], int data) {
  item->shape = type >= CT_GEOM_MESH ? CT_SHAPE_MESH : (ctShape)type;
  switch (type) {
    case CT_GEOM_SPHERE: cti_scene_size(item, size[0], size[0], size[0]); break;
    case CT_GEOM_CAPSULE:
    case CT_GEOM_CYLINDER: cti_scene_size(item, size[0], size[0], size[1]); break;
    case CT_GEOM_MESH:
    case CT_GEOM_SDF:
    case CT_GEOM_HFIELD:
      item->data = data;
      cti_scene_size(item, 1, 1, 1);
      break;
    default: cti_scene_size(item, size[0], size[1], size[2]); break;
  }
}

static ctStatus add_geoms(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    if (!cti_scene_group(b->opt->geomgroup, m->geom_group[i]) || !body_shown(b, body)) continue;
    ctItem* item = cti_scene_add(b, CT_SHAPE_BOX, CT_OBJ_GEOM, i, body);
    if (!item) return CT_ERR_MEMORY;
    set_shape(item, m->geom_type[i], m->geom_size + 3 * i, m->geom_dataid[i]);
    if (item->shape == CT_SHAPE_MESH && b->opt->show[CT_SHOW_CONVEXHULL] && item->data >= 0 &&
        m->mesh_graphadr[item->data] >= 0)
      item->shape = CT_SHAPE_HULL;
    cti_scene_place(item, b->d->geom_xpos + 3 * i, b->d->geom_xmat + 9 * i);
    cti_scene_material(b, item, m->geom_matid[i], m->geom_rgba + 4 * i);
    item->castshadow = m->geom_castshadow[i];
    tint(b, item);
    if (item->rgba[3] <= 0) {  // invisible
      b->s->items.count--;
      continue;
    }
    if (b->opt->label == CT_LABEL_OF_GEOM) cti_scene_label(b, item, CT_OBJ_GEOM, i);
    if (b->opt->label == CT_LABEL_OF_ISLAND && m->body_treeid[body] >= 0 && b->d->nisland > 0)
      snprintf(item->label, sizeof(item->label), "%d", b->d->tree_island[m->body_treeid[body]]);
  }
  return CT_OK;
}

static ctStatus add_sites(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int i = 0; i < m->nsite; i++) {
    int body = m->site_bodyid[i];
    if (!cti_scene_group(b->opt->sitegroup, m->site_group[i]) || !body_shown(b, body)) continue;
    ctItem* item = cti_scene_add(b, CT_SHAPE_BOX, CT_OBJ_SITE, i, body);
    if (!item) return CT_ERR_MEMORY;
    set_shape(item, m->site_type[i], m->site_size + 3 * i, m->site_dataid[i]);
    cti_scene_place(item, b->d->site_xpos + 3 * i, b->d->site_xmat + 9 * i);
    cti_scene_material(b, item, m->site_matid[i], m->site_rgba + 4 * i);
    tint(b, item);
    if (item->rgba[3] <= 0) {
      b->s->items.count--;
      continue;
    }
    if (b->opt->label == CT_LABEL_OF_SITE) cti_scene_label(b, item, CT_OBJ_SITE, i);
  }
  return CT_OK;
}

// Colour of a tendon that a muscle pulls: between the actuator's colours, by activation.
static bool activation_colour(const ctiSceneBuild* b, int tendon, float rgba[4]) {
  const ctModel* m = b->m;
  for (int i = 0; i < m->nactuator; i++) {
    int trn = m->actuator_trntype[i], act = m->actuator_actadr[i];
    if (trn != CT_TRN_TENDON || m->actuator_trnid[2 * i] != tendon || act < 0) continue;
    float x = (float)b->d->act[act + m->actuator_actnum[i] - 1];
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    const float *from = m->vis.rgba.actuator, *to = m->vis.rgba.actuatorpositive;
    for (int k = 0; k < 4; k++) rgba[k] = from[k] + x * (to[k] - from[k]);
    return true;
  }
  return false;
}

// A plain tendon that its limit holds takes the colour of constraints, the more the stiffer the limit is
// there.
static void limit_colour(const ctiSceneBuild* b, int tendon, float rgba[4]) {
  const ctData* d = b->d;
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_type[i] != CT_CNSTR_LIMIT_TENDON || d->efc_id[i] != tendon) continue;
    float x = (float)d->efc_KBIP[4 * i + 2];
    for (int k = 0; k < 4; k++) rgba[k] += x * (b->m->vis.rgba.constraint[k] - rgba[k]);
    return;
  }
}

// A tendon is a capsule between each two points of its path, but not across a pulley.
static ctStatus add_tendons(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const ctData* d = b->d;
  for (int t = 0; t < m->ntendon; t++) {
    if (!cti_scene_group(b->opt->tendongroup, m->tendon_group[t])) continue;
    bool labelled = b->opt->label != CT_LABEL_OF_TENDON;
    for (int i = d->ten_wrapadr[t]; i < d->ten_wrapadr[t] + d->ten_wrapnum[t] - 1; i++) {
      if (d->wrap_obj[i] == -2 || d->wrap_obj[i + 1] == -2) continue;
      ctReal along[3], middle[3];
      cti_sub3(along, d->wrap_xpos + 3 * (i + 1), d->wrap_xpos + 3 * i);
      cti_add3(middle, d->wrap_xpos + 3 * (i + 1), d->wrap_xpos + 3 * i);
      cti_scale3(middle, middle, CT_R(0.5));
      ctItem* item = cti_scene_add(b, CT_SHAPE_CAPSULE, CT_OBJ_TENDON, t, 0);
      if (!item) return CT_ERR_MEMORY;
      ctReal length = cti_scene_point(item, middle, along), width = m->tendon_width[t];
      cti_scene_material(b, item, m->tendon_matid[t], m->tendon_rgba + 4 * t);
      if (is_plain(item->rgba) && m->tendon_limited[t]) limit_colour(b, t, item->rgba);
      if (b->opt->show[CT_SHOW_ACTIVATION] && activation_colour(b, t, item->rgba)) {
        width *= (ctReal)m->vis.map.actuatortendon;
        item->material = -1;
      }
      cti_scene_size(item, width, width, length / 2);
      item->castshadow = true;
      if (!labelled) cti_scene_label(b, item, CT_OBJ_TENDON, t);
      labelled = true;
    }
  }
  return CT_OK;
}

static ctStatus add_skins(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int i = 0; i < m->nskin; i++) {
    if (!cti_scene_group(b->opt->skingroup, m->skin_group[i])) continue;
    ctItem* item = cti_scene_add(b, CT_SHAPE_SKIN, CT_OBJ_SKIN, i, 0);
    if (!item) return CT_ERR_MEMORY;
    item->data = i;
    item->castshadow = true;
    cti_scene_size(item, 1, 1, 1);
    cti_scene_material(b, item, m->skin_matid[i], m->skin_rgba + 4 * i);
  }
  cti_scene_move_skins(b);
  return CT_OK;
}

// ---- lights

static void add_headlight(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  if (m->vis.headlight.active == 0) return;  // 2, the default, leaves it to the renderer: on
  ctSceneLight* light = b->s->lights + b->s->scene.nlight++;
  *light = (ctSceneLight){.id = -1, .directional = true, .attenuation = {1, 0, 0}};
  memcpy(light->pos, b->s->scene.view.pos, sizeof(light->pos));
  memcpy(light->dir, b->s->scene.view.forward, sizeof(light->dir));
  memcpy(light->ambient, m->vis.headlight.ambient, sizeof(light->ambient));
  memcpy(light->diffuse, m->vis.headlight.diffuse, sizeof(light->diffuse));
  memcpy(light->specular, m->vis.headlight.specular, sizeof(light->specular));
}

static void add_lights(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  b->s->scene.nlight = 0;
  add_headlight(b);
  for (int i = 0; i < m->nlight && b->s->scene.nlight < CT_LIGHT_MAX; i++) {
    if (!m->light_active[i]) continue;
    ctSceneLight* light = b->s->lights + b->s->scene.nlight++;
    *light = (ctSceneLight){.id = i,
                            .directional = m->light_type[i] == CT_LIGHT_DIRECTIONAL,
                            .spot = m->light_type[i] == CT_LIGHT_SPOT,
                            .castshadow = m->light_castshadow[i],
                            .cutoff = m->light_cutoff[i],
                            .exponent = m->light_exponent[i]};
    for (int k = 0; k < 3; k++) {
      light->pos[k] = (float)b->d->light_xpos[3 * i + k];
      light->dir[k] = (float)b->d->light_xdir[3 * i + k];
      light->ambient[k] = m->light_ambient[3 * i + k];
      light->diffuse[k] = m->light_diffuse[3 * i + k];
      light->specular[k] = m->light_specular[3 * i + k];
      light->attenuation[k] = m->light_attenuation[3 * i + k];
    }
  }
}

// ---- the scene

// Items by body: count, sum, fill.
static ctStatus sort_by_body(ctiScene* s) {
  int n = s->items.count;
  if (cti_array_reserve_items(&s->body_item, &s->body_item_capacity, 0, n > 0 ? n : 1, sizeof(int),
                              &s->allocator) != CT_OK)
    return CT_ERR_MEMORY;
  int* adr = s->body_itemadr;
  memset(adr, 0, sizeof(int) * ((size_t)s->nbody + 1));
  for (int i = 0; i < n; i++) adr[s->items.data[i].body + 1]++;
  for (int i = 0; i < s->nbody; i++) adr[i + 1] += adr[i];
  for (int i = 0; i < n; i++) s->body_item[adr[s->items.data[i].body]++] = i;
  for (int i = s->nbody; i > 0; i--) adr[i] = adr[i - 1];  // filling has moved each to the next
  adr[0] = 0;
  return CT_OK;
}

static void publish(ctiScene* s) {
  s->scene.items = s->items.data;
  s->scene.nitem = s->items.count;
  s->scene.lights = s->lights;
  s->scene.body_item = s->body_item;
  s->scene.body_itemadr = s->body_itemadr;
  s->scene.skin_vert = s->skin_vert;
  s->scene.skin_normal = s->skin_normal;
  s->scene.flex_vert = s->flex_vert;
  s->scene.flex_normal = s->flex_normal;
}

ctStatus ct_scene_create(ctScene** out, const ctModel* m) {
  if (!out) return CT_ERR_ARGUMENT;
  *out = NULL;
  if (!m) return CT_ERR_ARGUMENT;
  ctiScene* s = CTI_ALLOC(&m->allocator, ctiScene, 1);
  if (!s) return CT_ERR_MEMORY;
  s->allocator = m->allocator;
  s->nbody = m->nbody;
  s->nskinvert = m->nskinvert;
  s->nflexvert = m->nflexvert;
  s->body_itemadr = CTI_ALLOC(&s->allocator, int, (size_t)m->nbody + 1);
  s->skin_vert = CTI_ALLOC(&s->allocator, float, 3 * (size_t)m->nskinvert);
  s->skin_normal = CTI_ALLOC(&s->allocator, float, 3 * (size_t)m->nskinvert);
  s->flex_vert = CTI_ALLOC(&s->allocator, float, 3 * (size_t)m->nflexvert);
  s->flex_normal = CTI_ALLOC(&s->allocator, float, 3 * (size_t)m->nflexvert);
  if (!s->body_itemadr || !s->skin_vert || !s->skin_normal || !s->flex_vert || !s->flex_normal) {
    ct_scene_free(&s->scene);
    return CT_ERR_MEMORY;
  }
  ct_scene_option_default(&s->scene.option);
  publish(s);
  *out = &s->scene;
  return CT_OK;
}

void ct_scene_free(ctScene* scene) {
  if (!scene) return;
  ctiScene* s = (ctiScene*)scene;
  ctAllocator a = s->allocator;
  cti_array_free(&s->items, &a);
  cti_release(&a, s->body_item);
  cti_release(&a, s->body_itemadr);
  cti_release(&a, s->skin_vert);
  cti_release(&a, s->skin_normal);
  cti_release(&a, s->flex_vert);
  cti_release(&a, s->flex_normal);
  cti_release(&a, s);
}

static ctStatus fill(const ctiSceneBuild* b) {
  CT_TRY(add_geoms(b));
  CT_TRY(add_sites(b));
  if (b->opt->show[CT_SHOW_TENDON]) CT_TRY(add_tendons(b));
  if (b->opt->show[CT_SHOW_SKIN]) CT_TRY(add_skins(b));
  if (b->m->nflex) CT_TRY(cti_scene_add_flexes(b));
  int first = b->s->items.count;
  CT_TRY(cti_scene_add_marks(b));
  for (int i = first; i < b->s->items.count; i++) b->s->items.data[i].mark = true;
  return sort_by_body(b->s);
}

ctStatus ct_scene_update(ctScene* scene, const ctModel* m, const ctData* d, const ctSceneOption* option,
                         const ctCamera* camera) {
  ctiScene* s = (ctiScene*)scene;
  if (!s || !m || !d || m->nbody != s->nbody || m->nskinvert != s->nskinvert || m->nflexvert != s->nflexvert)
    return CT_ERR_ARGUMENT;
  ctCamera usual;
  ctView view;
  if (!camera) CT_TRY(ct_camera_default(m, &usual));
  CT_TRY(ct_camera_view(m, d, camera ? camera : &usual, &view));
  if (option) {
    scene->option = *option;
  } else {
    ct_scene_option_default(&scene->option);
  }
  scene->view = view;
  s->items.count = 0;
  const ctiSceneBuild b = {.s = s, .m = m, .d = d, .opt = &scene->option};
  ctStatus status = fill(&b);
  if (status != CT_OK) {
    s->items.count = 0;
    memset(s->body_itemadr, 0, sizeof(int) * ((size_t)s->nbody + 1));
  }
  add_lights(&b);
  publish(s);
  return status;
}

int ct_scene_find(const ctScene* scene, ctObjType type, int id) {
  for (int i = 0; scene && i < scene->nitem && !scene->items[i].mark; i++) {
    if (scene->items[i].type == type && scene->items[i].id == id) return i;
  }
  return -1;
}

bool ct_item_fits(const ctModel* m, const ctItem* item) {
  if (!m || !item || (int)item->shape < 0 || item->shape >= CT_SHAPE_COUNT) return false;
  const int counts[CT_SHAPE_COUNT] = {[CT_SHAPE_HFIELD] = m->nhfield,
                                      [CT_SHAPE_MESH] = m->nmesh,
                                      [CT_SHAPE_HULL] = m->nmesh,
                                      [CT_SHAPE_SKIN] = m->nskin,
                                      [CT_SHAPE_FLEX] = m->nflex};
  const bool refers = item->shape == CT_SHAPE_HFIELD || item->shape == CT_SHAPE_MESH ||
                      item->shape == CT_SHAPE_HULL || item->shape == CT_SHAPE_SKIN ||
                      item->shape == CT_SHAPE_FLEX;
  return item->material >= -1 && item->material < m->nmat &&
         (!refers || (item->data >= 0 && item->data < counts[item->shape])) &&
         memchr(item->label, 0, sizeof(item->label)) != NULL;
}
