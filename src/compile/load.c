#include <string.h>

#include "base/files.h"
#include "base/kinds.h"
#include "compile/build.h"
#include "corten/model.h"
#include "mjcf/read.h"
#include "mjcf/write.h"
#include "model/binary.h"
#include "spec/spec.h"

// ---- what a binary model says of actuators and sensors

// Actuators and sensors of a model that comes from a file: as many controls, activations and numbers as their
// kinds work with, attached to what their kinds can be attached to.

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
  int states = cti_drive_states(&d);
  bool open = d.dyntype == CT_DYN_USER && m->actuator_actnum[i] > 0;
  if (m->actuator_actnum[i] != states && !open) return "actuator_actnum";
  bool motor = d.gaintype == CT_GAIN_DCMOTOR || d.dyntype == CT_DYN_DCMOTOR;
  if (motor && m->actuator_actnum[i] != cti_drive_motor_states(&d)) return "actuator_actnum";
  if (d.dyntype == CT_DYN_PID && d.gaintype != CT_GAIN_PID) return "actuator_dyntype";
  if (d.gaintype == CT_GAIN_PID && d.dyntype != CT_DYN_PID && d.dyntype != CT_DYN_NONE)
    return "actuator_dyntype";
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
    case CT_SENS_USER: return m->sensor_dim[i];
    default: return cti_sensor_kinds[m->sensor_type[i]].dim;
  }
}

// The first field that does not fit its kind; NULL when all do. The indices of the model must have been
// checked.
static const char* check_devices(const ctModel* m) {
  for (int i = 0; i < m->nactuator; i++) {
    const char* wrong = check_actuator(m, i);
    if (wrong) return wrong;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!is_attached(m, i)) return "sensor_objtype";
    if (m->sensor_dim[i] != numbers(m, i)) return "sensor_dim";
    // a mesh is no zone: nothing says what is inside
    bool zone = m->sensor_type[i] == CT_SENS_TOUCH || m->sensor_type[i] == CT_SENS_INSIDESITE;
    int site = m->sensor_type[i] == CT_SENS_TOUCH ? m->sensor_objid[i] : m->sensor_refid[i];
    if (zone && m->site_type[site] == CT_GEOM_MESH) return "site_type";
  }
  return NULL;
}

// ---- models

// The compiler knows what actuators and sensors are made of.
static ctStatus load_binary(ctModel** out, const char* bytes, size_t size, const char* file,
                            const ctAllocator* allocator, ctError* err) {
  CT_TRY(cti_model_from_binary(out, bytes, size, file, allocator, err));
  const char* wrong = check_devices(*out);
  if (!wrong) return CT_OK;
  ct_model_free(*out);
  *out = NULL;
  return cti_error_at(err, CT_ERR_INVALID, file, 0, 0, NULL, "this binary model is damaged: field %s", wrong);
}

// Bytes of a model in either form; `file` names them in messages, NULL for text in memory.
static ctStatus load(ctModel** out, const char* bytes, size_t size, const char* file,
                     const ctLoadOptions* opt, ctError* err) {
  if (cti_model_is_binary(bytes, size)) {
    return load_binary(out, bytes, size, file ? file : "<string>", opt ? opt->allocator : NULL, err);
  }
  ctSpec* spec;
  CT_TRY(cti_mjcf_parse(&spec, bytes, size, file, opt, NULL, err));
  ctStatus status = ct_model_compile(out, spec, err);
  ct_spec_free(spec);
  return status;
}

ctStatus ct_model_load(ctModel** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load: out and path must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiFile file;
  CT_TRY(cti_file_read(&file, opt ? opt->vfs : NULL, path, opt ? opt->max_file_size : 0, allocator, err));
  ctStatus status = load(out, file.data, file.size, path, opt, err);
  cti_file_release(&file, allocator);
  return status;
}

ctStatus ct_model_load_string(ctModel** out, const char* text, size_t len, const ctLoadOptions* opt,
                              ctError* err) {
  if (!out || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load_string: out and text must not be NULL");
  *out = NULL;
  return load(out, text, len, NULL, opt, err);
}

ctStatus ct_model_load_bytes(ctModel** out, const void* bytes, size_t size, const ctLoadOptions* opt,
                             ctError* err) {
  if (!out || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load_bytes: out and bytes must not be NULL");
  *out = NULL;
  return load_binary(out, bytes, size, "<bytes>", opt ? opt->allocator : NULL, err);
}

// ---- specs

static ctStatus no_source(const char* path, ctError* err) {
  return cti_error_at(err, CT_ERR_UNSUPPORTED, path, 0, 0, NULL,
                      "this is a compiled model, which has no source: use the MJCF file it was made from, "
                      "or load the model and call ct_spec_from_model()");
}

ctStatus ct_spec_load(ctSpec** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load: out and path must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiFile file;
  CT_TRY(cti_file_read(&file, opt ? opt->vfs : NULL, path, opt ? opt->max_file_size : 0, allocator, err));
  ctStatus status = cti_model_is_binary(file.data, file.size)
                        ? no_source(path, err)
                        : cti_mjcf_parse(out, file.data, file.size, path, opt, NULL, err);
  cti_file_release(&file, allocator);
  return status;
}

ctStatus ct_spec_load_string(ctSpec** out, const char* text, size_t len, const ctLoadOptions* opt,
                             ctError* err) {
  if (!out || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load_string: out and text must not be NULL");
  *out = NULL;
  return cti_mjcf_parse(out, text, len, NULL, opt, NULL, err);
}

// The text of a spec; it is compiled where only that knows some of the numbers.
static ctStatus write_spec(ctiOut* out, ctiRegion* region, const ctSpec* spec, const char* folder,
                           ctError* err) {
  bool needed;
  ctModel* model = NULL;
  CT_TRY(cti_mjcf_needs_model(&needed, region, spec, err));
  if (needed) CT_TRY(ct_model_compile(&model, spec, err));
  ctStatus status = cti_mjcf_write(out, region, spec, folder, model, err);
  ct_model_free(model);
  return status;
}

ctStatus ct_spec_save_string(const ctSpec* spec, const char* folder, char* buffer, size_t size,
                             size_t* length, ctError* err) {
  if (length) *length = 0;
  if (!spec || (!buffer && size > 0))
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_save_string: spec and buffer must not be NULL");
  ctiRegion* region = cti_region_create(&spec->allocator);
  ctiOut out = {0};
  ctStatus status = region ? write_spec(&out, region, spec, folder, err) : cti_error_memory(err);
  if (status == CT_OK) {
    if (length) *length = out.length;
    size_t n = out.length < size ? out.length : size - 1;
    if (size > 0) {
      memcpy(buffer, out.data, n);
      buffer[n] = 0;
    }
  }
  cti_region_free(region);
  return status;
}

ctStatus ct_spec_save(const ctSpec* spec, const char* path, ctError* err) {
  if (!spec || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_save: spec and path must not be NULL");
  ctiRegion* region = cti_region_create(&spec->allocator);
  const char* folder = region ? cti_path_dir(region, path) : NULL;
  ctiOut out = {0};
  ctStatus status = folder ? write_spec(&out, region, spec, folder, err) : cti_error_memory(err);
  if (status == CT_OK) status = cti_file_write(path, out.data, out.length, err);
  cti_region_free(region);
  return status;
}
