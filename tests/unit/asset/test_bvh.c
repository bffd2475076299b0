#include "asset/bvh.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- select

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
  ctiLeaf leaves[4] = {{3, 0}, {(double)NAN, 1}, {2, 2}, {1, 3}};
  cti_select(leaves, 4, 2);
  const int order[4] = {3, 0, 1, 2};
  for (int i = 0; i < 4; i++) XT_INT(leaves[i].item, order[i]);
}

// ---- bvh

static void random_boxes(double* boxes, int n, xtRng* rng) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      boxes[6 * i + k] = xt_uniform(rng, -5, 5);
      boxes[6 * i + 3 + k] = xt_uniform(rng, 0.01, 1);
    }
  }
}

XT_TEST(bvh, every_item_is_one_leaf_inside_all_its_ancestors) {
  enum { MOST_BOXES = 500 };
  static double boxes[6 * MOST_BOXES];
  xtRng rng = xt_rng(1);
  for (int n = 1; n <= MOST_BOXES; n = n * 3 / 2 + 1) {
    random_boxes(boxes, n, &rng);
    ctiRegion* region = cti_region_create(NULL);
    ctiBvh t;
    XT_INT(cti_bvh_build(&t, boxes, NULL, n, 100, region, NULL), CT_OK);
    XT_INT(t.count, 2 * n - 1);
    int seen[MOST_BOXES] = {0};
    for (int i = 0; i < t.count; i++) {
      const double* box = t.aabb + 6 * i;
      if (t.nodeid[i] >= 0) {
        XT_INT(t.child[2 * i], -1);
        XT_INT(t.child[2 * i + 1], -1);
        XT_INT(seen[t.nodeid[i] - 100]++, 0);
        continue;
      }
      for (int c = 0; c < 2; c++) {
        int child = t.child[2 * i + c];
        XT_TRUE(child > i && child < t.count);
        XT_INT(t.depth[child], t.depth[i] + 1);
        for (int k = 0; k < 3; k++) {
          const double* inner = t.aabb + 6 * child;
          XT_TRUE(inner[k] - inner[3 + k] >= box[k] - box[3 + k] - 1e-12);
          XT_TRUE(inner[k] + inner[3 + k] <= box[k] + box[3 + k] + 1e-12);
        }
      }
    }
    cti_region_free(region);
  }
}
XT_TEST(bvh, numbers_follow_a_walk_and_halves_are_sorted) {
  // five boxes along y, given in reverse
  double boxes[30] = {0};
  for (int i = 0; i < 5; i++) {
    boxes[6 * i + 1] = -i;
    boxes[6 * i + 3] = boxes[6 * i + 4] = boxes[6 * i + 5] = 0.1;
  }
  ctiRegion* region = cti_region_create(NULL);
  ctiBvh t;
  XT_INT(cti_bvh_build(&t, boxes, NULL, 5, 0, region, NULL), CT_OK);
  const int child[] = {1, 4, 2, 3, -1, -1, -1, -1, 5, 6, -1, -1, 7, 8, -1, -1, -1, -1};
  const int item[] = {-1, -1, 4, 3, -1, 2, -1, 1, 0}, depth[] = {0, 1, 2, 2, 1, 2, 2, 3, 3};
  XT_SAME(t.child, child, 18);
  XT_SAME(t.nodeid, item, 9);
  XT_SAME(t.depth, depth, 9);
  cti_region_free(region);
}
XT_TEST(bvh, ties_go_by_number_and_flat_boxes_get_a_thickness) {
  double boxes[24] = {0};
  for (int i = 0; i < 4; i++) boxes[6 * i + 3] = 1;
  ctiRegion* region = cti_region_create(NULL);
  ctiBvh t;
  XT_INT(cti_bvh_build(&t, boxes, NULL, 4, 0, region, NULL), CT_OK);
  const int item[] = {-1, -1, 0, 1, -1, 2, 3};
  XT_SAME(t.nodeid, item, 7);
  for (int i = 0; i < t.count; i++) XT_NEAR(t.aabb[6 * i + 5], 1e-14, 1e-20);
  cti_region_free(region);
}
XT_TEST(bvh, separate_centres_decide_the_order) {
  double boxes[12] = {0, 0, 0, 1, 1, 1, 5, 0, 0, 1, 1, 1};
  const double centres[6] = {9, 0, 0, -9, 0, 0};
  ctiRegion* region = cti_region_create(NULL);
  ctiBvh t;
  XT_INT(cti_bvh_build(&t, boxes, centres, 2, 0, region, NULL), CT_OK);
  XT_INT(t.nodeid[1], 1);
  XT_INT(t.nodeid[2], 0);
  cti_region_free(region);
}
XT_TEST(bvh, nothing_makes_an_empty_tree) {
  ctiRegion* region = cti_region_create(NULL);
  ctiBvh t;
  XT_INT(cti_bvh_build(&t, NULL, NULL, 0, 0, region, NULL), CT_OK);
  XT_INT(t.count, 0);
  cti_region_free(region);
}

XT_MAIN()
