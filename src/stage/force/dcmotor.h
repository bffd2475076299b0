// Direct-current motors: controller, winding, heat, cogging and bristle friction. Step code.
//
// Parameters, gain: resistance, motor constant, temperature coefficient, reference temperature, kp, ki, kd,
// largest voltage of the controller; dynamics: electrical time constant, largest current rate, thermal
// resistance, heat capacity, ambient temperature, bristle stiffness, bristle damping, largest rate of the
// first input, largest integral; bias: cogging amplitude, poles, phase, Coulomb friction, static friction,
// Stribeck velocity.
#pragma once

#include "stage/force/actuator.h"

// The motor's activations, in this order; -1: it has none of the kind, or an edit of its parameters has
// changed their number, which recompiling alone can do.
typedef struct ctiMotorStates {
  int slew, integral, heat, bristle, current;
} ctiMotorStates;

CT_FN ctiMotorStates cti_motor_states(const ctiActuatorView* a);

// Rates of all its activations, into the array of all.
CT_FN void cti_motor_dynamics(const ctiActuatorView* a, ctReal* act_dot);

// One of its activations after a step with the rate given: exact for current and bristles; the integral
// stays in its limit.
CT_FN ctReal cti_motor_next(const ctiActuatorView* a, ctReal rate, int act);

// Electrical torque at the present velocity; `act_dot` as above.
CT_FN ctReal cti_motor_torque(const ctiActuatorView* a, const ctReal* act_dot);

// Torques that no limit of the actuator's force touches: cogging and friction.
CT_FN ctReal cti_motor_mechanical(const ctiActuatorView* a, const ctReal* act_dot);

// Derivatives of the two by velocity. The bristles' is taken as that of their damping alone.
CT_FN ctReal cti_motor_torque_derivative(const ctiActuatorView* a);
CT_FN ctReal cti_motor_mechanical_derivative(const ctiActuatorView* a);

// Derivatives of the two by length.
CT_FN ctReal cti_motor_torque_by_length(const ctiActuatorView* a);
CT_FN ctReal cti_motor_mechanical_by_length(const ctiActuatorView* a);
