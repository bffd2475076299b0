#include "math/sort.h"

#include "xt.h"

#define N_MAX 1000

typedef struct Pair {
  uint64_t key;
  int value;
} Pair;

#define PAIR_LESS(x, y, unused) ((x).key < (y).key)
#define INDEX_LESS(x, y, keys)  ((keys)[x] < (keys)[y])
CTI_DEFINE_SORT(sort_pairs, Pair, const void*, PAIR_LESS)
CTI_DEFINE_SORT(sort_indices, int, const int*, INDEX_LESS)

// The order that sorts `keys`.
static void order_of(int* order, const int* keys, int n, int* scratch) {
  for (int i = 0; i < n; i++) order[i] = i;
  sort_indices(order, n, scratch, keys);
}

static Pair pairs[N_MAX], pair_scratch[N_MAX];
static int perm[N_MAX], key[N_MAX], int_scratch[N_MAX];

// Sizes around the run length, its doublings, and larger ones.
static const int sizes[] = {0,  1,  2,  3,  15, 16,  17,  31,  32,  33, 47,
                            48, 49, 63, 64, 65, 100, 255, 256, 257, 999};

XT_TEST(sort, pairs_are_sorted_and_stable) {
  xtRng rng = xt_rng(1);
  for (int s = 0; s < (int)(sizeof(sizes) / sizeof(sizes[0])); s++) {
    int n = sizes[s];
    for (int i = 0; i < n; i++) {
      pairs[i].key = xt_bits(&rng) % 50 << 40;  // many ties, beyond 32 bits
      pairs[i].value = i;
    }
    sort_pairs(pairs, n, pair_scratch, NULL);
    for (int i = 1; i < n; i++) {
      XT_TRUE(pairs[i - 1].key <= pairs[i].key);
      XT_TRUE(pairs[i - 1].key < pairs[i].key || pairs[i - 1].value < pairs[i].value);
    }
  }
}

XT_TEST(sort, ints_give_a_stable_permutation) {
  xtRng rng = xt_rng(2);
  for (int s = 0; s < (int)(sizeof(sizes) / sizeof(sizes[0])); s++) {
    int n = sizes[s], seen = 0;
    for (int i = 0; i < n; i++) key[i] = (int)(xt_bits(&rng) % 41) - 20;
    order_of(perm, key, n, int_scratch);
    for (int i = 0; i < n; i++) int_scratch[i] = 0;
    for (int i = 0; i < n; i++) seen += !int_scratch[perm[i]]++;
    XT_INT(seen, n);
    for (int i = 1; i < n; i++) {
      XT_TRUE(key[perm[i - 1]] < key[perm[i]] || (key[perm[i - 1]] == key[perm[i]] && perm[i - 1] < perm[i]));
    }
  }
}

XT_TEST(sort, extreme_keys_are_compared_without_overflow) {
  int keys[4] = {INT32_MAX, INT32_MIN, 0, -1}, expect[4] = {1, 3, 2, 0};
  order_of(perm, keys, 4, int_scratch);
  XT_SAME(perm, expect, 4);
}

#define DESCENDING(x, y, calls) (++*(calls), (x) > (y))
CTI_DEFINE_SORT(sort_down, int, int*, DESCENDING)

XT_TEST(sort, other_types_and_orders_can_be_defined) {
  int calls = 0, a[5] = {3, 1, 4, 1, 5}, expect[5] = {5, 4, 3, 1, 1};
  sort_down(a, 5, int_scratch, &calls);
  XT_SAME(a, expect, 5);
  XT_TRUE(calls > 0);
}

XT_MAIN()
