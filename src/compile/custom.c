// Custom numbers, texts and tuples, and keyframes.
#include <string.h>

#include "compile/build.h"

void cti_count_custom(ctiBuild* b) {
  const ctSpec* s = b->spec;
  for (int i = 0; i < s->numerics.count; i++) b->sizes.nnumericdata += s->numerics.data[i]->size;
  for (int i = 0; i < s->texts.count; i++) b->sizes.ntextdata += (ctSize)strlen(s->texts.data[i]->data) + 1;
  for (int i = 0; i < s->tuples.count; i++) b->sizes.ntupledata += s->tuples.data[i]->items.count;
}

static int object_type(const char* word) {
  static const char* const words[CT_OBJ_COUNT] = {
#define X(id, text) [CT_OBJ_##id] = text,
      CT_OBJ_LIST(X)
#undef X
  };
  for (int t = 1; t < CT_OBJ_COUNT; t++) {
    if (strcmp(words[t], word) == 0) return t;
  }
  return CT_OBJ_UNKNOWN;
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
      int type = object_type(item->objtype);
      if (type == CT_OBJ_UNKNOWN)
        return cti_spec_error(b->err, CT_ERR_INVALID, &item->head, "\"%s\" is not a kind of object",
                              item->objtype);
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

// A vector of a keyframe: empty means the default, otherwise it must have all numbers.
static ctStatus fill_key(const ctiBuild* b, ctReal* out, const ctiReals* given, const ctReal* otherwise,
                         int n, const ctiKey* key, const char* what) {
  if (given->count == 0) {
    for (int i = 0; i < n; i++) out[i] = otherwise ? otherwise[i] : 0;
    return CT_OK;
  }
  if (given->count != n) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &key->head, "%s has %d numbers, the model needs %d", what,
                          given->count, n);
  }
  cti_to_real(out, given->data, n);
  return CT_OK;
}

ctStatus cti_pass_keyframes(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->nkey; i++) {
    const ctiKey* s = b->spec->keys.data[i];
    m->key_time[i] = (ctReal)s->time;
    CT_TRY(fill_key(b, m->key_qpos + i * m->nq, &s->qpos, m->qpos0, m->nq, s, "qpos"));
    CT_TRY(fill_key(b, m->key_qvel + i * m->nv, &s->qvel, NULL, m->nv, s, "qvel"));
    CT_TRY(fill_key(b, m->key_act + i * m->na, &s->act, NULL, m->na, s, "act"));
    CT_TRY(fill_key(b, m->key_ctrl + i * m->nu, &s->ctrl, NULL, m->nu, s, "ctrl"));
    CT_TRY(fill_key(b, m->key_plastic + i * m->nplastic, &s->plastic, NULL, m->nplastic, s, "plastic"));
    CT_TRY(fill_key(b, m->key_mpos + i * 3 * m->nmocap, &s->mpos, NULL, 3 * m->nmocap, s, "mpos"));
    CT_TRY(fill_key(b, m->key_mquat + i * 4 * m->nmocap, &s->mquat, NULL, 4 * m->nmocap, s, "mquat"));
    for (int j = 0; j < m->njnt; j++) {
      ctReal* q = m->key_qpos + i * m->nq + m->jnt_qposadr[j];
      if (m->jnt_type[j] == CT_JOINT_FREE) cti_normalize4(q + 3);
      if (m->jnt_type[j] == CT_JOINT_BALL) cti_normalize4(q);
    }
    for (int body = 0; body < m->nbody; body++) {
      int mocap = m->body_mocapid[body];
      if (mocap < 0) continue;
      ctReal* pos = m->key_mpos + (i * m->nmocap + mocap) * 3;
      ctReal* quat = m->key_mquat + (i * m->nmocap + mocap) * 4;
      if (s->mpos.count == 0) cti_copy3(pos, m->body_pos + 3 * body);
      if (s->mquat.count == 0) cti_copy4(quat, m->body_quat + 4 * body);
      cti_normalize4(quat);
    }
  }
  return CT_OK;
}
