// Quickselect about the median of first, middle and last.
#include "asset/select.h"

#include <math.h>
#include <stdbool.h>

// Keys that differ by less are equal.
#define SAME_KEY 1e-14
// Ranges this short are sorted.
#define SHORT_RANGE 7

static bool is_before(const ctiLeaf* a, const ctiLeaf* b) {
  if (fabs(a->key - b->key) > SAME_KEY) return a->key < b->key;
  return a->item < b->item;
}

static int swap(ctiLeaf* a, ctiLeaf* b) {
  ctiLeaf t = *a;
  *a = *b;
  *b = t;
  return 1;
}

// Sorts three and returns how many swaps it took.
static int sort_three(ctiLeaf* a, ctiLeaf* b, ctiLeaf* c) {
  bool first = is_before(b, a), second = is_before(c, b);
  if (first && second) return swap(a, c);
  if (!first && !second) return 0;
  if (first) return swap(a, b) + (is_before(c, b) ? swap(b, c) : 0);
  return swap(b, c) + (is_before(b, a) ? swap(a, b) : 0);
}

static void sort_short(ctiLeaf* first, ctiLeaf* last) {
  for (; first < last; first++) {
    ctiLeaf* least = first;
    for (ctiLeaf* p = first + 1; p < last; p++) least = is_before(p, least) ? p : least;
    swap(first, least);
  }
}

static bool is_sorted(const ctiLeaf* first, const ctiLeaf* last) {
  for (const ctiLeaf* p = first + 1; p < last; p++) {
    if (is_before(p, p - 1)) return false;
  }
  return true;
}

// The last leaf in (first, end) that is before the pivot; `first` when there is none.
static ctiLeaf* last_before(ctiLeaf* first, ctiLeaf* end, const ctiLeaf* pivot) {
  do end--;
  while (end > first && !is_before(end, pivot));
  return end;
}

// None is before the first: those it is before go to the end. Returns where they begin.
static ctiLeaf* split_behind(ctiLeaf* first, ctiLeaf* last) {
  ctiLeaf *i = first + 1, *j = last;
  for (;;) {
    while (i < last && !is_before(first, i)) i++;
    do j--;
    while (j > first && is_before(first, j));
    if (i >= j) return i;
    swap(i++, j);
  }
}

// Leaves before the pivot go to the front of [i, end). Returns where the others begin; the pivot may move.
static ctiLeaf* split_before(ctiLeaf* i, ctiLeaf* end, ctiLeaf** pivot, int* swaps) {
  ctiLeaf *j = end, *first = i;
  if (i >= j) return i;
  for (;;) {
    while (i < end && is_before(i, *pivot)) i++;
    do j--;
    while (j >= first && !is_before(j, *pivot));
    if (i >= j) return i;
    *swaps += swap(i, j);
    if (*pivot == i) *pivot = j;
    i++;
  }
}

void cti_select(ctiLeaf* leaves, int n, int k) {
  ctiLeaf *first = leaves, *last = leaves + n, *nth = leaves + k;
  while (nth < last && last - first > 1) {
    if (last - first == 2) {
      if (is_before(first + 1, first)) swap(first, first + 1);
      return;
    }
    if (last - first == 3) {
      sort_three(first, first + 1, first + 2);
      return;
    }
    if (last - first <= SHORT_RANGE) {
      sort_short(first, last);
      return;
    }
    ctiLeaf *middle = first + (last - first) / 2, *end = last - 1;
    int swaps = sort_three(first, middle, end);
    if (!is_before(first, middle)) {
      end = last_before(first, end, middle);
      if (end == first) {
        first = split_behind(first, last);
        if (nth < first) return;
        continue;
      }
      swaps += swap(first, end);
    }
    ctiLeaf* at = split_before(first + 1, end, &middle, &swaps);
    if (at != middle && is_before(middle, at)) swaps += swap(at, middle);
    if (at == nth) return;
    bool front = nth < at;
    if (swaps == 0 && (front ? is_sorted(first, at) : is_sorted(at, last))) return;
    if (front)
      last = at;
    else
      first = at + 1;
  }
}
