#include "collide/flex.h"

#include "collide/contacts.h"
#include "collide/element.h"
#include "collide/mid.h"
#include "collide/surface.h"

// Nodes on the stack: trees are split at the median, and a level adds three at most.
#define FLEX_STACK 256

// Share of a distance within which rounding is forgiven.
#define APART_SLACK CT_R(1e-6)

// Kinds of collision with itself: all pairs, by the tree, by a sweep, or what suits the dimension. They find
// the same contacts in different orders.
enum { SELF_NONE, SELF_ALL, SELF_TREE, SELF_SWEEP, SELF_AUTO };

CT_CONST ctReal flex_unturned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
CT_CONST ctReal flex_unmoved[3] = {0, 0, 0};

static CT_FN const ctReal* element_box(const ctModel* m, const ctData* d, int flex, int elem) {
  return d->flexelem_aabb + 6 * ((int64_t)m->flex_elemadr[flex] + elem);
}

// Boxes that are along the axes of the world.
static CT_FN bool aligned_meet(const ctReal* a, const ctReal* b, ctReal reach) {
  for (int i = 0; i < 3; i++) {
    if (cti_abs(a[i] - b[i]) > a[3 + i] + b[3 + i] + reach) return false;
  }
  return true;
}

// The tree of a deformable: boxes of its nodes, counted from the root.
typedef struct FlexTree {
  const ctReal* box;
  const int *child, *elem;
} FlexTree;

static CT_FN FlexTree flex_tree(const ctModel* m, const ctData* d, int flex) {
  const int root = m->flex_bvhadr[flex];
  FlexTree t;
  t.box = d->bvh_aabb_dyn + 6 * (int64_t)(root - m->nbvhstatic);
  t.child = m->bvh_child + 2 * (int64_t)root;
  t.elem = m->bvh_nodeid + root;
  return t;
}

static CT_FN bool has_tree(const ctModel* m, int flex) {
  return !(m->opt.disableflags & CT_DSBL_MIDPHASE) && m->flex_bvhadr[flex] >= 0;
}

// Elements that collide: of a solid the outer layers.
static CT_FN bool element_active(const ctModel* m, int flex, int elem) {
  return m->flex_dim[flex] < 3 ||
         m->flex_elemlayer[m->flex_elemadr[flex] + elem] < m->flex_activelayers[flex];
}

static CT_FN const int* element_corners(const ctModel* m, int flex, int elem) {
  return m->flex_elem + m->flex_elemdataadr[flex] + (int64_t)elem * (m->flex_dim[flex] + 1);
}

static CT_FN int corner_body(const ctModel* m, int flex, int vertex) {
  return m->flex_vertbodyid[m->flex_vertadr[flex] + vertex];
}

// ---- a body and a deformable ----

// Is a vertex of the element on a body?
static CT_FN bool element_on_body(const ctModel* m, int flex, int elem, int body) {
  const int* corner = element_corners(m, flex, elem);
  for (int i = 0; i <= m->flex_dim[flex]; i++) {
    if (corner_body(m, flex, corner[i]) == body) return true;
  }
  return false;
}

static CT_FN ctReal pair_reach(const ctModel* m, ctReal margin, ctReal gap) {
  return ((m->opt.enableflags & CT_ENBL_OVERRIDE) ? m->opt.o_margin : margin) + gap;
}

static CT_FN ctReal geom_reach(const ctModel* m, int geom, int flex) {
  return pair_reach(m, m->geom_margin[geom] + m->flex_margin[flex], m->geom_gap[geom] + m->flex_gap[flex]);
}

// A geom's bounds along the axes of the world.
static CT_FN void geom_world_box(ctReal out[6], const ctModel* m, const ctData* d, int geom) {
  const ctReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom,
               *pos = d->geom_xpos + 3 * geom;
  for (int i = 0; i < 3; i++) {
    const ctReal* row = mat + 3 * i;
    out[i] = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
    out[3 + i] = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
  }
}

// Sphere around the geom and box of the element, then both boxes.
static CT_FN bool leaf_meets(const ctModel* m, const ctData* d, int geom, const ctReal* elem_box,
                             ctReal reach) {
  const ctReal* center = d->geom_xpos + 3 * geom;
  ctReal far2 = 0, radius = m->geom_rbound[geom] + reach;
  for (int i = 0; i < 3; i++) {
    ctReal over = cti_abs(center[i] - elem_box[i]) - elem_box[3 + i];
    if (over > 0) far2 += over * over;
  }
  if (m->geom_rbound[geom] > 0 && far2 > radius * radius) return false;
  ctiBox a = cti_geom_box(m, d, geom), b;
  b.aabb = elem_box;
  b.pos = flex_unmoved;
  b.mat = flex_unturned;
  return cti_boxes_meet(&a, &b, reach);
}

static CT_FN void push_leaf(const ctModel* m, ctData* d, ctiKeys* pairs, int geom, int flex, int elem,
                            ctReal reach) {
  if (!leaf_meets(m, d, geom, element_box(m, d, flex, elem), reach)) return;
  if (element_on_body(m, flex, elem, m->geom_bodyid[geom])) return;
  cti_keys_push(d, pairs, cti_key(geom, elem));
}

// Elements whose boxes meet a geom's.
static CT_FN void geom_candidates(const ctModel* m, ctData* d, ctiKeys* pairs, int geom, int flex) {
  const ctReal reach = geom_reach(m, geom, flex);
  if (!has_tree(m, flex)) {
    for (int e = 0; e < m->flex_elemnum[flex]; e++) {
      if (element_active(m, flex, e)) push_leaf(m, d, pairs, geom, flex, e, reach);
    }
    return;
  }
  FlexTree tree = flex_tree(m, d, flex);
  ctReal whole[6];
  int stack[FLEX_STACK], top = 0;
  geom_world_box(whole, m, d, geom);
  stack[top++] = 0;
  while (top > 0) {
    const int node = stack[--top];
    if (!aligned_meet(tree.box + 6 * node, whole, reach)) continue;
    if (tree.elem[node] >= 0) {
      push_leaf(m, d, pairs, geom, flex, tree.elem[node], reach);
      continue;
    }
    for (int i = 1; i >= 0; i--) {
      if (tree.child[2 * node + i] >= 0 && top < FLEX_STACK) stack[top++] = tree.child[2 * node + i];
    }
  }
}

static CT_FN bool geom_may_touch(const ctModel* m, int geom, int flex) {
  return cti_masks_match(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[flex],
                         m->flex_conaffinity[flex]);
}

// Geoms of a body that may touch a deformable and whose boxes meet its own, ascending.
static CT_FN void near_geoms(const ctModel* m, ctData* d, ctiKeys* geoms, int body, int flex) {
  ctiBounds bounds;
  ctReal aabb[6];
  ctiBox whole;
  cti_flex_bounds(&bounds, m, d, flex);
  for (int i = 0; i < 3; i++) {
    aabb[i] = CT_R(0.5) * (bounds.hi[i] + bounds.lo[i]);
    aabb[3 + i] = CT_R(0.5) * (bounds.hi[i] - bounds.lo[i]);
  }
  whole.aabb = aabb;
  whole.pos = flex_unmoved;
  whole.mat = flex_unturned;
  ctReal reach = m->body_margin[body];
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) reach += CT_R(0.5) * m->opt.o_margin;
  const int root = m->body_bvhadr[body];
  int stack[FLEX_STACK], top = 0;
  stack[top++] = root;
  geoms->n = 0;
  while (top > 0) {
    const int node = stack[--top], geom = m->bvh_nodeid[node];
    ctiBox box = cti_node_box(m, d, body, node);
    if (!cti_boxes_meet(&box, &whole, reach)) continue;
    if (geom >= 0) {
      if (geom_may_touch(m, geom, flex)) cti_keys_push(d, geoms, (uint64_t)geom);
      continue;
    }
    for (int i = 0; i < 2; i++) {
      const int child = m->bvh_child[2 * node + i];
      if (child >= 0 && top < FLEX_STACK) stack[top++] = root + child;
    }
  }
  cti_keys_sort(d, geoms, 0);
}

// Contacts of passive deformables with what does not move act as forces, without rows.
static CT_FN bool geom_acts_passively(const ctModel* m, int geom, int flex) {
  return m->flex_passive[flex] && m->body_treeid[m->geom_bodyid[geom]] < 0;
}

// Name the sides of the last `n` contacts.
static CT_FN void name_sides(ctData* d, int n, const int flex[2], const int elem[2], int vert, bool passive) {
  for (int i = d->ncon - n; i < d->ncon; i++) {
    ctContact* c = d->contact + i;
    for (int k = 0; k < 2; k++) {
      c->flex[k] = flex[k];
      c->elem[k] = elem[k];
    }
    c->vert[1] = vert;
    if (passive && c->exclude == CT_EXCLUDE_NONE) c->exclude = CT_EXCLUDE_PASSIVE;
  }
}

// The element of a rod that begins at a vertex, or the one that ends there; most are in order.
static CT_FN int element_from(const ctModel* m, int flex, int vertex) {
  const int n = m->flex_elemnum[flex];
  int ends = 0;
  for (int i = 0; i < n; i++) {
    const int elem = (vertex + i) % n, *corner = element_corners(m, flex, elem);
    if (corner[0] == vertex) return elem;
    if (corner[1] == vertex) ends = elem;
  }
  return ends;
}

static CT_FN void plane_vertices(const ctModel* m, ctData* d, ctiFlexWork* work, int plane, int flex) {
  ctiShape shape = cti_geom_shape(m, d, plane);
  ctiPairing pairing;
  cti_pair_geom_flex(&pairing, m, plane, flex);
  const ctReal reach = pairing.margin + pairing.gap, radius = m->flex_radius[flex];
  const int sides[2] = {-1, flex}, none[2] = {-1, -1}, first = m->flex_vertadr[flex];
  const bool passive = geom_acts_passively(m, plane, flex);
  ctReal half[2];
  const bool flat = cti_rod_section(m, flex, half);
  for (int v = 0; v < m->flex_vertnum[flex]; v++) {
    const ctReal* vertex = d->flexvert_xpos + 3 * (int64_t)(first + v);
    int n;
    if (flat) {
      ctiFlexElement e = cti_element(m, d, flex, element_from(m, flex, v));
      n = cti_plane_section(work->point, &shape, vertex, &e, reach);
    } else {
      n = cti_plane_vertex(work->point, &shape, vertex, radius, reach);
    }
    if (n > 0 && cti_add_contacts(m, d, &pairing, work->point, n, &work->dropped))
      name_sides(d, n, sides, none, v, passive);
  }
}

// All candidates of one geom, in their order.
static CT_FN void geom_elements(const ctModel* m, ctData* d, ctiFlexWork* work, int geom, int flex,
                                const uint64_t* key, int n) {
  ctiShape shape = cti_geom_shape(m, d, geom);
  ctiPairing pairing;
  cti_pair_geom_flex(&pairing, m, geom, flex);
  const int sides[2] = {-1, flex};
  const bool passive = geom_acts_passively(m, geom, flex);
  for (int i = 0; i < n; i++) {
    const int elem[2] = {-1, cti_key_second(key[i])};
    ctiFlexElement e = cti_element(m, d, flex, elem[1]);
    int count = cti_geom_element(work->point, &shape, &e, pairing.margin + pairing.gap, d);
    if (count > 0 && cti_add_contacts(m, d, &pairing, work->point, count, &work->dropped))
      name_sides(d, count, sides, elem, -1, passive);
  }
}

// A few contacts hold what moves as a whole.
static CT_FN bool moves_whole(const ctModel* m, int flex) {
  return m->flex_rigid[flex] || m->flex_interp[flex] != 0;
}

static CT_FN void collide_body(const ctModel* m, ctData* d, ctiFlexWork* work, int body, int flex) {
  if (m->body_bvhnum[body] == 0) return;
  const bool whole = moves_whole(m, flex);
  near_geoms(m, d, &work->geoms, body, flex);
  // planes first, but for deformables that move as a whole, and without trees
  const bool mixed = whole || (m->opt.disableflags & CT_DSBL_MIDPHASE);
  const bool apart = cti_is_surface(m, flex) && cti_keeps_surfaces_apart(m);
  for (int pass = mixed ? 1 : 0; pass < 2; pass++) {
    for (int i = 0; i < work->geoms.n; i++) {
      const int geom = (int)work->geoms.at[i];
      const int first = d->ncon;
      if (apart && cti_is_surface_obstacle(m, geom)) continue;
      if (m->geom_type[geom] == CT_GEOM_PLANE) {
        if (pass == 0 || mixed) plane_vertices(m, d, work, geom, flex);
      } else if (pass == 1) {
        work->pairs.n = 0;
        geom_candidates(m, d, &work->pairs, geom, flex);
        cti_keys_sort(d, &work->pairs, 0);
        geom_elements(m, d, work, geom, flex, work->pairs.at, work->pairs.n);
      }
      if (whole && !cti_thin_contacts(d, first, CTI_MAX_POINTS)) work->geoms.full = true;
    }
  }
}

// ---- two deformables, or one with itself ----

// Do two elements have a body in common? Then they are neighbours.
static CT_FN bool elements_share_body(const ctModel* m, int flex1, int elem1, int flex2, int elem2) {
  const int *a = element_corners(m, flex1, elem1), *b = element_corners(m, flex2, elem2);
  for (int i = 0; i <= m->flex_dim[flex1]; i++) {
    const int body = corner_body(m, flex1, a[i]);
    if (body < 0) continue;  // interpolated
    for (int k = 0; k <= m->flex_dim[flex2]; k++) {
      if (corner_body(m, flex2, b[k]) == body) return true;
    }
  }
  return false;
}

// A vertex this near to the border of a cell, in cells, is in both.
#define CELL_BORDER CT_R(1e-6)

// First and last cell of a cage along an axis that an element touches.
static CT_FN void element_cells(int out[2], const ctModel* m, int flex, int elem, int axis) {
  const int *corner = element_corners(m, flex, elem), last = m->flex_cellnum[3 * flex + axis] - 1;
  const ctReal* part = m->flex_vert0 + 3 * (int64_t)m->flex_vertadr[flex] + axis;
  ctReal lo = part[3 * corner[0]], hi = lo;
  for (int i = 1; i <= m->flex_dim[flex]; i++) {
    ctReal x = part[3 * corner[i]];
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  out[0] = cti_cell(lo * (ctReal)(last + 1) - CELL_BORDER, last);
  out[1] = cti_cell(hi * (ctReal)(last + 1) + CELL_BORDER, last);
}

// Inside a cage: are two elements in the same cell, or in cells that touch?
static CT_FN bool elements_share_cell(const ctModel* m, int flex, int elem1, int elem2) {
  for (int axis = 0; axis < 3; axis++) {
    int a[2], b[2];
    element_cells(a, m, flex, elem1, axis);
    element_cells(b, m, flex, elem2, axis);
    if (a[1] + 1 < b[0] || b[1] + 1 < a[0]) return false;
  }
  return true;
}

static CT_FN bool elements_may_touch(const ctModel* m, int flex1, int elem1, int flex2, int elem2) {
  if (flex1 == flex2 && m->flex_interp[flex1] != 0) return !elements_share_cell(m, flex1, elem1, elem2);
  return !elements_share_body(m, flex1, elem1, flex2, elem2);
}

static CT_FN void push_elements(const ctModel* m, ctData* d, ctiKeys* pairs, int flex1, int elem1, int flex2,
                                int elem2, ctReal reach) {
  if (!aligned_meet(element_box(m, d, flex1, elem1), element_box(m, d, flex2, elem2), reach)) return;
  if (!elements_may_touch(m, flex1, elem1, flex2, elem2)) return;
  cti_keys_push(d, pairs, cti_key(elem1, elem2));
}

// Elements of two deformables whose boxes meet, or of one: then each pair comes once.
static CT_FN void tree_candidates(const ctModel* m, ctData* d, ctiKeys* pairs, int flex1, int flex2,
                                  ctReal reach) {
  FlexTree t = flex_tree(m, d, flex1), u = flex_tree(m, d, flex2);
  const bool self = flex1 == flex2;
  int stack[FLEX_STACK][2], top = 0;
  stack[top][0] = stack[top][1] = 0;
  top++;
  while (top > 0) {
    top--;
    const int a = stack[top][0], b = stack[top][1];
    if (self && a == b) {
      if (t.elem[a] >= 0 || top + 3 > FLEX_STACK) continue;
      const int *child = t.child + 2 * a, first = child[0], second = child[1];
      if (first >= 0) {
        stack[top][0] = stack[top][1] = first;
        top++;
      }
      if (second >= 0) {
        stack[top][0] = stack[top][1] = second;
        top++;
      }
      if (first >= 0 && second >= 0) {
        stack[top][0] = first;
        stack[top++][1] = second;
      }
      continue;
    }
    const ctReal *p = t.box + 6 * a, *q = u.box + 6 * b;
    if (!aligned_meet(p, q, reach)) continue;
    const bool leaf1 = t.elem[a] >= 0, leaf2 = u.elem[b] >= 0;
    if (leaf1 && leaf2) {
      push_elements(m, d, pairs, flex1, t.elem[a], flex2, u.elem[b], reach);
      continue;
    }
    const bool open1 = leaf2 || (!leaf1 && p[3] + p[4] + p[5] >= q[3] + q[4] + q[5]);
    const int* child = open1 ? t.child + 2 * a : u.child + 2 * b;
    for (int i = 0; i < 2; i++) {
      if (child[i] < 0 || top == FLEX_STACK) continue;
      stack[top][0] = open1 ? child[i] : a;
      stack[top++][1] = open1 ? b : child[i];
    }
  }
}

static CT_FN void element_candidates(const ctModel* m, ctData* d, ctiKeys* pairs, int flex1, int flex2,
                                     ctReal reach) {
  pairs->n = 0;
  if (has_tree(m, flex1) && has_tree(m, flex2)) {
    tree_candidates(m, d, pairs, flex1, flex2, reach);
    return;
  }
  for (int i = 0; i < m->flex_elemnum[flex1]; i++) {
    if (!element_active(m, flex1, i)) continue;
    for (int k = flex1 == flex2 ? i + 1 : 0; k < m->flex_elemnum[flex2]; k++) {
      if (element_active(m, flex2, k)) push_elements(m, d, pairs, flex1, i, flex2, k, reach);
    }
  }
}

// How far an element reaches beyond its corners.
static CT_FN ctReal extent(const ctiFlexElement* e) {
  return e->director ? cti_sqrt(e->half[0] * e->half[0] + e->half[1] * e->half[1]) : e->radius;
}

// Are two elements apart along the line between their centres?
static CT_FN bool elements_apart(const ctiFlexElement* a, const ctiFlexElement* b, ctReal reach) {
  ctReal line[3] = {0, 0, 0}, far = 0, near = 0;
  const ctReal part_a = CT_R(1) / (ctReal)(a->dim + 1), part_b = CT_R(1) / (ctReal)(b->dim + 1);
  for (int i = 0; i <= b->dim; i++) cti_add_scaled3(line, b->at[i], part_b);
  for (int i = 0; i <= a->dim; i++) cti_add_scaled3(line, a->at[i], -part_a);
  for (int i = 0; i <= a->dim; i++) {
    ctReal x = cti_dot3(line, a->at[i]);
    if (i == 0 || x > far) far = x;
  }
  for (int i = 0; i <= b->dim; i++) {
    ctReal x = cti_dot3(line, b->at[i]);
    if (i == 0 || x < near) near = x;
  }
  const ctReal gap = near - far, room = (extent(a) + extent(b) + reach) * (1 + APART_SLACK);
  return gap > 0 && gap * gap > room * room * cti_dot3(line, line);
}

// Few candidates touch: only these are put in order, and looked at again.
static CT_FN void keep_touching(const ctModel* m, ctData* d, ctiFlexWork* work, int flex1, int flex2,
                                ctReal reach) {
  int kept = 0;
  for (int i = 0; i < work->pairs.n; i++) {
    const uint64_t key = work->pairs.at[i];
    ctiFlexElement a = cti_element(m, d, flex1, cti_key_first(key));
    ctiFlexElement b = cti_element(m, d, flex2, cti_key_second(key));
    if (elements_apart(&a, &b, reach)) continue;
    if (cti_element_element(work->point, m, &a, &b, reach, d)) work->pairs.at[kept++] = key;
  }
  work->pairs.n = kept;
}

static CT_FN void collide_elements(const ctModel* m, ctData* d, ctiFlexWork* work, int flex1, int flex2) {
  ctiPairing pairing;
  cti_pair_flexes(&pairing, m, flex1, flex2);
  const ctReal reach = pairing.margin + pairing.gap;
  const int sides[2] = {flex1, flex2};
  const bool passive = m->flex_passive[flex1] || m->flex_passive[flex2];
  for (int i = 0; i < work->pairs.n; i++) {
    const int elem[2] = {cti_key_first(work->pairs.at[i]), cti_key_second(work->pairs.at[i])};
    ctiFlexElement a = cti_element(m, d, flex1, elem[0]), b = cti_element(m, d, flex2, elem[1]);
    int n = cti_element_element(work->point, m, &a, &b, reach, d);
    if (n > 0 && cti_add_contacts(m, d, &pairing, work->point, n, &work->dropped))
      name_sides(d, n, sides, elem, -1, passive);
  }
}

CT_KERNEL_NOINLINE void cti_collide_flex(const ctModel* m, ctData* d, ctiFlexWork* work, int item1,
                                         int item2) {
  const int flex2 = item2 - m->nbody;
  if (item1 < m->nbody) {
    collide_body(m, d, work, item1, flex2);
    return;
  }
  const int flex1 = item1 - m->nbody;
  if (cti_is_surface(m, flex1) && cti_is_surface(m, flex2) && cti_keeps_surfaces_apart(m)) return;
  ctReal reach =
      pair_reach(m, m->flex_margin[flex1] + m->flex_margin[flex2], m->flex_gap[flex1] + m->flex_gap[flex2]);
  element_candidates(m, d, &work->pairs, flex1, flex2, reach);
  keep_touching(m, d, work, flex1, flex2, reach);
  cti_keys_sort(d, &work->pairs, 0);
  const int first = d->ncon;
  collide_elements(m, d, work, flex1, flex2);
  const bool whole = moves_whole(m, flex1) && moves_whole(m, flex2);
  if (whole && !cti_thin_contacts(d, first, CTI_MAX_POINTS)) work->pairs.full = true;
}

// ---- the order of a sweep ----
// A sweep along the longest axis opens elements by the lower ends of their boxes, in single precision, and
// meets each with those that are open.

typedef struct SweepOrder {
  const ctReal* box;
  int axis;
} SweepOrder;

static CT_FN bool opens_before(const SweepOrder* s, int a, int b) {
  const float x = (float)(s->box[6 * (int64_t)a + s->axis] - s->box[6 * (int64_t)a + 3 + s->axis]);
  const float y = (float)(s->box[6 * (int64_t)b + s->axis] - s->box[6 * (int64_t)b + 3 + s->axis]);
  return x < y || (x == y && a < b);
}

static CT_FN bool swept_before(uint64_t x, uint64_t y, const SweepOrder* s) {
  const int new1 = cti_key_second(x), new2 = cti_key_second(y);
  if (new1 != new2) return opens_before(s, new1, new2);
  return opens_before(s, cti_key_first(x), cti_key_first(y));
}

#define SWEPT_BEFORE(x, y, order) swept_before((x), (y), (order))
CTI_DEFINE_SORT(sweep_sort, uint64_t, const SweepOrder*, SWEPT_BEFORE)

static CT_FN void order_by_sweep(const ctModel* m, ctData* d, ctiKeys* pairs, int flex) {
  ctiBounds bounds;
  SweepOrder order;
  cti_flex_bounds(&bounds, m, d, flex);
  order.box = element_box(m, d, flex, 0);
  order.axis = 0;
  for (int i = 1; i < 3; i++) {
    if (bounds.hi[i] - bounds.lo[i] > bounds.hi[order.axis] - bounds.lo[order.axis]) order.axis = i;
  }
  for (int i = 0; i < pairs->n; i++) {
    const int a = cti_key_first(pairs->at[i]), b = cti_key_second(pairs->at[i]);
    if (opens_before(&order, b, a)) pairs->at[i] = cti_key(b, a);
  }
  size_t mark = cti_scratch_mark(d);
  uint64_t* other = CTI_SCRATCH(d, uint64_t, pairs->n, "collision.sort");
  if (other) {
    sweep_sort(pairs->at, pairs->n, other, &order);
  } else {
    pairs->full = true;
    pairs->n = 0;
  }
  cti_scratch_release(d, mark);
}

CT_KERNEL_NOINLINE void cti_collide_flex_self(const ctModel* m, ctData* d, ctiFlexWork* work, int flex) {
  int mode = m->flex_selfcollide[flex];
  if (mode == SELF_NONE || m->flex_rigid[flex]) return;
  if (cti_is_surface(m, flex) && cti_keeps_surfaces_apart(m)) return;
  if (!(m->flex_contype[flex] & m->flex_conaffinity[flex])) return;
  element_candidates(m, d, &work->pairs, flex, flex, 0);
  keep_touching(m, d, work, flex, flex, 0);
  const bool cage = m->flex_interp[flex] != 0;
  const bool all = cage || (m->opt.disableflags & CT_DSBL_MIDPHASE);
  if (mode == SELF_AUTO) mode = all ? SELF_ALL : (m->flex_dim[flex] < 3 ? SELF_SWEEP : SELF_TREE);
  if (mode == SELF_SWEEP) {
    order_by_sweep(m, d, &work->pairs, flex);
  } else {
    // the smaller element first, but for the tree the one that comes first in it
    for (int i = 0; mode == SELF_ALL && i < work->pairs.n; i++) {
      const int a = cti_key_first(work->pairs.at[i]), b = cti_key_second(work->pairs.at[i]);
      if (a > b) work->pairs.at[i] = cti_key(b, a);
    }
    cti_keys_sort(d, &work->pairs, 0);
  }
  const int first = d->ncon;
  collide_elements(m, d, work, flex, flex);
  if (cage && !cti_thin_contacts(d, first, CTI_MAX_POINTS)) work->pairs.full = true;
}
