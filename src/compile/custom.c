// Custom numbers, texts and tuples.
#include <string.h>

#include "compile/build.h"

void cti_count_custom(ctiBuild* b) {
  const ctSpec* s = b->spec;
  for (int i = 0; i < s->numerics.count; i++) b->sizes.nnumericdata += s->numerics.data[i]->size;
  for (int i = 0; i < s->texts.count; i++) b->sizes.ntextdata += (ctSize)strlen(s->texts.data[i]->data) + 1;
  for (int i = 0; i < s->tuples.count; i++) b->sizes.ntupledata += s->tuples.data[i]->items.count;
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
