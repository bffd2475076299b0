#include "asset/mesh.h"
#include "xt.h"
#include "xt_alloc.h"

static ctError err;

static const float tetra[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int tetra_face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static ctiMeshSource from_arrays(const float* vertex, int nvertex, const int* face, int nface) {
  ctiMeshSource s;
  cti_mesh_source_default(&s);
  s.name = "thing";
  s.vertex = vertex;
  s.nvertex = nvertex;
  s.face = face;
  s.nface = nface;
  return s;
}

static void make_box(float v[24], double x, double y, double z) {
  for (int i = 0; i < 8; i++) {
    v[3 * i] = (float)(i & 4 ? x : -x);
    v[3 * i + 1] = (float)(i & 2 ? y : -y);
    v[3 * i + 2] = (float)(i & 1 ? z : -z);
  }
}

XT_TEST(mesh, box_keeps_its_frame_and_equals_its_inertia_box) {
  static const ctiMeshInertia modes[] = {CTI_INERTIA_CONVEX, CTI_INERTIA_EXACT, CTI_INERTIA_LEGACY};
  float v[24];
  make_box(v, 1, 2, 3);
  for (int i = 0; i < 3; i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiMesh m;
    ctiMeshSource s = from_arrays(v, 24, NULL, 0);
    s.inertia = modes[i];
    XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
    const double pos[3] = {0}, quat[4] = {1, 0, 0, 0}, size[3] = {1, 2, 3}, aabb[6] = {-1, -2, -3, 1, 2, 3};
    XT_CLOSE(m.pos, pos, 3, 1e-15, "pos");
    XT_CLOSE(m.quat, quat, 4, 0, "quat");
    XT_CLOSE(m.boxsz, size, 3, XT_TOL(1e-14, 1e-6), "boxsz");
    XT_CLOSE(m.aabb, aabb, 6, 1e-15, "aabb");
    XT_NEAR(m.volume, 48, 1e-12);
    cti_region_free(region);
  }
}
XT_TEST(mesh, hull_of_a_box_is_stored_as_mujoco_does) {
  // made by MuJoCo 4.0.0 from the corners of a box of half sizes 1 2 3
  static const int graph[] = {8, 12, 0, 7, 11, 18, 22, 29, 33, 37, 6,  2, 0, 4, 5,  1,  7, 3, 1, 2,
                              3, 4,  6, 7, -1, 0,  2,  7,  -1, 0,  1,  3, 4, 5, 7,  -1, 0, 2, 4, -1,
                              3, 2,  5, 0, 6,  7,  -1, 4,  2,  7,  -1, 4, 0, 7, -1, 1,  2, 5, 0, 6,
                              4, -1, 2, 6, 0,  6,  4,  0,  4,  5,  0,  5, 1, 0, 6,  5,  4, 5, 6, 7,
                              3, 2,  0, 1, 3,  0,  3,  6,  2,  6,  3,  7, 5, 3, 1,  3,  5, 7};
  static const int extrema[27] = {2, 2, 5, 1, 1, 5, 1, 1, 7, 2, 2, 4, 0, 0,
                                  4, 0, 0, 6, 3, 3, 4, 0, 0, 4, 0, 0, 6};
  static const int polyvert[24] = {3, 1, 5, 7, 3, 2, 0, 1, 6, 2, 3, 7, 5, 4, 6, 7, 4, 5, 1, 0, 2, 6, 4, 0};
  static const int polymap[24] = {1, 4, 5, 0, 1, 4, 1, 2, 5, 0, 1, 2, 3, 4, 5, 0, 3, 4, 2, 3, 5, 0, 2, 3};
  static const int nodeid[23] = {-1, -1, -1, 0,  -1, 1, 2,  -1, 3,  -1, 4, 5,
                                 -1, -1, 6,  -1, 7,  8, -1, 9,  -1, 10, 11};
  float v[24];
  make_box(v, 1, 2, 3);
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  ctiMeshSource s = from_arrays(v, 24, NULL, 0);
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  XT_INT(m.ngraph, sizeof(graph) / sizeof(graph[0]));
  XT_SAME(m.graph, graph, m.ngraph);
  XT_SAME(m.extrema, extrema, 27);
  XT_INT(m.npoly, 6);
  XT_SAME(m.polyvert, polyvert, 24);
  XT_SAME(m.polymap, polymap, 24);
  XT_INT(m.bvh.count, 23);
  XT_SAME(m.bvh.nodeid, nodeid, 23);
  XT_SAME(m.face, m.graph + m.ngraph - 36, 36);
  cti_region_free(region);
}
XT_TEST(mesh, tetrahedron_has_its_textbook_inertia) {
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  ctiMeshSource s = from_arrays(tetra, 12, tetra_face, 12);
  s.inertia = CTI_INERTIA_EXACT;
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  const double pos[3] = {0.25, 0.25, 0.25};
  XT_CLOSE(m.pos, pos, 3, 1e-15, "pos");
  XT_NEAR(m.volume, 1.0 / 6, 1e-15);
  // per unit of mass, about the centre: 3/40 on the diagonal and 1/80 beside it
  double moment[3];
  for (int k = 0; k < 3; k++) {
    double a = m.boxsz[(k + 1) % 3], b = m.boxsz[(k + 2) % 3];
    moment[k] = (a * a + b * b) / 3;
  }
  const double expected[3] = {3.0 / 40 + 2.0 / 80, 3.0 / 40 - 1.0 / 80, 3.0 / 40 - 1.0 / 80};
  XT_CLOSE(moment, expected, 3, XT_TOL(1e-14, 1e-6), "principal moments");
  XT_INT(m.ngraph, 0);  // nobody asked for a hull
  cti_region_free(region);
}
XT_TEST(mesh, spheres_converge) {
  const double pi = 3.14159265358979323846;
  double last[2] = {1, 1};
  for (int level = 0; level < 5; level++) {
    double params[1] = {level}, error[2];
    for (int shell = 0; shell < 2; shell++) {
      ctiRegion* region = cti_region_create(NULL);
      ctiMesh m;
      ctiMeshSource s;
      cti_mesh_source_default(&s);
      s.builtin = CTI_BUILTIN_SPHERE;
      s.params = params;
      s.nparam = 1;
      s.inertia = shell ? CTI_INERTIA_SHELL : CTI_INERTIA_EXACT;
      XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
      double volume = shell ? 4 * pi : 4 * pi / 3, moment = 2 * m.boxsz[0] * m.boxsz[0] / 3;
      error[shell] = fabs(m.volume / volume - 1);
      XT_NEAR(moment, shell ? 2.0 / 3 : 2.0 / 5, 2 * error[shell]);
      XT_TRUE(m.shell == (shell == 1));
      XT_TRUE(error[shell] < 0.4 * last[shell]);  // quarters with each subdivision
      last[shell] = error[shell];
      cti_region_free(region);
    }
  }
  XT_TRUE(last[0] < 4e-3);
}
XT_TEST(mesh, vertices_come_back_through_the_stored_frame) {
  xtRng rng = xt_rng(5);
  enum { N = 30 };
  float v[3 * N];
  for (int i = 0; i < 3 * N; i++) v[i] = (float)xt_uniform(&rng, -1, 1);
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  ctiMeshSource s = from_arrays(v, 3 * N, NULL, 0);
  const double scale[3] = {2, -3, 0.5}, refpos[3] = {0.1, 0.2, 0.3};
  memcpy(s.scale, scale, sizeof(scale));
  memcpy(s.refpos, refpos, sizeof(refpos));
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  for (int i = 0; i < N; i++) {
    const double w = m.quat[0], *u = m.quat + 1;
    double p[3] = {(double)m.vert[3 * i], (double)m.vert[3 * i + 1], (double)m.vert[3 * i + 2]}, t[3];
    for (int k = 0; k < 3; k++)
      t[k] = w * p[k] + u[(k + 1) % 3] * p[(k + 2) % 3] - u[(k + 2) % 3] * p[(k + 1) % 3];
    for (int k = 0; k < 3; k++) {
      double back = p[k] + 2 * (u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3]) + m.pos[k];
      XT_NEAR(back, ((double)v[3 * i + k] - refpos[k]) * scale[k], 1e-5);
    }
  }
  cti_region_free(region);
}
XT_TEST(mesh, a_mirroring_scale_keeps_faces_turned_outwards) {
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  ctiMeshSource s = from_arrays(tetra, 12, tetra_face, 12);
  s.scale[1] = -1;
  s.smoothnormal = true;
  s.inertia = CTI_INERTIA_EXACT;
  s.needs_hull = true;
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  const int flipped[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
  XT_SAME(m.face, flipped, 12);
  for (int i = 0; i < 4; i++) {  // normals point away from the centre
    const float *n = m.normal + 3 * i, *v = m.vert + 3 * i;
    XT_TRUE(n[0] * v[0] + n[1] * v[1] + n[2] * v[2] > 0);
  }
  for (int p = 0; p < m.npoly; p++) {
    const float* v = m.vert + 3 * m.polyvert[m.polyvertadr[p]];
    const double* n = m.polynormal + 3 * p;
    XT_TRUE(n[0] * (double)v[0] + n[1] * (double)v[1] + n[2] * (double)v[2] > 0);
  }
  cti_region_free(region);
}
XT_TEST(mesh, normals_are_smooth_or_sharp_as_asked) {
  float v[24];
  make_box(v, 0.5, 1, 1);  // the faces across x are large enough to win
  for (int smooth = 0; smooth < 2; smooth++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiMesh m;
    ctiMeshSource s = from_arrays(v, 24, NULL, 0);
    s.smoothnormal = smooth == 1;
    XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
    const float* n = m.normal + 21;
    XT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
    XT_TRUE(smooth ? n[0] < 0.9f && n[1] > 0.3f : n[0] == 1 || n[2] == 1);
    cti_region_free(region);
  }
}
XT_TEST(mesh, flat_shapes_are_shells) {
  const double params[] = {3, 3, 1, 1, 1, 1};
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  ctiMeshSource s;
  cti_mesh_source_default(&s);
  s.builtin = CTI_BUILTIN_SQUARE;
  s.params = params;
  s.nparam = 6;
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  XT_TRUE(m.shell);
  XT_NEAR(m.volume, 4, 1e-14);
  s.needs_hull = true;
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "one plane");
  cti_region_free(region);
}
XT_TEST(mesh, bad_sources_are_refused_by_name) {
  const float bad[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, NAN},
              flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const int outside[3] = {0, 1, 4}, inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2},
            mixed[12] = {0, 2, 1, 0, 3, 1, 0, 3, 2, 1, 2, 3};
  static const float texcoord[6] = {0};
  struct {
    ctiMeshSource s;
    const char* message;
  } cases[12];
  int n = 0;
#define ADD(source, text) (cases[n].s = (source), cases[n++].message = (text))
  ADD(from_arrays(tetra, 0, NULL, 0), "must be given");
  ADD(from_arrays(tetra, 9, NULL, 0), "at least 4");
  ADD(from_arrays(tetra, 11, NULL, 0), "multiple of 3");
  ADD(from_arrays(bad, 12, NULL, 0), "vertex 3 is not finite");
  ADD(from_arrays(flat, 12, NULL, 0), "one plane");
  ADD(from_arrays(flat, 12, tetra_face, 3), "volume is too small");
  ADD(from_arrays(tetra, 12, outside, 3), "face 0 refers to vertex 4");
  ADD(from_arrays(tetra, 12, inside_out, 12), "volume is negative");
  cases[n - 1].s.inertia = CTI_INERTIA_EXACT;
  ADD(from_arrays(tetra, 12, mixed, 12), "orientation is inconsistent");
  cases[n - 1].s.inertia = CTI_INERTIA_EXACT;
  ADD(from_arrays(tetra, 12, NULL, 0), "maxhullvert");
  cases[n - 1].s.maxhullvert = 3;
  ADD(from_arrays(tetra, 12, NULL, 0), "texture coordinates");
  cases[n - 1].s.texcoord = texcoord;
  cases[n - 1].s.ntexcoord = 6;
  ADD(from_arrays(tetra, 12, NULL, 0), "refquat is zero");
  cases[n - 1].s.refquat[0] = 0;
#undef ADD
  for (int i = 0; i < n; i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiMesh m;
    XT_INT(cti_mesh_build(&m, &cases[i].s, region, &err), CT_ERR_INVALID);
    XT_TRUE(!strstr(err.message, "mesh \"thing\""));  // who asked knows its name
    XT_HAS(err.message, cases[i].message);
    XT_INT(m.nvert, 0);
    cti_region_free(region);
  }
  ctiMesh m;
  ctiMeshSource s = from_arrays(tetra, 12, inside_out, 12);  // the old way does not mind
  ctiRegion* region = cti_region_create(NULL);
  XT_INT(cti_mesh_build(&m, &s, region, &err), CT_OK);
  XT_NEAR(m.volume, 1.0 / 6, 1e-15);
  cti_region_free(region);
}
XT_TEST(mesh, failing_allocator_is_reported) {
  bool done = false;
  for (int at = 1; !done; at++) {
    xtAlloc counter = {.fail_at = at, .forever = true};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* region = cti_region_create(&a);
    if (region) {
      const double params[1] = {3};
      ctiMeshSource s;
      ctiMesh m;
      cti_mesh_source_default(&s);
      s.builtin = CTI_BUILTIN_SPHERE;
      s.params = params;
      s.nparam = 1;
      s.needs_hull = true;
      ctStatus status = cti_mesh_build(&m, &s, region, &err);
      XT_TRUE(status == CT_OK || status == CT_ERR_MEMORY);
      done = status == CT_OK;
    }
    cti_region_free(region);
    XT_INT(counter.held, 0);
  }
}

XT_MAIN()
