#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "replay_look.h"
#include "replay_page.h"
#include "replay_put.h"

#define FRAMES_A_SECOND 50.0
#define MOST_FRAMES     3000
#define MOST_CHANNELS   400
#define MOST_CORNERS    (16 << 20)  // vertices of skins and deformables, in all frames

typedef struct {
  const ctModel* m;
  ctData* d;  // own, moved from frame to frame
  ctScene* scene;
  ctSceneOption option;
  const cli_Recording* table;
  FILE* file;
  int qpos, clock;  // channels of the table
  size_t* rows;     // of the table, one a frame
  int nframe;
} Replay;

// ---- poses

// Position and quaternion w x y z of an item: seven numbers.
static void pose_of(const ctItem* item, float out[7]) {
  const float* r = item->mat;
  float q[4], trace = r[0] + r[4] + r[8];
  if (trace > 0) {
    float s = 2 * sqrtf(trace + 1);
    q[0] = s / 4, q[1] = (r[7] - r[5]) / s, q[2] = (r[2] - r[6]) / s, q[3] = (r[3] - r[1]) / s;
  } else {
    int i = r[0] > r[4] && r[0] > r[8] ? 0 : r[4] > r[8] ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
    float s = 2 * sqrtf(fmaxf(1 + r[4 * i] - r[4 * j] - r[4 * k], 1e-12f));
    q[0] = (r[3 * k + j] - r[3 * j + k]) / s;
    q[1 + i] = s / 4;
    q[1 + j] = (r[3 * j + i] + r[3 * i + j]) / s;
    q[1 + k] = (r[3 * k + i] + r[3 * i + k]) / s;
  }
  memcpy(out, item->pos, 3 * sizeof(float));
  memcpy(out + 3, q, sizeof(q));
}

static bool is_listed(const ctItem* item) {
  return !item->mark && (item->type == CT_OBJ_GEOM || item->type == CT_OBJ_SITE);
}
static bool moves(const ctModel* m, const ctItem* item) {
  return m->body_weldid[item->body] > 0 || m->body_mocapid[item->body] >= 0;
}

static const double* row_of(const Replay* r, int frame) {
  return r->table->data + r->rows[frame] * (size_t)r->table->nchannel;
}

static bool go_to(Replay* r, int frame) {
  const double* row = row_of(r, frame);
  for (int i = 0; i < r->m->nq; i++) r->d->qpos[i] = (ctReal)row[r->qpos + i];
  return ct_forward_position(r->m, r->d) == CT_OK &&
         ct_scene_update(r->scene, r->m, r->d, &r->option, NULL) == CT_OK;
}

// ---- parts of the recording

static const char* const shape_names[CT_SHAPE_COUNT] = {[CT_SHAPE_PLANE] = "plane",
                                                        [CT_SHAPE_HFIELD] = "hfield",
                                                        [CT_SHAPE_SPHERE] = "sphere",
                                                        [CT_SHAPE_CAPSULE] = "capsule",
                                                        [CT_SHAPE_ELLIPSOID] = "ellipsoid",
                                                        [CT_SHAPE_CYLINDER] = "cylinder",
                                                        [CT_SHAPE_BOX] = "box",
                                                        [CT_SHAPE_MESH] = "mesh"};

static void put_items(const Replay* r) {
  fprintf(r->file, "items:[");
  for (int i = 0; i < r->scene->nitem; i++) {
    const ctItem* item = r->scene->items + i;
    float pose[7];
    if (!is_listed(item)) continue;
    pose_of(item, pose);
    fprintf(r->file, "{shape:\"%s\",data:%d,moves:%d,", shape_names[item->shape], item->data,
            moves(r->m, item));
    put_look(r->file, r->m, item);
    put_numbers(r->file, "size", item->size, 3);
    put_numbers(r->file, "pose", pose, 7);
    fprintf(r->file, "},\n");
  }
  fprintf(r->file, "],\n");
}

// Normals of a mesh in 16 bits a number, which is finer than a screen shows.
static void put_normals(const Replay* r, int mesh) {
  const ctModel* m = r->m;
  const float* normal = m->mesh_normal + 3 * (size_t)m->mesh_normaladr[mesh];
  Base64 b = {.file = r->file};
  fprintf(r->file, "normal:\"");
  for (size_t i = 0; i < 3 * (size_t)m->mesh_normalnum[mesh]; i++) {
    int16_t x = (int16_t)lrintf(32767 * fmaxf(-1, fminf(1, normal[i])));
    put_bytes(&b, &x, sizeof(x));
  }
  put_end(&b);
  fprintf(r->file, "\",");
}

// Vertices, normals and texture coordinates of a mesh, and which of them the corners of its triangles have.
// What is numbered like the vertices says so by having no numbers of its own.
static void put_mesh(const Replay* r, int mesh) {
  const ctModel* m = r->m;
  const size_t first = 3 * (size_t)m->mesh_faceadr[mesh];
  const size_t size = 3 * sizeof(int) * (size_t)m->mesh_facenum[mesh];
  fprintf(r->file, "{");
  put_array(r->file, "vert", m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh],
            3 * sizeof(float) * (size_t)m->mesh_vertnum[mesh]);
  put_array(r->file, "face", m->mesh_face + first, size);
  put_normals(r, mesh);
  if (memcmp(m->mesh_facenormal + first, m->mesh_face + first, size) != 0)
    put_array(r->file, "facenormal", m->mesh_facenormal + first, size);
  if (m->mesh_texcoordadr[mesh] >= 0) {
    put_array(r->file, "uv", m->mesh_texcoord + 2 * (size_t)m->mesh_texcoordadr[mesh],
              2 * sizeof(float) * (size_t)m->mesh_texcoordnum[mesh]);
    put_array(r->file, "faceuv", m->mesh_facetexcoord + first, size);
  }
  fprintf(r->file, "},\n");
}

static void put_meshes(const Replay* r) {
  const ctModel* m = r->m;
  fprintf(r->file, "meshes:[");
  for (int mesh = 0; mesh < m->nmesh; mesh++) {
    bool seen = false;
    for (int i = 0; i < r->scene->nitem; i++)
      seen = seen || (r->scene->items[i].shape == CT_SHAPE_MESH && r->scene->items[i].data == mesh);
    if (seen) {
      put_mesh(r, mesh);
    } else {
      fprintf(r->file, "null,");
    }
  }
  fprintf(r->file, "],\nhfields:[");
  for (int h = 0; h < m->nhfield; h++) {
    const ctReal* size = m->hfield_size + 4 * h;
    fprintf(r->file, "{x:%.7g,y:%.7g,z:%.7g,base:%.7g,nrow:%d,ncol:%d,", (double)size[0], (double)size[1],
            (double)size[2], (double)size[3], m->hfield_nrow[h], m->hfield_ncol[h]);
    put_array(r->file, "data", m->hfield_data + m->hfield_adr[h],
              sizeof(float) * (size_t)m->hfield_nrow[h] * (size_t)m->hfield_ncol[h]);
    fprintf(r->file, "},\n");
  }
  fprintf(r->file, "],\n");
}

static void put_link(const Replay* r, ctObjType type, int id, ctReal width, const float* usual) {
  int at = ct_scene_find(r->scene, type, id);
  ctItem item = {.material = -1, .castshadow = true, .specular = 0.5f, .shininess = 0.5f};
  if (at >= 0) {
    item = r->scene->items[at];
  } else {  // none in the first frame
    memcpy(item.rgba, usual, sizeof(item.rgba));
  }
  fprintf(r->file, "{shape:\"capsule\",data:-1,width:%.7g,", (double)width);
  put_look(r->file, r->m, &item);
  fprintf(r->file, "},");
}

// What links belong to: tendons, then deformables, whose lines are links too.
static void put_tendons(const Replay* r) {
  const ctModel* m = r->m;
  fprintf(r->file, "tendons:[");
  for (int t = 0; t < m->ntendon; t++)
    put_link(r, CT_OBJ_TENDON, t, m->tendon_width[t], m->tendon_rgba + 4 * t);
  for (int i = 0; i < m->nflex; i++) put_link(r, CT_OBJ_FLEX, i, m->flex_radius[i], m->flex_rgba + 4 * i);
  fprintf(r->file, "],\n");
}

static bool is_link(const ctItem* item) {
  return !item->mark && item->shape == CT_SHAPE_CAPSULE &&
         (item->type == CT_OBJ_TENDON || item->type == CT_OBJ_FLEX);
}

// ---- skins and deformables: triangles, and their corners frame by frame

typedef struct {
  const int* face;
  const float* vert;
  const float* uv;    // texture coordinates, NULL for none
  const int* corner;  // which of them the corners of triangles have; NULL: those of their vertices
  int nface, nvert;
} Surface;

static bool is_surface(const ctItem* item) {
  return item->shape == CT_SHAPE_SKIN || item->shape == CT_SHAPE_FLEX;
}

static Surface surface_of(const Replay* r, const ctItem* item) {
  const ctModel* m = r->m;
  const int i = item->data;
  if (item->shape == CT_SHAPE_SKIN)
    return (Surface){
        .face = m->skin_face + 3 * (size_t)m->skin_faceadr[i],
        .vert = r->scene->skin_vert + 3 * (size_t)m->skin_vertadr[i],
        .uv = m->skin_texcoordadr[i] >= 0 ? m->skin_texcoord + 2 * (size_t)m->skin_texcoordadr[i] : NULL,
        .nface = m->skin_facenum[i],
        .nvert = m->skin_vertnum[i]};
  const bool sheet = m->flex_dim[i] == 2, has_uv = sheet && m->flex_texcoordadr[i] >= 0;
  return (Surface){
      .face = sheet ? m->flex_elem + m->flex_elemdataadr[i] : m->flex_shell + m->flex_shelldataadr[i],
      .vert = r->scene->flex_vert + 3 * (size_t)m->flex_vertadr[i],
      .uv = has_uv ? m->flex_texcoord + 2 * (size_t)m->flex_texcoordadr[i] : NULL,
      .corner = m->flex_elemtexcoord + m->flex_elemdataadr[i],
      .nface = sheet ? m->flex_elemnum[i] : m->flex_shellnum[i],
      .nvert = m->flex_vertnum[i]};
}

static void put_surface(const Replay* r, const ctItem* item) {
  const Surface s = surface_of(r, item);
  fprintf(r->file, "{nvert:%d,", s.nvert);
  put_look(r->file, r->m, item);
  put_array(r->file, "face", s.face, 3 * sizeof(int) * (size_t)s.nface);
  if (s.uv) {
    Base64 b = {.file = r->file};
    fprintf(r->file, "uv:\"");
    for (int i = 0; i < 3 * s.nface; i++)
      put_bytes(&b, s.uv + 2 * (size_t)(s.corner ? s.corner : s.face)[i], 2 * sizeof(float));
    put_end(&b);
    fprintf(r->file, "\",");
  }
  fprintf(r->file, "},\n");
}

static bool put_surfaces(Replay* r) {
  int64_t corners = 0;
  for (int i = 0; i < r->scene->nitem; i++)
    corners += is_surface(r->scene->items + i) ? surface_of(r, r->scene->items + i).nvert : 0;
  const bool fits = corners * r->nframe <= MOST_CORNERS;
  if (!fits)
    fprintf(stderr,
            "corten: the replay leaves out skins and deformables, whose %lld vertices in %d pictures are too "
            "many\n",
            (long long)corners, r->nframe);
  fprintf(r->file, "surfaces:[");
  for (int i = 0; i < r->scene->nitem && fits; i++) {
    if (is_surface(r->scene->items + i)) put_surface(r, r->scene->items + i);
  }
  fprintf(r->file, "],\ncorners:\"");
  Base64 b = {.file = r->file};
  for (int f = 0; f < r->nframe && fits && corners > 0; f++) {
    if (!go_to(r, f)) return false;
    for (int i = 0; i < r->scene->nitem; i++) {
      if (!is_surface(r->scene->items + i)) continue;
      const Surface s = surface_of(r, r->scene->items + i);
      put_bytes(&b, s.vert, 3 * sizeof(float) * (size_t)s.nvert);
    }
  }
  put_end(&b);
  fprintf(r->file, "\",\n");
  return true;
}

static void put_camera(const Replay* r) {
  ctCamera c;
  ct_camera_find(r->m, "free", &c, NULL);
  const float lookat[3] = {(float)c.lookat[0], (float)c.lookat[1], (float)c.lookat[2]};
  fprintf(r->file, "camera:{");
  put_numbers(r->file, "lookat", lookat, 3);
  fprintf(r->file, "distance:%.7g,azimuth:%.7g,elevation:%.7g,fovy:%.7g,near:%.7g,far:%.7g,parallel:%d},\n",
          (double)c.distance, (double)c.azimuth, (double)c.elevation, (double)r->m->vis.global.fovy,
          (double)r->scene->view.znear, (double)r->scene->view.zfar, r->m->vis.global.orthographic != 0);
}

// Places and directions of lights, frame by frame.
static bool put_light_poses(Replay* r) {
  Base64 b = {.file = r->file};
  fprintf(r->file, "lamps:\"");
  for (int f = 0; f < r->nframe; f++) {
    if (!go_to(r, f)) return false;
    for (int i = 0; i < r->scene->nlight; i++) {
      const LightPose pose = light_pose(r->scene->lights + i);
      put_bytes(&b, &pose, sizeof(pose));
    }
  }
  put_end(&b);
  fprintf(r->file, "\",\n");
  return true;
}

// Poses of what moves, or the links of tendons, frame by frame.
static bool put_frames(Replay* r, bool links, int* starts) {
  Base64 b = {.file = r->file};
  int count = 0;
  for (int f = 0; f < r->nframe; f++) {
    if (!go_to(r, f)) return false;
    if (starts) starts[f] = count;
    for (int i = 0; i < r->scene->nitem; i++) {
      const ctItem* item = r->scene->items + i;
      float pose[9];
      if (links ? !is_link(item) : !is_listed(item) || !moves(r->m, item)) continue;
      pose_of(item, pose);
      pose[7] = item->size[2];
      pose[8] = (float)(item->id + (item->type == CT_OBJ_FLEX ? r->m->ntendon : 0));
      put_bytes(&b, pose, (links ? 9 : 7) * sizeof(float));
      count++;
    }
  }
  if (starts) starts[r->nframe] = count;
  put_end(&b);
  return true;
}

// Numbers for plots: names and units of channels, then their values frame by frame.
static void put_channels(const Replay* r) {
  const cli_Recording* t = r->table;
  int listed = 0, *chosen = calloc((size_t)t->nchannel + 1, sizeof(int));
  fprintf(r->file, "channels:[");
  for (int i = 0; chosen && i < t->nchannel && listed < MOST_CHANNELS; i++) {
    if (i == r->clock) continue;
    chosen[listed++] = i;
    fprintf(r->file, "{name:");
    put_text(r->file, t->channels[i].name);
    fprintf(r->file, ",unit:");
    put_text(r->file, t->channels[i].unit ? t->channels[i].unit : "");
    fprintf(r->file, "},");
  }
  fprintf(r->file, "],\nvalues:\"");
  Base64 b = {.file = r->file};
  for (int f = 0; f < r->nframe; f++) {
    for (int i = 0; i < listed; i++) {
      float value = (float)row_of(r, f)[chosen[i]];
      put_bytes(&b, &value, sizeof(value));
    }
  }
  put_end(&b);
  fprintf(r->file, "\",\n");
  free(chosen);
}

static bool put_recording(Replay* r, const char* title) {
  int* starts = calloc((size_t)r->nframe + 1, sizeof(int));
  bool ok = starts && go_to(r, 0);
  if (ok) {
    fprintf(r->file, "{title:");
    put_text(r->file, title);
    fprintf(r->file, ",\n");
    put_camera(r);
    put_items(r);
    put_meshes(r);
    put_tendons(r);
    put_lights(r->file, r->m, r->scene);
    ok = put_textures(r->file, r->m, r->scene);
    fprintf(r->file, "times:\"");
    Base64 b = {.file = r->file};
    for (int f = 0; f < r->nframe; f++) {
      float time = (float)row_of(r, f)[r->clock];
      put_bytes(&b, &time, sizeof(time));
    }
    put_end(&b);
    fprintf(r->file, "\",\n");
    put_channels(r);
    ok = ok && put_surfaces(r) && put_light_poses(r);
    fprintf(r->file, "poses:\"");
    ok = ok && put_frames(r, false, NULL);
    fprintf(r->file, "\",\nlinks:\"");
    ok = ok && put_frames(r, true, starts);
    fprintf(r->file, "\",\nlink_start:[");
    for (int f = 0; f <= r->nframe; f++) fprintf(r->file, "%d,", starts[f]);
    fprintf(r->file, "]}");
  }
  free(starts);
  return ok;
}

// ---- the file

// Rows at even times, the first and the last among them.
static bool choose_rows(Replay* r) {
  const cli_Recording* t = r->table;
  double first = t->data[r->clock], last = t->data[(t->rows - 1) * (size_t)t->nchannel + (size_t)r->clock];
  double wanted = fmin(fmax(ceil((last - first) * FRAMES_A_SECOND), 1), MOST_FRAMES - 1);
  int n = (int)fmin(wanted, (double)(t->rows - 1)) + 1;
  r->rows = calloc((size_t)n, sizeof(*r->rows));
  for (int i = 0; r->rows && i < n; i++)
    r->rows[i] = n > 1 ? (size_t)round((double)i * (double)(t->rows - 1) / (n - 1)) : 0;
  r->nframe = n;
  return r->rows != NULL;
}

static const char marker[] = "/*RECORDING*/";

int cli_replay_save(const ctModel* m, const ctData* d, const cli_Recording* table, const char* title,
                    const char* path) {
  Replay r = {.m = m, .table = table};
  ctError err = {0};
  char temporary[4200];
  if (table->rows == 0) return CLI_OK;
  (void)cli_recording_group(table, "qpos", &r.qpos);
  r.clock = cli_recording_find(table, "time");
  ct_scene_option_default(&r.option);
  bool ready = ct_data_create(&r.d, m, NULL) == CT_OK && ct_data_copy(m, d, r.d) == CT_OK &&
               ct_scene_create(&r.scene, m) == CT_OK && choose_rows(&r);
  int code = CLI_FAILED;
  if (!ready) {
    fprintf(stderr, "corten run: %s\n", ct_status_text(CT_ERR_MEMORY));
  } else if (ct_file_begin(path, temporary, sizeof(temporary), &err) != CT_OK) {
    code = cli_fail(&err);
  } else {
    // the page is no string: it has its size
    size_t size = cli_replay_page_size, length = strlen(marker), at = 0;
    while (at + length < size && memcmp(cli_replay_page + at, marker, length) != 0) at++;
    r.file = fopen(temporary, "wb");
    bool ok = r.file != NULL;
    if (ok) {
      fwrite(cli_replay_page, 1, at, r.file);
      ok = put_recording(&r, title);
      fwrite(cli_replay_page + at + length, 1, size - at - length, r.file);
      ok = !ferror(r.file) && ok;
    }
    int why = errno;
    if (r.file && fclose(r.file) != 0) ok = false, why = errno;
    if (ct_file_end(path, temporary, ok, &err) != CT_OK) {
      code = cli_fail(&err);
    } else if (!ok) {
      fprintf(stderr, "corten: cannot write '%s': %s\n", path, strerror(why));
    } else {
      code = CLI_OK;
    }
  }
  free(r.rows);
  ct_scene_free(r.scene);
  ct_data_free(r.d);
  return code;
}
