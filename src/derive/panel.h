// Linear algebra on many right-hand sides at once: a panel has a row for each unknown, its columns next to
// each other. Host code.
#pragma once

#include "corten/data.h"
#include "math/skyline.h"

// P = H^-1 P, H = U U' in skyline storage. The second: with the rows at `place` in H; `work` is like P.
void cti_panel_skyline(ctReal* P, int columns, const ctiSkyline* sky, const ctReal* u);
void cti_panel_ordered(ctReal* P, int columns, const ctiSkyline* sky, const ctReal* u, const int* place,
                       ctReal* work);

// P = X^-1 P, X = L'DL with the pattern of the mass matrix.
void cti_panel_tree(ctReal* P, int columns, const ctModel* m, const ctReal* ld, const ctReal* diaginv);

// P = X^-1 P with the factors of cti_lu_factor().
void cti_panel_lu(ctReal* P, int columns, const ctReal* lu, const int* pivot, int n);

// out = M P, M with the pattern of the mass matrix.
void cti_panel_mass(ctReal* out, const ctReal* P, int columns, const ctModel* m, const ctReal* M);

// P = scale Q', Q of so many columns, one every `stride` numbers.
void cti_panel_transpose(ctReal* P, const ctReal* Q, int64_t stride, int rows, int columns, ctReal scale);
// P += that
void cti_panel_add_transpose(ctReal* P, const ctReal* Q, int64_t stride, int rows, int columns, ctReal scale);
