// From points to a deformable: pose, pins, bodies with their joints, cages, rods, equalities.
#include "transform/flexcomp.h"

#include <math.h>
#include <string.h>

#include "asset/cage.h"
#include "asset/chain.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "spec/attrs.h"
#include "spec/orient.h"
#include "transform/flex_points.h"

typedef struct Flexcomp {
  ctSpec* spec;
  ctiFlex* flex;
  const ctiFlexcompWords* f;
  const ctiFlexcompPlace* place;
  ctError* err;
  ctiFlexPoints p;
  int npoint;
  bool* pinned;  // of points, or of the nodes of a cage
  bool any_pinned, rigid;
  // a cage
  ctiCage cage;
  double low[3], high[3];  // box around the points
  bool shell;
  ctiCageMaterial material;
  double* mass;      // of nodes
  ctiPluginUse use;  // of bodies
} Flexcomp;

static ctStatus no_memory(Flexcomp* w) {
  return cti_spec_no_memory(w->err, &w->spec->budget, &w->f->head);
}

#define FAIL(w, ...) cti_spec_error((w)->err, CT_ERR_INVALID, &(w)->f->head, __VA_ARGS__)

// ---- what is asked for

static ctStatus check_words(Flexcomp* w) {
  const ctiFlexcompWords* f = w->f;
  bool generated =
      f->type != CTI_FLEXCOMP_DIRECT && f->type != CTI_FLEXCOMP_MESH && f->type != CTI_FLEXCOMP_GMSH;
  if (f->dim < 1 || f->dim > 3) return FAIL(w, "dim must be 1, 2 or 3, not %d", f->dim);
  for (int i = 0; i < 3; i++) {
    int least = f->dof == CTI_FLEXDOF_RADIAL && f->dim == 3 ? 2 : 1;
    if (generated && f->count[i] < least)
      return FAIL(w, "count must be at least %d along each axis, not %d", least, f->count[i]);
    double room = 2 * f->radius + w->flex->margin;
    if (generated && f->spacing[i] < room)
      return FAIL(
          w, "spacing must be at least twice the radius plus the margin, %g, along all three axes, not %g",
          room, f->spacing[i]);
    if (!(f->scale[i] >= (double)CTI_MINVAL)) return FAIL(w, "scale must be positive");
    if (w->cage.order && f->cellcount[i] < 1) return FAIL(w, "cellcount must be at least 1 along each axis");
  }
  if (!(f->radius >= 0)) return FAIL(w, "radius must not be negative");
  if (!(f->mass >= (double)CTI_MINVAL)) return FAIL(w, "mass must be positive");
  if (!(f->inertiabox >= (double)CTI_MINVAL)) return FAIL(w, "inertiabox must be positive");
  if (f->mesh && f->type != CTI_FLEXCOMP_MESH && f->type != CTI_FLEXCOMP_GMSH)
    return FAIL(w, "the attribute \"mesh\" goes with type mesh or gmsh");
  if (!w->place->body->head.name && w->place->body->parent)
    return cti_text_equal(w->place->body->head.tag, "replicate")
               ? FAIL(w, "cannot stand in <replicate> directly: put it into a <body> with a name there")
               : FAIL(w, "the body around it needs a name");
  return CT_OK;
}

// ---- pose

// Into the frame of the body: own scale and pose, then those of the frames around.
static ctStatus place_points(Flexcomp* w) {
  const ctiFlexcompWords* f = w->f;
  ctReal quat[4], turn[4], at[3];
  const char* trouble = cti_orient_to_quat(quat, &f->orient, cti_compiler_of(w->spec, &f->head));
  if (trouble) return FAIL(w, "%s", trouble);
  // a quaternion is taken as it is written, as in MuJoCo: one that is not of unit length stretches
  if (f->orient.form == CTI_ORIENT_QUAT) cti_to_real(quat, f->orient.quat, 4);
  for (int i = 0; i < w->npoint; i++) {
    double* out = w->p.point.data + 3 * i;
    ctReal p[3];
    for (int k = 0; k < 3; k++) p[k] = (ctReal)(out[k] * (w->p.given ? f->scale[k] : 1));
    cti_quat_rotate(p, quat, p);
    for (int k = 0; k < 3; k++) p[k] += (ctReal)f->pos[k];
    for (const ctiFrame* frame = w->place->frame; frame; frame = frame->head.frame) {
      trouble = cti_orient_to_quat(turn, &frame->orient, cti_compiler_of(w->spec, &frame->head));
      if (trouble) return cti_spec_error(w->err, CT_ERR_INVALID, &frame->head, "%s", trouble);
      cti_to_real(at, frame->pos, 3);
      cti_quat_rotate_settled(p, turn, p);
      cti_add_to3(p, at);
    }
    for (int k = 0; k < 3; k++) out[k] = (double)p[k];
  }
  for (int k = 0; k < 3; k++) {
    w->low[k] = HUGE_VAL;
    w->high[k] = -HUGE_VAL;
    for (int i = 0; i < w->npoint; i++) {
      w->low[k] = fmin(w->low[k], w->p.point.data[3 * i + k]);
      w->high[k] = fmax(w->high[k], w->p.point.data[3 * i + k]);
    }
  }
  return CT_OK;
}

// ---- pins

// A whole number below n, or an error.
static ctStatus pin_index(int* out, Flexcomp* w, double x, int64_t n, const char* what) {
  if (!(x >= 0 && x < (double)n && x == floor(x)))
    return FAIL(w, "pin %s: %g is out of range: 0 to %lld", what, x, (long long)n - 1);
  *out = (int)x;
  return CT_OK;
}

// The sides of the grid that pins are counted in: nodes of a cage, or points.
static void grid_sides(const Flexcomp* w, int n[3]) {
  for (int a = 0; a < 3; a++) n[a] = w->cage.order ? cti_cage_axis_nodes(&w->cage, a) : w->f->count[a];
}

// Pins from (low) to (high), each of `dim` numbers.
static ctStatus pin_box(Flexcomp* w, const double* low, const double* high, const char* what) {
  int n[3], from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, dim = w->p.dim;
  grid_sides(w, n);
  for (int a = 0; a < dim; a++) {
    CT_TRY(pin_index(&from[a], w, low[a], n[a], what));
    CT_TRY(pin_index(&to[a], w, high[a], n[a], what));
  }
  for (int i = from[0]; i <= to[0]; i++) {
    for (int j = from[1]; j <= to[1]; j++) {
      for (int k = from[2]; k <= to[2]; k++) {
        // a cage is numbered as a surface is, where only two numbers are given
        int id = dim == 2 ? i * n[1] + j : (i * n[1] + j) * n[2] + k;
        w->pinned[id] = true;
      }
    }
  }
  return CT_OK;
}

static ctStatus read_pin(Flexcomp* w, const ctiPin* pin, int64_t n) {
  int dim = w->p.dim, i = 0, k = 0;
  bool grid = w->f->type == CTI_FLEXCOMP_GRID || w->cage.order;
  if (pin->grid.count + pin->gridrange.count > 0 && (!grid || dim == 1))
    return FAIL(w, "pin grid and gridrange need dim 2 or 3, and type grid or dof trilinear or quadratic");
  if (pin->range.count % 2) return FAIL(w, "pin range needs pairs of numbers, and has %d", pin->range.count);
  if (pin->grid.count % dim)
    return FAIL(w, "pin grid needs %d numbers for each point, and has %d", dim, pin->grid.count);
  if (pin->gridrange.count % (2 * dim))
    return FAIL(w, "pin gridrange needs %d numbers for each range, and has %d", 2 * dim,
                pin->gridrange.count);
  for (int a = 0; a < pin->id.count; a++) {
    CT_TRY(pin_index(&i, w, pin->id.data[a], n, "id"));
    w->pinned[i] = true;
  }
  for (int a = 0; a < pin->range.count; a += 2) {
    CT_TRY(pin_index(&i, w, pin->range.data[a], n, "range"));
    CT_TRY(pin_index(&k, w, pin->range.data[a + 1], n, "range"));
    for (; i <= k; i++) w->pinned[i] = true;
  }
  for (int a = 0; a < pin->grid.count; a += dim)
    CT_TRY(pin_box(w, pin->grid.data + a, pin->grid.data + a, "grid"));
  for (int a = 0; a < pin->gridrange.count; a += 2 * dim)
    CT_TRY(pin_box(w, pin->gridrange.data + a, pin->gridrange.data + a + dim, "gridrange"));
  return CT_OK;
}

static ctStatus read_pins(Flexcomp* w) {
  int64_t n = w->cage.order ? cti_cage_node_count(&w->cage) : w->npoint;
  if (w->cage.order && cti_cage_cell_count(&w->cage) > CTI_CAGE_MAX_CELLS)
    return cti_spec_error(w->err, CT_ERR_LIMIT, &w->f->head, "cellcount makes %lld cells: at most %d",
                          (long long)cti_cage_cell_count(&w->cage), CTI_CAGE_MAX_CELLS);
  w->pinned = CTI_NEW_ARRAY(w->spec->region, bool, n);
  if (!w->pinned) return no_memory(w);
  for (int i = 0; i < w->f->pins.count; i++) CT_TRY(read_pin(w, &w->f->pins.data[i], n));
  // the centre that radii start from
  if (w->f->dof == CTI_FLEXDOF_RADIAL && n > 0) w->pinned[0] = true;
  return CT_OK;
}

// ---- points without elements

static ctStatus drop_unused(Flexcomp* w) {
  ctiFlexPoints* p = &w->p;
  int* id = CTI_NEW_ARRAY(w->spec->region, int, w->npoint);
  if (!id) return no_memory(w);
  for (int i = 0; i < p->element.count; i++) id[p->element.data[i]] = 1;
  int kept = 0;
  bool by_point = p->texcoord.count > 0 && p->elemtexcoord.count == 0;
  for (int i = 0; i < w->npoint; i++) {
    if (!id[i]) continue;
    memmove(p->point.data + 3 * kept, p->point.data + 3 * i, 3 * sizeof(double));
    if (by_point) memmove(p->texcoord.data + 2 * kept, p->texcoord.data + 2 * i, 2 * sizeof(double));
    if (!w->cage.order) w->pinned[kept] = w->pinned[i];
    id[i] = kept++;
  }
  for (int i = 0; i < p->element.count; i++) p->element.data[i] = id[p->element.data[i]];
  w->npoint = kept;
  p->point.count = 3 * kept;
  if (by_point) p->texcoord.count = 2 * kept;
  return CT_OK;
}

// ---- elements made

static void place_element(const Flexcomp* w, ctiElement* e, const char* tag, const ctiAttrTable* attrs) {
  e->tag = tag;
  e->attrs = attrs;
  e->where = w->f->head.where;
}

// A small body with inertia.
static ctiBody* add_body(Flexcomp* w, ctiBody* parent, const char* name, const double pos[3], double mass,
                         double inertia) {
  ctiBody* body = name ? cti_spec_add_body(w->spec, parent) : NULL;
  if (!body) return NULL;
  place_element(w, &body->head, "body", &cti_attrs_body);
  body->head.name = cti_intern(&w->spec->strings, name);
  if (parent != w->spec->world || parent == w->place->body) body->childclass = w->place->childclass;
  if (pos) memcpy(body->pos, pos, sizeof(body->pos));
  place_element(w, &body->inertial.head, "inertial", &cti_attrs_inertial);
  body->inertial.head.parent = &body->head;
  body->inertial.mass = mass;
  for (int i = 0; i < 3; i++) body->inertial.diaginertia[i] = inertia;
  body->has_inertial = true;
  return body->head.name ? body : NULL;
}

static bool add_slide(Flexcomp* w, ctiBody* body, double x, double y, double z) {
  ctiJoint* joint = cti_spec_add_joint(w->spec, body, w->place->class_);
  if (!joint) return false;
  place_element(w, &joint->head, "joint", &cti_attrs_joint);
  joint->type = CT_JOINT_SLIDE;
  joint->axis[0] = x;
  joint->axis[1] = y;
  joint->axis[2] = z;
  return true;
}

static ctiBody* add_vertex_body(Flexcomp* w, const char* name, const double pos[3], double mass) {
  double box = w->f->inertiabox;
  ctiBody* body = add_body(w, w->place->body, name, pos, mass, mass * 2 * box * box / 3);
  if (!body) return NULL;
  body->use = w->use;
  if (w->f->dof == CTI_FLEXDOF_RADIAL) {
    double norm = sqrt(pos[0] * pos[0] + pos[1] * pos[1] + pos[2] * pos[2]);
    if (norm < (double)CTI_MINVAL) norm = 1;
    return add_slide(w, body, pos[0] / norm, pos[1] / norm, pos[2] / norm) ? body : NULL;
  }
  bool made = add_slide(w, body, 1, 0, 0) && add_slide(w, body, 0, 1, 0);
  if (w->f->dof != CTI_FLEXDOF_2D) made = made && add_slide(w, body, 0, 0, 1);
  return made ? body : NULL;
}

static const char* parent_name(const Flexcomp* w) {
  return w->place->body->parent ? w->place->body->head.name : "world";
}

static ctStatus new_names(Flexcomp* w, ctiNames* names, int n) {
  names->data = CTI_NEW_ARRAY(w->spec->region, const char*, n);
  names->count = n;
  return names->data ? CT_OK : no_memory(w);
}

static ctStatus new_reals(Flexcomp* w, ctiReals* out, double** data, int n) {
  *data = CTI_NEW_ARRAY(w->spec->region, double, n);
  *out = (ctiReals){*data, n};
  return *data ? CT_OK : no_memory(w);
}

// ---- vertices on bodies

static bool is_pinned(const Flexcomp* w, int point) {
  return w->rigid || w->pinned[point];
}

// Points that move get a body each; the others are on the parent.
static ctStatus add_bodies(Flexcomp* w) {
  ctiFlex* flex = w->flex;
  int n = w->npoint;
  bool all = true, none = true;
  for (int i = 0; i < n; i++) {
    all = all && is_pinned(w, i);
    none = none && !is_pinned(w, i);
  }
  double* vertex = NULL;
  if (!none) {
    CT_TRY(new_reals(w, &flex->vertex, &vertex, 3 * n));
    for (int i = 0; i < n; i++) {
      if (is_pinned(w, i)) memcpy(vertex + 3 * i, w->p.point.data + 3 * i, 3 * sizeof(double));
    }
  }
  CT_TRY(new_names(w, &flex->body, all ? 1 : n));
  for (int i = 0; i < flex->body.count; i++) {
    flex->body.data[i] = parent_name(w);
    if (is_pinned(w, i)) continue;
    const char* name = cti_region_printf(w->spec->region, "%s_%d", flex->head.name, i);
    ctiBody* body = add_vertex_body(w, name, w->p.point.data + 3 * i, w->f->mass / n);
    if (!body) return no_memory(w);
    flex->body.data[i] = body->head.name;
  }
  return CT_OK;
}

// ---- cages

// Points in cage coordinates.
static double* points_in_cage(Flexcomp* w) {
  double* out = CTI_NEW_ARRAY(w->spec->region, double, 3 * (size_t)w->npoint);
  for (int i = 0; out && i < 3 * w->npoint; i++) {
    int k = i % 3;
    double size = w->high[k] - w->low[k];
    out[i] = size > 0 ? (w->p.point.data[i] - w->low[k]) / size * w->cage.cells[k] : 0;
  }
  return out;
}

// How the mass is spread over the nodes, and which of them have nothing to carry.
static ctStatus weigh_nodes(Flexcomp* w) {
  int nodes = (int)cti_cage_node_count(&w->cage);
  w->mass = CTI_NEW_ARRAY(w->spec->region, double, nodes);
  if (!w->mass) return no_memory(w);
  if (w->shell) {
    cti_cage_shell_masses(w->mass, &w->cage);
  } else {
    const double* point = points_in_cage(w);
    if (!point) return no_memory(w);
    CT_TRY(cti_cage_material(&w->material, &w->cage, w->p.dim, point, w->p.element.data,
                             w->p.element.count / (w->p.dim + 1), w->spec->region, w->err));
    cti_cage_masses(w->mass, &w->cage, &w->material);
  }
  double sum = 0;
  bool active = false;
  for (int i = 0; i < nodes; i++) {
    bool idle = w->shell ? !cti_cage_node_outside(&w->cage, i) : w->mass[i] <= 0;
    if (!idle && w->pinned[i]) active = true;
    if (idle) w->pinned[i] = true;
    if (!w->pinned[i]) sum += w->mass[i];
  }
  // pins of nodes that carry nothing hold nothing
  w->any_pinned = active;
  for (int i = 0; i < nodes && sum > 0; i++) w->mass[i] *= w->f->mass / sum;
  return CT_OK;
}

static ctStatus add_node(Flexcomp* w, int node, double* coord) {
  int ny = cti_cage_axis_nodes(&w->cage, 1), nz = cti_cage_axis_nodes(&w->cage, 2);
  const int at[3] = {node / (ny * nz), node / nz % ny, node % nz};
  double pos[3];
  for (int k = 0; k < 3; k++)
    pos[k] = w->low[k] + (w->high[k] - w->low[k]) * at[k] / (cti_cage_axis_nodes(&w->cage, k) - 1);
  w->flex->node.data[node] = parent_name(w);
  if (w->pinned[node]) {
    memcpy(coord, pos, sizeof(pos));
    return CT_OK;
  }
  const char* name =
      cti_region_printf(w->spec->region, "%s_%d_%d_%d", w->flex->head.name, at[0], at[1], at[2]);
  ctiBody* body = add_vertex_body(w, name, pos, w->mass[node]);
  if (!body) return no_memory(w);
  w->flex->node.data[node] = body->head.name;
  return CT_OK;
}

static ctStatus add_cage(Flexcomp* w) {
  ctiFlex* flex = w->flex;
  int nodes = (int)cti_cage_node_count(&w->cage);
  double *coord, *vertex;
  flex->order = w->cage.order;
  memcpy(flex->cellcount, w->cage.cells, sizeof(flex->cellcount));
  CT_TRY(new_names(w, &flex->body, w->npoint));
  for (int i = 0; i < w->npoint; i++) flex->body.data[i] = parent_name(w);
  CT_TRY(new_reals(w, &flex->vertex, &vertex, 3 * w->npoint));
  memcpy(vertex, w->p.point.data, (size_t)(3 * w->npoint) * sizeof(double));
  CT_TRY(new_names(w, &flex->node, nodes));
  CT_TRY(new_reals(w, &flex->nodecoord, &coord, 3 * nodes));
  bool any = false;
  for (int i = 0; i < nodes; i++) {
    CT_TRY(add_node(w, i, coord + 3 * i));
    any = any || w->pinned[i];
  }
  if (!any) flex->nodecoord = (ctiReals){0};
  return CT_OK;
}

// ---- rods

// An open chain has a body for the twist of each edge, in the world. At its ends, an edge between pinned
// points is turned by the body that holds it.
static ctStatus add_twist(Flexcomp* w) {
  const ctiFlexcompWords* f = w->f;
  const ctiFlex* flex = w->flex;
  int n = w->p.element.count / 2;
  if (w->p.dim != 1 || w->cage.order || !(flex->young > 0) || n < 2 || flex->body.count == 1) return CT_OK;
  ctiChain chain;
  int* order = CTI_NEW_ARRAY(w->spec->region, int, n + 1);
  if (!order) return no_memory(w);
  CT_TRY(cti_chain_make(&chain, w->p.element.data, n, w->npoint, w->spec->region, w->err));
  if (!cti_chain_order(order, &chain)) return CT_OK;
  double mass = f->mass / n, a = flex->sectionsize[0], b = flex->sectionsize[1];
  double inertia =
      flex->section == CTI_SECTION_BOX ? mass * (a * a + b * b) / 3 : mass * flex->radius * flex->radius / 2;
  for (int i = 0; i < n; i++) {
    bool clamped = w->pinned[order[i]] && w->pinned[order[i + 1]];
    if (clamped && (i == 0 || (i == n - 1 && n >= 3))) continue;
    const char* name = i < n - 1 ? cti_region_printf(w->spec->region, "%s_twist_%d", flex->head.name, i)
                                 : cti_region_printf(w->spec->region, "%s_twist", flex->head.name);
    ctiBody* body = add_body(w, w->spec->world, name, NULL, 1e-9, inertia);
    ctiJoint* joint = body ? cti_spec_add_joint(w->spec, body, w->spec->classes.data[0]) : NULL;
    if (!joint) return no_memory(w);
    place_element(w, &joint->head, "joint", &cti_attrs_joint);
    joint->head.name = body->head.name;
    joint->type = CT_JOINT_HINGE;
    joint->axis[0] = 1;
    joint->axis[2] = 0;
  }
  return CT_OK;
}

// ---- equalities

static ctStatus add_equality(Flexcomp* w, int type, const double cell[3]) {
  ctiEquality* eq = cti_spec_add_equality(w->spec, cti_spec_plain_class(w->spec));
  if (!eq) return no_memory(w);
  bool strain = type == CT_EQ_FLEXSTRAIN;
  place_element(w, &eq->head, strain ? "flexstrain" : "flex",
                strain ? &cti_attrs_eq_flexstrain : &cti_attrs_eq_flex);
  eq->type = type;
  eq->flex = w->flex->head.name;
  memcpy(eq->solref, w->f->solref, sizeof(eq->solref));
  memcpy(eq->solimp, w->f->solimp, sizeof(eq->solimp));
  if (cell) memcpy(eq->cell, cell, sizeof(eq->cell));
  return CT_OK;
}

static ctStatus add_equalities(Flexcomp* w) {
  const int* c = w->cage.cells;
  if (w->rigid) return CT_OK;
  if (w->f->equality == CTI_FLEXEQ_EDGES) return add_equality(w, CT_EQ_FLEX, NULL);
  if (w->f->equality != CTI_FLEXEQ_STRAIN) return CT_OK;
  if (!w->cage.order)
    return FAIL(w,
                "equality=\"strain\" needs dof trilinear or quadratic; without a cage use equality=\"true\"");
  if (w->shell) {
    int faces = 2 * (c[1] * c[2] + c[0] * c[2] + c[0] * c[1]);
    for (int i = 0; i < faces; i++) CT_TRY(add_equality(w, CT_EQ_FLEXSTRAIN, (const double[3]){i, -1, -1}));
    return CT_OK;
  }
  for (int i = 0, cell = 0; i < c[0]; i++) {
    for (int j = 0; j < c[1]; j++) {
      for (int k = 0; k < c[2]; k++, cell++) {
        if (!w->material.empty[cell]) CT_TRY(add_equality(w, CT_EQ_FLEXSTRAIN, (const double[3]){i, j, k}));
      }
    }
  }
  return CT_OK;
}

// ---- the whole

static ctStatus fill_flex(Flexcomp* w) {
  const ctiFlexcompWords* f = w->f;
  ctiFlex* flex = w->flex;
  double *element, *texcoord;
  flex->dim = w->p.dim;
  flex->group = f->group;
  flex->radius = f->radius;
  flex->material = f->material;
  memcpy(flex->rgba, f->rgba, sizeof(flex->rgba));
  bool flat = f->type == CTI_FLEXCOMP_BOX || f->type == CTI_FLEXCOMP_CYLINDER ||
              (f->type == CTI_FLEXCOMP_GRID && w->p.dim == 3);
  flex->flatskin = f->has_flatskin ? f->flatskin : flat;
  CT_TRY(new_reals(w, &flex->element, &element, w->p.element.count));
  for (int i = 0; i < w->p.element.count; i++) element[i] = w->p.element.data[i];
  if (w->p.texcoord.count == 0) return CT_OK;
  if (w->p.elemtexcoord.count > 0) {
    CT_TRY(new_reals(w, &flex->elemtexcoord, &element, w->p.elemtexcoord.count));
    for (int i = 0; i < w->p.elemtexcoord.count; i++) element[i] = w->p.elemtexcoord.data[i];
  }
  CT_TRY(new_reals(w, &flex->texcoord, &texcoord, w->p.texcoord.count));
  memcpy(texcoord, w->p.texcoord.data, (size_t)w->p.texcoord.count * sizeof(double));
  return CT_OK;
}

// When everything is pinned there is no cage, and nothing to hold together.
static void find_rigid(Flexcomp* w) {
  int n = w->cage.order ? (int)cti_cage_node_count(&w->cage) : w->npoint;
  w->rigid = true;
  for (int i = 0; i < n && !w->f->rigid; i++) w->rigid = w->rigid && w->pinned[i];
  if (!w->rigid || !w->cage.order) return;
  w->cage.order = 0;
  w->pinned = NULL;
}

static ctStatus expand(Flexcomp* w) {
  const ctiFlexcompWords* f = w->f;
  w->cage.order = f->dof == CTI_FLEXDOF_TRILINEAR ? 1 : f->dof == CTI_FLEXDOF_QUADRATIC ? 2 : 0;
  memcpy(w->cage.cells, f->cellcount, sizeof(w->cage.cells));
  w->shell = w->cage.order && w->flex->elastic2d != CTI_ELASTIC2D_NONE;
  CT_TRY(check_words(w));
  CT_TRY(cti_flex_points(&w->p, w->spec, f, w->err));
  w->npoint = cti_flex_point_count(&w->p);
  CT_TRY(place_points(w));
  CT_TRY(read_pins(w));
  if (w->p.given) CT_TRY(drop_unused(w));
  for (int i = 0; i < w->npoint && !w->cage.order; i++) w->any_pinned = w->any_pinned || w->pinned[i];
  if (w->cage.order) CT_TRY(weigh_nodes(w));
  find_rigid(w);
  bool own_motion = f->dof == CTI_FLEXDOF_FULL || w->cage.order;
  if (own_motion && !w->rigid && !w->any_pinned && w->place->moves)
    return FAIL(
        w,
        "its points move on their own, and the body around it has joints: they would move twice. Pin some "
        "points, take the joints away, or set dof to radial or 2d");
  CT_TRY(fill_flex(w));
  CT_TRY(w->cage.order ? add_cage(w) : add_bodies(w));
  CT_TRY(add_twist(w));
  return add_equalities(w);
}

// All bodies refer to one instance: the one that is named, or one that is made here.
static ctStatus share_plugin(Flexcomp* w) {
  w->use = w->f->use;
  if (!w->use.plugin || w->use.instance) return CT_OK;
  ctiInstance* instance = cti_spec_add_to_instances(w->spec);
  const char* name = w->f->head.name ? w->f->head.name : "flexcomp";
  if (!instance) return no_memory(w);
  place_element(w, &instance->head, "instance", &cti_attrs_instance);
  instance->head.name = name;
  instance->use = w->use;
  w->use = (ctiPluginUse){.instance = name};
  return CT_OK;
}

ctStatus cti_spec_expand_flexcomp(ctSpec* spec, ctiFlex* flex, const ctiFlexcompWords* words,
                                  const ctiFlexcompPlace* place, ctError* err) {
  Flexcomp w = {.spec = spec, .flex = flex, .f = words, .place = place, .err = err};
  CT_TRY(share_plugin(&w));
  return expand(&w);
}
