// Custom numbers, texts and tuples, and keyframes.
#include <stdlib.h>
#include <string.h>

#include "compile/build.h"
#include "data/data.h"

ctStatus cti_count_custom(ctiBuild* b) {
  const ctSpec* s = b->spec;
  for (int i = 0; i < s->numerics.count; i++)
    CT_TRY(CTI_GROW(b, nnumericdata, s->numerics.data[i]->size, &s->numerics.data[i]->head));
  for (int i = 0; i < s->texts.count; i++)
    CT_TRY(CTI_GROW_TEXT(b, ntextdata, strlen(s->texts.data[i]->data) + 1, &s->texts.data[i]->head));
  for (int i = 0; i < s->tuples.count; i++)
    CT_TRY(CTI_GROW(b, ntupledata, s->tuples.data[i]->items.count, &s->tuples.data[i]->head));
  return CT_OK;
}

static ctStatus fill_tuples(ctiBuild* b) {
  ctModel* m = b->m;
  int adr = 0;
  for (int i = 0; i < m->ntuple; i++) {
    const ctiTuple* s = b->spec->tuples.data[i];
    m->tuple_adr[i] = adr;
    m->tuple_size[i] = s->items.count;
    for (int k = 0; k < s->items.count; k++, adr++) {
      const ctiTupleItem* item = s->items.data[k];
      int type = cti_object_type(item->objtype);
      if (type == CT_OBJ_UNKNOWN)
        return cti_spec_error(b->err, CT_ERR_INVALID, &item->head, "\"%s\" is not a kind of object",
                              item->objtype ? item->objtype : "");
      m->tuple_objtype[adr] = type;
      CT_TRY(cti_find_object(&m->tuple_objid[adr], b, (ctObjType)type, item->objname, &item->head));
      m->tuple_objprm[adr] = (ctReal)item->prm;
    }
  }
  return CT_OK;
}

ctStatus cti_pass_fill_custom(ctiBuild* b) {
  ctModel* m = b->m;
  int adr = 0;
  for (int i = 0; i < m->nnumeric; i++) {
    const ctiNumeric* s = b->spec->numerics.data[i];
    m->numeric_adr[i] = adr;
    m->numeric_size[i] = s->size;
    cti_to_real(m->numeric_data + adr, s->data.data, s->data.count);
    adr += s->size;
  }
  adr = 0;
  for (int i = 0; i < m->ntext; i++) {
    const char* text = b->spec->texts.data[i]->data;
    m->text_adr[i] = adr;
    m->text_size[i] = (int)strlen(text) + 1;
    memcpy(m->text_data + adr, text, (size_t)m->text_size[i]);
    adr += m->text_size[i];
  }
  return fill_tuples(b);
}

// ---- keyframes: what they leave open is the reference configuration

// A vector of a keyframe: the numbers given come first, the rest keeps what it is.
static ctStatus fill_vector(const ctiBuild* b, ctReal* out, const ctiReals* given, int n, const ctiKey* key,
                            const char* what) {
  if (given->count > n) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &key->head, "%s has %d numbers, the model has %d", what,
                          given->count, n);
  }
  cti_to_real(out, given->data, given->count);
  return CT_OK;
}

static void fill_defaults(ctModel* m, int key) {
  for (int i = 0; i < m->nq; i++) m->key_qpos[key * m->nq + i] = m->qpos0[i];
  for (int body = 0; body < m->nbody; body++) {
    int mocap = m->body_mocapid[body];
    if (mocap < 0) continue;
    cti_copy3(m->key_mpos + 3 * (key * m->nmocap + mocap), m->body_pos + 3 * body);
    cti_copy4(m->key_mquat + 4 * (key * m->nmocap + mocap), m->body_quat + 4 * body);
  }
  cti_plastic_reference(m->key_plastic + key * m->nplastic, m);
}

static void normalise(ctModel* m, int key) {
  for (int j = 0; j < m->njnt; j++) {
    ctReal* q = m->key_qpos + key * m->nq + m->jnt_qposadr[j];
    if (m->jnt_type[j] == CT_JOINT_FREE) cti_normalize4(q + 3);
    if (m->jnt_type[j] == CT_JOINT_BALL) cti_normalize4(q);
  }
  for (int i = 0; i < m->nmocap; i++) cti_normalize4(m->key_mquat + 4 * (key * m->nmocap + i));
}

// ---- parts that belong to elements

// Where an element's numbers begin in the vectors of its kind, -1 where it has none.
typedef struct Home {
  const ctiElement* element;
  int at[CTI_KEY_VECTOR_COUNT];
} Home;

static int by_element(const void* a, const void* b) {
  uintptr_t x = (uintptr_t)((const Home*)a)->element, y = (uintptr_t)((const Home*)b)->element;
  return (x > y) - (x < y);
}

// The homes of everything that has state, sorted. NULL when memory runs out.
static Home* find_homes(const ctiBuild* b, int* count) {
  const ctModel* m = b->m;
  Home* homes = CTI_NEW_ARRAY(
      b->region, Home,
      (size_t)m->njnt + (size_t)m->nactuator + (size_t)m->nmocap + (size_t)m->ntendon + (size_t)m->nflex);
  int n = 0;
  if (!homes) return NULL;
  for (int i = 0; i < m->njnt; i++) {
    homes[n++] = (Home){&b->joint[i].spec->head,
                        {[CTI_KEY_qpos] = m->jnt_qposadr[i],
                         [CTI_KEY_qvel] = m->jnt_dofadr[i],
                         [CTI_KEY_plastic] = m->jnt_plasticadr[i]}};
  }
  for (int i = 0; i < m->nactuator; i++) {
    homes[n++] = (Home){&b->actuator[i].spec->head,
                        {[CTI_KEY_act] = b->actuator[i].actadr, [CTI_KEY_ctrl] = b->actuator[i].ctrladr}};
  }
  for (int i = 0; i < m->nbody; i++) {
    int mocap = m->body_mocapid[i];
    if (mocap < 0) continue;
    homes[n++] = (Home){&b->body[i].spec->head, {[CTI_KEY_mpos] = 3 * mocap, [CTI_KEY_mquat] = 4 * mocap}};
  }
  for (int i = 0; i < m->ntendon; i++)
    homes[n++] = (Home){&b->tendon[i].spec->head, {[CTI_KEY_plastic] = m->tendon_plasticadr[i]}};
  for (int i = 0; i < m->nflex; i++)
    homes[n++] = (Home){&b->flex[i].spec->head, {[CTI_KEY_plastic] = b->flex[i].plasticadr}};
  if (n > 0) qsort(homes, (size_t)n, sizeof(Home), by_element);
  *count = n;
  return homes;
}

static ctStatus fill_parts(ctiBuild* b, const ctiKey* key, const ctiReals* const given[CTI_KEY_VECTOR_COUNT],
                           ctReal* const vector[CTI_KEY_VECTOR_COUNT]) {
  if (key->parts.count == 0) return CT_OK;
  int n = 0;
  const Home* homes = find_homes(b, &n);
  if (!homes) return cti_error_memory(b->err);
  for (int i = 0; i < key->parts.count; i++) {
    const ctiKeyPart* part = &key->parts.data[i];
    const Home wanted = {.element = part->target};
    const Home* home =
        part->target && n > 0 ? bsearch(&wanted, homes, (size_t)n, sizeof(Home), by_element) : NULL;
    if (home && home->at[part->vector] >= 0 && given[part->vector]->count == 0)
      cti_to_real(vector[part->vector] + home->at[part->vector], part->values.data, part->values.count);
  }
  return CT_OK;
}

ctStatus cti_pass_keyframes(ctiBuild* b) {
  ctModel* m = b->m;
#define X(name, kind) [CTI_KEY_##name] = #name,
  static const char* const names[] = {CTI_KEY_VECTORS(X)};
#undef X
  for (int i = 0; i < m->nkey; i++) {
    const ctiKey* s = b->spec->keys.data[i];
    ctReal* const vector[] = {[CTI_KEY_qpos] = m->key_qpos + i * m->nq,
                              [CTI_KEY_qvel] = m->key_qvel + i * m->nv,
                              [CTI_KEY_act] = m->key_act + i * m->na,
                              [CTI_KEY_ctrl] = m->key_ctrl + i * m->nu,
                              [CTI_KEY_mpos] = m->key_mpos + i * 3 * m->nmocap,
                              [CTI_KEY_mquat] = m->key_mquat + i * 4 * m->nmocap,
                              [CTI_KEY_plastic] = m->key_plastic + i * m->nplastic};
    const int sizes[] = {
        [CTI_KEY_qpos] = m->nq,         [CTI_KEY_qvel] = m->nv,         [CTI_KEY_act] = m->na,
        [CTI_KEY_ctrl] = m->nu,         [CTI_KEY_mpos] = 3 * m->nmocap, [CTI_KEY_mquat] = 4 * m->nmocap,
        [CTI_KEY_plastic] = m->nplastic};
#define X(name, kind) [CTI_KEY_##name] = &s->name,
    const ctiReals* const given[] = {CTI_KEY_VECTORS(X)};
#undef X
    m->key_time[i] = (ctReal)s->time;
    fill_defaults(m, i);
    for (int v = 0; v < CTI_KEY_VECTOR_COUNT; v++)
      CT_TRY(fill_vector(b, vector[v], given[v], sizes[v], s, names[v]));
    CT_TRY(fill_parts(b, s, given, vector));
    normalise(m, i);
  }
  return CT_OK;
}
