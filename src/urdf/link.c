// URDF links: inertia, shapes and how they look.
#include <math.h>
#include <string.h>

#include "asset/mesh_files.h"
#include "base/files.h"
#include "math/eig3.h"
#include "math/quat.h"
#include "spec/attrs.h"
#include "spec/orient.h"
#include "urdf/read.h"

// ---- inertia

// The moments about the axes of the body, given about those of the inertial frame.
static ctStatus turn_inertia(ctiUrdf* u, const ctiXml* e, double full[6], const ctiOrient* orient) {
  ctReal quat[4], r[9], scaled[9], turned[9];
  const char* wrong = cti_orient_to_quat(quat, orient, &u->spec->compiler);
  if (wrong) return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "%s", wrong);
  const ctReal mat[9] = {(ctReal)full[0], (ctReal)full[3], (ctReal)full[4], (ctReal)full[3], (ctReal)full[1],
                         (ctReal)full[5], (ctReal)full[4], (ctReal)full[5], (ctReal)full[2]};
  cti_quat_to_mat(r, quat);
  cti_mul_mat_mat_t3(scaled, r, mat);
  cti_mul_mat_mat_t3(turned, scaled, r);
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  for (int i = 0; i < 6; i++) full[i] = (double)turned[at[i]];
  return CT_OK;
}

// Moments below this are none to a body that moves; what a point of mass gets, about a millimetre around it;
// and the least of both for a link that moves and has none.
#define NO_MOMENT    1e-15
#define POINT_RADIUS 1e-3
#define LEAST_MASS   1e-6
#define LEAST_MOMENT 1e-9

// Decreasing moments of what has this mass, made those of a body: positive, and none above the sum of the
// others.
static void make_moments(ctReal moments[3], double mass) {
  const ctReal least = (ctReal)fmax(LEAST_MOMENT, mass * POINT_RADIUS * POINT_RADIUS);
  if (!(moments[0] > CT_R(NO_MOMENT))) moments[0] = least;
  for (int i = 1; i < 3; i++) {
    if (!(moments[i] > CT_R(NO_MOMENT))) moments[i] = cti_min(least, moments[0]);
  }
  const ctReal missing = moments[0] - moments[1] - moments[2];
  if (missing <= 0) return;
  moments[1] += CT_R(0.50001) * missing;
  moments[2] += CT_R(0.50001) * missing;
}

static void full_to_mat(ctReal mat[9], const double f[6]) {
  static const int at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  for (int i = 0; i < 9; i++) mat[i] = (ctReal)f[at[i]];
}

// The inertia with these axes and moments.
static void full_from_moments(double f[6], const ctReal axes[9], const ctReal moments[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    f[i] = 0;
    for (int k = 0; k < 3; k++) f[i] += (double)(axes[3 * row[i] + k] * moments[k] * axes[3 * col[i] + k]);
  }
}

// What no turning body has is adjusted, its axes kept; or refused where that is asked for.
static ctStatus settle_inertia(ctiUrdf* u, const ctiXml* e, double f[6], double mass, const char* link) {
  ctReal mat[9], axes[9], moments[3];
  full_to_mat(mat, f);
  cti_eig3(moments, axes, NULL, mat, CTI_EIG_TOL, CTI_EIG_SORT);
  const ctiCompiler* c = &u->spec->compiler;
  const ctReal given[3] = {moments[0], moments[1], moments[2]};
  const bool definite = moments[2] > 0 || c->boundinertia > 0;
  if (!definite && (u->opt.mujoco || u->opt.strict_inertia))
    return cti_xml_error(
        u->err, CT_ERR_INVALID, e, NULL,
        "the inertia of link \"%s\" is not positive definite, its moments are %g %g %g: correct "
        "them, or load with bound_inertia",
        link, (double)moments[0], (double)moments[1], (double)moments[2]);
  // compiling asks for the same, in the words of MJCF
  for (int i = 0; i < 3; i++) moments[i] = cti_max(moments[i], (ctReal)c->boundinertia);
  if (definite && (u->opt.mujoco || c->balanceinertia || c->inertiafromgeom == CTI_TRUE ||
                   moments[1] + moments[2] >= moments[0] * CT_R(1 - 1e-6)))
    return CT_OK;
  if (u->opt.strict_inertia)
    return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL,
                         "no body has the moments of inertia %g %g %g of link \"%s\": each is at most the "
                         "sum of the other two; "
                         "correct them, or load with balance_inertia",
                         (double)moments[0], (double)moments[1], (double)moments[2], link);
  make_moments(moments, mass);
  full_from_moments(f, axes, moments);
  cti_urdf_remark(
      u->spec, e, NULL,
      "no body has the moments of inertia %g %g %g of link \"%s\": it gets %g %g %g; correct the file, "
      "or refuse it with strict_inertia",
      (double)given[0], (double)given[1], (double)given[2], link, (double)moments[0], (double)moments[1],
      (double)moments[2]);
  return CT_OK;
}

// Decreasing moments of an inertial, with their axes.
static void moments_of(ctReal moments[3], ctReal axes[9], const ctiInertial* s) {
  double f[6] = {s->diaginertia[0], s->diaginertia[1], s->diaginertia[2], 0, 0, 0};
  ctReal mat[9];
  full_to_mat(mat, isnan(s->fullinertia[0]) ? f : s->fullinertia);
  cti_eig3(moments, axes, NULL, mat, CTI_EIG_TOL, CTI_EIG_SORT);
}

// Whether a link has mass and inertia by itself.
static bool has_substance(const ctiBody* body) {
  ctReal moments[3], axes[9];
  if (!body->has_inertial) {
    for (int i = 0; i < body->geoms.count; i++) {
      const ctiGeom* g = body->geoms.data[i];
      if (isnan(g->mass) ? g->density > 0 : g->mass > 0) return true;
    }
    return false;
  }
  moments_of(moments, axes, &body->inertial);
  return body->inertial.mass >= NO_MOMENT && (double)moments[2] >= NO_MOMENT;
}

// A little of both for a link that moves.
static ctStatus give_substance(ctiUrdf* u, ctiUrdfLink* link) {
  ctiInertial* s = &link->body->inertial;
  const ctiXml* at = cti_xml_child(link->xml, "inertial");
  ctReal moments[3] = {0, 0, 0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (link->body->has_inertial) {
    moments_of(moments, axes, s);
  } else {
    s->head.parent = &link->body->head;
    link->body->has_inertial = true;
    CT_TRY(cti_urdf_place(u, link->xml, &s->head, "inertial", &cti_attrs_inertial));
  }
  const double mass = s->mass;
  s->mass = mass >= NO_MOMENT ? mass : LEAST_MASS;
  make_moments(moments, s->mass);
  full_from_moments(s->fullinertia, axes, moments);
  cti_urdf_remark(
      u->spec, at ? at : link->xml, NULL,
      "link \"%s\" moves and has no %s: it gets %g kg and moments of inertia of %g %g %g; give it an "
      "<inertial>, load with bound_mass and bound_inertia, or refuse it with strict_inertia",
      link->name, mass >= NO_MOMENT ? "inertia" : "mass", s->mass, (double)moments[0], (double)moments[1],
      (double)moments[2]);
  return CT_OK;
}

ctStatus cti_urdf_settle_substance(ctiUrdf* u) {
  const ctiCompiler* c = &u->spec->compiler;
  if (u->opt.mujoco || u->opt.strict_inertia || c->inertiafromgeom == CTI_TRUE ||
      (c->boundmass > 0 && c->boundinertia > 0))
    return CT_OK;
  int n;
  ctiBody** bodies = cti_spec_bodies(u->spec->world, u->spec->region, &n);
  bool* carries = CTI_NEW_ARRAY(u->spec->region, bool, u->links.count);
  if (!bodies || !carries) return cti_error_memory(u->err);
  // from the leaves: what a link holds still counts as its own
  for (int i = n - 1; i > 0; i--) {
    const int id = cti_names_find(&u->link_ids, bodies[i]->head.name);
    if (id < 0) continue;
    carries[id] = carries[id] || has_substance(bodies[i]);
    const int parent = cti_names_find(&u->link_ids, bodies[i]->parent->head.name);
    if (bodies[i]->joints.count == 0 && parent >= 0) carries[parent] = carries[parent] || carries[id];
    if (bodies[i]->joints.count > 0 && !carries[id]) CT_TRY(give_substance(u, &u->links.data[id]));
  }
  return CT_OK;
}

static ctStatus read_inertial(ctiUrdf* u, const ctiXml* link, ctiBody* body) {
  const ctiXml *e, *mass, *inertia;
  CT_TRY(cti_urdf_child(u, &e, link, "inertial", false));
  if (!e) return CT_OK;
  ctiInertial* s = &body->inertial;
  CT_TRY(cti_urdf_child(u, &mass, e, "mass", true));
  CT_TRY(cti_urdf_child(u, &inertia, e, "inertia", true));
  CT_TRY(cti_urdf_reals(u, &s->mass, mass, "value", 1));
  if (s->mass < 0 && !u->opt.mujoco)
    return cti_xml_error(u->err, CT_ERR_INVALID, mass, cti_xml_find(mass, "value"),
                         "the mass of link \"%s\" is %g: it must not be negative", body->head.name, s->mass);
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double full[6];
  bool any = false;
  for (int i = 0; i < 6; i++) {
    CT_TRY(cti_urdf_reals(u, &full[i], inertia, names[i], 1));
    any = any || full[i] != 0;
    if (i < 3 && full[i] < 0 && u->opt.strict_inertia && !u->opt.mujoco &&
        !(u->spec->compiler.boundinertia > 0))
      return cti_xml_error(u->err, CT_ERR_INVALID, inertia, cti_xml_find(inertia, names[i]),
                           "%s of link \"%s\" is %g: moments of inertia must not be negative", names[i],
                           body->head.name, full[i]);
  }
  if (body == u->spec->world) {
    cti_urdf_remark(u->spec, e, NULL, "<inertial> of the world has no effect");
    return CT_OK;
  }
  CT_TRY(cti_urdf_origin(u, e, s->pos, &s->orient));
  if (any && s->orient.form == CTI_ORIENT_EULER) CT_TRY(turn_inertia(u, e, full, &s->orient));
  if (any) CT_TRY(settle_inertia(u, inertia, full, s->mass, body->head.name));
  if (any) {
    s->orient.form = CTI_ORIENT_QUAT;
    memcpy(s->fullinertia, full, sizeof(full));
  }
  s->head.parent = &body->head;
  body->has_inertial = true;
  return cti_urdf_place(u, e, &s->head, "inertial", &cti_attrs_inertial);
}

// ---- colours

static ctStatus read_colour(ctiUrdf* u, const ctiXml* e, ctiUrdfColour* out) {
  const ctiXml *color, *texture;
  CT_TRY(cti_urdf_child(u, &color, e, "color", false));
  CT_TRY(cti_urdf_child(u, &texture, e, "texture", false));
  out->xml = e;
  if (color) {
    double rgba[4];
    CT_TRY(cti_urdf_reals(u, rgba, color, "rgba", 4));
    for (int i = 0; i < 4; i++) {
      if (!(rgba[i] >= 0 && rgba[i] <= 1) && !u->opt.mujoco)
        return cti_xml_error(u->err, CT_ERR_INVALID, color, cti_xml_find(color, "rgba"),
                             "rgba: %g is not between 0 and 1", rgba[i]);
      out->rgba[i] = (float)rgba[i];
    }
    out->has_rgba = true;
  }
  const ctiXmlAttr* file = texture ? cti_xml_find(texture, "filename") : NULL;
  if (file && file->value[0]) CT_TRY(cti_urdf_keep(u, &out->texture, file->value));
  return CT_OK;
}

static bool same_look(const ctiUrdfColour* a, const ctiUrdfColour* b) {
  return a->has_rgba == b->has_rgba && memcmp(a->rgba, b->rgba, sizeof(a->rgba)) == 0 &&
         cti_text_equal(a->texture, b->texture);
}

// A definition, unless the name has one already.
static ctStatus add_colour(ctiUrdf* u, const ctiXml* e) {
  const ctiXmlAttr* name = cti_xml_find(e, "name");
  ctiUrdfColour colour = {0};
  if (!name || !e->first) return CT_OK;
  CT_TRY(read_colour(u, e, &colour));
  if (!colour.has_rgba && (!colour.texture || u->opt.mujoco)) return CT_OK;
  CT_TRY(cti_urdf_keep(u, &colour.name, name->value));
  ctStatus status = cti_names_add(&u->colour_ids, colour.name, u->colours.count);
  if (status == CT_ERR_INVALID) {
    // in a visual it is that visual's own; here nobody would see it
    const ctiUrdfColour* first = &u->colours.data[cti_names_find(&u->colour_ids, colour.name)];
    if (e->parent == u->root && !u->opt.mujoco && !same_look(&colour, first))
      cti_urdf_remark(u->spec, e, name,
                      "the material \"%s\" is there already and looks different: rename one", name->value);
    return CT_OK;
  }
  if (status != CT_OK || cti_array_push(&u->colours, u->spec->in_region, colour) != CT_OK)
    return cti_error_memory(u->err);
  return CT_OK;
}

ctStatus cti_urdf_read_colours(ctiUrdf* u) {
  for (const ctiXml* e = u->root->first; e; e = e->next) {
    if (cti_text_equal(e->name, "material")) CT_TRY(add_colour(u, e));
    if (!cti_text_equal(e->name, "link")) continue;
    for (const ctiXml* v = cti_xml_child(e, "visual"); v; v = cti_xml_next(v, "visual")) {
      for (const ctiXml* m = cti_xml_child(v, "material"); m; m = cti_xml_next(m, "material"))
        CT_TRY(add_colour(u, m));
    }
  }
  return CT_OK;
}

// A name that is not taken: the name itself, or with a number behind it.
static ctStatus free_name(ctiUrdf* u, ctiNameMap* names, const char** out, const char* name) {
  const char* candidate = name;
  for (int i = 1; cti_names_find(names, candidate) >= 0; i++) {
    candidate = cti_region_printf(u->spec->region, "%s%d", name, i);
    if (!candidate) return cti_error_memory(u->err);
  }
  CT_TRY(cti_urdf_keep(u, out, candidate));
  return cti_names_add(names, *out, 1) == CT_OK ? CT_OK : cti_error_memory(u->err);
}

static ctStatus stem_of(ctiUrdf* u, const char** out, const char* file) {
  const char *base = cti_path_base(file), *dot = strrchr(base, '.');
  *out = cti_intern_sized(&u->spec->strings, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  return *out ? CT_OK : cti_error_memory(u->err);
}

static ctStatus add_texture(ctiUrdf* u, const ctiUrdfColour* c, ctiMaterial* material) {
  const ctiXml* e = cti_xml_child(c->xml, "texture");
  if (!cti_text_equal_nocase(cti_path_extension(c->texture), "png")) {
    cti_urdf_remark(u->spec, e, NULL, "texture \"%s\" is left out: PNG files are read", c->texture);
    return CT_OK;
  }
  ctiTexture* t = cti_spec_add_texture(u->spec, cti_spec_plain_class(u->spec));
  if (!t) return cti_error_memory(u->err);
  t->type = CT_TEXTURE_2D;
  CT_TRY(cti_urdf_find_file(u, &t->file, e, cti_xml_find(e, "filename"), u->spec->compiler.texturedir));
  CT_TRY(cti_urdf_place(u, e, &t->head, "texture", &cti_attrs_texture));
  CT_TRY(stem_of(u, &t->head.name, t->file));
  CT_TRY(free_name(u, &u->asset_names, &t->head.name,
                   cti_region_printf(u->spec->region, "%s_texture", t->head.name)));
  material->texture[CT_TEXROLE_RGB] = t->head.name;
  return CT_OK;
}

static ctStatus make_material(ctiUrdf* u, ctiUrdfColour* c) {
  ctiMaterial* m = cti_spec_add_material(u->spec, cti_spec_plain_class(u->spec));
  if (!m) return cti_error_memory(u->err);
  c->material = m;
  CT_TRY(cti_urdf_place(u, c->xml, &m->head, "material", &cti_attrs_material));
  CT_TRY(free_name(u, &u->material_names, &m->head.name, c->name));
  if (c->has_rgba) memcpy(m->rgba, c->rgba, sizeof(m->rgba));
  return c->texture ? add_texture(u, c, m) : CT_OK;
}

// The colours of a name that look alike are one material; another look of the same name is another one.
static ctStatus use_material(ctiUrdf* u, const ctiXml* e, ctiGeom* geom) {
  const ctiXmlAttr* name = cti_xml_find(e, "name");
  ctiUrdfColour own = {0};
  CT_TRY(read_colour(u, e, &own));
  bool says = own.has_rgba || own.texture;
  if (!name || !name->value[0]) {
    if (own.has_rgba) memcpy(geom->rgba, own.rgba, sizeof(geom->rgba));
    if (own.texture)
      cti_urdf_remark(u->spec, e, NULL, "the texture of a material without a name is left out");
    return CT_OK;
  }
  int id = cti_names_find(&u->colour_ids, name->value);
  if (id < 0) {
    char hint[200];
    if (!says)
      cti_urdf_remark(u->spec, e, name, "no <material> called \"%s\" says how it looks%s", name->value,
                      cti_suggest_nearest_text(hint, sizeof(hint), name->value, CTI_URDF_NAMES(u->colours)));
    return CT_OK;
  }
  ctiUrdfColour* c = &u->colours.data[id];
  if (says && !same_look(&own, c)) {
    int k = 0;
    while (k < u->colours.count &&
           !(cti_text_equal(u->colours.data[k].name, c->name) && same_look(&u->colours.data[k], &own)))
      k++;
    own.name = c->name;
    if (k == u->colours.count && cti_array_push(&u->colours, u->spec->in_region, own) != CT_OK)
      return cti_error_memory(u->err);
    c = &u->colours.data[k];
  }
  if (!c->material) CT_TRY(make_material(u, c));
  geom->material = c->material->head.name;
  return CT_OK;
}

// As MuJoCo does it: a colour of its own or of its name, else that of the shape before it.
static ctStatus plain_colour(ctiUrdf* u, const ctiXml* visual, float rgba[4]) {
  const ctiXml* e = cti_xml_child(visual, "material");
  if (!e) return CT_OK;
  ctiUrdfColour own = {0};
  CT_TRY(read_colour(u, e, &own));
  const ctiXmlAttr* name = cti_xml_find(e, "name");
  int id = name ? cti_names_find(&u->colour_ids, name->value) : -1;
  if (own.has_rgba) {
    memcpy(rgba, own.rgba, sizeof(own.rgba));
  } else if (id >= 0) {
    memcpy(rgba, u->colours.data[id].rgba, sizeof(own.rgba));
  }
  return CT_OK;
}

// ---- shapes

static ctStatus read_box(ctiUrdf* u, const ctiXml* e, ctiGeom* g) {
  g->type = CT_GEOM_BOX;
  CT_TRY(cti_urdf_reals(u, g->size, e, "size", 3));
  for (int i = 0; i < 3; i++) g->size[i] /= 2;
  return CT_OK;
}

static ctStatus read_sphere(ctiUrdf* u, const ctiXml* e, ctiGeom* g) {
  g->type = CT_GEOM_SPHERE;
  return cti_urdf_reals(u, g->size, e, "radius", 1);
}

static ctStatus read_cylinder(ctiUrdf* u, const ctiXml* e, ctiGeom* g) {
  g->type = cti_text_equal(e->name, "capsule") ? CT_GEOM_CAPSULE : CT_GEOM_CYLINDER;
  CT_TRY(cti_urdf_reals(u, g->size, e, "radius", 1));
  CT_TRY(cti_urdf_reals(u, g->size + 1, e, "length", 1));
  g->size[1] /= 2;
  return CT_OK;
}

// Meshes are shared by what names the same file at the same scale.
static ctStatus read_mesh(ctiUrdf* u, const ctiXml* e, ctiGeom* g) {
  double scale[3] = {1, 1, 1};
  const ctiXmlAttr *file, *size = cti_xml_find(e, "scale");
  CT_TRY(cti_urdf_attr(u, &file, e, "filename"));
  if (size) {
    int n;
    CT_TRY(cti_read_reals(scale, &n, e, size, u->opt.mujoco ? 3 : 1, 3, u->err));
    if (n == 1) scale[1] = scale[2] = scale[0];
    if (n == 2)
      return cti_xml_error(u->err, CT_ERR_INVALID, e, size, "scale takes three numbers, or one for all");
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
      return cti_xml_error(u->err, CT_ERR_INVALID, e, size, "scale: 0 would make the mesh flat");
  }
  g->type = CT_GEOM_MESH;
  const char* key =
      cti_region_printf(u->spec->region, "%s\n%.17g %.17g %.17g", file->value, scale[0], scale[1], scale[2]);
  if (!key) return cti_error_memory(u->err);
  int id = cti_names_find(&u->mesh_ids, key);
  if (id >= 0) {
    g->mesh = u->spec->meshes.data[id]->head.name;
    return CT_OK;
  }
  const char *path, *stem;
  CT_TRY(cti_urdf_find_file(u, &path, e, file, u->spec->compiler.meshdir));
  if (cti_names_add(&u->mesh_ids, key, u->spec->meshes.count) != CT_OK) return cti_error_memory(u->err);
  ctiMeshAsset* mesh = cti_spec_add_mesh(u->spec, cti_spec_plain_class(u->spec));
  if (!mesh) return cti_error_memory(u->err);
  mesh->file = path;
  memcpy(mesh->scale, scale, sizeof(scale));
  CT_TRY(cti_urdf_place(u, e, &mesh->head, "mesh", &cti_attrs_mesh));
  CT_TRY(stem_of(u, &stem, path));
  CT_TRY(free_name(u, &u->asset_names, &mesh->head.name, stem));
  g->mesh = mesh->head.name;
  return CT_OK;
}

static ctStatus read_geometry(ctiUrdf* u, const ctiXml* shape, ctiGeom* g) {
  static const struct {
    const char* tag;
    ctStatus (*read)(ctiUrdf* u, const ctiXml* e, ctiGeom* g);
  } kinds[] = {{"box", read_box},
               {"sphere", read_sphere},
               {"cylinder", read_cylinder},
               {"capsule", read_cylinder},
               {"mesh", read_mesh}};
  const ctiXml* geometry;
  CT_TRY(cti_urdf_child(u, &geometry, shape, "geometry", true));
  for (const ctiXml* e = geometry->first; e; e = e->next) {
    for (int i = 0; i < CT_COUNT_OF(kinds); i++) {
      if (!cti_text_equal(kinds[i].tag, e->name)) continue;
      for (int k = 0; k < CT_COUNT_OF(kinds) && !u->opt.mujoco; k++) {
        const ctiXml* second = cti_xml_next(e, kinds[k].tag);
        if (second)
          return cti_xml_error(u->err, CT_ERR_INVALID, second, NULL,
                               "a <geometry> is one shape: put <%s> into a <%s> of its own", second->name,
                               shape->name);
      }
      CT_TRY(kinds[i].read(u, e, g));
      const int sizes = cti_shape_sizes[g->type].plain;
      for (int k = 0; k < sizes && g->type != CT_GEOM_MESH; k++) {
        if (!(g->size[k] > 0))
          return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "the sizes of a <%s> must be positive",
                               e->name);
      }
      return CT_OK;
    }
  }
  char hint[200];
  const ctiXml* at = geometry->first ? geometry->first : geometry;
  return cti_xml_error(u->err, CT_ERR_INVALID, at, NULL, "<geometry> has no shape that is known%s",
                       cti_suggest_list_text(hint, sizeof(hint), at->name, CTI_WORDS_IN(kinds, 5, tag)));
}

// A visual in a format that nobody here reads is left out; what touches must be read.
static bool can_draw(const ctiUrdf* u, const ctiXml* visual) {
  const ctiXml *geometry = cti_xml_child(visual, "geometry"),
               *mesh = geometry ? cti_xml_child(geometry, "mesh") : NULL;
  const ctiXmlAttr* file = mesh ? cti_xml_find(mesh, "filename") : NULL;
  if (!file) return true;
  static const char* const formats[] = {"stl", "obj", "msh", "dae"};
  const char* extension = cti_path_extension(file->value);
  for (int i = 0; i < CT_COUNT_OF(formats); i++) {
    if (cti_text_equal_nocase(formats[i], extension)) return true;
  }
  // decoders of the program may know it
  if (u->spec->ndecoder > 0) return true;
  cti_urdf_remark(
      u->spec, mesh, file,
      "the visual \"%s\" is left out: STL, OBJ, DAE and MSH files are read; convert it, or give a "
      "decoder",
      file->value);
  return false;
}

// A mesh may bring a colour of its own.
static ctStatus use_mesh_colour(ctiUrdf* u, ctiGeom* g) {
  ctSpec* spec = u->spec;
  const ctiMeshAsset* mesh = spec->meshes.data[spec->meshes.count - 1];
  for (int i = 0; i < spec->meshes.count && !cti_text_equal(mesh->head.name, g->mesh); i++)
    mesh = spec->meshes.data[i];
  if (!cti_text_equal_nocase(cti_path_extension(mesh->file), "dae")) return CT_OK;
  ctiRegion* region = cti_region_create(&spec->allocator);
  const char* path = region ? cti_path_join(region, u->folder, mesh->file) : NULL;
  if (!path) {
    cti_region_free(region);
    return cti_error_memory(u->err);
  }
  // compiling says what is wrong with a file that cannot be read
  ctiFile file;
  if (cti_file_read(&file, spec->vfs, path, 0, &spec->allocator, NULL) == CT_OK) {
    cti_dae_colour(g->rgba, file.data, file.size, region);
    cti_file_release(&file, &spec->allocator);
  }
  cti_region_free(region);
  return CT_OK;
}

// Meshes that are only drawn need no volume.
void cti_urdf_settle_meshes(ctiUrdf* u) {
  for (int i = 0; i < u->spec->meshes.count && !u->opt.mujoco; i++) {
    ctiMeshAsset* mesh = u->spec->meshes.data[i];
    if (cti_names_find(&u->touching, mesh->head.name) < 0) mesh->inertia = CTI_INERTIA_SHELL;
  }
}

static ctStatus read_shape(ctiUrdf* u, const ctiXml* e, ctiBody* body, bool visual, float rgba[4]) {
  if (visual && u->opt.mujoco) CT_TRY(plain_colour(u, e, rgba));
  if (visual && u->spec->compiler.discardvisual) return CT_OK;
  if (visual && !u->opt.mujoco && !can_draw(u, e)) return CT_OK;
  ctiGeom* g = cti_spec_add_geom(u->spec, body, cti_spec_plain_class(u->spec));
  if (!g) return cti_error_memory(u->err);
  CT_TRY(cti_urdf_place(u, e, &g->head, "geom", &cti_attrs_geom));
  CT_TRY(cti_urdf_origin(u, e, g->pos, &g->orient));
  CT_TRY(read_geometry(u, e, g));
  if (visual) {
    g->contype = g->conaffinity = 0;
    g->group = 1;
    g->density = 0;
  }
  if (u->opt.mujoco) {
    memcpy(g->rgba, rgba, sizeof(g->rgba));
  } else if (visual) {
    const ctiXml* material;
    CT_TRY(cti_urdf_child(u, &material, e, "material", false));
    if (material) CT_TRY(use_material(u, material, g));
    if (!material && g->mesh) CT_TRY(use_mesh_colour(u, g));
  }
  if (!visual && g->mesh && cti_names_add(&u->touching, g->mesh, 1) == CT_ERR_MEMORY)
    return cti_error_memory(u->err);
  const ctiXmlAttr* name = cti_xml_find(e, "name");
  if (!name || !name->value[0]) return CT_OK;
  CT_TRY(cti_urdf_keep(u, &g->head.name, name->value));
  ctStatus status = cti_names_add(&u->geom_names, g->head.name, 1);
  if (status == CT_ERR_MEMORY) return cti_error_memory(u->err);
  if (status == CT_OK) return CT_OK;
  cti_urdf_remark(u->spec, e, name, "the name \"%s\" is used twice: this geom has none", name->value);
  g->head.name = NULL;
  return CT_OK;
}

ctStatus cti_urdf_read_link(ctiUrdf* u, const ctiUrdfLink* link) {
  CT_TRY(read_inertial(u, link->xml, link->body));
  float rgba[4];
  memcpy(rgba, cti_spec_plain_class(u->spec)->geom.rgba, sizeof(rgba));
  for (const ctiXml* e = link->xml->first; e; e = e->next) {
    bool visual = cti_text_equal(e->name, "visual");
    if (visual || cti_text_equal(e->name, "collision")) CT_TRY(read_shape(u, e, link->body, visual, rgba));
  }
  return CT_OK;
}
