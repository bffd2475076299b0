#include "asset/bvh.h"
#include "xt.h"

enum { MOST = 300 };

static void shuffle(ctiLeaf* leaves, int n, xtRng* rng) {
  for (int i = n - 1; i > 0; i--) {
    int k = (int)xt_uniform(rng, 0, i + 0.999);
    ctiLeaf t = leaves[i];
    leaves[i] = leaves[k];
    leaves[k] = t;
  }
}

// Every leaf is there once.
static void check_all_there(const ctiLeaf* leaves, int n) {
  int seen[MOST] = {0};
  for (int i = 0; i < n; i++) XT_INT(seen[leaves[i].item]++, 0);
}

XT_TEST(select, smaller_leaves_come_first_and_ties_go_by_number) {
  XT_UNUSED;
  xtRng rng = xt_rng(3);
  ctiLeaf leaves[MOST];
  for (int n = 1; n <= MOST; n += n < 20 ? 1 : 31) {
    for (int ties = 1; ties < 8; ties += 3) {
      for (int i = 0; i < n; i++) leaves[i] = (ctiLeaf){floor((double)i / ties), i};
      shuffle(leaves, n, &rng);
      int k = n / 2;
      cti_select(leaves, n, k);
      check_all_there(leaves, n);
      for (int i = 0; i < n; i++) XT_TRUE(i < k ? leaves[i].item < k : leaves[i].item >= k);
    }
  }
}

XT_TEST(select, keys_that_are_no_numbers_lose_nothing) {
  XT_UNUSED;
  xtRng rng = xt_rng(4);
  ctiLeaf leaves[MOST];
  for (int round = 0; round < 400; round++) {
    int n = 1 + (int)xt_uniform(&rng, 0, MOST - 1);
    for (int i = 0; i < n; i++) {
      double x = xt_uniform(&rng, -1, 1);
      leaves[i] = (ctiLeaf){round % 4 == 0 || x > 0.5 ? (double)NAN : x > 0.4 ? (double)INFINITY : x, i};
    }
    shuffle(leaves, n, &rng);
    cti_select(leaves, n, n / 2);
    check_all_there(leaves, n);
  }
}

// By hand: with four leaves the least of the rest is exchanged with the next; the second has no key.
XT_TEST(select, a_key_that_is_no_number_is_placed_by_the_way) {
  XT_UNUSED;
  ctiLeaf leaves[4] = {{3, 0}, {(double)NAN, 1}, {2, 2}, {1, 3}};
  cti_select(leaves, 4, 2);
  const int order[4] = {3, 0, 1, 2};
  for (int i = 0; i < 4; i++) XT_INT(leaves[i].item, order[i]);
}

XT_MAIN(XT_CASE(select, smaller_leaves_come_first_and_ties_go_by_number),
        XT_CASE(select, keys_that_are_no_numbers_lose_nothing),
        XT_CASE(select, a_key_that_is_no_number_is_placed_by_the_way))
