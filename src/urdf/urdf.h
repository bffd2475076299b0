// URDF (<robot>) -> spec.
#pragma once

#include "corten/model.h"
#include "spec/spec.h"
#include "xml/read.h"

// What holds in a URDF file before its <mujoco> element says otherwise: angles in radians, fixed axes of
// roll, pitch and yaw; as MuJoCo reads it, static links are fused and visual elements discarded.
void cti_urdf_settings(ctSpec* spec, const ctUrdfOptions* opt);

// Everything below <robot> into the spec, whose settings stand. Remarks go to its log. CT_ERR_INVALID,
// CT_ERR_NOT_FOUND (a mesh), CT_ERR_UNSUPPORTED (Xacro) or CT_ERR_MEMORY.
ctStatus cti_urdf_read(ctSpec* spec, const ctiXml* root, const ctUrdfOptions* opt, ctError* err);

// A remark at an element, or at one of its attributes when `attr` is not NULL: a warning, or a note on what
// robots usually have and a model does not.
void cti_urdf_remark(const ctSpec* spec, const ctiXml* e, const ctiXmlAttr* attr, const char* format, ...)
    CTI_PRINTF(4, 5);
void cti_urdf_note(const ctSpec* spec, const ctiXml* e, const char* format, ...) CTI_PRINTF(3, 4);

// Remarks about attributes that are not among `allowed`, with the nearest spelling.
void cti_urdf_remark_attrs(const ctSpec* spec, const ctiXml* e, const ctiWords* allowed);
