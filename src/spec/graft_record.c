// Records of one spec made at home in another.
#include <string.h>

#include "spec/graft.h"

const char* cti_graft_keep(ctiGraftWork* w, const char* text) {
  return text ? cti_intern(&w->g->to->strings, text) : NULL;
}

const char* cti_graft_rename(ctiGraftWork* w, const char* name) {
  const char* longer = cti_region_printf(w->scratch, "%s%s%s", w->g->prefix, name, w->g->suffix);
  return longer ? cti_graft_keep(w, longer) : NULL;
}

static bool is_renamed(const ctiGraftWork* w, int kind, const char* name) {
  if (kind == CTI_REFERS_SELF) return true;
  if (kind == CT_OBJ_BODY && strcmp(name, "world") == 0) return false;
  if (w->foreign) return true;
  return kind > 0 && !cti_is_asset(kind) && cti_names_find(&w->names[kind], name) >= 0;
}

// Bring one member of a record that was copied bit by bit into the target: text, names, lists.
ctStatus cti_graft_adopt(void* context, const ctiAttr* row, int kind, void* at) {
  ctiGraftWork* w = (ctiGraftWork*)context;
  if (row->type == CTI_ATTR_LIST && w->foreign) {
    ctiReals* list = (ctiReals*)at;
    double* data = CTI_NEW_ARRAY(w->g->to->region, double, list->count);
    if (!data) return cti_error_memory(w->err);
    if (list->count > 0) memcpy(data, list->data, (size_t)list->count * sizeof(double));
    list->data = data;
  }
  if (row->type != CTI_ATTR_TEXT && row->type != CTI_ATTR_NAME) return CT_OK;
  const char** text = (const char**)at;
  if (!*text) return CT_OK;
  bool named = row->type == CTI_ATTR_NAME && kind != 0 && is_renamed(w, kind, *text);
  *text = named ? cti_graft_rename(w, *text) : cti_graft_keep(w, *text);
  return *text ? CT_OK : cti_error_memory(w->err);
}

// The settings an element of another spec keeps being compiled with, copied once.
static ctStatus adopt_compiler(ctiGraftWork* w, const ctiCompiler* from, const ctiCompiler** out) {
  if (from != w->compiler_from) {
    ctiCompiler* c = CTI_NEW(w->g->to->region, ctiCompiler);
    if (!c) return cti_error_memory(w->err);
    *c = *from;
    CT_TRY(cti_visit_record(&cti_attrs_compiler, c, cti_graft_adopt, w));
    c->file = cti_graft_keep(w, c->file);
    if (!c->file) return cti_error_memory(w->err);
    w->compiler_from = from;
    w->compiler_to = c;
  }
  *out = w->compiler_to;
  return CT_OK;
}

ctStatus cti_graft_adopt_head(ctiGraftWork* w, ctiElement* e, const ctiElement* parent,
                              const ctiFrame* frame) {
  e->parent = parent;
  e->frame = frame;
  if (!w->foreign) return CT_OK;
  if (e->compiler || !w->whole) CT_TRY(adopt_compiler(w, cti_compiler_of(w->g->from, e), &e->compiler));
  const ctiElement old = *e;
  e->tag = cti_graft_keep(w, old.tag);
  e->where.file = cti_graft_keep(w, old.where.file);
  e->class_ = old.class_ ? cti_graft_rename(w, old.class_) : NULL;
  bool complete = e->tag && (e->where.file || !old.where.file) && (e->class_ || !old.class_);
  return complete ? CT_OK : cti_error_memory(w->err);
}

// Names in a file cannot be changed: the skin remembers what they have become.
static ctStatus adopt_bone_names(ctiGraftWork* w, ctiSkin* skin) {
  if (!skin->file || !w->foreign) return CT_OK;
  skin->bone_names = cti_graft_rename(w, skin->bone_names ? skin->bone_names : CTI_NAME_IN_FILE);
  return skin->bone_names ? CT_OK : cti_error_memory(w->err);
}

// Stations, items and bones belong to their element.
static ctStatus adopt_parts(ctiGraftWork* w, ctiElement* e) {
#define COPY_PARTS(owner, list, record)                                           \
  {                                                                               \
    owner* whole = (owner*)(void*)e;                                              \
    owner old = *whole;                                                           \
    memset(&whole->list, 0, sizeof(whole->list));                                 \
    for (int i = 0; i < old.list.count; i++) {                                    \
      record* part = CTI_NEW(w->g->to->region, record);                           \
      if (!part) return cti_error_memory(w->err);                                 \
      *part = *old.list.data[i];                                                  \
      CT_TRY(cti_graft_adopt_head(w, &part->head, e, NULL));                      \
      CTI_TRY_MEMORY(w, cti_array_push(&whole->list, w->g->to->in_region, part)); \
    }                                                                             \
  }
  if (e->attrs == &cti_attrs_spatial || e->attrs == &cti_attrs_fixed) COPY_PARTS(ctiTendon, path, ctiWrap)
  if (e->attrs == &cti_attrs_tuple) COPY_PARTS(ctiTuple, items, ctiTupleItem)
  if (e->attrs == &cti_attrs_skin) {
    COPY_PARTS(ctiSkin, bones, ctiBone)
    CT_TRY(adopt_bone_names(w, (ctiSkin*)(void*)e));
  }
#undef COPY_PARTS
  return CT_OK;
}

// A copy of the record behind `e`, of `size` bytes, with everything it holds.
ctStatus cti_graft_copy(ctiGraftWork* w, const ctiElement* e, size_t size, const ctiElement* parent,
                        const ctiFrame* frame, void* out) {
  ctiElement* copy = (ctiElement*)cti_region_alloc(w->g->to->region, size, alignof(max_align_t));
  if (!copy) return cti_error_memory(w->err);
  memcpy(copy, e, size);
  CT_TRY(cti_graft_adopt_head(w, copy, parent, frame));
  CT_TRY(adopt_parts(w, copy));
  CT_TRY(cti_visit_element(copy, cti_graft_adopt, w));
  CTI_TRY_MEMORY(w, cti_array_push(&w->copies, cti_region_allocator(w->scratch), ((ctiCopied){e, copy})));
  memcpy(out, &copy, sizeof(copy));
  return CT_OK;
}
