// Height fields, materials and skins.
#include <string.h>

#include "lift/lift.h"
#include "spec/spec.h"

// ---- height fields

static ctStatus lift_hfield(ctiLift* l, int i) {
  const ctModel* m = l->m;
  const float* data = m->hfield_data + m->hfield_adr[i];
  int rows = m->hfield_nrow[i], columns = m->hfield_ncol[i], n = rows * columns;
  ctiHField* h = cti_spec_add_to_hfields(l->s);
  double* up = h ? CTI_NEW_ARRAY(l->s->region, double, n) : NULL;
  if (!up || !cti_lift_ref(l, CT_OBJ_HFIELD, i)) return cti_error_memory(l->err);
  cti_lift_place(l, &h->head, CT_OBJ_HFIELD, i, "hfield", &cti_attrs_hfield);
  h->nrow = rows;
  h->ncol = columns;
  cti_lift_reals(h->size, m->hfield_size + 4 * i, 4);
  // lists start at the top
  float low = n > 0 ? data[0] : 0, high = low;
  for (int k = 0; k < n; k++) {
    low = data[k] < low ? data[k] : low;
    high = data[k] > high ? data[k] : high;
    up[(rows - 1 - k / columns) * columns + k % columns] = cti_lift_short(data[k]);
  }
  bool flat = low == 0 && high == 0;
  h->elevation = (ctiReals){up, flat ? 0 : n};
  if (!flat && (low != 0 || high != 1)) {
    const ctiElement e = {.tag = "hfield", .name = l->name[CT_OBJ_HFIELD][i]};
    cti_remark(l->s, CT_LOG_WARNING, &e,
               "its elevations reach from %g to %g: reading stretches them to 0 and 1 again", (double)low,
               (double)high);
  }
  return CT_OK;
}

ctStatus cti_lift_hfields(ctiLift* l) {
  for (int i = 0; i < l->m->nhfield; i++) CT_TRY(lift_hfield(l, i));
  return CT_OK;
}

// ---- materials

ctStatus cti_lift_materials(ctiLift* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nmat; i++) {
    ctiMaterial* s = cti_spec_add_material(l->s, &l->s->plain);
    if (!s || !cti_lift_ref(l, CT_OBJ_MATERIAL, i)) return cti_error_memory(l->err);
    cti_lift_place(l, &s->head, CT_OBJ_MATERIAL, i, "material", &cti_attrs_material);
    s->texuniform = m->mat_texuniform[i];
    s->emission = m->mat_emission[i];
    s->specular = m->mat_specular[i];
    s->shininess = m->mat_shininess[i];
    s->reflectance = m->mat_reflectance[i];
    s->metallic = m->mat_metallic[i];
    s->roughness = m->mat_roughness[i];
    memcpy(s->texrepeat, m->mat_texrepeat + 2 * i, sizeof(s->texrepeat));
    memcpy(s->rgba, m->mat_rgba + 4 * i, sizeof(s->rgba));
    for (int role = 0; role < CT_TEXROLE_COUNT; role++)
      CT_TRY(cti_lift_refer(l, &s->texture[role], CT_OBJ_TEXTURE, m->mat_texid[CT_TEXROLE_COUNT * i + role]));
  }
  return CT_OK;
}

// ---- skins

static ctStatus lift_bone(ctiLift* l, ctiSkin* s, int i) {
  const ctModel* m = l->m;
  int adr = m->skin_bonevertadr[i], n = m->skin_bonevertnum[i];
  ctiBone* b = CTI_NEW(l->s->region, ctiBone);
  if (!b || cti_array_push(&s->bones, l->s->in_region, b) != CT_OK) return cti_error_memory(l->err);
  b->head = (ctiElement){.tag = "bone", .attrs = &cti_attrs_bone, .parent = &s->head};
  for (int k = 0; k < 3; k++) b->bindpos[k] = cti_lift_short(m->skin_bonebindpos[3 * i + k]);
  for (int k = 0; k < 4; k++) b->bindquat[k] = cti_lift_short(m->skin_bonebindquat[4 * i + k]);
  CT_TRY(cti_lift_ints(l, &b->vertid, m->skin_bonevertid + adr, n));
  CT_TRY(cti_lift_floats(l, &b->vertweight, m->skin_bonevertweight + adr, n));
  return cti_lift_refer(l, &b->body, CT_OBJ_BODY, m->skin_bonebodyid[i]);
}

static ctStatus lift_skin(ctiLift* l, int i) {
  const ctModel* m = l->m;
  int n = m->skin_vertnum[i], tex = m->skin_texcoordadr[i];
  ctiSkin* s = cti_spec_add_to_skins(l->s);
  if (!s) return cti_error_memory(l->err);
  cti_lift_place(l, &s->head, CT_OBJ_SKIN, i, "skin", &cti_attrs_skin);
  s->group = m->skin_group[i];
  s->inflate = m->skin_inflate[i];
  memcpy(s->rgba, m->skin_rgba + 4 * i, sizeof(s->rgba));
  CT_TRY(cti_lift_refer(l, &s->material, CT_OBJ_MATERIAL, m->skin_matid[i]));
  CT_TRY(cti_lift_floats(l, &s->vertex, m->skin_vert + 3 * m->skin_vertadr[i], 3 * n));
  if (tex >= 0) CT_TRY(cti_lift_floats(l, &s->texcoord, m->skin_texcoord + 2 * tex, 2 * n));
  CT_TRY(cti_lift_ints(l, &s->face, m->skin_face + 3 * m->skin_faceadr[i], 3 * m->skin_facenum[i]));
  for (int k = 0; k < m->skin_bonenum[i]; k++) CT_TRY(lift_bone(l, s, m->skin_boneadr[i] + k));
  return CT_OK;
}

ctStatus cti_lift_skins(ctiLift* l) {
  for (int i = 0; i < l->m->nskin; i++) CT_TRY(lift_skin(l, i));
  return CT_OK;
}
