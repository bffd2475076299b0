// States that another process sends to the window, through a socket on this machine.
//
// A sender connects to the socket (a stream of the Unix domain), writes the eight bytes "CTVIEW1\n", then
// messages: a 32-bit count n, and n doubles, both in the order of bytes of the machine. The doubles are a
// state of the model, as ct_data_get_state() gives it: time, positions, velocities ...
// (CT_STATE_FULLPHYSICS), or all that a step needs (CT_STATE_INTEGRATION). One sender at a time; the next may
// come when it has gone.
//
// What has come is answered in the same form: three doubles, whether the user has paused (0 or 1), how many
// seconds should be simulated in one, how many single steps were asked for; then two for each number of the
// state (CT_STATE_INTEGRATION) that the user changed (controls, joints, a push): where it is, and what it
// should be. After a reset these are all numbers.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>

typedef struct Receiver Receiver;

// Listen at `path`; a socket that nobody listens at any more is replaced, anything else is not.
ctStatus receiver_open(Receiver** out, const char* path, ctError* err);
void receiver_close(Receiver* r);  // removes the socket; NULL is ignored

// Put the newest state that has come into `d`, without waiting. Returns whether there was one; `err` says
// what is wrong with a sender, which is cut off then, and is empty otherwise.
bool receiver_take(Receiver* r, const ctModel* m, ctData* d, ctError* err);

// Answer the sender, if there is one, with what makes `after` of the state `before`.
void receiver_answer(Receiver* r, const double pace[3], const ctReal* before, const ctReal* after, int count);
