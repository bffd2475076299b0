// The smaller ones of many leaves, for the trees of boxes.
#pragma once

// A leaf on its way through the tree: position along the axis at hand, and which it is.
typedef struct ctiLeaf {
  double key;
  int item;
} ctiLeaf;

// Moves leaves until those before the k-th are not behind it, and those after it not before it. Keys that
// differ by rounding are in the order of their items. Keys that are not numbers are too, and so have no order
// among the others: where they end is settled by the way, which is that of MuJoCo's library.
void cti_select(ctiLeaf* leaves, int n, int k);
