// What the controls of an actuator mean: bits of actuator_ctrlspec, in the order they come in.
#pragma once

#define CTI_INPUT_POS      1
#define CTI_INPUT_VEL      2
#define CTI_INPUT_FF       4
#define CTI_INPUT_VOLTAGE  8
#define CTI_INPUT_NONE     16
#define CTI_INPUT_PRESSURE 32

// Of orientation servos.
#define CTI_CHART_EXPMAP 1
#define CTI_CHART_QUAT   2
