#include "model/names.h"
#include "base/fn.h"

#include <string.h>

#define KIND(type, count, address) \
  { CT_OBJ_##type, offsetof(ctModel, count), offsetof(ctModel, address) }
const ctiNamedKind cti_named_kinds[] = {
    KIND(BODY, nbody, name_bodyadr),
    KIND(JOINT, njnt, name_jntadr),
    KIND(GEOM, ngeom, name_geomadr),
    KIND(SITE, nsite, name_siteadr),
    KIND(CAMERA, ncam, name_camadr),
    KIND(LIGHT, nlight, name_lightadr),
    KIND(FLEX, nflex, name_flexadr),
    KIND(MESH, nmesh, name_meshadr),
    KIND(SKIN, nskin, name_skinadr),
    KIND(HFIELD, nhfield, name_hfieldadr),
    KIND(TEXTURE, ntex, name_texadr),
    KIND(MATERIAL, nmat, name_matadr),
    KIND(PAIR, npair, name_pairadr),
    KIND(EXCLUDE, nexclude, name_excludeadr),
    KIND(EQUALITY, neq, name_eqadr),
    KIND(TENDON, ntendon, name_tendonadr),
    KIND(ACTUATOR, nactuator, name_actuatoradr),
    KIND(SENSOR, nsensor, name_sensoradr),
    KIND(NUMERIC, nnumeric, name_numericadr),
    KIND(TEXT, ntext, name_textadr),
    KIND(TUPLE, ntuple, name_tupleadr),
    KIND(KEY, nkey, name_keyadr),
    KIND(PLUGIN, nplugin, name_pluginadr),
};
const int cti_named_kind_count = CT_COUNT_OF(cti_named_kinds);

int cti_named_count(const ctModel* m, const ctiNamedKind* kind) {
  int count;
  memcpy(&count, (const char*)m + kind->count, sizeof(count));
  return count;
}

int* cti_named_addresses(const ctModel* m, const ctiNamedKind* kind) {
  int* addresses;
  memcpy(&addresses, (const char*)m + kind->address, sizeof(addresses));
  return addresses;
}

// The kind of a type and where its hash table starts; NULL for types without names.
static const ctiNamedKind* find_kind(const ctModel* m, ctObjType type, int* map) {
  if (type == CT_OBJ_XBODY) type = CT_OBJ_BODY;
  *map = 0;
  for (int i = 0; i < cti_named_kind_count; i++) {
    if (cti_named_kinds[i].type == type) return &cti_named_kinds[i];
    *map += CTI_NAMES_MAP_LOAD * cti_named_count(m, &cti_named_kinds[i]);
  }
  return NULL;
}

static uint64_t hash(const char* name, int slots) {
  uint64_t h = 5381;
  // bytes beyond ASCII count as negative numbers, as in MuJoCo, whatever a char is here
  for (; *name; name++) h = (h * 33) ^ (uint64_t)(int64_t)(signed char)*name;
  return h % (uint64_t)slots;
}

void cti_names_map_build(ctModel* m) {
  for (int i = 0; i < m->nnames_map; i++) m->names_map[i] = -1;
  int* map = m->names_map;
  for (int i = 0; i < cti_named_kind_count; i++) {
    int count = cti_named_count(m, &cti_named_kinds[i]), slots = CTI_NAMES_MAP_LOAD * count;
    const int* address = cti_named_addresses(m, &cti_named_kinds[i]);
    for (int id = 0; id < count; id++) {
      const char* name = m->names + address[id];
      if (!name[0]) continue;
      uint64_t slot = hash(name, slots);
      while (map[slot] >= 0) slot = (slot + 1) % (uint64_t)slots;
      map[slot] = id;
    }
    map += slots;
  }
}

int ct_model_count(const ctModel* m, ctObjType type) {
  if (!m) return 0;
  if (type == CT_OBJ_DOF) return m->nv;
  int map;
  const ctiNamedKind* kind = find_kind(m, type, &map);
  return kind ? cti_named_count(m, kind) : 0;
}

int ct_model_name2id(const ctModel* m, ctObjType type, const char* name) {
  if (!m || !name || !name[0]) return -1;
  int map;
  const ctiNamedKind* kind = find_kind(m, type, &map);
  int slots = kind ? CTI_NAMES_MAP_LOAD * cti_named_count(m, kind) : 0;
  if (slots == 0) return -1;
  const int* address = cti_named_addresses(m, kind);
  uint64_t slot = hash(name, slots);
  for (int tries = 0; tries < slots; tries++) {
    int id = m->names_map[map + (int)slot];
    if (id < 0) return -1;
    if (strcmp(m->names + address[id], name) == 0) return id;
    slot = (slot + 1) % (uint64_t)slots;
  }
  return -1;
}

const char* ct_model_id2name(const ctModel* m, ctObjType type, int id) {
  if (!m) return NULL;
  int map;
  const ctiNamedKind* kind = find_kind(m, type, &map);
  if (!kind || id < 0 || id >= cti_named_count(m, kind)) return NULL;
  const char* name = m->names + cti_named_addresses(m, kind)[id];
  return name[0] ? name : NULL;
}
