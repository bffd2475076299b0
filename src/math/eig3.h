// Eigenvalues and principal frame of a symmetric 3x3 matrix, by Jacobi rotations kept as a quaternion.
// Step code.
#pragma once

#include "math/quat.h"

// Tolerances relative to the largest entry of the matrix: off-diagonals up to the first are left alone,
// eigenvalues whose gap is below the second are not exchanged. Mesh inertia is only known to float
// precision: a mesh that is isotropic up to that keeps its frame.
#ifdef CT_SINGLE
#define CTI_EIG_TOL       CT_R(1e-6)
#define CTI_EIG_SORT      CT_R(1e-5)
#define CTI_EIG_MESH_TOL  CTI_EIG_TOL
#define CTI_EIG_MESH_SORT CTI_EIG_SORT
#else
#define CTI_EIG_TOL       4e-15
#define CTI_EIG_SORT      1e-12
#define CTI_EIG_MESH_TOL  1e-7
#define CTI_EIG_MESH_SORT 1e-7
#endif

// A = R diag(eigval) R' with eigval decreasing, R = eigvec a rotation (columns are eigenvectors), quat the
// same rotation. Any output may be NULL. Returns the number of rotations made.
CT_FN int cti_eig3(ctReal eigval[3], ctReal eigvec[9], ctReal quat[4], const ctReal mat[9], ctReal tol,
                   ctReal sorttol);
