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
//
// The upper four bits of a count say what the numbers are: 0 a state, or
//   1  the camera: kind, id, lookat, distance, azimuth, elevation, as in ctCamera
//   2  what is shown: the flags of ctShow, six groups each of geoms, sites, joints, tendons, actuators, skins
//      and deformables, ctFrameOf, ctLabelOf, the selected body
//   3  things of the sender to draw besides the model: ctItems, filled up to a multiple of eight bytes
//   4  things of the sender to draw over the picture: for each thing of ctOverlay, five 32-bit numbers (kind,
//      whether it is inside, points, bytes of text, width + 65536 * height of an image), thirteen 32-bit
//      floats (anchor, rgba, width, align, back), then its points, its text with a zero behind it when there
//      is one, and its pixels, each filled up to a multiple of four bytes; all things to a multiple of eight
//   5  without numbers: the sender wants to know what hands do. It is told, after the answer to a state and
//      when that has changed, the part of the window that panels leave free (left, top, width, height) and
//      how a body is held: its number or 0, whether it is moved, whether it is turned, point, target, quat,
//      as in ctViewerPull
//   6  without numbers: the sender wants to know keys. It is told them, as GLFW numbers them, when they are
//      pressed
// With no numbers, 1 and 2 set nothing. A sender that has used one of them is told both, in the same form,
// when they have changed, the user's hand included: after the answer to a state.
#pragma once

#include <corten/corten.h>
#include <corten/scene.h>
#include <corten/viewer.h>
#include <stdbool.h>

typedef struct Receiver Receiver;

// Listen at `path`; a socket that nobody listens at any more is replaced, anything else is not.
ctStatus receiver_open(Receiver** out, const char* path, ctError* err);
void receiver_close(Receiver* r);  // removes the socket; NULL is ignored

// Put the newest state that has come into `d`, without waiting. Returns whether there was one; `err` says
// what is wrong with a sender, which is cut off then, and is empty otherwise.
bool receiver_take(Receiver* r, const ctModel* m, ctData* d, ctError* err);

// What senders have set since the last call: camera and options are overwritten, and items are those to draw,
// which stay the receiver's. Returns which, as bits of ReceivedKind.
typedef enum ReceivedKind {
  RECEIVED_STATE,
  RECEIVED_CAMERA,
  RECEIVED_OPTION,
  RECEIVED_ITEMS,
  RECEIVED_OVERLAY,
  RECEIVED_HANDS,
  RECEIVED_KEYS,
  RECEIVED_KINDS
} ReceivedKind;
// What it has drawn over the picture, which stays the receiver's until the next receiver_take(); returns how
// many.
int receiver_overlay(Receiver* r, const ctOverlay** things);
unsigned receiver_view(Receiver* r, ctCamera* camera, ctSceneOption* option, const ctItem** items,
                       int* count);

// Answer the sender, if there is one, with what makes `after` of the state `before`.
void receiver_answer(Receiver* r, const double pace[3], const ctReal* before, const ctReal* after, int count);

// Tell a sender that wants to know it the camera and what is shown, when they are not as it knows them.
void receiver_tell(Receiver* r, const ctCamera* camera, const ctSceneOption* option);

// Tell a sender that wants to know it what hands do, when that is not as it knows it; and keys.
void receiver_tell_hands(Receiver* r, const int area[4], const ctViewerPull* pull);
void receiver_tell_keys(Receiver* r, const int* keys, int count);
bool receiver_wants_keys(const Receiver* r);
