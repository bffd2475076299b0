// What the files of this room share.
#pragma once

#include "base/strings.h"
#include "urdf/urdf.h"

// A link, where it hangs in the tree, and the body it has become.
typedef struct ctiUrdfLink {
  const char* name;
  const ctiXml* xml;
  ctiBody* body;
  int joint;                 // that it hangs on; -1 for a root
  int child, last, sibling;  // first and last link below it, the next below the same parent; -1 for none
} ctiUrdfLink;

typedef struct ctiUrdfJoint {
  const char* name;
  const ctiXml* xml;
  int type;  // ctiUrdfJointType
  int parent, child;
  ctiJoint* made;  // hinge or slide that mimics and transmissions may refer to; NULL for the rest
  double effort;   // 0: no limit
} ctiUrdfJoint;

typedef enum ctiUrdfJointType {
  CTI_URDF_FIXED,
  CTI_URDF_REVOLUTE,
  CTI_URDF_CONTINUOUS,
  CTI_URDF_PRISMATIC,
  CTI_URDF_FLOATING,
  CTI_URDF_PLANAR,
  CTI_URDF_SPHERICAL
} ctiUrdfJointType;

// A colour by its name; `material` is NULL until one is made.
typedef struct ctiUrdfColour {
  const char* name;
  float rgba[4];
  bool has_rgba;
  const char* texture;  // file, NULL: none
  const ctiXml* xml;
  ctiMaterial* material;
} ctiUrdfColour;

typedef struct ctiUrdf {
  ctSpec* spec;
  ctError* err;
  ctUrdfOptions opt;
  const ctiXml* root;
  CTI_ARRAY(ctiUrdfLink) links;
  CTI_ARRAY(ctiUrdfJoint) joints;
  CTI_ARRAY(ctiUrdfColour) colours;
  ctiNameMap link_ids, joint_ids, colour_ids, geom_names, mesh_ids, asset_names, joint_names, material_names,
      touching;        // touching: meshes of collisions
  const char* folder;  // of the file
} ctiUrdf;

// The names in a list of links, joints or colours, for the nearest spelling.
#define CTI_URDF_NAMES(list) \
  ((list).count > 0 ? CTI_WORDS_IN((list).data, (list).count, name) : (ctiWords){0})

// Remarks about elements and attributes that URDF does not have, or that have no effect here.
// CT_ERR_UNSUPPORTED for Xacro.
ctStatus cti_urdf_look_over(ctiUrdf* u);

// The only child of that name; NULL when there is none and it is not `needed`.
ctStatus cti_urdf_child(ctiUrdf* u, const ctiXml** out, const ctiXml* e, const char* name, bool needed);

// An attribute that must be there.
ctStatus cti_urdf_attr(ctiUrdf* u, const ctiXmlAttr** out, const ctiXml* e, const char* name);

// Exactly `n` numbers of an attribute that must be there.
ctStatus cti_urdf_reals(ctiUrdf* u, double* out, const ctiXml* e, const char* name, int n);

// <origin> of an element: none leaves the place as it is.
ctStatus cti_urdf_origin(ctiUrdf* u, const ctiXml* e, double pos[3], ctiOrient* orient);

// Tag, position and tables of an element just made.
ctStatus cti_urdf_place(ctiUrdf* u, const ctiXml* e, ctiElement* head, const char* tag,
                        const struct ctiAttrTable* attrs);

// The text in the spec's pool.
ctStatus cti_urdf_keep(ctiUrdf* u, const char** out, const char* text);

// Every <material> of the file that says how it looks.
ctStatus cti_urdf_read_colours(ctiUrdf* u);
// Inertia and shapes of a link into its body.
ctStatus cti_urdf_read_link(ctiUrdf* u, const ctiUrdfLink* link);
// Meshes whose volume nobody asks for need none.
void cti_urdf_settle_meshes(ctiUrdf* u);

// A little mass and inertia for links that move and have none, unless that is refused or bounds give it.
ctStatus cti_urdf_settle_substance(ctiUrdf* u);
// A joint into the body of its child, which is in place.
ctStatus cti_urdf_read_joint(ctiUrdf* u, ctiUrdfJoint* joint);
// What couples joints, and what drives them.
ctStatus cti_urdf_read_mimics(ctiUrdf* u);
ctStatus cti_urdf_read_transmissions(ctiUrdf* u);

// The file that a URI of an element names, as seen from the folder of the model. CT_ERR_NOT_FOUND.
ctStatus cti_urdf_find_file(ctiUrdf* u, const char** out, const ctiXml* e, const ctiXmlAttr* uri,
                            const char* dir);
