// What the language can say and the engine cannot do yet is refused with the remedy; what has no effect, what
// nobody uses and what is odd is worth a remark to the log.
#include "compile/flex.h"
#include "corten/sim.h"
#include "model/binary.h"
#include "sense/sense.h"
#include "spec/attrs.h"
#include "spec/spec.h"

// ---- what is refused

static ctStatus refuse(const ctiBuild* b, const ctiElement* e, const char* what) {
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e, "%s", what);
}

static ctStatus check_sensors(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->option.disableflags & CT_DSBL_SENSOR) return CT_OK;
  for (int i = 0; i < s->sensors.count; i++) {
    const ctiSensor* sensor = s->sensors.data[i];
    if (!cti_sensor_supported(sensor->type)) {
      return refuse(b, &sensor->head,
                    "this kind of sensor is not supported yet; set sensor=\"disable\" in <option><flag> to "
                    "simulate without");
    }
  }
  return CT_OK;
}

const char* cti_refused_option(const ctOption* o) {
  if (!(o->enableflags & CT_ENBL_IPC)) return NULL;
  if (o->integrator != CT_INT_DISCRETE) return "the flag ipc needs the integrator \"discrete\"";
  if (o->solver == CT_SOL_PGS) return "the flag ipc needs the solver \"Newton\" or \"CG\"";
  if (o->enableflags & CT_ENBL_FWDINV)
    return "the flag ipc does not go with fwdinv: its forces have no inverse dynamics";
  if (o->enableflags & CT_ENBL_SLEEP) return "the flag ipc does not go with sleep";
  return NULL;
}

static ctStatus check_settings(const ctiBuild* b) {
  const ctiElement top = {.tag = "option", .where = {b->spec->file, 0, 0}};
  const char* refused = cti_refused_option(&b->spec->option);
  if (refused) return refuse(b, &top, refused);
  const ctOption* o = &b->spec->option;
#define COUNT(name) \
  { #name, o->name }
  const struct {
    const char* name;
    int count;
  } loops[] = {COUNT(iterations),     COUNT(ls_iterations),  COUNT(noslip_iterations),
               COUNT(ccd_iterations), COUNT(sdf_iterations), COUNT(sdf_initpoints)};
#undef COUNT
  for (int i = 0; i < CT_COUNT_OF(loops); i++) {
    if (loops[i].count > CTI_MOST_ITERATIONS)
      return cti_spec_error(b->err, CT_ERR_LIMIT, &top,
                            "%s is %d: at most %d, for a step has to end some time", loops[i].name,
                            loops[i].count, CTI_MOST_ITERATIONS);
  }
  return CT_OK;
}

ctStatus cti_pass_support(ctiBuild* b) {
  CT_TRY(check_settings(b));
  CT_TRY(check_sensors(b));
  return CT_OK;
}

// ---- settings without effect

static void remark_settings(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  const ctiElement size = {.tag = "size", .where = {s->file, 0, 0}};
  const ctiElement option = {.tag = "option", .where = {s->file, 0, 0}};
  if (s->size.njmax >= 0 || s->size.nconmax >= 0 || s->size.nstack >= 0 || s->size.memory)
    cti_remark(s, CT_LOG_INFO, &size,
               "memory grows as needed: njmax, nconmax, nstack and memory have no effect");
  if (s->option.disableflags & CT_DSBL_NATIVECCD)
    cti_remark(s, CT_LOG_WARNING, &option,
               "there is one convex collider: nativeccd=\"disable\" gives the same contacts as \"enable\"");
}

// ---- classes

static void use_class(const ctSpec* s, bool* used, const char* name) {
  int i = name ? cti_names_find(&s->class_ids, name) : -1;
  for (const ctiClass* c = i < 0 ? NULL : s->classes.data[i]; c; c = c->parent) {
    int k = cti_names_find(&s->class_ids, c->name);
    if (k >= 0) used[k] = true;
  }
}

// Classes that came with an attached model, and those made by code, have no place.
static void remark_classes(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  bool* used = CTI_NEW_ARRAY(b->region, bool, s->classes.count);
  if (!used) return;
#define USE(list) \
  for (int k = 0; k < (list).count; k++) use_class(s, used, (list).data[k]->head.class_);
  for (int i = 0; i < b->sizes.nbody; i++) {
    const ctiBody* body = b->body[i].spec;
    use_class(s, used, body->childclass);
    for (int k = 0; k < body->frames.count; k++) use_class(s, used, body->frames.data[k]->childclass);
#define X(record, list, template_) USE(body->list)
    CTI_BODY_LISTS(X)
#undef X
  }
#define X(record, list, template_) USE(s->list)
  CTI_SPEC_LISTS(X)
#undef X
#undef USE
  for (int i = 1; i < s->classes.count; i++) {
    const ctiClass* c = s->classes.data[i];
    const ctiElement e = {.tag = "default", .name = c->name, .where = c->where};
    if (!used[i] && c->where.file) cti_remark(s, CT_LOG_INFO, &e, "no element uses this class");
  }
}

// ---- assets

// Names that are used, one map for each kind of asset.
typedef struct Used {
  ctiNameMap mesh, hfield, material, texture;
} Used;

static void use(ctiNameMap* map, const char* name) {
  // without memory there are remarks too many, no more
  if (name) (void)!cti_names_add(map, name, 1);
}

static void use_by_tuples(const ctSpec* s, Used* u) {
  for (int i = 0; i < s->tuples.count; i++) {
    for (int k = 0; k < s->tuples.data[i]->items.count; k++) {
      const ctiTupleItem* item = s->tuples.data[i]->items.data[k];
      use(&u->mesh, item->objname);
      use(&u->hfield, item->objname);
      use(&u->material, item->objname);
      use(&u->texture, item->objname);
    }
  }
}

static void remark_assets(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  Used u;
  ctiNameMap* const maps[] = {&u.mesh, &u.hfield, &u.material, &u.texture};
  for (int i = 0; i < 4; i++) cti_names_init(maps[i], cti_region_allocator(b->region));
  for (int i = 0; i < b->sizes.ngeom; i++) {
    use(&u.mesh, b->geom[i].spec->mesh);
    use(&u.hfield, b->geom[i].spec->hfield);
    use(&u.material, b->geom[i].spec->material);
  }
  for (int i = 0; i < b->sizes.nsite; i++) {
    use(&u.mesh, b->site[i].spec->mesh);
    use(&u.material, b->site[i].spec->material);
  }
  for (int i = 0; i < s->tendons.count; i++) use(&u.material, s->tendons.data[i]->material);
  for (int i = 0; i < s->skins.count; i++) use(&u.material, s->skins.data[i]->material);
  for (int i = 0; i < s->flexes.count; i++) {
    const ctiNames* names = &s->flexes.data[i]->material;
    for (int k = 0; k < names->count; k++) use(&u.material, names->data[k]);
  }
  for (int i = 0; i < s->meshes.count; i++) use(&u.material, s->meshes.data[i]->material);
  for (int i = 0; i < b->sizes.nlight; i++) use(&u.texture, b->light[i].spec->texture);
  for (int i = 0; i < s->sensors.count; i++) {
    use(&u.mesh, s->sensors.data[i]->mesh);
    use(&u.material, s->sensors.data[i]->objname);
  }
  for (int i = 0; i < s->materials.count; i++) {
    for (int k = 0; k < CT_TEXROLE_COUNT; k++) use(&u.texture, s->materials.data[i]->texture[k]);
  }
  use_by_tuples(s, &u);
#define REMARK(list, map)                                                                                \
  for (int i = 0; i < s->list.count; i++) {                                                              \
    const ctiElement* e = &s->list.data[i]->head;                                                        \
    if (e->name && cti_names_find(&u.map, e->name) < 0) cti_remark(s, CT_LOG_INFO, e, "nobody uses it"); \
  }
  REMARK(meshes, mesh)
  REMARK(hfields, hfield)
  REMARK(materials, material)
  for (int i = 0; i < s->textures.count; i++) {
    const ctiTexture* t = s->textures.data[i];
    // the sky is used by being there
    if (t->type != CT_TEXTURE_SKYBOX && t->head.name && cti_names_find(&u.texture, t->head.name) < 0)
      cti_remark(s, CT_LOG_INFO, &t->head, "nobody uses it");
  }
#undef REMARK
}

// ---- bodies

static void remark_bodies(const ctiBuild* b) {
  for (int i = 1; i < b->sizes.nbody; i++) {
    const ctiBuildBody* body = &b->body[i];
    if (body->jntnum == 0 || body->mass >= CTI_MINVAL) continue;
    cti_remark(b->spec, CT_LOG_INFO, &body->spec->head,
               "moves without mass of its own: what is fixed to it has the mass");
  }
}

// ---- geoms

// Height fields and signed distance fields that may meet have no contacts, as in MuJoCo: say so once.
static void remark_fields(const ctiBuild* b) {
  for (int i = 0; i < b->sizes.ngeom; i++) {
    const ctiGeom* field = b->geom[i].spec;
    for (int k = 0; field->type == CT_GEOM_SDF && k < b->sizes.ngeom; k++) {
      const ctiGeom* ground = b->geom[k].spec;
      bool meet = (field->contype & ground->conaffinity) || (ground->contype & field->conaffinity);
      if (ground->type != CT_GEOM_HFIELD || !meet || b->geom[i].body == b->geom[k].body) continue;
      cti_remark(
          b->spec, CT_LOG_WARNING, &field->head,
          "geoms of type sdf have no contacts with height fields; add a geom of another type to stand on "
          "them");
      return;
    }
  }
}

// ---- sleeping

// A tree of the same island that keeps one awake, or -1.
static int awake_neighbour(const ctModel* m, const ctData* d, int tree) {
  for (int t = 0; d->nisland > 0 && t < m->ntree; t++) {
    bool tied = t != tree && d->tree_island[t] >= 0 && d->tree_island[t] == d->tree_island[tree];
    if (tied && m->tree_sleep_policy[t] != CT_SLEEP_INIT) return t;
  }
  return -1;
}

// Trees that shall start asleep and do not, with what keeps them awake.
static void remark_start(const ctiBuild* b) {
  const ctModel* m = b->m;
  ctData* d = NULL;
  if (ct_data_create(&d, m, NULL) != CT_OK) return;
  bool kept = false;
  for (int t = 0; t < m->ntree && !kept; t++)
    kept = m->tree_sleep_policy[t] == CT_SLEEP_INIT && d->tree_asleep[t] < 0;
  if (kept) ct_forward(m, d);  // whose islands say who is tied to whom
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] != CT_SLEEP_INIT || d->tree_asleep[t] >= 0) continue;
    const ctiElement* e = &b->body[m->tree_bodyadr[t]].spec->head;
    int other = awake_neighbour(m, d, t);
    const char* name = other < 0 ? NULL : b->body[m->tree_bodyadr[other]].spec->head.name;
    cti_remark(
        b->spec, CT_LOG_WARNING, e,
        "sleep=\"init\" has no effect: the tree starts in touch with %s%s%s, which is awake. Give that "
        "one sleep=\"init\" too, or move them apart",
        name ? "body \"" : "a tree", name ? name : "", name ? "\"" : "");
  }
  ct_data_free(d);
}

static void remark_sleep(const ctiBuild* b) {
  const ctOption* o = &b->spec->option;
  const ctiElement option = {.tag = "option", .where = {b->spec->file, 0, 0}};
  bool starts = false;
  if (!(o->enableflags & CT_ENBL_SLEEP)) return;
  for (int t = 0; t < b->m->ntree; t++) starts = starts || b->m->tree_sleep_policy[t] == CT_SLEEP_INIT;
  if (starts) remark_start(b);
  if (o->integrator == CT_INT_RK4)
    cti_remark(b->spec, CT_LOG_WARNING, &option,
               "trees do not stay asleep with the integrator RK4: it moves them within a step");
  if (o->disableflags & CT_DSBL_ISLAND)
    cti_remark(
        b->spec, CT_LOG_WARNING, &option,
        "no tree falls asleep while constraints act and island=\"disable\": who rests on whom is not known");
}

ctStatus cti_pass_remarks(ctiBuild* b) {
  if (!b->spec->log.write) return CT_OK;
  remark_sleep(b);
  remark_settings(b);
  remark_classes(b);
  remark_assets(b);
  remark_bodies(b);
  remark_fields(b);
  for (int i = 0; i < b->sizes.nflex; i++) cti_flex_remark(b, &b->flex[i]);
  return CT_OK;
}
