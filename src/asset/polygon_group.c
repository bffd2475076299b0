#include "asset/polygon_group.h"

#include <math.h>
#include <string.h>

// Steps per radian.
#define RESOLUTION 100
// Normals this close to the poles have no azimuth.
#define POLE (1 - 1e-7)

enum { NONE = -1, HEAD = 0 };

ctiDirection cti_direction_of(const double normal[3]) {
  double z = fmax(-1, fmin(1, normal[2]));
  double azimuth = fabs(z) > POLE ? 0 : atan2(normal[1] + 0.0, normal[0]);
  double step = round(RESOLUTION * azimuth);
  return (ctiDirection){round(RESOLUTION * acos(z)), step};
}

static uint64_t bits_of(double x) {
  uint64_t bits = 0;
  if (x != 0) memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static uint64_t hash_of(ctiDirection key) {
  uint64_t h = bits_of(key.azimuth);
  return h ^ (bits_of(key.polar) + 0x9e3779b9u + (h << 6) + (h >> 2));
}

static bool same_key(ctiDirection a, ctiDirection b) {
  return a.polar == b.polar && a.azimuth == b.azimuth;
}

// Bucket counts are primes.
static int next_prime(int n) {
  for (;; n++) {
    bool prime = n >= 2;
    for (int d = 2; prime && d * d <= n; d++) prime = n % d != 0;
    if (prime) return n;
  }
}

static int bucket_of(const ctiGroups* g, int item) {
  return (int)(g->items[item].hash % (uint64_t)g->nbucket);
}

// The link behind a position: of the head, or of entry at - 1.
static int* link_behind(ctiGroups* g, int at) {
  return at == HEAD ? &g->head : &g->items[at - 1].next;
}

// Move all entries to more buckets, keeping the list in order but for entries that join a bucket further up.
static ctStatus grow(ctiGroups* g) {
  int nbucket = next_prime(2 * g->nbucket + 1);
  int* before = CTI_ALLOC(g->allocator, int, nbucket);
  if (!before) return CT_ERR_MEMORY;
  cti_release(g->allocator, g->before);
  g->before = before;
  g->nbucket = nbucket;
  for (int b = 0; b < nbucket; b++) before[b] = NONE;
  int last = HEAD, last_bucket = NONE;
  for (int item = g->head; item != NONE; item = *link_behind(g, last)) {
    int b = bucket_of(g, item);
    if (b == last_bucket || before[b] == NONE) {
      if (b != last_bucket) before[b] = last;
      last = item + 1;
      last_bucket = b;
    } else {
      int* front = link_behind(g, before[b]);
      *link_behind(g, last) = g->items[item].next;
      g->items[item].next = *front;
      *front = item;
    }
  }
  return CT_OK;
}

static int find(ctiGroups* g, uint64_t hash, ctiDirection key) {
  if (g->nbucket == 0) return NONE;
  int b = (int)(hash % (uint64_t)g->nbucket);
  if (g->before[b] == NONE) return NONE;
  for (int item = *link_behind(g, g->before[b]); item != NONE && bucket_of(g, item) == b;
       item = g->items[item].next) {
    if (g->items[item].hash == hash && same_key(g->items[item].key, key)) return item;
  }
  return NONE;
}

static void link_entry(ctiGroups* g, int item) {
  int b = bucket_of(g, item);
  if (g->before[b] != NONE) {
    int* front = link_behind(g, g->before[b]);
    g->items[item].next = *front;
    *front = item;
    return;
  }
  g->items[item].next = g->head;
  g->head = item;
  g->before[b] = HEAD;
  if (g->items[item].next != NONE) g->before[bucket_of(g, g->items[item].next)] = item + 1;
}

ctStatus cti_groups_init(ctiGroups* groups, int nface, ctiRegion* region) {
  *groups = (ctiGroups){.head = NONE, .allocator = cti_region_allocator(region)};
  groups->items = CTI_NEW_ARRAY(region, ctiGroup, nface);
  groups->next_face = CTI_NEW_ARRAY(region, int, nface);
  return groups->items && groups->next_face ? CT_OK : CT_ERR_MEMORY;
}

ctStatus cti_groups_add(ctiGroups* groups, int face, ctiDirection key) {
  uint64_t hash = hash_of(key);
  int item = find(groups, hash, key);
  groups->next_face[face] = NONE;
  if (item != NONE) {
    ctiGroup* group = &groups->items[item];
    groups->next_face[group->last_face] = face;
    group->last_face = face;
    return CT_OK;
  }
  if (groups->count + 1 > groups->nbucket) CT_TRY(grow(groups));
  item = groups->count++;
  groups->items[item] = (ctiGroup){.key = key, .hash = hash, .first_face = face, .last_face = face};
  link_entry(groups, item);
  return CT_OK;
}
