// Deformables. A model keeps what follows from their material, not the material: models of trial materials
// show how its numbers come about, and the material is found that gives them.
#include <math.h>
#include <string.h>

#include "corten/spec.h"
#include "decompile/decompile.h"

// ---- what the model says

static ctStatus take_names(ctiDecompiler* l, ctiNames* out, int type, const int* id, int n) {
  out->data = CTI_NEW_ARRAY(l->s->region, const char*, n);
  out->count = n;
  if (!out->data) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) {
    out->data[i] = NULL;
    CT_TRY(cti_decompile_refer(l, &out->data[i], type, id[i]));
  }
  return CT_OK;
}

static bool all_zero(const ctReal* x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] != 0) return false;
  }
  return true;
}

// The body whose frame the vertices of a cage are in: nodes that move are on its children.
static int cage_parent(const ctModel* m, int f) {
  for (int i = m->flex_nodeadr[f]; i < m->flex_nodeadr[f] + m->flex_nodenum[f]; i++) {
    int body = m->flex_nodebodyid[i];
    if (!all_zero(m->flex_node + 3 * i, 3)) return body;
  }
  return m->body_parentid[m->flex_nodebodyid[m->flex_nodeadr[f]]];
}

static ctStatus take_bodies(ctiDecompiler* l, ctiFlex* s, int f) {
  const ctModel* m = l->m;
  int adr = m->flex_vertadr[f], n = m->flex_vertnum[f];
  int* body = CTI_NEW_ARRAY(l->s->region, int, n);
  if (!body) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) body[i] = s->order ? cage_parent(m, f) : m->flex_vertbodyid[adr + i];
  bool rigid = !s->order && m->flex_rigid[f];
  CT_TRY(take_names(l, &s->body, CT_OBJ_BODY, body, rigid ? 1 : n));
  const ctReal* vert = m->flex_vert + 3 * adr;
  if (rigid || !all_zero(vert, 3 * n)) CT_TRY(cti_decompile_list(l, &s->vertex, vert, 3 * n));
  if (!s->order) return CT_OK;
  const ctReal* node = m->flex_node + 3 * m->flex_nodeadr[f];
  CT_TRY(take_names(l, &s->node, CT_OBJ_BODY, m->flex_nodebodyid + m->flex_nodeadr[f], m->flex_nodenum[f]));
  return all_zero(node, 3 * m->flex_nodenum[f])
             ? CT_OK
             : cti_decompile_list(l, &s->nodecoord, node, 3 * m->flex_nodenum[f]);
}

// The material of all elements, or one for each.
static ctStatus take_materials(ctiDecompiler* l, ctiFlex* s, int f) {
  const int* id = l->m->flex_matid + l->m->flex_elemadr[f];
  const int n = l->m->flex_elemnum[f];
  bool same = true, every = true;
  for (int i = 0; i < n; i++) {
    same = same && id[i] == id[0];
    every = every && id[i] >= 0;
  }
  if (!same && !every)
    return cti_decompile_cannot(l, CT_OBJ_FLEX, f,
                                "some of its elements have a material, and some have none");
  return every && n > 0 ? take_names(l, &s->material, CT_OBJ_MATERIAL, id, same ? 1 : n) : CT_OK;
}

static ctStatus take_elements(ctiDecompiler* l, ctiFlex* s, int f) {
  const ctModel* m = l->m;
  int adr = m->flex_elemdataadr[f], n = (s->dim + 1) * m->flex_elemnum[f];
  CT_TRY(cti_decompile_ints(l, &s->element, m->flex_elem + adr, n));
  CT_TRY(take_materials(l, s, f));
  if (m->flex_texcoordadr[f] < 0) return CT_OK;
  bool own = memcmp(m->flex_elem + adr, m->flex_elemtexcoord + adr, (size_t)n * sizeof(int)) != 0;
  int rows = m->nflextexcoord - m->flex_texcoordadr[f];
  for (int k = f + 1; k < m->nflex; k++) {
    if (m->flex_texcoordadr[k] < 0) continue;
    rows = m->flex_texcoordadr[k] - m->flex_texcoordadr[f];
    break;
  }
  if (own) CT_TRY(cti_decompile_ints(l, &s->elemtexcoord, m->flex_elemtexcoord + adr, n));
  return cti_decompile_floats(l, &s->texcoord, m->flex_texcoord + 2 * m->flex_texcoordadr[f], 2 * rows);
}

static ctStatus decompile_flex(ctiDecompiler* l, int f) {
  const ctModel* m = l->m;
  ctiFlex* s = cti_spec_add_to_flexes(l->s);
  if (!s) return cti_error_memory(l->err);
  cti_default_flex(s);
  cti_decompile_place(l, &s->head, CT_OBJ_FLEX, f, "flex", &cti_attrs_flex);
  s->dim = m->flex_dim[f];
  s->order = m->flex_interp[f] < 0 ? -m->flex_interp[f] : m->flex_interp[f];
  memcpy(s->cellcount, m->flex_cellnum + 3 * f, sizeof(s->cellcount));
  s->group = m->flex_group[f];
  s->radius = (double)m->flex_radius[f];
  s->flatskin = m->flex_flatskin[f];
  memcpy(s->rgba, m->flex_rgba + 4 * f, sizeof(s->rgba));
  s->contype = m->flex_contype[f];
  s->conaffinity = m->flex_conaffinity[f];
  s->condim = m->flex_condim[f];
  s->priority = m->flex_priority[f];
  s->selfcollide = m->flex_selfcollide[f];
  s->activelayers = m->flex_activelayers[f];
  s->passive = m->flex_passive[f];
  s->solmix = (double)m->flex_solmix[f];
  cti_decompile_reals(s->solref, m->flex_solref + CT_NREF * f, CT_NREF);
  cti_decompile_reals(s->solimp, m->flex_solimp + CT_NIMP * f, CT_NIMP);
  cti_decompile_reals(s->friction, m->flex_friction + 3 * f, 3);
  s->margin = (double)m->flex_margin[f];
  s->gap = (double)m->flex_gap[f];
  s->edgestiffness = (double)m->flex_edgestiffness[f];
  s->edgedamping = (double)m->flex_edgedamping[f];
  s->damping = (double)m->flex_damping[f];
  s->yield[0] = (double)m->flex_yield[2 * f];
  if (s->dim == 2 && !s->order) s->yield[1] = (double)m->flex_yield[2 * f + 1];
  CT_TRY(take_bodies(l, s, f));
  return take_elements(l, s, f);
}

ctStatus cti_decompile_flexes(ctiDecompiler* l) {
  for (int f = 0; f < l->m->nflex; f++) CT_TRY(decompile_flex(l, f));
  return CT_OK;
}

// ---- the material

// Trial materials: of unit shear modulus, without and with the other Lame parameter.
static const struct { double young, poisson; } trials[2] = {{2, 0}, {2.5, 0.25}};
#define SOLID_LAME 1.0
#define PLANE_LAME (2.0 / 3)

// Where an array of a deformable begins and how long it is.
typedef struct Part {
  int adr, count;
} Part;

static Part part_of(const int* adr, int f, int nflex, int total) {
  Part p = {adr[f], 0};
  if (p.adr < 0) return p;
  p.count = total - p.adr;
  for (int k = f + 1; k < nflex; k++) {
    if (adr[k] < 0) continue;
    p.count = adr[k] - p.adr;
    break;
  }
  return p;
}

static Part stiffness_of(const ctModel* m, int f) {
  return part_of(m->flex_stiffnessadr, f, m->nflex, m->nflexstiffness);
}
static Part bending_of(const ctModel* m, int f) {
  return part_of(m->flex_bendingadr, f, m->nflex, m->nflexbending);
}

static bool is_strain(const ctModel* m, int f) {
  return m->flex_edgeequality[f] == CTI_FLEXEQ_STRAIN;
}
static bool stretches(const ctModel* m, int f) {
  Part p = stiffness_of(m, f);
  // behind the first element's numbers stands the thickness, where bending yields
  return p.adr >= 0 && !is_strain(m, f) &&
         !(all_zero(m->flex_stiffness + p.adr, 6) &&
           (p.count <= 7 || all_zero(m->flex_stiffness + p.adr + 7, p.count - 7)));
}

// A rod's section, from the ratio of its stiffnesses and the minor half size.
static void take_section(ctiFlex* s, const ctModel* m, int f) {
  const ctReal* r = m->flex_bending + m->flex_bendingadr[f] + 1;
  if (r[3] >= 0 || r[9] == 0) return;
  double minor = fabs((double)r[9]), major = minor * sqrt((double)((r[4] + r[5]) / r[4]));
  s->section = CTI_SECTION_BOX;
  s->sectionsize[0] = r[9] < 0 ? minor : major;
  s->sectionsize[1] = r[9] < 0 ? major : minor;
}

// The kind of elasticity, and a trial material.
static void try_material(ctiFlex* s, const ctModel* m, int f, int trial) {
  bool bends = m->flex_bendingadr[f] >= 0, elastic = bends || m->flex_stiffnessadr[f] >= 0;
  bool surface = (s->dim == 2 && !s->order) || m->flex_interp[f] < 0;
  s->young = elastic && !(is_strain(m, f) && !bends) ? trials[trial].young : 0;
  s->poisson = trials[trial].poisson;
  if (s->dim == 1 && bends && trial == 0) take_section(s, m, f);
  if (!surface) return;
  s->thickness = 1;
  bool pulls = stretches(m, f) || (m->flex_interp[f] < 0 && !bends);
  s->elastic2d = bends && pulls ? CTI_ELASTIC2D_BOTH
                 : bends        ? CTI_ELASTIC2D_BEND
                 : pulls        ? CTI_ELASTIC2D_STRETCH
                                : CTI_ELASTIC2D_NONE;
}

static double product(const ctReal* a, const ctReal* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)a[i] * (double)b[i];
  return sum;
}

// The two parameters for which the trial arrays add up to that of the model, by least squares.
static void fit_lame(double out[2], const ctReal* wanted, const ctReal* first, const ctReal* second, int n) {
  double ff = product(first, first, n), fs = product(first, second, n), ss = product(second, second, n),
         wf = product(wanted, first, n), ws = product(wanted, second, n);
  // second = first + one unit of the other
  double aa = ff, ab = fs - ff, bb = ss - 2 * fs + ff, ya = wf, yb = ws - wf, det = aa * bb - ab * ab;
  out[1] = det > 1e-12 * aa * bb ? (aa * yb - ab * ya) / det : 0;
  out[0] = aa > 0 ? (ya - ab * out[1]) / aa : 0;
}

// How many times the trial array the model's is.
static double fit_scale(const ctReal* wanted, const ctReal* trial, int n) {
  double square = product(trial, trial, n);
  return square > 0 ? product(wanted, trial, n) / square : 0;
}

static void find_rod(ctiFlex* s, const ctModel* m, const ctModel* trial, int f) {
  const ctReal *r = m->flex_bending + m->flex_bendingadr[f] + 1,
               *t = trial->flex_bending + trial->flex_bendingadr[f] + 1;
  bool pair = r[3] >= 0;
  s->poisson = 0;
  s->young = trials[0].young * (double)r[4] / (double)t[4];
  double twist = pair ? hypot((double)r[8], (double)r[9]) / hypot((double)t[8], (double)t[9])
                      : (double)r[8] / (double)t[8];
  s->shear = twist * trials[0].young / 2;
}

// The strain modes of a shell end in one that grows with the thickness.
static double mode_thickness(const ctModel* m, const ctModel* trial, int f, int order) {
  int n = 3 * (order + 1) * (order + 1);
  const ctReal *a = m->flex_stiffness + m->flex_stiffnessadr[f],
               *b = trial->flex_stiffness + trial->flex_stiffnessadr[f];
  int at = 1 + n * ((int)a[0] - 1);
  double ratio = sqrt(product(a + at, a + at, n) / product(b + at, b + at, n));
  return pow(ratio, 2.0 / 3);
}

static void find_surface(ctiFlex* s, const ctModel* m, const ctModel* const trial[2], int f) {
  Part bending = bending_of(m, f), stiffness = stiffness_of(m, f);
  double lame[2] = {0, 0}, flexural = 0;  // times the thickness; with its cube
  bool pulls = stretches(m, f), cage = m->flex_interp[f] < 0;
  if (pulls) {
    const ctReal* at[3] = {m->flex_stiffness + stiffness.adr, trial[0]->flex_stiffness + stiffness.adr,
                           trial[1]->flex_stiffness + stiffness.adr};
    // a thickness behind the first element is no stiffness
    int skip = !cage && stiffness.count > 21 ? 21 : 0;
    fit_lame(lame, at[0] + skip, at[1] + skip, at[2] + skip,
             skip   ? stiffness.count - skip
             : cage ? stiffness.count
                    : 6);
    lame[1] *= PLANE_LAME;
  }
  if (bending.adr >= 0) {
    int first = cage ? 7 : 0, n = cage ? 1 : bending.count;
    flexural =
        fit_scale(m->flex_bending + bending.adr + first, trial[0]->flex_bending + bending.adr + first, n) *
        trials[0].young / 12;
  }
  s->poisson = pulls && lame[0] > 0 ? fmax(0, fmin(0.499, lame[1] / (lame[1] + 2 * lame[0]))) : 0;
  double plate = 2 * lame[0] * (1 + s->poisson);  // young times thickness
  double known = !cage && bending.adr >= 0 && m->flex_yield[2 * f + 1] > 0
                     ? (double)m->flex_stiffness[stiffness.adr + 6]
                     : 0;
  if (is_strain(m, f)) known = mode_thickness(m, trial[0], f, s->order);
  if (pulls && flexural > 0) known = sqrt(12 * flexural * (1 - s->poisson * s->poisson) / plate);
  s->thickness = known > 0 ? known : 1;
  if (pulls) s->young = plate / s->thickness;
  if (!pulls && flexural > 0) s->young = 12 * flexural / (s->thickness * s->thickness * s->thickness);
}

static void find_solid(ctiFlex* s, const ctModel* m, const ctModel* const trial[2], int f) {
  Part p = stiffness_of(m, f);
  double lame[2];
  fit_lame(lame, m->flex_stiffness + p.adr, trial[0]->flex_stiffness + p.adr,
           trial[1]->flex_stiffness + p.adr, p.count);
  lame[1] *= SOLID_LAME;
  s->poisson = lame[0] > 0 ? fmax(0, lame[1] / (2 * (lame[1] + lame[0]))) : 0;
  s->young = 2 * lame[0] * (1 + s->poisson);
}

static void find_material(ctiFlex* s, const ctModel* m, const ctModel* const trial[2], int f) {
  bool surface = (s->dim == 2 && !s->order) || m->flex_interp[f] < 0;
  if (s->dim == 1 && !s->order) {
    if (m->flex_bendingadr[f] >= 0) find_rod(s, m, trial[0], f);
  } else if (surface) {
    if (s->young > 0 || is_strain(m, f)) find_surface(s, m, trial, f);
  } else if (m->flex_stiffnessadr[f] >= 0 && !is_strain(m, f)) {
    find_solid(s, m, trial, f);
  }
}

ctStatus cti_decompile_flex_materials(ctiDecompiler* l) {
  const ctModel* m = l->m;
  ctModel* trial[2] = {NULL, NULL};
  ctStatus status = CT_OK;
  ctSpec quiet = *l->s;
  quiet.log = (ctLog){0};
  for (int k = 0; k < 2 && status == CT_OK; k++) {
    for (int f = 0; f < m->nflex; f++) try_material(l->s->flexes.data[f], m, f, k);
    status = ct_model_compile(&trial[k], &quiet, l->err);
    bool same = status != CT_OK ||
                (trial[k]->nflexstiffness == m->nflexstiffness && trial[k]->nflexbending == m->nflexbending);
    if (!same)
      status = cti_error(l->err, CT_ERR_UNSUPPORTED,
                         "the deformables of the model have elasticity that MJCF cannot say");
  }
  for (int f = 0; f < m->nflex && status == CT_OK; f++)
    find_material(l->s->flexes.data[f], m, (const ctModel* const*)trial, f);
  for (int k = 0; k < 2; k++) ct_model_free(trial[k]);
  return status;
}
