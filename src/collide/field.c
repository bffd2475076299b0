#include "collide/field.h"

// The value where there is no field.
#define FIELD_FAR CT_R(1e10)
// Points beyond an octree are looked up this far inside of it.
#define FIELD_INSIDE CT_R(1e-6)

static CT_FN ctReal field_ball(const ctReal x[3], ctReal radius, ctReal* gradient) {
  if (gradient) {
    cti_copy3(gradient, x);
    cti_normalize3(gradient);
  }
  return cti_norm3(x) - radius;
}

static CT_FN ctReal field_capsule(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal rel[3] = {x[0], x[1], x[2] - cti_clamp(x[2], -size[1], size[1])};
  return field_ball(rel, size[0], gradient);
}

// With q = |x / size| and r = |x / size^2|: q (q - 1) / r, which is the distance to first order at the
// surface.
static CT_FN ctReal field_ellipsoid(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = x[i] / size[i];
    v[i] = u[i] / size[i];
  }
  ctReal q = cti_norm3(u), r = cti_norm3(v);
  if (r < CTI_MINVAL) {
    // the centre: the nearest surface is at the shortest axis
    int least = size[1] < size[0] ? 1 : 0;
    if (size[2] < size[least]) least = 2;
    if (gradient) {
      cti_zero3(gradient);
      gradient[least] = 1;
    }
    return -size[least];
  }
  if (gradient) {
    for (int i = 0; i < 3; i++) {
      gradient[i] = (2 * q - 1) * v[i] / (q * r) - q * (q - 1) * v[i] / (size[i] * size[i] * r * r * r);
    }
    cti_normalize3(gradient);
  }
  return q * (q - 1) / r;
}

static CT_FN ctReal field_cylinder(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal rim = cti_sqrt(x[0] * x[0] + x[1] * x[1]), sign = x[2] < 0 ? CT_R(-1) : CT_R(1);
  ctReal over = rim - size[0], above = cti_abs(x[2]) - size[1];
  // shares of the side and of the end
  ctReal side = over > above, end = !(over > above), value = over > above ? over : above;
  if (over > 0 && above > 0) {
    value = cti_sqrt(over * over + above * above);
    side = over / value;
    end = above / value;
  }
  if (gradient) {
    ctReal scale = rim < CTI_MINVAL ? 0 : side / rim;
    gradient[0] = x[0] * scale;
    gradient[1] = x[1] * scale;
    gradient[2] = sign * end;
  }
  return value;
}

// Inside a box the gradient turns smoothly from face to face, and the value is the way to the surface along
// it.
static CT_FN ctReal field_box(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal over[3], away[3], most = -1;
  bool inside = true;
  for (int i = 0; i < 3; i++) {
    over[i] = cti_abs(x[i]) - size[i];
    inside = inside && over[i] <= 0;
    away[i] = over[i] > 0 ? over[i] : 0;
  }
  ctReal value = cti_norm3(away);
  if (inside) {
    for (int i = 0; i < 3; i++) {
      ctReal deep = 1 - cti_abs(x[i]) / size[i];
      away[i] = 1 / (deep > CTI_MINVAL ? deep : CTI_MINVAL);
    }
    cti_normalize3(away);
    for (int i = 0; i < 3; i++) {
      ctReal way = over[i] / away[i];
      if (i == 0 || way > most) most = way;
    }
    value = most;
  } else if (gradient) {
    cti_normalize3(away);
  }
  for (int i = 0; gradient && i < 3; i++) gradient[i] = x[i] < 0 ? -away[i] : away[i];
  return value;
}

// The leaf of an octree that holds a point.
static CT_FN int field_leaf(const ctModel* m, int root, const ctReal x[3]) {
  int at = root;
  for (;;) {
    const int* child = m->oct_child + 8 * at;
    if (child[0] < 0) return at;
    const ctReal* center = m->oct_aabb + 6 * at;
    int corner = (x[0] > center[0]) | (x[1] > center[1]) << 1 | (x[2] > center[2]) << 2;
    at = root + child[corner];
  }
}

CT_FN ctReal cti_field_octree(const ctModel* m, int mesh, const ctReal x[3], ctReal* gradient) {
  const int root = m->mesh_octadr[mesh];
  if (root < 0) return FIELD_FAR;
  const ctReal* whole = m->oct_aabb + 6 * root;
  // outside of the tree: from its nearest point on, straight; looked up a little inside
  ctReal y[3], away[3];
  for (int i = 0; i < 3; i++) {
    ctReal lo = whole[i] - whole[3 + i], hi = whole[i] + whole[3 + i];
    away[i] = x[i] - cti_clamp(x[i], lo, hi);
    y[i] = cti_clamp(x[i], lo + FIELD_INSIDE, hi - FIELD_INSIDE);
  }
  const int leaf = field_leaf(m, root, y);
  const ctReal *box = m->oct_aabb + 6 * leaf, *value = m->oct_coeff + 8 * leaf;
  ctReal t[3], width[3];
  for (int i = 0; i < 3; i++) {
    width[i] = 2 * box[3 + i];
    t[i] = (y[i] - (box[i] - box[3 + i])) / width[i];
  }
  ctReal sum = 0, slope[3] = {0, 0, 0};
  for (int k = 0; k < 8; k++) {
    ctReal w[3], sign[3];
    for (int i = 0; i < 3; i++) {
      bool upper = (k >> i) & 1;
      w[i] = upper ? t[i] : 1 - t[i];
      sign[i] = upper ? CT_R(1) : CT_R(-1);
    }
    sum += value[k] * (w[0] * w[1] * w[2]);
    slope[0] += value[k] * (sign[0] * w[1] * w[2]);
    slope[1] += value[k] * (w[0] * sign[1] * w[2]);
    slope[2] += value[k] * (w[0] * w[1] * sign[2]);
  }
  ctReal far = cti_norm3(away);
  for (int i = 0; gradient && i < 3; i++) gradient[i] = away[i] != 0 ? away[i] / far : slope[i] / width[i];
  return sum + far;
}

CT_FN ctReal cti_field(const ctiShape* s, const ctReal x[3], ctReal* gradient) {
  switch (s->type) {
    case CT_GEOM_SPHERE: return field_ball(x, s->size[0], gradient);
    case CT_GEOM_CAPSULE: return field_capsule(s->size, x, gradient);
    case CT_GEOM_ELLIPSOID: return field_ellipsoid(s->size, x, gradient);
    case CT_GEOM_CYLINDER: return field_cylinder(s->size, x, gradient);
    case CT_GEOM_BOX: return field_box(s->size, x, gradient);
    case CT_GEOM_SDF: return cti_field_octree(s->m, s->data, x, gradient);
    default: return FIELD_FAR;
  }
}
