// Sleeping: when trees fall asleep, and what wakes them. Step code.
//
// A tree whose dofs are slow and that nothing pushes counts up from -11 to -1 in d->tree_asleep, one a step.
// The trees of an island fall asleep together when all are at -1: each then holds the number of the next,
// around a cycle, so that whoever is woken wakes all.
//
// Wakers run in the position stage, in this order, and return whether the lists of what is awake are new:
//   what the user wrote       after the frames of bodies
//   tendons between two trees after tendons
//   contacts                  after collision, which is then run again
//   equalities                after that
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// May a tree sleep by its policy, what is applied to it, and its velocity: below `tolerance` (m/s), or
// exactly zero for a tolerance of zero?
CT_FN bool cti_can_sleep(const ctModel* m, const ctData* d, int tree, ctReal tolerance);

// No force on the bodies of a tree nor on its dofs: not a bit of one.
CT_FN bool cti_nothing_applied(const ctModel* m, const ctData* d, int tree);

// A sleeping tree whose pose is not the one it fell asleep with, or that may not sleep as it is now. Only
// looked for where the caller may have written to the data.
CT_FN bool cti_wake_edited(const ctModel* m, ctData* d);

// A tree asleep that a tendon ties to one awake, by its limit or by friction.
CT_FN bool cti_wake_tendons(const ctModel* m, ctData* d);

// A tree asleep that touches a tree awake or a mocap body; `pressed`: only by contacts that will have rows.
CT_FN bool cti_wake_contacts(const ctModel* m, ctData* d, bool pressed);

// A tree asleep that an equality ties to one awake, to a mocap body, or to a tree of another cycle.
CT_FN bool cti_wake_equalities(const ctModel* m, ctData* d);

// Would this step let a tree fall asleep? Nothing is changed; islands, which may still say no, are not asked.
CT_FN bool cti_may_fall_asleep(const ctModel* m, const ctData* d);

// Count the step for every tree awake, and put to sleep those that have counted enough. Their qvel and qacc
// become zero. Returns how many fell asleep; the lists are not rebuilt.
CT_FN int cti_fall_asleep(const ctModel* m, ctData* d);

// `n` trees as one cycle, in this order, asleep where they are.
CT_FN void cti_make_cycle(const ctModel* m, ctData* d, const int* trees, int n);

// Remember the positions of the joints that sleep.
CT_FN void cti_keep_rest_positions(const ctModel* m, ctData* d);
