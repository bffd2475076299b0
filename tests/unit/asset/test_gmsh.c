#include "asset/gmsh.h"

#include <string.h>

#include "xt.h"
#include "xt_alloc.h"

static const char text_22[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
    "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
static const char text_41[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 5 7\n";

static ctStatus decode(ctiGmsh* out, ctiRegion* region, const char* text, ctError* err) {
  return cti_gmsh_decode(out, text, strlen(text), region, err);
}

XT_TEST(gmsh, reads_a_tetrahedron) {
  ctiRegion* region = cti_region_create(NULL);
  ctiGmsh mesh;
  ctError err = {0};
  XT_INT(decode(&mesh, region, text_22, &err), CT_OK);
  XT_INT(mesh.dim, 3);
  XT_INT(mesh.npoint, 4);
  XT_INT(mesh.nelement, 1);
  for (int i = 0; i < 4; i++) XT_INT(mesh.element[i], i);
  XT_TRUE(mesh.point[3] == 1 && mesh.point[7] == 1 && mesh.point[11] == 1);
  cti_region_free(region);
}

XT_TEST(gmsh, every_part_of_a_file_is_an_error_or_a_mesh) {
  for (size_t n = 0; n < sizeof(text_22); n++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiGmsh mesh;
    ctError err = {0};
    ctStatus status = cti_gmsh_decode(&mesh, text_22, n, region, &err);
    XT_TRUE(status == CT_OK ? mesh.nelement == 1 : err.message[0] != 0);
    cti_region_free(region);
  }
}

XT_TEST(gmsh, counts_are_held_against_the_size_of_the_file) {
  ctiRegion* region = cti_region_create(NULL);
  ctiGmsh mesh;
  ctError err = {0};
  char text[400];
  snprintf(text, sizeof(text), "%s2 1 0 999999999999\n", text_41);
  XT_INT(decode(&mesh, region, text, &err), CT_ERR_SYNTAX);
  snprintf(text, sizeof(text), "%s2 1 0 -3\n$Elements\n", text_41);
  XT_INT(decode(&mesh, region, text, &err), CT_ERR_SYNTAX);
  XT_INT(decode(&mesh, region, "$MeshFormat\n4.1 1 8\n", &err), CT_ERR_UNSUPPORTED);
  cti_region_free(region);
}

XT_MAIN()
