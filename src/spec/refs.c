#include "spec/refs.h"

#include <string.h>

// The kind a row refers to, looked up beside it where the element says it itself.
static int kind_of(const ctiAttrTable* table, const ctiAttr* row, const char* record) {
  if (row->refers != CTI_REFERS_OBJTYPE && row->refers != CTI_REFERS_REFTYPE) return row->refers;
  const char* wanted = row->refers == CTI_REFERS_OBJTYPE ? "objtype" : "reftype";
  for (int i = 0; i < table->count; i++) {
    const ctiAttr* other = &table->rows[i];
    if (strcmp(other->name, wanted) != 0) continue;
    const void* at = record + other->offset;
    int kind =
        other->type == CTI_ATTR_KEYWORD ? *(const int*)at : (int)cti_object_type(*(const char* const*)at);
    return kind == CT_OBJ_XBODY ? CT_OBJ_BODY : kind;
  }
  return CT_OBJ_UNKNOWN;
}

ctStatus cti_visit_record(const ctiAttrTable* table, void* record, ctiAttrVisitor visit, void* context) {
  for (int i = 0; i < table->count; i++) {
    const ctiAttr* row = &table->rows[i];
    if (row->type == CTI_ATTR_CLASS) continue;
    CT_TRY(visit(context, row, kind_of(table, row, record), (char*)record + row->offset));
  }
  return CT_OK;
}

ctStatus cti_visit_layers(ctiMaterial* material, ctiAttrVisitor visit, void* context) {
  static const ctiAttr row = {.name = "texture", .type = CTI_ATTR_NAME, .refers = CT_OBJ_TEXTURE};
  for (int i = 0; i < CT_TEXROLE_COUNT; i++) {
    if (i != CT_TEXROLE_RGB) CT_TRY(visit(context, &row, row.refers, &material->texture[i]));
  }
  return CT_OK;
}

ctStatus cti_visit_element(ctiElement* e, ctiAttrVisitor visit, void* context) {
  if (!e->attrs) return CT_OK;
  CT_TRY(cti_visit_record(e->attrs, e, visit, context));
  if (e->attrs == &cti_attrs_material) return cti_visit_layers((ctiMaterial*)(void*)e, visit, context);
  if (e->attrs == &cti_attrs_spatial || e->attrs == &cti_attrs_fixed) {
    ctiTendon* tendon = (ctiTendon*)(void*)e;
    for (int i = 0; i < tendon->path.count; i++)
      CT_TRY(cti_visit_element(&tendon->path.data[i]->head, visit, context));
  } else if (e->attrs == &cti_attrs_tuple) {
    ctiTuple* tuple = (ctiTuple*)(void*)e;
    for (int i = 0; i < tuple->items.count; i++)
      CT_TRY(cti_visit_element(&tuple->items.data[i]->head, visit, context));
  } else if (e->attrs == &cti_attrs_skin) {
    ctiSkin* skin = (ctiSkin*)(void*)e;
    for (int i = 0; i < skin->bones.count; i++)
      CT_TRY(cti_visit_element(&skin->bones.data[i]->head, visit, context));
  }
  return CT_OK;
}
