#include "math/sort.h"

#define PAIR_LESS(x, y, unused) ((x).key < (y).key)
#define INDEX_LESS(x, y, key)   ((key)[x] < (key)[y])

CTI_DEFINE_SORT(merge_sort_pairs, ctiPair, const void*, PAIR_LESS)

CTI_DEFINE_SORT(merge_sort_indices, int, const int*, INDEX_LESS)

CT_FN void cti_sort_pairs(ctiPair* a, int n, ctiPair* scratch) {
  merge_sort_pairs(a, n, scratch, NULL);
}

CT_FN void cti_sort_ints(int* perm, const int* key, int n, int* scratch) {
  for (int i = 0; i < n; i++) perm[i] = i;
  merge_sort_indices(perm, n, scratch, key);
}

#undef PAIR_LESS
#undef INDEX_LESS
