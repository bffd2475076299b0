// Groups of faces by direction. Their order fixes the numbers of hull polygons, and with them which of
// several equally good polygons collision picks; it is therefore the order in which MuJoCo's hash table
// lists its entries.
#pragma once

#include "base/region.h"

// A direction: polar and azimuth angle in steps of a hundredth of a radian, rounded.
typedef struct ctiDirection {
  double polar, azimuth;
} ctiDirection;

ctiDirection cti_direction_of(const double normal[3]);

typedef struct ctiGroup {
  ctiDirection key;
  uint64_t hash;
  int next;                   // in listing order, -1 at the end
  int first_face, last_face;  // chain of faces, in the order they came
} ctiGroup;

// Chained hash table whose chains form one list: an entry with an empty bucket goes to the front of the list,
// others to the front of their bucket. `before[b]` is the entry in front of bucket b: -1 none, 0 the head, i
// + 1 entry i.
typedef struct ctiGroups {
  ctiGroup* items;
  int count, head;
  int* before;
  int nbucket;
  int* next_face;  // chain links, one a face
  const ctAllocator* allocator;
} ctiGroups;

// Room for `nface` faces, in `region`.
ctStatus cti_groups_init(ctiGroups* groups, int nface, ctiRegion* region);

// Put a face into the group of its direction.
ctStatus cti_groups_add(ctiGroups* groups, int face, ctiDirection key);
