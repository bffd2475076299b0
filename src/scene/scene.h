// The list behind a ctScene, and what the files of this folder add to it.
#pragma once

#include "base/alloc.h"
#include "corten/query.h"
#include "corten/scene.h"

typedef CTI_ARRAY(ctItem) ctiItems;

typedef struct ctiScene {
  ctScene scene;  // what users see; first, so that one pointer is both
  ctAllocator allocator;
  int nbody, nskinvert, nflexvert;  // of the model it was made for
  ctiItems items;
  int* body_item;
  int body_item_capacity;
  int* body_itemadr;
  float* skin_vert;
  float* skin_normal;
  float* flex_vert;
  float* flex_normal;
  ctSceneLight lights[CT_LIGHT_MAX];
} ctiScene;

// What one update works with.
typedef struct ctiSceneBuild {
  ctiScene* s;
  const ctModel* m;
  const ctData* d;
  const ctSceneOption* opt;
} ctiSceneBuild;

// A new item with the material of plain things; NULL when memory runs out. It is valid until the next one.
ctItem* cti_scene_add(const ctiSceneBuild* b, ctShape shape, ctObjType type, int id, int body);

// Copy a pose, which may be that of a point (`mat` NULL: world axes).
void cti_scene_place(ctItem* item, const ctReal* pos, const ctReal* mat);

// Put an item that points along z at `from`, along `vec`; returns the length of `vec`.
ctReal cti_scene_point(ctItem* item, const ctReal from[3], const ctReal vec[3]);

void cti_scene_size(ctItem* item, ctReal x, ctReal y, ctReal z);
// A capsule between two points, to be painted. NULL: no memory.
ctItem* cti_scene_link(const ctiSceneBuild* b, ctObjType type, int id, const ctReal from[3],
                       const ctReal to[3], ctReal radius);
void cti_scene_colour(ctItem* item, const float rgba[4]);

// The name of an object, or its kind and number, cut to the length of a label.
void cti_scene_label(const ctiSceneBuild* b, ctItem* item, ctObjType type, int id);

// Whether objects of a group are shown. Groups beyond the last count as the last.
bool cti_scene_group(const ctByte* groups, int group);

// Colour of the island or tree of a body that can move, dimmed while it sleeps.
void cti_scene_island_colour(const ctiSceneBuild* b, int body, float rgba[4]);

// The look of a material, or a colour without one.
void cti_scene_material(const ctiSceneBuild* b, ctItem* item, int material, const float rgba[4]);

// Deformables (flex.c). CT_OK or CT_ERR_MEMORY.
ctStatus cti_scene_add_flexes(const ctiSceneBuild* b);

// Arrows, frames and other marks (marks.c). CT_OK or CT_ERR_MEMORY.
ctStatus cti_scene_add_marks(const ctiSceneBuild* b);
// The points that an equality holds together; false when it holds none.
bool cti_scene_equality(const ctiSceneBuild* b, int i, ctReal at[2][3]);

// Labels of what has no item of its own (labels.c). CT_OK or CT_ERR_MEMORY.
ctStatus cti_scene_add_labels(const ctiSceneBuild* b);

// Vertices and normals of the skins, in world axes (skin.c).
void cti_scene_move_skins(const ctiSceneBuild* b);
