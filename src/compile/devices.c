// Actuators and sensors of a model: as many controls, activations and numbers as their kinds work with,
// attached to what their kinds can be attached to. model/check.c looks at everything else.
#include "base/kinds.h"
#include "compile/build.h"

// ---- actuators

static const char* check_actuator(const ctModel* m, int i) {
  ctiDrive d = {.dyntype = m->actuator_dyntype[i],
                .gaintype = m->actuator_gaintype[i],
                .biastype = m->actuator_biastype[i],
                .ctrlspec = m->actuator_ctrlspec[i]};
  for (int k = 0; k < CT_NDYN; k++) d.dynprm[k] = (double)m->actuator_dynprm[CT_NDYN * i + k];
  for (int k = 0; k < CT_NGAIN; k++) d.gainprm[k] = (double)m->actuator_gainprm[CT_NGAIN * i + k];
  if ((d.gaintype == CT_GAIN_SO3) != (m->actuator_trntype[i] == CT_TRN_SO3)) return "actuator_gaintype";
  if ((d.gaintype == CT_GAIN_SO3) != (d.biastype == CT_BIAS_SO3)) return "actuator_biastype";
  if (m->actuator_ctrlnum[i] != cti_drive_controls(&d)) return "actuator_ctrlnum";
  int states = cti_drive_states(&d), plugin = m->actuator_plugin[i];
  if (plugin >= 0)
    states += cti_plugin_activation_size(m->plugin[plugin], cti_plugin_at(m->plugin[plugin], m->plugins),
                                         m->plugin_prm + CT_NPLUGINPRM * (size_t)plugin);
  bool open = d.dyntype == CT_DYN_USER && m->actuator_actnum[i] > 0;
  if (m->actuator_actnum[i] != states && !open) return "actuator_actnum";
  bool motor = d.gaintype == CT_GAIN_DCMOTOR || d.dyntype == CT_DYN_DCMOTOR;
  if (motor && m->actuator_actnum[i] != cti_drive_motor_states(&d)) return "actuator_actnum";
  if (d.dyntype == CT_DYN_PID && d.gaintype != CT_GAIN_PID) return "actuator_dyntype";
  if (d.gaintype == CT_GAIN_PID && d.dyntype != CT_DYN_PID && d.dyntype != CT_DYN_NONE)
    return "actuator_dyntype";
  return NULL;
}

// ---- plugins

// The instance behind an object can do what it is there for, and is there.
static bool computes(const ctModel* m, int instance, int capability) {
  int kind = instance < 0 ? 0 : m->plugin[instance];
  if (instance < 0) return true;
  if (kind >= CTI_PLUGIN_COUNT + m->nplugins) return false;
  const ctPlugin* p = cti_plugin_at(kind, m->plugins);
  bool own = kind >= CTI_PLUGIN_COUNT;
  if (!(p->capability & capability)) return false;
  switch (capability) {
    case CT_PLUGIN_ACTUATOR: return !own || p->force;
    case CT_PLUGIN_SENSOR: return !own || (p->sensor && p->sensor_size);
    case CT_PLUGIN_PASSIVE: return p->passive != NULL;
    default: return !own || (p->distance && p->bounds);
  }
}

static const char* check_plugins(const ctModel* m) {
  for (int i = 0; i < m->nbody; i++)
    if (!computes(m, m->body_plugin[i], CT_PLUGIN_PASSIVE)) return "body_plugin";
  for (int i = 0; i < m->ngeom; i++)
    if (!computes(m, m->geom_plugin[i], CT_PLUGIN_SDF)) return "geom_plugin";
  for (int i = 0; i < m->nactuator; i++)
    if (!computes(m, m->actuator_plugin[i], CT_PLUGIN_ACTUATOR)) return "actuator_plugin";
  for (int i = 0; i < m->nsensor; i++)
    if (!computes(m, m->sensor_plugin[i], CT_PLUGIN_SENSOR)) return "sensor_plugin";
  return NULL;
}

// ---- sensors

static bool has_frame(int type) {
  return type == CT_OBJ_BODY || type == CT_OBJ_XBODY || type == CT_OBJ_GEOM || type == CT_OBJ_SITE ||
         type == CT_OBJ_CAMERA;
}

static bool has_shape(int type) {
  return type == CT_OBJ_BODY || type == CT_OBJ_GEOM;
}

static bool touches(int type) {
  return type == CT_OBJ_UNKNOWN || type == CT_OBJ_SITE || type == CT_OBJ_XBODY || has_shape(type);
}

static bool is_ball(const ctModel* m, int joint) {
  return m->jnt_type[joint] == CT_JOINT_BALL;
}

static bool fits_joint(const ctModel* m, int type, int joint) {
  bool limit =
      type == CT_SENS_JOINTLIMITPOS || type == CT_SENS_JOINTLIMITVEL || type == CT_SENS_JOINTLIMITFRC;
  if (type == CT_SENS_BALLQUAT || type == CT_SENS_BALLANGVEL) return is_ball(m, joint);
  return m->jnt_type[joint] != CT_JOINT_FREE && (limit || !is_ball(m, joint));
}

// A grid of contacts is seen from a site; others know best.
static bool fits_plugin(const ctModel* m, int i) {
  int plugin = m->sensor_plugin[i];
  if (plugin < 0) return false;
  const ctPlugin* p = cti_plugin_at(m->plugin[plugin], m->plugins);
  const ctReal* prm = m->plugin_prm + CT_NPLUGINPRM * (size_t)plugin;
  if (m->sensor_dim[i] != cti_plugin_sensor_size(m->plugin[plugin], p, prm)) return false;
  return m->plugin[plugin] != CTI_PLUGIN_TOUCH_GRID ||
         (m->sensor_objtype[i] == CT_OBJ_SITE && m->sensor_objid[i] >= 0);
}

// What a kind is attached to, and seen from.
static bool is_attached(const ctModel* m, int i) {
  int type = m->sensor_objtype[i], id = m->sensor_objid[i], ref = m->sensor_reftype[i],
      seen = m->sensor_refid[i];
  bool none = type == CT_OBJ_UNKNOWN && id < 0, alone = ref == CT_OBJ_UNKNOWN && seen < 0;
  switch (cti_sensor_kinds[m->sensor_type[i]].attach) {
    case CTI_ATTACH_NONE: return none && alone;
    case CTI_ATTACH_SITE: return type == CT_OBJ_SITE && id >= 0;
    case CTI_ATTACH_SITE_CAMERA: return type == CT_OBJ_SITE && id >= 0 && ref == CT_OBJ_CAMERA && seen >= 0;
    case CTI_ATTACH_RAYS: return (type == CT_OBJ_SITE || type == CT_OBJ_CAMERA) && id >= 0;
    case CTI_ATTACH_JOINT: return type == CT_OBJ_JOINT && id >= 0 && fits_joint(m, m->sensor_type[i], id);
    case CTI_ATTACH_TENDON: return type == CT_OBJ_TENDON && id >= 0;
    case CTI_ATTACH_ACTUATOR: return type == CT_OBJ_ACTUATOR && id >= 0;
    case CTI_ATTACH_FRAME: return has_frame(type) && id >= 0 && (alone || (has_frame(ref) && seen >= 0));
    case CTI_ATTACH_FRAME_ONLY: return has_frame(type) && id >= 0 && alone;
    case CTI_ATTACH_BODY: return type == CT_OBJ_BODY && id >= 0;
    case CTI_ATTACH_INSIDE: return has_frame(type) && id >= 0 && ref == CT_OBJ_SITE && seen >= 0;
    case CTI_ATTACH_TWO: return has_shape(type) && id >= 0 && has_shape(ref) && seen >= 0;
    case CTI_ATTACH_CONTACT:
      return touches(type) && (none || id >= 0) && touches(ref) && ref != CT_OBJ_SITE && (alone || seen >= 0);
    case CTI_ATTACH_TACTILE: return type == CT_OBJ_MESH && id >= 0 && ref == CT_OBJ_GEOM && seen >= 0;
    case CTI_ATTACH_USER: return true;
    case CTI_ATTACH_PLUGIN: return fits_plugin(m, i);
    default: return false;
  }
}

// As many numbers as its reader writes.
static int64_t numbers(const ctModel* m, int i) {
  const int* prm = m->sensor_intprm + CT_NSENS * i;
  const int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case CT_SENS_RANGEFINDER: {
      const int* size = m->cam_resolution + 2 * id;
      bool camera = m->sensor_objtype[i] == CT_OBJ_CAMERA;
      if (camera && (size[0] <= 0 || size[1] <= 0)) return -1;
      return (camera ? (int64_t)size[0] * size[1] : 1) * cti_ray_numbers(prm[0]);
    }
    case CT_SENS_CONTACT:
      if (prm[CTI_CONTACT_PRM_NUM] < 1 || prm[CTI_CONTACT_PRM_REDUCE] < 0 ||
          prm[CTI_CONTACT_PRM_REDUCE] >= CTI_REDUCE_COUNT)
        return -1;
      return (int64_t)prm[CTI_CONTACT_PRM_NUM] * cti_contact_numbers(prm[CTI_CONTACT_PRM_FIELDS]);
    case CT_SENS_TACTILE: return 3 * (int64_t)m->mesh_vertnum[id];
    case CT_SENS_ACTUATORPOS:
    case CT_SENS_ACTUATORVEL:
    case CT_SENS_ACTUATORFRC: return m->actuator_outnum[id];
    case CT_SENS_USER:
    case CT_SENS_PLUGIN: return m->sensor_dim[i];
    default: return cti_sensor_kinds[m->sensor_type[i]].dim;
  }
}

const char* cti_check_devices(const ctModel* m) {
  const char* plugin = check_plugins(m);
  if (plugin) return plugin;
  for (int i = 0; i < m->nactuator; i++) {
    const char* wrong = check_actuator(m, i);
    if (wrong) return wrong;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!is_attached(m, i)) return "sensor_objtype";
    if (m->sensor_dim[i] != numbers(m, i)) return "sensor_dim";
  }
  return NULL;
}
