// URDF: links and joints become a tree of bodies, then each is read into its place.
#include "urdf/urdf.h"

#include <string.h>

#include "base/files.h"
#include "math/quat.h"
#include "spec/attrs.h"
#include "spec/orient.h"
#include "urdf/read.h"

void cti_urdf_settings(ctSpec* spec, const ctUrdfOptions* opt) {
  ctiCompiler* c = &spec->compiler;
  c->degree = false;
  memcpy(c->eulerseq, "XYZ", sizeof(c->eulerseq));
  c->fusestatic = c->discardvisual = opt && opt->mujoco;
  if (!opt) return;
  c->balanceinertia = opt->balance_inertia;
  if (opt->bound_mass > 0) c->boundmass = opt->bound_mass;
  if (opt->bound_inertia > 0) c->boundinertia = opt->bound_inertia;
  if (opt->total_mass > 0) c->settotalmass = opt->total_mass;
}

// ---- links and joints by name

static ctStatus name_of(ctiUrdf* u, const char** out, const ctiXml* e) {
  const ctiXmlAttr* a;
  CT_TRY(cti_urdf_attr(u, &a, e, "name"));
  if (!a->value[0]) return cti_xml_error(u->err, CT_ERR_INVALID, e, a, "the name of a %s is empty", e->name);
  return cti_urdf_keep(u, out, a->value);
}

static ctStatus taken(ctiUrdf* u, ctStatus status, const ctiXml* e, const char* name) {
  if (status != CT_ERR_INVALID) return cti_error_memory(u->err);
  return cti_xml_error(u->err, CT_ERR_INVALID, e, cti_xml_find(e, "name"),
                       "the name \"%s\" is used twice; every %s needs its own", name, e->name);
}

static ctStatus add_link(ctiUrdf* u, const ctiXml* e) {
  ctiUrdfLink link = {.xml = e, .joint = -1, .child = -1, .last = -1, .sibling = -1};
  CT_TRY(name_of(u, &link.name, e));
  ctStatus status = cti_names_add(&u->link_ids, link.name, u->links.count);
  if (status != CT_OK) return taken(u, status, e, link.name);
  return cti_array_push(&u->links, u->spec->in_region, link) == CT_OK ? CT_OK : cti_error_memory(u->err);
}

static ctStatus find_link(ctiUrdf* u, int* out, const ctiXml* joint, const char* which) {
  const ctiXml* e;
  const ctiXmlAttr* a;
  CT_TRY(cti_urdf_child(u, &e, joint, which, true));
  CT_TRY(cti_urdf_attr(u, &a, e, "link"));
  *out = cti_names_find(&u->link_ids, a->value);
  if (*out >= 0) return CT_OK;
  char hint[200];
  return cti_xml_error(u->err, CT_ERR_INVALID, e, a, "there is no link called \"%s\"%s", a->value,
                       cti_suggest_nearest_text(hint, sizeof(hint), a->value, CTI_URDF_NAMES(u->links)));
}

static ctStatus add_joint(ctiUrdf* u, const ctiXml* e) {
  static const ctiKeyword types[] = {{"fixed", CTI_URDF_FIXED},           {"revolute", CTI_URDF_REVOLUTE},
                                     {"continuous", CTI_URDF_CONTINUOUS}, {"prismatic", CTI_URDF_PRISMATIC},
                                     {"floating", CTI_URDF_FLOATING},     {"planar", CTI_URDF_PLANAR},
                                     {"spherical", CTI_URDF_SPHERICAL}};
  ctiUrdfJoint joint = {.xml = e};
  const ctiXmlAttr* type;
  CT_TRY(name_of(u, &joint.name, e));
  CT_TRY(cti_urdf_attr(u, &type, e, "type"));
  CT_TRY(cti_read_keyword(&joint.type, e, type, types, CT_COUNT_OF(types), "joint type", u->err));
  CT_TRY(find_link(u, &joint.parent, e, "parent"));
  CT_TRY(find_link(u, &joint.child, e, "child"));
  const int id = u->joints.count;
  ctStatus status = cti_names_add(&u->joint_ids, joint.name, id);
  // MuJoCo leaves the second joint of a name without one
  if (status == CT_ERR_INVALID && u->opt.mujoco) {
    cti_urdf_remark(u->spec, e, NULL, "the name \"%s\" is used twice: this joint has none", joint.name);
    joint.name = NULL;
  } else if (status != CT_OK) {
    return taken(u, status, e, joint.name);
  }
  if (cti_array_push(&u->joints, u->spec->in_region, joint) != CT_OK) return cti_error_memory(u->err);

  ctiUrdfLink *parent = &u->links.data[joint.parent], *child = &u->links.data[joint.child];
  if (child->joint >= 0) {
    const ctiUrdfJoint* other = &u->joints.data[child->joint];
    return cti_xml_error(
        u->err, CT_ERR_INVALID, cti_xml_child(e, "child"), NULL,
        "link \"%s\" hangs on joint \"%s\" already: a link has one parent; close loops with an "
        "equality constraint",
        child->name, other->name ? other->name : "");
  }
  child->joint = id;
  if (parent->last >= 0) {
    u->links.data[parent->last].sibling = joint.child;
  } else {
    parent->child = joint.child;
  }
  parent->last = joint.child;
  return CT_OK;
}

// ---- the tree

// Whether nothing on the way to the root moves.
static bool is_static(const ctiUrdf* u, int link) {
  for (int j = u->links.data[link].joint; j >= 0; j = u->links.data[u->joints.data[j].parent].joint) {
    if (u->joints.data[j].type != CTI_URDF_FIXED) return false;
  }
  return true;
}

// A free body is a child of the world: where it hangs on links that never move, it leaves them.
static bool leaves_parent(const ctiUrdf* u, const ctiUrdfLink* link) {
  // as MuJoCo does it, fusing takes these links away
  if (link->joint < 0 || (u->opt.mujoco && !u->spec->compiler.fusestatic)) return false;
  const ctiUrdfJoint* j = &u->joints.data[link->joint];
  return j->type == CTI_URDF_FLOATING && is_static(u, j->parent) &&
         u->links.data[j->parent].body != u->spec->world;
}

static ctStatus add_body(ctiUrdf* u, ctiUrdfLink* link) {
  ctSpec* spec = u->spec;
  if (cti_text_equal(link->name, "world")) {
    if (link->joint >= 0)
      return cti_xml_error(u->err, CT_ERR_INVALID, link->xml, NULL,
                           "link \"world\" is the world itself and cannot hang on a joint: rename it");
    link->body = spec->world;
    return CT_OK;
  }
  ctiBody* parent = spec->world;
  if (link->joint >= 0 && !leaves_parent(u, link))
    parent = u->links.data[u->joints.data[link->joint].parent].body;
  link->body = cti_spec_add_body(spec, parent);
  if (!link->body) return cti_error_memory(u->err);
  link->body->head.name = link->name;
  return cti_urdf_place(u, link->xml, &link->body->head, "body", &cti_attrs_body);
}

// Parents before children, children in the order of their joints.
static ctStatus add_tree(ctiUrdf* u, int root, int* count) {
  CTI_ARRAY(int) stack = {0};
  if (cti_array_push(&stack, u->spec->in_region, root) != CT_OK) return cti_error_memory(u->err);
  while (stack.count > 0) {
    ctiUrdfLink* link = &u->links.data[stack.data[--stack.count]];
    CT_TRY(add_body(u, link));
    (*count)++;
    const int start = stack.count;
    for (int c = link->child; c >= 0; c = u->links.data[c].sibling) {
      if (cti_array_push(&stack, u->spec->in_region, c) != CT_OK) return cti_error_memory(u->err);
    }
    for (int a = start, b = stack.count - 1; a < b; a++, b--) {
      int t = stack.data[a];
      stack.data[a] = stack.data[b];
      stack.data[b] = t;
    }
  }
  return CT_OK;
}

static ctStatus add_trees(ctiUrdf* u) {
  int count = 0, first = -1;
  for (int i = 0; i < u->links.count; i++) {
    const ctiUrdfLink* link = &u->links.data[i];
    if (link->joint >= 0) continue;
    if (first >= 0 && !u->opt.mujoco) {
      return cti_xml_error(
          u->err, CT_ERR_INVALID, link->xml, NULL,
          "link \"%s\" hangs on nothing, and neither does \"%s\": a robot has one root; join "
          "them with a joint, of type fixed for instance",
          link->name, u->links.data[first].name);
    }
    first = i;
    CT_TRY(add_tree(u, i, &count));
  }
  for (int i = 0; i < u->links.count && count < u->links.count; i++) {
    if (u->links.data[i].body) continue;
    const ctiUrdfJoint* j = &u->joints.data[u->links.data[i].joint];
    return cti_xml_error(u->err, CT_ERR_INVALID, j->xml, NULL,
                         "links \"%s\" and \"%s\" hang on each other in a circle: one link must be the root",
                         u->links.data[j->parent].name, u->links.data[i].name);
  }
  if (u->links.count == 0 && !u->opt.mujoco)
    return cti_xml_error(u->err, CT_ERR_INVALID, u->root, NULL, "the robot has no <link>");
  return CT_OK;
}

// The pose of a body that left its parents, in the world.
static ctStatus leave_parents(ctiUrdf* u, const ctiUrdfLink* link) {
  ctiBody* body = link->body;
  ctReal pos[3], quat[4];
  cti_to_real(pos, body->pos, 3);
  const char* wrong = cti_orient_to_quat(quat, &body->orient, &u->spec->compiler);
  for (int l = u->joints.data[link->joint].parent; l >= 0 && !wrong;) {
    const ctiUrdfLink* above = &u->links.data[l];
    ctReal turn[4], shift[3];
    wrong = cti_orient_to_quat(turn, &above->body->orient, &u->spec->compiler);
    cti_to_real(shift, above->body->pos, 3);
    cti_quat_rotate(pos, turn, pos);
    cti_add_to3(pos, shift);
    cti_quat_mul(quat, turn, quat);
    l = above->joint < 0 ? -1 : u->joints.data[above->joint].parent;
  }
  if (wrong) return cti_xml_error(u->err, CT_ERR_INVALID, link->xml, NULL, "%s", wrong);
  body->orient.form = CTI_ORIENT_QUAT;
  for (int i = 0; i < 3; i++) body->pos[i] = (double)pos[i];
  for (int i = 0; i < 4; i++) body->orient.quat[i] = (double)quat[i];
  return CT_OK;
}

// A free joint for the root.
static ctStatus free_root(ctiUrdf* u) {
  const ctiUrdfLink* root = NULL;
  for (int i = 0; i < u->links.count; i++) {
    if (u->links.data[i].joint < 0) root = &u->links.data[i];
    if (!root || root != &u->links.data[i]) continue;
    if (root->body == u->spec->world) {
      cti_urdf_remark(
          u->spec, root->xml, NULL,
          "the root is the world, which cannot float: joints of type floating free what is in it");
      continue;
    }
    ctiJoint* joint = cti_spec_add_joint(u->spec, root->body, cti_spec_plain_class(u->spec));
    const char* name = cti_region_printf(u->spec->region, "%s_free_joint", root->name);
    if (!joint || !name) return cti_error_memory(u->err);
    joint->type = CT_JOINT_FREE;
    CT_TRY(cti_urdf_place(u, root->xml, &joint->head, "joint", &cti_attrs_joint));
    if (cti_names_find(&u->joint_names, name) < 0) CT_TRY(cti_urdf_keep(u, &joint->head.name, name));
  }
  return CT_OK;
}

static ctStatus read_robot(ctiUrdf* u) {
  CT_TRY(cti_urdf_look_over(u));
  const ctiXmlAttr* name = cti_xml_find(u->root, "name");
  if (name && name->value[0]) CT_TRY(cti_urdf_keep(u, &u->spec->modelname, name->value));
  for (const ctiXml* e = cti_xml_child(u->root, "link"); e; e = cti_xml_next(e, "link"))
    CT_TRY(add_link(u, e));
  for (const ctiXml* e = cti_xml_child(u->root, "joint"); e; e = cti_xml_next(e, "joint"))
    CT_TRY(add_joint(u, e));
  CT_TRY(add_trees(u));
  CT_TRY(cti_urdf_read_colours(u));
  for (int i = 0; i < u->links.count; i++) CT_TRY(cti_urdf_read_link(u, &u->links.data[i]));
  cti_urdf_settle_meshes(u);
  for (int i = 0; i < u->joints.count; i++) CT_TRY(cti_urdf_read_joint(u, &u->joints.data[i]));
  for (int i = 0; i < u->links.count; i++) {
    if (leaves_parent(u, &u->links.data[i])) CT_TRY(leave_parents(u, &u->links.data[i]));
  }
  if (u->opt.floating_base) CT_TRY(free_root(u));
  CT_TRY(cti_urdf_settle_substance(u));
  CT_TRY(cti_urdf_read_mimics(u));
  return cti_urdf_read_transmissions(u);
}

ctStatus cti_urdf_read(ctSpec* spec, const ctiXml* root, const ctUrdfOptions* opt, ctError* err) {
  ctiUrdf u = {.spec = spec, .err = err, .root = root};
  if (opt) u.opt = *opt;
  ctiNameMap* maps[] = {&u.link_ids,    &u.joint_ids,   &u.colour_ids,     &u.geom_names, &u.mesh_ids,
                        &u.asset_names, &u.joint_names, &u.material_names, &u.touching};
  for (int i = 0; i < CT_COUNT_OF(maps); i++) cti_names_init(maps[i], spec->in_region);
  u.folder = cti_path_dir(spec->region, spec->file);
  if (!u.folder) return cti_error_memory(err);
  CT_TRY(read_robot(&u));
  // files are named as seen from the folder of the model
  ctiCompiler* c = &spec->compiler;
  c->meshdir = c->texturedir = c->assetdir = NULL;
  c->strippath = false;
  return CT_OK;
}
