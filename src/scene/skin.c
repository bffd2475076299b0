// Skins follow their bones: every vertex is moved by the bodies that hold it, by weight.
#include <string.h>

#include "math/quat.h"
#include "scene/scene.h"

// What takes a point from where its bone was bound to where the bone's body is.
static void bone_motion(const ctModel* m, const ctData* d, int bone, ctReal rot[9], ctReal shift[3]) {
  int body = m->skin_bonebodyid[bone];
  ctReal bind[4], turn[4], pos[3], moved[3];
  for (int k = 0; k < 4; k++) bind[k] = (ctReal)m->skin_bonebindquat[4 * bone + k];
  for (int k = 0; k < 3; k++) pos[k] = (ctReal)m->skin_bonebindpos[3 * bone + k];
  cti_quat_conj(bind, bind);
  cti_quat_mul(turn, d->xquat + 4 * body, bind);
  cti_quat_to_mat(rot, turn);
  cti_mul_mat_vec3(moved, rot, pos);
  cti_sub3(shift, d->xpos + 3 * body, moved);
}

static void move_vertices(const ctiSceneBuild* b, int skin, float* out) {
  const ctModel* m = b->m;
  const float* bound = m->skin_vert + 3 * (size_t)m->skin_vertadr[skin];
  memset(out, 0, 3 * sizeof(float) * (size_t)m->skin_vertnum[skin]);
  for (int i = 0; i < m->skin_bonenum[skin]; i++) {
    int bone = m->skin_boneadr[skin] + i;
    ctReal rot[9], shift[3], at[3], moved[3];
    bone_motion(m, b->d, bone, rot, shift);
    for (int j = 0; j < m->skin_bonevertnum[bone]; j++) {
      int row = m->skin_bonevertadr[bone] + j, vert = m->skin_bonevertid[row];
      for (int k = 0; k < 3; k++) at[k] = (ctReal)bound[3 * vert + k];
      cti_mul_mat_vec3(moved, rot, at);
      for (int k = 0; k < 3; k++)
        out[3 * vert + k] += m->skin_bonevertweight[row] * (float)(moved[k] + shift[k]);
    }
  }
}

// Sums of the normals of the triangles at each vertex, by their areas.
static void find_normals(const ctModel* m, int skin, const float* vert, float* normal) {
  const int* face = m->skin_face + 3 * (size_t)m->skin_faceadr[skin];
  memset(normal, 0, 3 * sizeof(float) * (size_t)m->skin_vertnum[skin]);
  for (int f = 0; f < m->skin_facenum[skin]; f++, face += 3) {
    ctReal side[2][3], n[3];
    for (int s = 0; s < 2; s++) {
      for (int k = 0; k < 3; k++) side[s][k] = (ctReal)(vert[3 * face[s + 1] + k] - vert[3 * face[0] + k]);
    }
    cti_cross3(n, side[0], side[1]);
    for (int c = 0; c < 3; c++) {
      for (int k = 0; k < 3; k++) normal[3 * face[c] + k] += (float)n[k];
    }
  }
  for (int v = 0; v < m->skin_vertnum[skin]; v++) {
    ctReal n[3];
    for (int k = 0; k < 3; k++) n[k] = (ctReal)normal[3 * v + k];
    cti_normalize3(n);
    for (int k = 0; k < 3; k++) normal[3 * v + k] = (float)n[k];
  }
}

void cti_scene_move_skins(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int skin = 0; skin < m->nskin; skin++) {
    float* vert = b->s->skin_vert + 3 * (size_t)m->skin_vertadr[skin];
    float* normal = b->s->skin_normal + 3 * (size_t)m->skin_vertadr[skin];
    move_vertices(b, skin, vert);
    find_normals(m, skin, vert, normal);
    for (int i = 0; i < 3 * m->skin_vertnum[skin]; i++) vert[i] += m->skin_inflate[skin] * normal[i];
  }
}
