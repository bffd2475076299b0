// Position stage: centres of mass, and everything seen from them.
//   reads   d->xipos, ximat, xanchor, xaxis, xmat; m->body_mass, body_inertia
//   writes  d->subtree_com, cinert, cdof
//   before  kinematics
// cinert and cdof are in world axes about the centre of mass of the tree's root body's subtree.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_com(const ctModel* m, ctData* d);
