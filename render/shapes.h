// Triangles of shapes, meshes and height fields, in buffers of the driver.
#pragma once

#include "context.h"

// A corner of a triangle. `end` is -1 or 1 for corners that move with the ends of a capsule, else 0.
typedef struct Corner {
  float pos[3], end, normal[3], uv[2];
} Corner;

typedef struct Shape {
  GLuint array, buffers[2];  // corners, and which of them make triangles
  int count;                 // corners of all triangles
  float low[3], high[3];     // box around them
  bool has_uv;               // texture coordinates are those of the file
} Shape;

// Built-in shapes of unit size, by ctShape; those that are not built in are empty.
ctStatus shapes_make_builtin(Shape out[CT_SHAPE_COUNT], const Gl* g, const ctModel* m, const ctAllocator* a);

// A mesh, its hull, or a height field in metres.
ctStatus shape_make_mesh(Shape* out, const Gl* g, const ctModel* m, int mesh, const ctAllocator* a);
ctStatus shape_make_hull(Shape* out, const Gl* g, const ctModel* m, int mesh, const ctAllocator* a);
ctStatus shape_make_hfield(Shape* out, const Gl* g, const ctModel* m, int hfield, const ctAllocator* a);

// A skin, as it is in the scene.
ctStatus shape_make_skin(Shape* out, const Gl* g, const ctModel* m, int skin, const ctScene* scene,
                         const ctAllocator* a);

// The surface of a deformable, as it is in the scene; `flat`: each triangle with its own normal.
ctStatus shape_make_flex(Shape* out, const Gl* g, const ctModel* m, int flex, const ctScene* scene, bool flat,
                         const ctAllocator* a);

void shape_free(Shape* shape, const Gl* g);
