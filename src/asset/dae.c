// COLLADA (.dae): triangles and polygons of the scene, with the transforms above them, and a colour. Lengths
// are turned into metres; the axis that is called "up" is left alone, as robots expect it. Normals, textures
// and everything that moves are not read.
#include <math.h>
#include <string.h>

#include "asset/mesh_files.h"
#include "base/error.h"
#include "base/strings.h"
#include "math/quat.h"
#include "xml/parse.h"

// Elements that may be met while parts of the scene are repeated, and how deep they may stand.
#define MOST_NODES 1000000
#define MOST_DEPTH 100

typedef struct Dae {
  const ctiXml* root;
  ctiRegion* region;
  const ctAllocator* in_region;
  ctError* err;
  ctiNameMap ids;
  CTI_ARRAY(const ctiXml*) elements;
  CTI_ARRAY(double) vert;
  CTI_ARRAY(int) face;
  int nodes;
  double meter;
  // the first colour that is met
  float rgba[4];
  bool coloured;
} Dae;

static ctStatus syntax(const Dae* d, const ctiXml* e, const char* what) {
  return cti_error(d->err, CT_ERR_SYNTAX, "DAE file, line %d: <%s> %s", e->line, e->name, what);
}

// ---- elements by their id

static ctStatus index_ids(Dae* d) {
  for (const ctiXml* e = d->root; e;) {
    const ctiXmlAttr* id = cti_xml_find(e, "id");
    if (id && id->value[0]) {
      // the first of a name counts
      ctStatus status = cti_names_add(&d->ids, id->value, d->elements.count);
      if (status == CT_ERR_MEMORY || cti_array_push(&d->elements, d->in_region, e) != CT_OK)
        return cti_error_memory(d->err);
    }
    if (e->first) {
      e = e->first;
      continue;
    }
    while (e && !e->next) e = e->parent;
    if (e) e = e->next;
  }
  return CT_OK;
}

// What an attribute such as url="#name" points at; NULL when it is not of that kind, or not there.
static const ctiXml* follow(const Dae* d, const ctiXml* e, const char* attr, const char* kind) {
  const ctiXmlAttr* a = e ? cti_xml_find(e, attr) : NULL;
  if (!a) return NULL;
  int id = cti_names_find(&d->ids, a->value[0] == '#' ? a->value + 1 : a->value);
  const ctiXml* found = id >= 0 ? d->elements.data[id] : NULL;
  return found && cti_text_equal(found->name, kind) ? found : NULL;
}

// ---- numbers between tags

// The next number; false at the end, or where there is none.
static bool next_real(const char** cursor, const char* end, double* out) {
  const char* at = *cursor;
  while (at < end && cti_is_space(*at)) at++;
  const char* stop = at;
  while (stop < end && !cti_is_space(*stop)) stop++;
  *cursor = stop;
  return stop > at && cti_parse_real(at, stop, out) == CTI_NUMBER_OK && isfinite(*out);
}

// Exactly `n` numbers of an element.
static ctStatus read_reals(const Dae* d, const ctiXml* e, double* out, int n) {
  const char *cursor = e->text, *end = e->text ? e->text + e->text_size : NULL;
  for (int i = 0; i < n; i++) {
    if (!cursor || !next_real(&cursor, end, &out[i])) return syntax(d, e, "has too few numbers");
  }
  return CT_OK;
}

// The next index, -1 where there is none.
static int64_t next_index(const char** cursor, const char* end) {
  const char* at = *cursor;
  while (at < end && cti_is_space(*at)) at++;
  const char* stop = at;
  while (stop < end && !cti_is_space(*stop)) stop++;
  *cursor = stop;
  int64_t value = -1;
  return stop > at && cti_parse_int(at, stop, &value) == CTI_NUMBER_OK && value >= 0 ? value : -1;
}

static int64_t count_of(const ctiXml* e, const char* name, int64_t fallback) {
  const ctiXmlAttr* a = cti_xml_find(e, name);
  int64_t value;
  return a && cti_parse_int(a->value, NULL, &value) == CTI_NUMBER_OK && value >= 0 ? value : fallback;
}

// ---- transforms

static void unit(double m[16]) {
  memset(m, 0, 16 * sizeof(double));
  m[0] = m[5] = m[10] = m[15] = 1;
}

static void multiply(double out[16], const double a[16], const double b[16]) {
  double r[16];
  for (int i = 0; i < 16; i++) {
    r[i] = 0;
    for (int k = 0; k < 4; k++) r[i] += a[i / 4 * 4 + k] * b[k * 4 + i % 4];
  }
  memcpy(out, r, sizeof(r));
}

// The transforms of a node behind that of its parent, in the order of the text.
static ctStatus read_transform(const Dae* d, const ctiXml* node, double m[16]) {
  for (const ctiXml* e = node->first; e; e = e->next) {
    double t[16], v[4];
    unit(t);
    if (cti_text_equal(e->name, "matrix")) {
      CT_TRY(read_reals(d, e, t, 16));
    } else if (cti_text_equal(e->name, "translate")) {
      CT_TRY(read_reals(d, e, v, 3));
      for (int i = 0; i < 3; i++) t[4 * i + 3] = v[i];
    } else if (cti_text_equal(e->name, "scale")) {
      CT_TRY(read_reals(d, e, v, 3));
      for (int i = 0; i < 3; i++) t[5 * i] = v[i];
    } else if (cti_text_equal(e->name, "rotate")) {
      CT_TRY(read_reals(d, e, v, 4));
      const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), angle = v[3] * CTI_PI / 180;
      if (!(length > 0)) continue;
      const double c = cos(angle), s = sin(angle), x = v[0] / length, y = v[1] / length, z = v[2] / length;
      const double r[9] = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
                           y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
                           z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)};
      for (int i = 0; i < 9; i++) t[i / 3 * 4 + i % 3] = r[i];
    } else {
      continue;
    }
    multiply(m, m, t);
  }
  return CT_OK;
}

// ---- geometry

// The positions that primitives of a mesh refer to, and where each went in the result.
typedef struct Points {
  const ctiXml* source;
  double* at;  // 3 each
  int* used;   // index in the result + 1
  int count;
} Points;

static ctStatus read_points(const Dae* d, const ctiXml* vertices, Points* p) {
  const ctiXml* input = cti_xml_child(vertices, "input");
  while (input) {
    const ctiXmlAttr* semantic = cti_xml_find(input, "semantic");
    if (semantic && cti_text_equal(semantic->value, "POSITION")) break;
    input = cti_xml_next(input, "input");
  }
  const ctiXml* source = follow(d, input, "source", "source");
  if (!source) return syntax(d, vertices, "names no source of positions");
  if (p->source == source) return CT_OK;
  *p = (Points){.source = source};
  const ctiXml *array = cti_xml_child(source, "float_array"),
               *technique = cti_xml_child(source, "technique_common"),
               *accessor = technique ? cti_xml_child(technique, "accessor") : NULL;
  if (!array || !array->text) return syntax(d, source, "has no numbers");
  const int64_t stride = accessor ? count_of(accessor, "stride", 3) : 3,
                offset = accessor ? count_of(accessor, "offset", 0) : 0;
  if (stride < 3 || stride > 64 || offset > 64)
    return syntax(d, source, "has a stride that is not for points");
  // a number and a blank have two bytes
  const size_t most = array->text_size / 2 + 1;
  double* numbers = CTI_NEW_ARRAY(d->region, double, most);
  if (!numbers) return cti_error_memory(d->err);
  size_t n = 0;
  const char *cursor = array->text, *end = array->text + array->text_size;
  while (n < most && next_real(&cursor, end, &numbers[n])) n++;
  if (n > CTI_MESH_MAX_COUNT) return cti_error(d->err, CT_ERR_LIMIT, "DAE file: too many vertices");
  p->count = (int)n < (int)offset ? 0 : (int)(((int64_t)n - offset) / stride);
  p->at = CTI_NEW_ARRAY(d->region, double, 3 * (size_t)p->count);
  p->used = CTI_NEW_ARRAY(d->region, int, p->count);
  if (!p->at || !p->used) return cti_error_memory(d->err);
  for (int i = 0; i < 3 * p->count; i++) p->at[i] = numbers[offset + i / 3 * stride + i % 3];
  return CT_OK;
}

// The vertex of a position in the result, made when it is needed first.
static ctStatus place_vertex(Dae* d, const double m[16], Points* p, int64_t index, const ctiXml* e,
                             int* out) {
  if (index < 0 || index >= p->count) return syntax(d, e, "has an index that is out of range");
  if (p->used[index] == 0) {
    const double* at = p->at + 3 * index;
    for (int i = 0; i < 3; i++) {
      double x = m[4 * i] * at[0] + m[4 * i + 1] * at[1] + m[4 * i + 2] * at[2] + m[4 * i + 3];
      if (!(fabs(x * d->meter) < 1e30)) return syntax(d, e, "has a vertex that is too far away");
      if (cti_array_push(&d->vert, d->in_region, (double)(float)(x * d->meter)) != CT_OK)
        return cti_error_memory(d->err);
    }
    p->used[index] = d->vert.count / 3;
  }
  *out = p->used[index] - 1;
  return CT_OK;
}

// A polygon of `n` vertices of the result as triangles.
static ctStatus add_polygon(Dae* d, const int* corner, int n, bool mirrored) {
  if (n < 3 || n > CTI_POLYGON_MAX) return CT_OK;
  float at[3 * CTI_POLYGON_MAX];
  int out[3 * CTI_POLYGON_MAX], left[CTI_POLYGON_MAX], count = 1;
  for (int i = 0; i < 3 * n; i++) at[i] = (float)d->vert.data[3 * (int64_t)corner[i / 3] + i % 3];
  out[0] = 0;
  out[1] = 1;
  out[2] = 2;
  if (n > 3) count = cti_triangulate(out, at, n, left);
  for (int i = 0; i < 3 * count; i++) {
    const int k = mirrored ? i / 3 * 3 + 2 - i % 3 : i;
    if (d->face.count >= CTI_MESH_MAX_COUNT)
      return cti_error(d->err, CT_ERR_LIMIT, "DAE file: too many faces");
    if (cti_array_push(&d->face, d->in_region, corner[out[k]]) != CT_OK) return cti_error_memory(d->err);
  }
  return CT_OK;
}

// One <p> with polygons whose sizes stand in <vcount>, or are `fixed`; 0: it is one polygon.
static ctStatus read_polygons(Dae* d, const ctiXml* p, const ctiXml* vcount, int fixed, int stride,
                              int offset, const double m[16], Points* points) {
  const bool mirrored = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                            m[2] * (m[4] * m[9] - m[5] * m[8]) <
                        0;
  const char *cursor = p->text, *end = p->text ? p->text + p->text_size : NULL;
  const char *sizes = vcount ? vcount->text : NULL, *sizes_end = sizes ? sizes + vcount->text_size : NULL;
  if (!cursor) return CT_OK;
  for (;;) {
    int64_t n = fixed;
    if (vcount) n = sizes ? next_index(&sizes, sizes_end) : -1;
    if (n < 0) return CT_OK;
    int corner[CTI_POLYGON_MAX], have = 0;
    for (int64_t i = 0; n == 0 || i < n; i++) {
      int64_t index = -1;
      for (int k = 0; k < stride; k++) {
        int64_t value = next_index(&cursor, end);
        if (value < 0 && i == 0 && k == 0) return CT_OK;
        if (value < 0 && n > 0) return syntax(d, p, "ends in the middle of a polygon");
        if (k == offset) index = value;
      }
      if (index < 0) break;
      int vertex = 0;
      CT_TRY(place_vertex(d, m, points, index, p, &vertex));
      if (have < CTI_POLYGON_MAX) corner[have] = vertex;
      have++;
    }
    CT_TRY(add_polygon(d, corner, have, mirrored));
    if (!vcount && fixed == 0) return CT_OK;
  }
}

static ctStatus read_primitive(Dae* d, const ctiXml* e, const double m[16], Points* points) {
  int stride = 0, offset = -1;
  const ctiXml* vertices = NULL;
  for (const ctiXml* input = cti_xml_child(e, "input"); input; input = cti_xml_next(input, "input")) {
    const int64_t at = count_of(input, "offset", 0);
    const ctiXmlAttr* semantic = cti_xml_find(input, "semantic");
    if (at > 64) return syntax(d, input, "has an offset that is too large");
    if (at + 1 > stride) stride = (int)at + 1;
    if (!semantic || !cti_text_equal(semantic->value, "VERTEX")) continue;
    vertices = follow(d, input, "source", "vertices");
    offset = (int)at;
  }
  if (!vertices) return syntax(d, e, "names no vertices");
  CT_TRY(read_points(d, vertices, points));
  const ctiXml* vcount = cti_xml_child(e, "vcount");
  const bool triangles = cti_text_equal(e->name, "triangles");
  for (const ctiXml* p = cti_xml_child(e, "p"); p; p = cti_xml_next(p, "p"))
    CT_TRY(read_polygons(d, p, triangles ? NULL : vcount, triangles ? 3 : 0, stride, offset, m, points));
  return CT_OK;
}

static ctStatus read_geometry(Dae* d, const ctiXml* geometry, const double m[16]) {
  static const char* const kinds[] = {"triangles", "polylist", "polygons"};
  const ctiXml* mesh = cti_xml_child(geometry, "mesh");
  Points points = {0};
  for (const ctiXml* e = mesh ? mesh->first : NULL; e; e = e->next) {
    for (int i = 0; i < CT_COUNT_OF(kinds); i++) {
      if (cti_text_equal(kinds[i], e->name)) CT_TRY(read_primitive(d, e, m, &points));
    }
  }
  return CT_OK;
}

// ---- colour

// material -> effect -> diffuse colour
static void look_for_colour(Dae* d, const ctiXml* instance) {
  const ctiXml* bind = cti_xml_child(instance, "bind_material");
  const ctiXml* common = bind ? cti_xml_child(bind, "technique_common") : NULL;
  const ctiXml* use = common ? cti_xml_child(common, "instance_material") : NULL;
  for (; use && !d->coloured; use = cti_xml_next(use, "instance_material")) {
    const ctiXml* material = follow(d, use, "target", "material");
    const ctiXml* link = material ? cti_xml_child(material, "instance_effect") : NULL;
    const ctiXml* effect = follow(d, link, "url", "effect");
    const ctiXml* profile = effect ? cti_xml_child(effect, "profile_COMMON") : NULL;
    const ctiXml* technique = profile ? cti_xml_child(profile, "technique") : NULL;
    for (const ctiXml* shading = technique ? technique->first : NULL; shading; shading = shading->next) {
      const ctiXml* diffuse = cti_xml_child(shading, "diffuse");
      const ctiXml* colour = diffuse ? cti_xml_child(diffuse, "color") : NULL;
      const char *cursor = colour ? colour->text : NULL, *end = cursor ? cursor + colour->text_size : NULL;
      double rgba[4] = {0, 0, 0, 1};
      int n = 0;
      while (cursor && n < 4 && next_real(&cursor, end, &rgba[n])) n++;
      if (n < 3) continue;
      for (int i = 0; i < 4; i++) d->rgba[i] = (float)fmin(fmax(rgba[i], 0), 1);
      d->coloured = true;
      break;
    }
  }
}

// ---- the scene

typedef struct Place {
  const ctiXml* node;
  int depth;
  double m[16];
} Place;

static ctStatus read_scene(Dae* d, const ctiXml* scene) {
  CTI_ARRAY(Place) stack = {0};
  Place top = {.node = scene};
  unit(top.m);
  if (cti_array_push(&stack, d->in_region, top) != CT_OK) return cti_error_memory(d->err);
  while (stack.count > 0) {
    Place at = stack.data[--stack.count];
    if (++d->nodes > MOST_NODES || at.depth > MOST_DEPTH)
      return cti_error(d->err, CT_ERR_LIMIT, "DAE file: the scene has too many nodes, or they are too deep");
    CT_TRY(read_transform(d, at.node, at.m));
    const int start = stack.count;
    for (const ctiXml* e = at.node->first; e; e = e->next) {
      Place next = {.node = NULL, .depth = at.depth + 1};
      memcpy(next.m, at.m, sizeof(next.m));
      if (cti_text_equal(e->name, "node")) next.node = e;
      if (cti_text_equal(e->name, "instance_node")) next.node = follow(d, e, "url", "node");
      if (cti_text_equal(e->name, "instance_geometry")) {
        const ctiXml* geometry = follow(d, e, "url", "geometry");
        look_for_colour(d, e);
        if (geometry) CT_TRY(read_geometry(d, geometry, at.m));
      }
      if (next.node && cti_array_push(&stack, d->in_region, next) != CT_OK) return cti_error_memory(d->err);
    }
    for (int a = start, b = stack.count - 1; a < b; a++, b--) {
      Place t = stack.data[a];
      stack.data[a] = stack.data[b];
      stack.data[b] = t;
    }
  }
  return CT_OK;
}

static ctStatus read_document(Dae* d) {
  if (!cti_text_equal(d->root->name, "COLLADA"))
    return cti_error(d->err, CT_ERR_SYNTAX, "DAE file: the root element is <%s>, not <COLLADA>",
                     d->root->name);
  CT_TRY(index_ids(d));
  const ctiXml *asset = cti_xml_child(d->root, "asset"),
               *length = asset ? cti_xml_child(asset, "unit") : NULL;
  const ctiXmlAttr* meter = length ? cti_xml_find(length, "meter") : NULL;
  d->meter = 1;
  if (meter && (cti_parse_real(meter->value, NULL, &d->meter) != CTI_NUMBER_OK || !(d->meter > 0)))
    return syntax(d, length, "has no positive number of metres");
  const ctiXml* scene = cti_xml_child(d->root, "scene");
  scene = follow(d, scene ? cti_xml_child(scene, "instance_visual_scene") : NULL, "url", "visual_scene");
  const ctiXml* library = cti_xml_child(d->root, "library_visual_scenes");
  if (!scene && library) scene = cti_xml_child(library, "visual_scene");
  if (scene) return read_scene(d, scene);
  // no scene: the shapes as they are
  double m[16];
  unit(m);
  library = cti_xml_child(d->root, "library_geometries");
  for (const ctiXml* e = library ? cti_xml_child(library, "geometry") : NULL; e;
       e = cti_xml_next(e, "geometry"))
    CT_TRY(read_geometry(d, e, m));
  return CT_OK;
}

static ctStatus read_dae(Dae* d, const char* data, size_t size, ctiRegion* region, ctError* err) {
  ctiXmlDoc* doc;
  ctError inner = {0};
  ctStatus status = cti_xml_parse(&doc, data, size, NULL, NULL, cti_region_allocator(region), &inner);
  if (status != CT_OK) return cti_error(err, status, "DAE file, line %d: %s", inner.line, inner.message);
  *d = (Dae){.root = doc->root, .region = region, .in_region = cti_region_allocator(region), .err = err};
  cti_names_init(&d->ids, d->in_region);
  status = read_document(d);
  cti_xml_free(doc);
  return status;
}

ctStatus cti_dae_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  Dae d;
  CT_TRY(read_dae(&d, data, size, region, err));
  if (d.face.count == 0) return cti_error(err, CT_ERR_SYNTAX, "DAE file has no triangles or polygons");
  out->vert = d.vert.data;
  out->nvert = d.vert.count / 3;
  out->face = d.face.data;
  out->nface = d.face.count / 3;
  return CT_OK;
}

bool cti_dae_colour(float rgba[4], const char* data, size_t size, ctiRegion* region) {
  Dae d = {0};
  if (read_dae(&d, data, size, region, NULL) != CT_OK || !d.coloured) return false;
  memcpy(rgba, d.rgba, sizeof(d.rgba));
  return true;
}
