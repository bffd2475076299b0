// What surfaces of a replay look like: materials and textures, lights, sky and haze.
#pragma once

#include <corten/corten.h>
#include <corten/scene.h>
#include <stdbool.h>
#include <stdio.h>

// Colour, material and texture of an item, as members of an object.
void put_look(FILE* file, const ctModel* m, const ctItem* item);

// Textures of items and the sky as images, smaller where all are too large: a remark says so. Returns false
// without memory.
bool put_textures(FILE* file, const ctModel* m, const ctScene* scene);

// Lights, without their places; and what shadows, sky and haze need.
void put_lights(FILE* file, const ctModel* m, const ctScene* scene);

// Places and directions of the lights of a frame.
typedef struct {
  float pos[3], dir[3];
} LightPose;
LightPose light_pose(const ctSceneLight* light);
