/// @file
/// Corten, a physics engine for robots and articulated bodies. Include this one.
#pragma once

#include "corten/base.h"
#include "corten/batch.h"
#include "corten/collide.h"
#include "corten/data.h"
#include "corten/derive.h"
#include "corten/error.h"
#include "corten/kit.h"
#include "corten/model.h"
#include "corten/parts.h"
#include "corten/plugin.h"
#include "corten/query.h"
#include "corten/scene.h"
#include "corten/sim.h"
#include "corten/spec.h"
#include "corten/types.h"
#include "corten/vfs.h"
