// Texts and lists of an mjSpec as C++ programs use them, and plugins.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main() {
  mjSpec* s = mj_makeSpec();
  *s->modelname = "made";
  std::cout << "name " << *s->modelname << " " << s->modelname->size() << "\n";
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* body = mjs_addBody(world, nullptr);
  mjs_setName(body->element, "box");
  std::string name = *mjs_getName(body->element);
  std::cout << name << " " << (*mjs_getName(body->element) == "box") << " "
            << mjs_getName(body->element)->empty() << "\n";

  mjsMesh* mesh = mjs_addMesh(s, nullptr);
  mjs_setName(mesh->element, "tet");
  *mesh->uservert = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  mesh->uservert->push_back(1);
  mesh->userface->assign({0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3});
  std::cout << "vertices " << mesh->uservert->size() / 3 << " faces " << mesh->userface->size() / 3 << "\n";
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->type = mjGEOM_MESH;
  *geom->meshname = "tet";
  *geom->userdata = std::vector<double>{1, 2, 3};
  geom->userdata->at(1) = 5;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  joint->type = mjJNT_HINGE;
  mjs_setName(joint->element, "hinge");

  mjsTexture* texture = mjs_addTexture(s, nullptr);
  mjs_setName(texture->element, "dots");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 2;
  texture->nchannel = 3;
  texture->data->resize(12);
  for (size_t i = 0; i < 12; i++) (*texture->data)[i] = static_cast<std::byte>(20 * i);
  mjsMaterial* material = mjs_addMaterial(s, nullptr);
  mjs_setName(material->element, "look");
  material->textures->at(mjTEXROLE_RGB) = "dots";
  *geom->material = std::string("lo") + "ok";

  mjsTuple* tuple = mjs_addTuple(s);
  mjs_setName(tuple->element, "pair");
  tuple->objtype->push_back(mjOBJ_BODY);
  tuple->objname->push_back("box");
  tuple->objprm->push_back(2.5);
  mjsNumeric* numeric = mjs_addNumeric(s);
  mjs_setName(numeric->element, "numbers");
  for (int i = 0; i < 4; i++) numeric->data->push_back(i * i);
  mjsText* text = mjs_addText(s);
  mjs_setName(text->element, "words");
  *text->data = "some";
  *text->data += " words";
  mjsKey* key = mjs_addKey(s);
  *key->qpos = {0.5};
  *key->qvel = *key->qpos;

  mjModel* m = mj_compile(s, nullptr);
  if (!m) {
    std::cout << mjs_getError(s) << "\n";
    return 1;
  }
  std::printf("%s mesh %d %d geom %g %g %g material %d texture %d %d\n", mj_id2name(m, mjOBJ_MESH, 0),
              (int)m->nmeshvert, (int)m->nmeshface, (double)m->geom_user[0], (double)m->geom_user[1],
              (double)m->geom_user[2], m->geom_matid[0], m->tex_data[1], m->tex_data[11]);
  std::printf("tuple %d %d %g numbers %g %g text %s key %g %g\n", m->tuple_objtype[0], m->tuple_objid[0],
              (double)m->tuple_objprm[0], (double)m->numeric_data[1], (double)m->numeric_data[3],
              m->text_data + m->text_adr[0], (double)m->key_qpos[0], (double)m->key_qvel[0]);
  double sum = 0;
  for (double x : *numeric->data) sum += x;
  std::printf("sum %g of %d\n", sum, (int)numeric->data->size());

  mjsPlugin* plugin = mjs_addPlugin(s);
  std::map<std::string, std::string, std::less<>> config = {{"kp", "40"}, {"ki", "4"}};
  mjs_setPluginAttributes(plugin, &config);
  const auto* said =
      static_cast<const std::map<std::string, std::string, std::less<>>*>(mjs_getPluginAttributes(plugin));
  std::printf("left %d said %d %s\n", (int)config.size(), (int)said->size(), said->at("kp").c_str());
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
