// Deformables: what they say is checked and worked out, then put into the model.
#include <math.h>
#include <string.h>

#include "compile/flex.h"

#define FAIL(flex, ...) CTI_FLEX_FAIL(b, flex, __VA_ARGS__)

// ---- what is said

// Whole numbers from 0 to n-1, in the region.
static ctStatus take_ids(ctiBuild* b, const ctiBuildFlex* flex, int** out, const ctiReals* from, int n,
                         const char* what) {
  int each = flex->spec->dim + 1;
  *out = CTI_NEW_ARRAY(b->region, int, from->count);
  if (!*out) return cti_error_memory(b->err);
  for (int i = 0; i < from->count; i++) {
    double x = from->data[i];
    if (!(x >= 0 && x < n && x == floor(x)))
      return FAIL(flex, "%s: element %d has %g, which is not 0 to %d", what, i / each, x, n - 1);
    (*out)[i] = (int)x;
  }
  return CT_OK;
}

static ctStatus find_bodies(ctiBuild* b, const ctiBuildFlex* flex, int** out, const ctiNames* names, int n) {
  *out = CTI_NEW_ARRAY(b->region, int, n);
  if (!*out) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++)
    CT_TRY(cti_find_object(&(*out)[i], b, CT_OBJ_BODY, names->data[names->count == 1 ? 0 : i],
                           &flex->spec->head));
  return CT_OK;
}

static double* copy_reals(ctiBuild* b, const ctiReals* from, int n) {
  double* out = CTI_NEW_ARRAY(b->region, double, n);
  for (int i = 0; out && i < n && i < from->count; i++) out[i] = from->data[i];
  return out;
}

static ctStatus check_finite(ctiBuild* b, const ctiBuildFlex* flex, const ctiReals* list, const char* what) {
  for (int i = 0; i < list->count; i++) {
    if (!isfinite(list->data[i])) return FAIL(flex, "%s has a number that is none", what);
  }
  return CT_OK;
}

static ctStatus take_vertices(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  if (s->body.count == 0) return FAIL(flex, "body must name the body of each vertex, or one for all");
  if (s->vertex.count % 3)
    return FAIL(flex, "vertex needs three numbers for each vertex, and has %d", s->vertex.count);
  flex->nvert = s->vertex.count > 0 ? s->vertex.count / 3 : s->body.count;
  if (s->body.count != 1 && s->body.count != flex->nvert)
    return FAIL(flex, "there are %d vertices and %d bodies: name one body for each, or one for all",
                flex->nvert, s->body.count);
  CT_TRY(check_finite(b, flex, &s->vertex, "vertex"));
  CT_TRY(find_bodies(b, flex, &flex->vertbody, &s->body, flex->nvert));
  flex->vert = copy_reals(b, &s->vertex, 3 * flex->nvert);
  return flex->vert ? CT_OK : cti_error_memory(b->err);
}

static ctStatus take_elements(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  int each = s->dim + 1;
  if (s->element.count == 0) return FAIL(flex, "has no elements");
  if (s->element.count % each)
    return FAIL(flex, "element needs %d vertices for each element of dim %d, and has %d numbers", each,
                s->dim, s->element.count);
  flex->nelem = s->element.count / each;
  CT_TRY(take_ids(b, flex, &flex->elem, &s->element, flex->nvert, "element"));
  for (int e = 0; e < flex->nelem; e++) {
    const int* v = flex->elem + each * e;
    for (int i = 0; i < each; i++) {
      for (int k = 0; k < i; k++) {
        if (v[i] == v[k]) return FAIL(flex, "element %d has vertex %d twice", e, v[i]);
      }
    }
  }
  return CT_OK;
}

// One name for all elements, or one for each.
static ctStatus take_materials(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const int n = s->material.count;
  if (n > 1 && n != flex->nelem)
    return FAIL(flex, "material names %d materials: one for all elements, or one for each of the %d", n,
                flex->nelem);
  flex->elemmaterial = CTI_NEW_ARRAY(b->region, int, flex->nelem);
  if (!flex->elemmaterial) return cti_error_memory(b->err);
  for (int i = 0; i < flex->nelem; i++) {
    flex->elemmaterial[i] = -1;
    if (n > 0)
      CT_TRY(cti_find_object(&flex->elemmaterial[i], b, CT_OBJ_MATERIAL, s->material.data[n > 1 ? i : 0],
                             &s->head));
  }
  return CT_OK;
}

static ctStatus take_texture(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  if (s->texcoord.count % 2)
    return FAIL(flex, "texcoord needs pairs of numbers, and has %d", s->texcoord.count);
  flex->ntexcoord = s->texcoord.count / 2;
  if (s->elemtexcoord.count > 0) {
    if (s->elemtexcoord.count != s->element.count)
      return FAIL(flex, "elemtexcoord has %d numbers, and element %d: they must have as many",
                  s->elemtexcoord.count, s->element.count);
    CT_TRY(take_ids(b, flex, &flex->elemtexcoord, &s->elemtexcoord, flex->ntexcoord, "elemtexcoord"));
  } else {
    if (flex->ntexcoord && flex->ntexcoord != flex->nvert)
      return FAIL(
          flex,
          "there are %d vertices and %d texture coordinates; with elemtexcoord they need not be as many",
          flex->nvert, flex->ntexcoord);
    flex->elemtexcoord = flex->elem;
  }
  flex->texcoord = CTI_NEW_ARRAY(b->region, float, s->texcoord.count);
  if (!flex->texcoord) return cti_error_memory(b->err);
  for (int i = 0; i < s->texcoord.count; i++) flex->texcoord[i] = (float)s->texcoord.data[i];
  return take_materials(b, flex);
}

static ctStatus take_nodes(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const ctiCage cage = {s->order, {s->cellcount[0], s->cellcount[1], s->cellcount[2]}};
  if (s->order == 0 && s->node.count == 0) return CT_OK;
  if (s->order == 0 || s->node.count == 0)
    return FAIL(flex, "node and dof (trilinear or quadratic) go together: %s is missing",
                s->order ? "node" : "dof");
  for (int i = 0; i < 3; i++) {
    if (cage.cells[i] < 1) return FAIL(flex, "cellcount must be at least 1 along each axis");
  }
  if (cti_cage_cell_count(&cage) > CTI_CAGE_MAX_CELLS)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &s->head, "cellcount makes %lld cells: at most %d",
                          (long long)cti_cage_cell_count(&cage), CTI_CAGE_MAX_CELLS);
  if (s->node.count != cti_cage_node_count(&cage))
    return FAIL(flex, "a cage of these cells has %lld nodes, and node names %d bodies",
                (long long)cti_cage_node_count(&cage), s->node.count);
  if (s->nodecoord.count && s->nodecoord.count != 3 * s->node.count)
    return FAIL(flex, "nodecoord needs three numbers for each of the %d nodes, and has %d", s->node.count,
                s->nodecoord.count);
  flex->nnode = s->node.count;
  flex->interp = s->elastic2d != CTI_ELASTIC2D_NONE ? -s->order : s->order;
  CT_TRY(check_finite(b, flex, &s->nodecoord, "nodecoord"));
  CT_TRY(find_bodies(b, flex, &flex->nodebody, &s->node, flex->nnode));
  flex->node = copy_reals(b, &s->nodecoord, 3 * flex->nnode);
  return flex->node ? CT_OK : cti_error_memory(b->err);
}

// ---- what is asked of the material

static ctStatus check_numbers(ctiBuild* b, const ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const struct {
    const char* name;
    double value;
  } positive[] = {{"radius", s->radius},
                  {"young", s->young},
                  {"shear", s->shear},
                  {"damping of elasticity", s->damping},
                  {"yield", s->yield[0]},
                  {"stiffness of edges", s->edgestiffness},
                  {"damping of edges", s->edgedamping}};
  if (s->dim < 1 || s->dim > 3) return FAIL(flex, "dim must be 1, 2 or 3, not %d", s->dim);
  CT_TRY(cti_check_condim(b, s->condim, &s->head));
  for (int i = 0; i < CT_COUNT_OF(positive); i++) {
    if (!(positive[i].value >= 0) || !isfinite(positive[i].value))
      return FAIL(flex, "the %s must not be negative", positive[i].name);
  }
  if (s->yield[1] < 0) return FAIL(flex, "the yield must not be negative");
  if (!(s->poisson >= 0 && s->poisson < 0.5))
    return FAIL(
        flex,
        "Poisson's ratio must be at least 0 and below 0.5, not %g: near 0.5 the material keeps its volume",
        s->poisson);
  if (s->edgestiffness > 0 && s->dim > 1)
    return FAIL(flex, "edges have stiffness in lines only: use elasticity for surfaces and solids");
  if (s->elastic2d != CTI_ELASTIC2D_NONE && !(s->thickness > 0))
    return FAIL(flex, "elastic2d needs a positive thickness");
  if (s->elastic2d != CTI_ELASTIC2D_NONE && s->dim != 2 && !s->order)
    return FAIL(flex, "elastic2d is for surfaces, dim 2, and for cages");
  if (!isnan(s->yield[1]) && (s->dim != 2 || s->order))
    return FAIL(flex, "a second yield strain is for surfaces without a cage only: give one number");
  return CT_OK;
}

// Whether elastic forces act: then bodies that are moved by hand cannot hold it.
static bool is_elastic(const ctiFlex* s) {
  if (!(s->young > 0)) return false;
  return s->dim != 2 || s->order || s->elastic2d != CTI_ELASTIC2D_NONE;
}

static ctStatus check_holders(ctiBuild* b, const ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const int* holder = flex->interp ? flex->nodebody : flex->vertbody;
  int n = flex->interp ? flex->nnode : flex->nvert;
  for (int i = 0; i < n; i++) {
    const ctiBuildBody* body = &b->body[holder[i]];
    if (body->spec->mocap && is_elastic(s) && (s->dim > 1 || s->damping > 0))
      return FAIL(
          flex,
          "an elastic deformable cannot hang on the mocap body \"%s\": weld a body to it and use that one",
          body->spec->head.name ? body->spec->head.name : "");
    for (int k = body->jntadr; k < body->jntadr + body->jntnum && !flex->rigid; k++) {
      const ctiJoint* joint = b->joint[k].spec;
      if (joint->damping[0] != 0 && joint->type == CT_JOINT_SLIDE && body->jntnum == 3)
        return FAIL(
            flex,
            "the joints of body \"%s\" have damping, perhaps by a default class: damp the deformable, by "
            "<edge damping> or <elasticity damping>",
            body->spec->head.name ? body->spec->head.name : "");
    }
  }
  return CT_OK;
}

// A cell of the cage, or an outer face of a shell.
static ctStatus check_cell(ctiBuild* b, const ctiBuildFlex* flex, const ctiEquality* eq) {
  const int* c = flex->spec->cellcount;
  bool shell = flex->interp < 0;
  const int64_t faces = 2 * ((int64_t)c[1] * c[2] + (int64_t)c[0] * c[2] + (int64_t)c[0] * c[1]);
  for (int k = 0; k < (shell ? 1 : 3); k++) {
    double x = eq->cell[k], most = (double)((shell ? faces : c[k]) - 1);
    if (!(x >= 0 && x <= most && x == floor(x)))
      return cti_spec_error(b->err, CT_ERR_INVALID, &eq->head, "cell: %g is out of range: 0 to %g%s", x, most,
                            shell ? ", the outer faces of the cage" : "");
  }
  return CT_OK;
}

// Equalities that name it.
static ctStatus find_equality(ctiBuild* b, ctiBuildFlex* flex, int id) {
  const ctSpec* s = b->spec;
  for (int i = 0; i < s->equalities.count; i++) {
    const ctiEquality* eq = s->equalities.data[i];
    int named;
    if (eq->type != CT_EQ_FLEX && eq->type != CT_EQ_FLEXSTRAIN) continue;
    CT_TRY(cti_find_object(&named, b, CT_OBJ_FLEX, eq->flex, &eq->head));
    if (named != id) continue;
    flex->equality = eq->type == CT_EQ_FLEX ? CTI_FLEXEQ_EDGES : CTI_FLEXEQ_STRAIN;
    if (flex->spec->young > 0 && flex->spec->dim > 1 && flex->spec->elastic2d != CTI_ELASTIC2D_BEND)
      return cti_spec_error(b->err, CT_ERR_INVALID, &eq->head,
                            "\"%s\" resists stretching already: set young to 0, or elastic2d to \"bend\"",
                            eq->flex);
    if (eq->type == CT_EQ_FLEX) continue;
    if (!flex->interp)
      return cti_spec_error(b->err, CT_ERR_INVALID, &eq->head,
                            "strain is held in cages only, and \"%s\" has none: use <flex>", eq->flex);
    CT_TRY(check_cell(b, flex, eq));
  }
  return CT_OK;
}

// With the flag ipc vertices move on straight ways: on bodies that only slide, or do not move.
static ctStatus check_ipc(ctiBuild* b, const ctiBuildFlex* flex) {
  const ctOption* o = &b->spec->option;
  if (!(o->enableflags & CT_ENBL_IPC) || flex->spec->dim != 2 || flex->interp) return CT_OK;
  if (o->noslip_iterations > 0) return FAIL(flex, "the flag ipc does not go with noslip iterations");
  for (int i = 0; i < flex->nvert; i++) {
    for (int k = flex->vertbody[i]; k > 0; k = b->body[k].parent) {
      for (int j = b->body[k].jntadr; j < b->body[k].jntadr + b->body[k].jntnum; j++) {
        if (b->joint[j].spec->type != CT_JOINT_SLIDE)
          return FAIL(
              flex,
              "the flag ipc needs vertices that move on straight ways: pin them to bodies that do not "
              "move, or that slide");
      }
    }
  }
  return CT_OK;
}

// What MuJoCo refuses when it tries a first step.
static ctStatus check_options(ctiBuild* b, const ctiBuildFlex* flex) {
  const ctOption* o = &b->spec->option;
  const ctiFlex* s = flex->spec;
  bool discrete = o->integrator == CT_INT_DISCRETE;
  bool implicit = o->integrator == CT_INT_IMPLICIT || o->integrator == CT_INT_IMPLICITFAST;
  if (flex->rigid) return CT_OK;
  if (implicit && is_elastic(s))
    return FAIL(
        flex,
        "elasticity does not go with the integrators implicit and implicitfast: use \"discrete\", \"Euler\" "
        "or \"RK4\"");
  if (discrete && (s->edgestiffness > 0 || s->edgedamping > 0))
    return FAIL(
        flex,
        "stiffness and damping of edges do not go with the integrator discrete: use elasticity, or an edge "
        "equality");
  if (discrete && (o->solver == CT_SOL_PGS || o->noslip_iterations > 0) && (is_elastic(s) || s->passive))
    return FAIL(
        flex,
        "elasticity and passive contact under the integrator discrete need the solver CG or Newton, and no "
        "noslip iterations");
  if (s->passive && !discrete) return FAIL(flex, "passive contact needs the integrator \"discrete\"");
  return CT_OK;
}

// ---- places in qpos0

// Bodies in the world, before joints move them.
static ctStatus place_bodies(ctiBuild* b, ctReal** pos, ctReal** quat) {
  int n = b->sizes.nbody;
  *pos = CTI_NEW_ARRAY(b->region, ctReal, 3 * (size_t)n);
  *quat = CTI_NEW_ARRAY(b->region, ctReal, 4 * (size_t)n);
  if (!*pos || !*quat) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    const ctiBuildBody* body = &b->body[i];
    ctReal* p = *pos + 3 * i;
    ctReal* q = *quat + 4 * i;
    if (i == 0) {
      cti_quat_unit(q);
      continue;
    }
    cti_quat_rotate_settled(p, *quat + 4 * body->parent, body->pos);
    cti_add_to3(p, *pos + 3 * body->parent);
    cti_quat_mul_settled(q, *quat + 4 * body->parent, body->quat);
  }
  return CT_OK;
}

static double* to_world(ctiBuild* b, const double* local, const int* body, int n, const ctReal* pos,
                        const ctReal* quat) {
  double* out = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)n);
  for (int i = 0; out && i < n; i++) {
    ctReal p[3];
    cti_to_real(p, local + 3 * i, 3);
    cti_quat_rotate_settled(p, quat + 4 * body[i], p);
    cti_add_to3(p, pos + 3 * body[i]);
    for (int k = 0; k < 3; k++) out[3 * i + k] = (double)p[k];
  }
  return out;
}

// Tetrahedra are turned so that their last corner is behind the first three.
static void turn_elements(ctiBuildFlex* flex) {
  for (int e = 0; e < flex->nelem && flex->spec->dim == 3; e++) {
    int* v = flex->elem + 4 * e;
    double d[3][3];
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) d[i][k] = flex->vertpos[3 * v[i + 1] + k] - flex->vertpos[3 * v[0] + k];
    }
    double volume = d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
                    d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
                    d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
    if (volume <= 0) continue;
    int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
}

// The box around the vertices, and where each is in it.
static ctStatus place_in_box(ctiBuild* b, ctiBuildFlex* flex) {
  flex->vert0 = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)flex->nvert);
  flex->vertcell = CTI_NEW_ARRAY(b->region, int, flex->nvert);
  if (!flex->vert0 || !flex->vertcell) return cti_error_memory(b->err);
  for (int i = 0; i < flex->nvert; i++) flex->vertcell[i] = -1;
  if (flex->interp) return cti_flex_place_in_cage(b, flex);
  for (int k = 0; k < 3; k++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < flex->nvert; i++) {
      low = fmin(low, flex->vertpos[3 * i + k]);
      high = fmax(high, flex->vertpos[3 * i + k]);
    }
    flex->size[k] = 0.5 * (high - low);
    for (int i = 0; i < flex->nvert; i++)
      flex->vert0[3 * i + k] =
          high - low > (double)CTI_MINVAL ? (flex->vertpos[3 * i + k] - low) / (high - low) : 0.5;
  }
  return CT_OK;
}

static bool all_zero(const double* x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] != 0) return false;
  }
  return true;
}

static bool all_same(const int* x, int n) {
  for (int i = 1; i < n; i++) {
    if (x[i] != x[0]) return false;
  }
  return true;
}

// ---- the edge Jacobian

// Dofs that move either body, ascending; how many.
static int union_of_chains(const ctiBuild* b, int body0, int body1, int* out) {
  int last[2];
  const int body[2] = {body0, body1};
  for (int i = 0; i < 2; i++) {
    int k = body[i];
    while (k > 0 && b->body[k].dofnum == 0) k = b->body[k].parent;
    last[i] = k > 0 ? b->body[k].dofadr + b->body[k].dofnum - 1 : -1;
  }
  // the chains from their ends, descending
  int n = 0;
  while (last[0] >= 0 || last[1] >= 0) {
    int dof = last[0] > last[1] ? last[0] : last[1];
    if (out) out[n] = dof;
    n++;
    for (int i = 0; i < 2; i++) {
      if (last[i] == dof) last[i] = b->dof[dof].parent;
    }
  }
  for (int i = 0; out && i < n / 2; i++) {
    int swap = out[i];
    out[i] = out[n - 1 - i];
    out[n - 1 - i] = swap;
  }
  return n;
}

static int edge_columns(const ctiBuild* b, const ctiBuildFlex* flex, int edge, int* out) {
  return union_of_chains(b, flex->vertbody[flex->edge[2 * edge]], flex->vertbody[flex->edge[2 * edge + 1]],
                         out);
}

static void count_jacobian(const ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  if (flex->rigid || flex->interp) return;
  flex->needs_jacobian =
      flex->equality == CTI_FLEXEQ_EDGES || s->edgestiffness > 0 || s->edgedamping > 0 || s->damping > 0;
  for (int i = 0; i < flex->nedge; i++) flex->njacobian += edge_columns(b, flex, i, NULL);
}

// ---- the pass

static ctStatus build_flex(ctiBuild* b, ctiBuildFlex* flex, int id, const ctReal* pos, const ctReal* quat) {
  const ctiFlex* s = flex->spec;
  CT_TRY(check_numbers(b, flex));
  CT_TRY(take_vertices(b, flex));
  CT_TRY(take_elements(b, flex));
  CT_TRY(take_texture(b, flex));
  CT_TRY(take_nodes(b, flex));
  flex->radius = s->radius;
  flex->rigid = flex->interp ? all_same(flex->nodebody, flex->nnode) : all_same(flex->vertbody, flex->nvert);
  flex->centered =
      flex->interp ? all_zero(flex->node, 3 * flex->nnode) : all_zero(flex->vert, 3 * flex->nvert);
  CT_TRY(find_equality(b, flex, id));
  CT_TRY(check_holders(b, flex));
  CT_TRY(check_options(b, flex));
  CT_TRY(check_ipc(b, flex));
  flex->vertpos = to_world(b, flex->vert, flex->vertbody, flex->nvert, pos, quat);
  flex->nodepos = to_world(b, flex->node, flex->nodebody, flex->nnode, pos, quat);
  if (!flex->vertpos || !flex->nodepos) return cti_error_memory(b->err);
  turn_elements(flex);
  CT_TRY(cti_flex_topology(b, flex));
  CT_TRY(place_in_box(b, flex));
  if (flex->interp) {
    CT_TRY(cti_flex_cage_elasticity(b, flex));
    // vertices of a cage have no body
    for (int i = 0; i < flex->nvert; i++) flex->vertbody[i] = -1;
  } else if (s->dim == 1) {
    CT_TRY(cti_flex_rod(b, flex));
  } else {
    CT_TRY(cti_flex_elasticity(b, flex));
  }
  count_jacobian(b, flex);
  return CT_OK;
}

static ctStatus count_flex(ctiBuild* b, const ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const ctiElement* e = &s->head;
  CT_TRY(CTI_GROW(b, nflexnode, flex->nnode, e));
  CT_TRY(CTI_GROW(b, nflexvert, flex->nvert, e));
  CT_TRY(CTI_GROW(b, nflexedge, flex->nedge, e));
  CT_TRY(CTI_GROW(b, nflexelem, flex->nelem, e));
  CT_TRY(CTI_GROW(b, nflexelemdata, (int64_t)(s->dim + 1) * flex->nelem, e));
  CT_TRY(CTI_GROW(b, nflexelemedge, (int64_t)cti_flex_edge_count(s->dim) * flex->nelem, e));
  CT_TRY(CTI_GROW(b, nflexshelldata, (int64_t)s->dim * flex->nshell, e));
  CT_TRY(CTI_GROW(b, nflextexcoord, flex->ntexcoord, e));
  CT_TRY(CTI_GROW(b, nflexstiffness, flex->nstiffness, e));
  CT_TRY(CTI_GROW(b, nflexbending, flex->nbending, e));
  CT_TRY(CTI_GROW(b, nbvhdynamic, flex->bvh.count, e));
  return CTI_GROW(b, nJfe, flex->njacobian, e);
}

ctStatus cti_pass_flexes(ctiBuild* b) {
  int n = b->spec->flexes.count;
  ctReal *pos, *quat;
  b->flex = CTI_NEW_ARRAY(b->region, ctiBuildFlex, n);
  if (!b->flex) return cti_error_memory(b->err);
  if (n == 0) return CT_OK;
  CT_TRY(place_bodies(b, &pos, &quat));
  for (int i = 0; i < n; i++) {
    ctiBuildFlex* flex = &b->flex[i];
    flex->spec = b->spec->flexes.data[i];
    b->at = &flex->spec->head;
    CT_TRY(build_flex(b, flex, i, pos, quat));
    CT_TRY(count_flex(b, flex));
  }
  return CT_OK;
}

// ---- into the model

// How far the arrays of the model are filled.
typedef struct Filled {
  int node, vert, edge, elem, elemdata, elemedge, shelldata, texcoord, stiffness, bending, bvh, jacobian;
} Filled;

static void put_ints(int* to, const int* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof(int));
}

static void fill_words(ctModel* m, const ctiBuildFlex* flex, int i) {
  const ctiFlex* s = flex->spec;
  m->flex_contype[i] = s->contype;
  m->flex_conaffinity[i] = s->conaffinity;
  m->flex_condim[i] = s->condim;
  m->flex_priority[i] = s->priority;
  m->flex_solmix[i] = (ctReal)s->solmix;
  cti_to_real(m->flex_solref + CT_NREF * i, s->solref, CT_NREF);
  cti_to_real(m->flex_solimp + CT_NIMP * i, s->solimp, CT_NIMP);
  cti_to_real(m->flex_friction + 3 * i, s->friction, 3);
  m->flex_margin[i] = (ctReal)s->margin;
  m->flex_gap[i] = (ctReal)s->gap;
  m->flex_selfcollide[i] = s->selfcollide;
  m->flex_activelayers[i] = s->activelayers;
  m->flex_passive[i] = s->passive;
  m->flex_dim[i] = s->dim;
  m->flex_group[i] = s->group;
  m->flex_interp[i] = flex->interp;
  put_ints(m->flex_cellnum + 3 * i, s->cellcount, 3);
  m->flex_plasticmode[i] = flex->plasticmode;
  m->flex_radius[i] = (ctReal)flex->radius;
  cti_to_real(m->flex_size + 3 * i, flex->size, 3);
  m->flex_damping[i] = (ctReal)s->damping;
  cti_to_real(m->flex_yield + 2 * i, flex->yield, 2);
  m->flex_edgestiffness[i] = (ctReal)s->edgestiffness;
  m->flex_edgedamping[i] = (ctReal)s->edgedamping;
  m->flex_edgeequality[i] = flex->equality;
  m->flex_rigid[i] = flex->rigid;
  m->flex_centered[i] = flex->centered;
  m->flex_flatskin[i] = s->flatskin;
  memcpy(m->flex_rgba + 4 * i, s->rgba, sizeof(s->rgba));
}

static void fill_addresses(ctModel* m, const ctiBuildFlex* flex, int i, const Filled* at) {
  m->flex_nodeadr[i] = at->node;
  m->flex_nodenum[i] = flex->nnode;
  m->flex_vertadr[i] = at->vert;
  m->flex_vertnum[i] = flex->nvert;
  m->flex_edgeadr[i] = at->edge;
  m->flex_edgenum[i] = flex->nedge;
  m->flex_elemadr[i] = at->elem;
  m->flex_elemnum[i] = flex->nelem;
  m->flex_elemdataadr[i] = at->elemdata;
  m->flex_elemedgeadr[i] = at->elemedge;
  m->flex_stiffnessadr[i] = flex->nstiffness > 0 ? at->stiffness : -1;
  m->flex_bendingadr[i] = flex->nbending > 0 ? at->bending : -1;
  m->flex_plasticadr[i] = flex->plasticadr;
  m->flex_shellnum[i] = flex->nshell;
  m->flex_shelldataadr[i] = flex->nshell > 0 ? at->shelldata : -1;
  m->flex_texcoordadr[i] = flex->ntexcoord > 0 ? at->texcoord : -1;
  m->flex_bvhadr[i] = flex->bvh.count > 0 ? m->nbvhstatic + at->bvh : -1;
  m->flex_bvhnum[i] = flex->bvh.count;
}

static void fill_edges(const ctiBuild* b, ctModel* m, const ctiBuildFlex* flex, Filled* at) {
  for (int k = 0; k < flex->nedge; k++) {
    int i = at->edge + k;
    double square = 0;
    for (int a = 0; a < 3 && !flex->interp; a++) {
      double d = flex->vertpos[3 * flex->edge[2 * k + 1] + a] - flex->vertpos[3 * flex->edge[2 * k] + a];
      square += d * d;
    }
    m->flexedge_length0[i] = (ctReal)sqrt(square);
    m->flexedge_rigid[i] = flex->edge_rigid[k];
    m->flexedge_J_rowadr[i] = at->jacobian;
    if (!flex->needs_jacobian) continue;
    m->flexedge_J_rownnz[i] = edge_columns(b, flex, k, m->flexedge_J_colind + at->jacobian);
    at->jacobian += m->flexedge_J_rownnz[i];
  }
}

static void fill_boxes(ctModel* m, const ctiBvh* tree, int at) {
  for (int i = 0; i < tree->count; i++) {
    m->bvh_depth[at + i] = tree->depth[i];
    m->bvh_nodeid[at + i] = tree->nodeid[i];
    put_ints(m->bvh_child + 2 * (at + i), tree->child + 2 * i, 2);
  }
}

static void fill_arrays(ctModel* m, const ctiBuildFlex* flex, const Filled* at) {
  int dim = flex->spec->dim;
  put_ints(m->flex_matid + at->elem, flex->elemmaterial, flex->nelem);
  put_ints(m->flex_nodebodyid + at->node, flex->nodebody, flex->nnode);
  put_ints(m->flex_vertbodyid + at->vert, flex->vertbody, flex->nvert);
  put_ints(m->flex_vertcell + at->vert, flex->vertcell, flex->nvert);
  put_ints(m->flex_edge + 2 * at->edge, flex->edge, 2 * flex->nedge);
  put_ints(m->flex_edgeflap + 2 * at->edge, flex->edgeflap, 2 * flex->nedge);
  put_ints(m->flex_elem + at->elemdata, flex->elem, (dim + 1) * flex->nelem);
  put_ints(m->flex_elemtexcoord + at->elemdata, flex->elemtexcoord, (dim + 1) * flex->nelem);
  put_ints(m->flex_elemedge + at->elemedge, flex->elemedge, cti_flex_edge_count(dim) * flex->nelem);
  put_ints(m->flex_elemlayer + at->elem, flex->elemlayer, flex->nelem);
  put_ints(m->flex_shell + at->shelldata, flex->shell, dim * flex->nshell);
  cti_to_real(m->flex_vert + 3 * at->vert, flex->vert, 3 * flex->nvert);
  cti_to_real(m->flex_vert0 + 3 * at->vert, flex->vert0, 3 * flex->nvert);
  cti_to_real(m->flex_node + 3 * at->node, flex->node, 3 * flex->nnode);
  cti_to_real(m->flex_node0 + 3 * at->node, flex->node0, 3 * flex->nnode);
  cti_to_real(m->flex_stiffness + at->stiffness, flex->stiffness, flex->nstiffness);
  cti_to_real(m->flex_bending + at->bending, flex->bending, flex->nbending);
  if (flex->ntexcoord)
    memcpy(m->flex_texcoord + 2 * at->texcoord, flex->texcoord, 2 * (size_t)flex->ntexcoord * sizeof(float));
}

ctStatus cti_pass_fill_flexes(ctiBuild* b) {
  ctModel* m = b->m;
  Filled at = {0};
  for (int i = 0; i < m->nflex; i++) {
    const ctiBuildFlex* flex = &b->flex[i];
    int dim = flex->spec->dim;
    fill_words(m, flex, i);
    fill_addresses(m, flex, i, &at);
    fill_arrays(m, flex, &at);
    fill_edges(b, m, flex, &at);
    fill_boxes(m, &flex->bvh, m->nbvhstatic + at.bvh);
    at.node += flex->nnode;
    at.vert += flex->nvert;
    at.edge += flex->nedge;
    at.elem += flex->nelem;
    at.elemdata += (dim + 1) * flex->nelem;
    at.elemedge += cti_flex_edge_count(dim) * flex->nelem;
    at.shelldata += dim * flex->nshell;
    at.texcoord += flex->ntexcoord;
    at.stiffness += flex->nstiffness;
    at.bending += flex->nbending;
    at.bvh += flex->bvh.count;
  }
  return CT_OK;
}
