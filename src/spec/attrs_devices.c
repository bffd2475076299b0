// Attributes of sensors and actuators.
#include "spec/attrs_rows.h"

// clang-format off
#define AS_DYN(id, text)        {text, CT_DYN_##id},
WORDS(dyn_words, AS_DYN, CT_DYN_LIST)
#define AS_GAIN(id, text)       {text, CT_GAIN_##id},
WORDS(gain_words, AS_GAIN, CT_GAIN_LIST)
#define AS_BIAS(id, text)       {text, CT_BIAS_##id},
WORDS(bias_words, AS_BIAS, CT_BIAS_LIST)
// inputs, of which a device may take several; what stands alone, last the charts of orientations
#define SEVERAL_INPUTS 5
static const ctiKeyword input_words[] = {{"pos", 1}, {"vel", 2}, {"ff", 4}, {"voltage", 8}, {"pressure", 32},
                                         {"none", 16}, {"expmap", 1}, {"quat", 2}};
static const ctiKeyword interp_words[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};

#define AS_STAGE(id, text)    {text, CT_STAGE_##id},
#define AS_DATATYPE(id, text) {text, CT_DATATYPE_##id},
WORDS(stage_words, AS_STAGE, CT_STAGE_LIST)
WORDS(datatype_words, AS_DATATYPE, CT_DATATYPE_LIST)
static const ctiKeyword object_words[] = {{"body", CT_OBJ_BODY}, {"xbody", CT_OBJ_XBODY}, {"geom", CT_OBJ_GEOM}, {"site", CT_OBJ_SITE}, {"camera", CT_OBJ_CAMERA}};
#define AS_OBJ(id, text) {text, CT_OBJ_##id},
WORDS(any_object_words, AS_OBJ, CT_OBJ_LIST)
static const ctiKeyword ray_words[] = {{"dist", 1}, {"dir", 2}, {"origin", 4}, {"point", 8}, {"normal", 16}, {"depth", 32}};
static const ctiKeyword contact_words[] = {{"found", 1}, {"force", 2}, {"torque", 4}, {"dist", 8}, {"pos", 16}, {"normal", 32}, {"tangent", 64}, {"linvel", 128}, {"angvel", 256}};
static const ctiKeyword reduce_words[] = {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}};

#define T ctiSensor
#define SENSOR NAME, INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), REALS(interval, 1, 2), REAL(cutoff), REAL(noise), USER
#define OBJECT {.name = "objtype", .type = CTI_ATTR_KEYWORD, .offset = offsetof(T, objtype), .keywords = object_words, .nkeyword = COUNT(object_words), .what = "kind of object", .rules = CTI_ATTR_REQUIRED}, NEEDED_REF("objname", objname, CTI_REFERS_OBJTYPE)
static const ctiAttr sensor_none[] = {SENSOR};
static const ctiAttr sensor_site[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE)};
static const ctiAttr sensor_site_camera[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE), NEEDED_REF("camera", camera, CT_OBJ_CAMERA)};
static const ctiAttr sensor_rays[] = {SENSOR, REF(site, SITE), REF(camera, CAMERA), FLAGS(data, ray_words, "ray field")};
static const ctiAttr sensor_joint[] = {SENSOR, NEEDED_REF("joint", joint, CT_OBJ_JOINT)};
static const ctiAttr sensor_tendon[] = {SENSOR, NEEDED_REF("tendon", tendon, CT_OBJ_TENDON)};
static const ctiAttr sensor_actuator[] = {SENSOR, NEEDED_REF("actuator", actuator, CT_OBJ_ACTUATOR)};
static const ctiAttr sensor_frame[] = {SENSOR, OBJECT, WORD(reftype, object_words, "kind of object"), REF_BY(refname, REFTYPE)};
static const ctiAttr sensor_frame_only[] = {SENSOR, OBJECT};
static const ctiAttr sensor_body[] = {SENSOR, NEEDED_REF("body", body, CT_OBJ_BODY)};
static const ctiAttr sensor_inside[] = {SENSOR, NEEDED_REF("site", site, CT_OBJ_SITE), OBJECT, BOOL(enclosed)};
static const ctiAttr sensor_two[] = {SENSOR, REF(geom1, GEOM), REF(geom2, GEOM), REF(body1, BODY), REF(body2, BODY)};
static const ctiAttr sensor_contact[] = {SENSOR, REF(geom1, GEOM), REF(geom2, GEOM), REF(body1, BODY), REF(body2, BODY), REF(subtree1, BODY), REF(subtree2, BODY), REF(site, SITE), INT(num),
                                         FLAGS(data, contact_words, "contact field"), WORD(reduce, reduce_words, "reduction")};
static const ctiAttr sensor_tactile[] = {NAME, INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), REALS(interval, 1, 2), REAL(cutoff), USER,
                                         NEEDED_REF("geom", geom, CT_OBJ_GEOM), NEEDED_REF("mesh", mesh, CT_OBJ_MESH)};
static const ctiAttr sensor_user[] = {NAME, WORD(objtype, any_object_words, "kind of object"), REF_BY(objname, OBJTYPE), WORD(datatype, datatype_words, "data type"),
                                      WORD(needstage, stage_words, "stage"), NEEDED("dim", INT, dim), REAL(cutoff), REAL(noise), USER};
#define SENSOR_ROWS(rows) {(rows), COUNT(rows)}
const ctiAttrTable cti_attrs_sensor[CTI_ATTACH_COUNT] = {
    [CTI_ATTACH_NONE] = SENSOR_ROWS(sensor_none), [CTI_ATTACH_SITE] = SENSOR_ROWS(sensor_site),
    [CTI_ATTACH_SITE_CAMERA] = SENSOR_ROWS(sensor_site_camera), [CTI_ATTACH_RAYS] = SENSOR_ROWS(sensor_rays),
    [CTI_ATTACH_JOINT] = SENSOR_ROWS(sensor_joint), [CTI_ATTACH_TENDON] = SENSOR_ROWS(sensor_tendon),
    [CTI_ATTACH_ACTUATOR] = SENSOR_ROWS(sensor_actuator), [CTI_ATTACH_FRAME] = SENSOR_ROWS(sensor_frame),
    [CTI_ATTACH_FRAME_ONLY] = SENSOR_ROWS(sensor_frame_only), [CTI_ATTACH_BODY] = SENSOR_ROWS(sensor_body),
    [CTI_ATTACH_INSIDE] = SENSOR_ROWS(sensor_inside), [CTI_ATTACH_TWO] = SENSOR_ROWS(sensor_two),
    [CTI_ATTACH_CONTACT] = SENSOR_ROWS(sensor_contact), [CTI_ATTACH_TACTILE] = SENSOR_ROWS(sensor_tactile), [CTI_ATTACH_USER] = SENSOR_ROWS(sensor_user),
};
#undef T

#define T ctiActuator
#define ACTUATOR_COMMON                                                                                                \
  NAME, CLASS, INT(group), INT(nsample), WORD(interp, interp_words, "interpolation"), REAL(delay), REALS(ctrlrange, 2, 2), USER
#define LIMITS     TRISTATE(ctrllimited), TRISTATE(forcelimited), REALS(forcerange, 2, 2)
#define MECHANICAL REALS(lengthrange, 2, 2), REALS(gear, 1, 6), REALS(damping, 1, 1 + CT_NPOLY), REAL(armature), REAL(cranklength)
#define TRANSMISSION REF(joint, JOINT), REF(jointinparent, JOINT), REF(tendon, TENDON), REF(slidersite, SITE), REF(cranksite, SITE), REF(site, SITE), REF(refsite, SITE)
#define INPUT \
  {.name = "input", .type = CTI_ATTR_FLAGS, .offset = offsetof(T, input), .max = SEVERAL_INPUTS, .keywords = input_words, \
   .nkeyword = COUNT(input_words), .what = "input", .rules = CTI_ATTR_ORDERED}
static const ctiAttr actuator_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION};
static const ctiAttr actuator_servo_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange)};
static const ctiAttr actuator_intvelocity_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange),
                                                    TRISTATE(actlimited), REALS(actrange, 2, 2)};
static const ctiAttr actuator_general_rows[] = {
    ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange), TRISTATE(actlimited), REALS(actrange, 2, 2), REF(body, BODY),
    INT(actdim), INPUT, REALS(velrange, 2, 2), REALS(ffrange, 2, 2), BOOL(actearly),
    WORD_AS("dyntype", drive.dyntype, dyn_words, "dynamics type"), WORD_AS("gaintype", drive.gaintype, gain_words, "gain type"),
    WORD_AS("biastype", drive.biastype, bias_words, "bias type"), REALS_AS("dynprm", drive.dynprm, 1, CT_NDYN),
    REALS_AS("gainprm", drive.gainprm, 1, CT_NGAIN), REALS_AS("biasprm", drive.biasprm, 1, CT_NBIAS),
};
static const ctiAttr actuator_orientation_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited), REALS(forcerange, 2, 2), REF(joint, JOINT), REF(site, SITE), REF(refsite, SITE), INPUT};
static const ctiAttr actuator_pid_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, TRANSMISSION, REAL(inheritrange),
                                            REALS_AS("posrange", ctrlrange, 2, 2), REALS(velrange, 2, 2), REALS(ffrange, 2, 2), INPUT};
static const ctiAttr actuator_damper_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited), REALS(forcerange, 2, 2), MECHANICAL, TRANSMISSION};
static const ctiAttr actuator_muscle_rows[] = {ACTUATOR_COMMON, LIMITS, MECHANICAL, REF(joint, JOINT), REF(jointinparent, JOINT), REF(tendon, TENDON), REF(slidersite, SITE), REF(cranksite, SITE)};
static const ctiAttr actuator_adhesion_rows[] = {ACTUATOR_COMMON, TRISTATE(forcelimited), REALS(forcerange, 2, 2), REF(body, BODY)};
static const ctiAttr actuator_dcmotor_rows[] = {ACTUATOR_COMMON, TRISTATE(ctrllimited), MECHANICAL, TRANSMISSION, INPUT};
#define ROWS(rows) {(rows), COUNT(rows)}
const ctiAttrTable cti_attrs_actuator[CTI_SHORTCUT_COUNT] = {
    [CTI_SHORTCUT_GENERAL] = ROWS(actuator_general_rows), [CTI_SHORTCUT_MOTOR] = ROWS(actuator_rows),
    [CTI_SHORTCUT_POSITION] = ROWS(actuator_servo_rows), [CTI_SHORTCUT_VELOCITY] = ROWS(actuator_rows),
    [CTI_SHORTCUT_INTVELOCITY] = ROWS(actuator_intvelocity_rows), [CTI_SHORTCUT_ORIENTATION] = ROWS(actuator_orientation_rows),
    [CTI_SHORTCUT_PID] = ROWS(actuator_pid_rows), [CTI_SHORTCUT_DAMPER] = ROWS(actuator_damper_rows),
    [CTI_SHORTCUT_CYLINDER] = ROWS(actuator_rows), [CTI_SHORTCUT_MUSCLE] = ROWS(actuator_muscle_rows),
    [CTI_SHORTCUT_ADHESION] = ROWS(actuator_adhesion_rows), [CTI_SHORTCUT_DCMOTOR] = ROWS(actuator_dcmotor_rows),
};
#undef T

#define T ctiShortcutWords
static const ctiAttr position_words[] = {REAL(kp), REAL(kv), REAL(dampratio), REALS(timeconst, 1, 1)};
static const ctiAttr velocity_words[] = {REAL(kv)};
static const ctiAttr servo_words[] = {REAL(kp), REAL(kv), REAL(dampratio)};
static const ctiAttr pid_words[] = {REAL(kp), REAL(kv), REAL(dampratio), REAL(ki), REAL(imax), REAL(slewmax)};
static const ctiAttr cylinder_words[] = {REALS(timeconst, 1, 1), REAL(area), REAL(diameter), REALS(bias, 3, 3)};
static const ctiAttr muscle_words[] = {REALS(timeconst, 2, 2), REAL(tausmooth), REALS(range, 2, 2), REAL(force), REAL(scale),
                                       REAL(lmin), REAL(lmax), REAL(vmax), REAL(fpmax), REAL(fvmax)};
static const ctiAttr adhesion_words[] = {REAL(gain)};
static const ctiAttr dcmotor_words[] = {REALS(motorconst, 1, 2), REAL(resistance), REALS(nominal, 1, 3), REALS(saturation, 1, 3),
                                        REALS(inductance, 1, 2), REALS(cogging, 1, 3), REALS(controller, 1, 6),
                                        REALS(thermal, 1, 6), REALS(lugre, 1, 5)};
const ctiAttrTable cti_attrs_shortcut[CTI_SHORTCUT_COUNT] = {
    [CTI_SHORTCUT_POSITION] = ROWS(position_words), [CTI_SHORTCUT_VELOCITY] = ROWS(velocity_words),
    [CTI_SHORTCUT_INTVELOCITY] = ROWS(servo_words), [CTI_SHORTCUT_ORIENTATION] = ROWS(servo_words),
    [CTI_SHORTCUT_PID] = ROWS(pid_words), [CTI_SHORTCUT_DAMPER] = ROWS(velocity_words),
    [CTI_SHORTCUT_CYLINDER] = ROWS(cylinder_words), [CTI_SHORTCUT_MUSCLE] = ROWS(muscle_words),
    [CTI_SHORTCUT_ADHESION] = ROWS(adhesion_words), [CTI_SHORTCUT_DCMOTOR] = ROWS(dcmotor_words),
};
#undef T
// clang-format on
