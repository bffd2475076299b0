/// @file
/// What there is to see of a model and a data: a list of shapes with poses, sizes and colours, lights and the
/// view of a camera. No graphics is needed to make it; a renderer (corten/render.h), a replay file or a
/// program of yours draws it.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CT_NGROUP    6    ///< groups for display
#define CT_LABEL_MAX 64   ///< bytes of a label, its zero included
#define CT_LIGHT_MAX 100  ///< lights of a scene, the headlight included

// clang-format off
/// What a scene shows: X(identifier, "name", shown unless told otherwise). Names are those of MuJoCo's visual
/// and rendering flags, in one word.
#define CT_SHOW_LIST(X)                                                                               \
  X(CONVEXHULL, "convexhull", 0) X(TEXTURE, "texture", 1) X(JOINT, "joint", 0) X(CAMERA, "camera", 0)  \
  X(ACTUATOR, "actuator", 0) X(ACTIVATION, "activation", 0) X(LIGHT, "light", 0) X(TENDON, "tendon", 1)\
  X(RANGEFINDER, "rangefinder", 1) X(EQUALITY, "equality", 0) X(INERTIA, "inertia", 0)                 \
  X(PERTURB, "perturb", 0) X(CONTACTPOINT, "contactpoint", 0) X(CONTACTFORCE, "contactforce", 0)       \
  X(CONTACTSPLIT, "contactsplit", 0) X(ISLAND, "island", 0) X(TRANSPARENT, "transparent", 0)           \
  X(AUTOCONNECT, "autoconnect", 0) X(COM, "com", 0) X(SELECT, "select", 1) X(STATIC, "static", 1)      \
  X(SKIN, "skin", 1) X(FLEXVERT, "flexvert", 0) X(FLEXEDGE, "flexedge", 1) X(FLEXFACE, "flexface", 0)  \
  X(FLEXSKIN, "flexskin", 1) X(SHADOW, "shadow", 1) X(WIREFRAME, "wireframe", 0)                       \
  X(REFLECTION, "reflection", 1) X(SKYBOX, "skybox", 1) X(FOG, "fog", 0) X(HAZE, "haze", 1)
/// Frames and labels are those of one kind of object at a time: X(identifier, "name")
#define CT_FRAME_LIST(X)                                                                              \
  X(NONE, "none") X(WORLD, "world") X(BODY, "body") X(GEOM, "geom") X(SITE, "site") X(CAMERA, "camera")\
  X(LIGHT, "light") X(CONTACT, "contact")
#define CT_LABEL_LIST(X)                                                                              \
  X(NONE, "none") X(BODY, "body") X(JOINT, "joint") X(GEOM, "geom") X(SITE, "site") X(CAMERA, "camera")\
  X(LIGHT, "light") X(TENDON, "tendon") X(CONTACT, "contact") X(CONTACTFORCE, "contactforce")          \
  X(ISLAND, "island") X(SELECTION, "selection") X(ACTUATOR, "actuator") X(EQUALITY, "equality")         \
  X(FLEX, "flex") X(SKIN, "skin") X(SENSOR, "sensor")
// clang-format on

#define X(id, name, on) CT_SHOW_##id,
/// Flags of ctSceneOption.show. TEXTURE: with their textures, else plain; CONVEXHULL: meshes as their hulls;
/// STATIC: also what never moves; TRANSPARENT: what moves is made transparent; ISLAND: what moves is coloured
/// by its island or tree, and dimmed while it sleeps; PERTURB: arrows of xfrc_applied; SELECT: the selected
/// body glows; FLEXSKIN: deformables as smooth surfaces; without, and for lines, by their vertices
/// (FLEXVERT), edges (FLEXEDGE) and flat faces (FLEXFACE). The last six are for renderers.
typedef enum ctShow { CT_SHOW_LIST(X) CT_SHOW_COUNT } ctShow;
#undef X
#define X(id, name) CT_FRAME_OF_##id,
/// Whose frames are drawn.
typedef enum ctFrameOf { CT_FRAME_LIST(X) CT_FRAME_OF_COUNT } ctFrameOf;
#undef X
#define X(id, name) CT_LABEL_OF_##id,
/// What is labelled. SENSOR: with its reading.
typedef enum ctLabelOf { CT_LABEL_LIST(X) CT_LABEL_OF_COUNT } ctLabelOf;
#undef X

/// What to show. Fill with ct_scene_option_default(), then change.
typedef struct ctSceneOption {
  ctByte show[CT_SHOW_COUNT];       ///< by ctShow
  ctByte geomgroup[CT_NGROUP];      ///< which groups of geoms
  ctByte sitegroup[CT_NGROUP];      ///< ... sites
  ctByte jointgroup[CT_NGROUP];     ///< ... joints
  ctByte tendongroup[CT_NGROUP];    ///< ... tendons
  ctByte actuatorgroup[CT_NGROUP];  ///< ... actuators
  ctByte skingroup[CT_NGROUP];      ///< ... skins
  ctByte flexgroup[CT_NGROUP];      ///< ... deformables
  ctFrameOf frame;                  ///< whose frames
  ctLabelOf label;                  ///< what is labelled
  int selected;                     ///< body that is selected; 0: none
  ctReal selected_point[3];         ///< point on it, in its frame, m
} ctSceneOption;

/// How a camera is held: by the hand (azimuth, elevation and distance about a point), the same about the
/// centre of mass of a subtree, or as a camera of the model.
typedef enum ctCameraKind { CT_CAMERA_FREE, CT_CAMERA_TRACKING, CT_CAMERA_FIXED } ctCameraKind;

/// A camera. Fill with ct_camera_default() or ct_camera_find(), then change.
typedef struct ctCamera {
  ctCameraKind kind;  ///< which of the rest count
  int id;             ///< camera of the model (fixed), or body (tracking)
  ctReal lookat[3];   ///< point in the middle of the picture, m (free)
  ctReal distance;    ///< from that point, m (free, tracking)
  ctReal azimuth;     ///< degrees; 0: looks along x, 90: along y (free, tracking)
  ctReal elevation;   ///< degrees; negative: looks down (free, tracking)
} ctCamera;

/// What a camera sees: its pose, and the sides of its view.
typedef struct ctView {
  float pos[3];       ///< world axes, m
  float forward[3];   ///< unit vector along which it looks
  float up[3];        ///< unit vector that is up in the picture
  float znear;        ///< what is closer is not drawn, m
  float zfar;         ///< what is farther is not drawn, m
  float bottom;       ///< lower side of the view at `znear`, m; orthographic: anywhere
  float top;          ///< upper side
  float left;         ///< left side; 0 with `right`: the picture's aspect ratio decides
  float right;        ///< right side
  bool orthographic;  ///< parallel rays
} ctView;

/// Shape of a thing to draw. Those up to MESH are geoms of the same type: their sizes are those of geoms.
typedef enum ctShape {
  CT_SHAPE_PLANE,      ///< half sizes along x and y, 0: without end
  CT_SHAPE_HFIELD,     ///< height field `data`
  CT_SHAPE_SPHERE,     ///< radius three times
  CT_SHAPE_CAPSULE,    ///< radius twice, half length along z
  CT_SHAPE_ELLIPSOID,  ///< half axes
  CT_SHAPE_CYLINDER,   ///< radius twice, half length along z
  CT_SHAPE_BOX,        ///< half sizes
  CT_SHAPE_MESH,       ///< mesh `data`
  CT_SHAPE_HULL,       ///< convex hull of the mesh `data`
  CT_SHAPE_ARROW,      ///< radius twice, length, from the origin along z
  CT_SHAPE_LINE,       ///< length along z
  CT_SHAPE_SKIN,       ///< skin `data`: its vertices and normals are in the scene, in world axes
  CT_SHAPE_FLEX,   ///< surface of deformable `data`: its vertices and normals are in the scene, in world axes
  CT_SHAPE_LABEL,  ///< text alone
  CT_SHAPE_COUNT
} ctShape;

/// A thing to draw.
typedef struct ctItem {
  ctShape shape;      ///< its shape
  int data;           ///< mesh, height field or skin; -1: none
  int material;       ///< material whose textures it has; -1: none
  ctObjType type;     ///< kind of the object it belongs to; CT_OBJ_UNKNOWN: contacts
  int id;             ///< that object, or contact
  int body;           ///< body it moves with; 0: none
  bool mark;          ///< explains something (an arrow, a frame), rather than being a part of the model
  bool castshadow;    ///< throws shadows
  float pos[3];       ///< world axes, m
  float mat[9];       ///< orientation, row by row
  float size[3];      ///< see ctShape
  float rgba[4];      ///< colour
  float emission;     ///< part of the colour that is emitted
  float specular;     ///< strength of highlights
  float shininess;    ///< sharpness of highlights, 0 to 1
  float reflectance;  ///< strength of mirror images
  char label[CT_LABEL_MAX];  ///< text beside it, UTF-8, or ""
} ctItem;

/// A light.
typedef struct ctSceneLight {
  int id;                ///< light of the model; -1: the headlight
  bool directional;      ///< parallel rays along `dir`; else from `pos`
  bool spot;             ///< a cone about `dir`
  bool castshadow;       ///< throws shadows
  float pos[3];          ///< world axes, m
  float dir[3];          ///< unit vector
  float ambient[3];      ///< colour everywhere
  float diffuse[3];      ///< colour of what it shines on
  float specular[3];     ///< colour of highlights
  float attenuation[3];  ///< constant, linear, quadratic
  float cutoff;          ///< half angle of the cone, degrees
  float exponent;        ///< how a cone fades to its edge
} ctSceneLight;

/// A scene. Read its members; ct_scene_update() writes them.
typedef struct ctScene {
  const ctItem* items;         ///< what there is to draw: first the model (skins last), then marks
  int nitem;                   ///< how many
  const ctSceneLight* lights;  ///< lights that are on, the headlight first
  int nlight;                  ///< how many
  ctView view;                 ///< of the camera
  ctSceneOption option;        ///< what it was made with
  const int* body_item;        ///< items sorted by body
  const int* body_itemadr;     ///< where each body's begin in `body_item`, nbody + 1 numbers
  const float* skin_vert;      ///< vertices of skins, world axes: nskinvert rows of 3
  const float* skin_normal;    ///< their normals
  const float* flex_vert;      ///< vertices of deformables, world axes: nflexvert rows of 3
  const float* flex_normal;    ///< their normals, smooth
} ctScene;

/// Default options: what the lists say, groups 0 to 2.
CT_API void ct_scene_option_default(ctSceneOption* option);

/// Change an option by its name: a flag ("contactforce"), "frame:body", "label:geom", or a group
/// ("geomgroup:3").
/// @param on  whether to show it. `option`, `name` not NULL
/// @return CT_OK; CT_ERR_ARGUMENT when there is no such name, with the names that are in `err`
CT_API ctStatus ct_scene_option_set(ctSceneOption* option, const char* name, bool on, ctError* err);

/// The camera to begin with: that of `vis.global.cameraid`, else the free one that sees the whole model.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL). Thread-safe
CT_API ctStatus ct_camera_default(const ctModel* m, ctCamera* camera);

/// The camera a user means: a name or number of a camera of the model, "free", or "track:BODY".
/// @return CT_OK; CT_ERR_ARGUMENT when there is none, with the names that are in `err`. Thread-safe
CT_API ctStatus ct_camera_find(const ctModel* m, const char* name, ctCamera* camera, ctError* err);

/// What a camera sees. Needs positions. @return CT_OK or CT_ERR_ARGUMENT (NULL, no such camera or body)
/// @note Thread-safe while `d` is not written.
CT_API ctStatus ct_camera_view(const ctModel* m, const ctData* d, const ctCamera* camera, ctView* view);

/// A scene for a model, empty. It allocates with the model's allocator, and does not keep the model.
/// @param out  receives the scene, to be given to ct_scene_free(). Not NULL
/// @return CT_OK, CT_ERR_MEMORY or CT_ERR_ARGUMENT
CT_API ctStatus ct_scene_create(ctScene** out, const ctModel* m);

/// Free a scene. NULL is ignored.
CT_API void ct_scene_free(ctScene* scene);

/// List what there is to see. Needs positions; contacts, forces and readings are those `d` holds.
/// @param m       the model the scene was made for, or one of the same sizes
/// @param option  NULL: the default
/// @param camera  NULL: ct_camera_default()
/// @return CT_OK; CT_ERR_ARGUMENT (NULL, another model, no such camera); CT_ERR_MEMORY, the scene is empty
/// then
/// @note Scenes of one data may be made at the same time while `d` is not written.
CT_API ctStatus ct_scene_update(ctScene* scene, const ctModel* m, const ctData* d,
                                const ctSceneOption* option, const ctCamera* camera);

/// Whether an item that a program made, rather than a scene, can be drawn with a model: its shape is one,
/// what it refers to is there, its label ends. `item`, `m` not NULL. Thread-safe
CT_API bool ct_item_fits(const ctModel* m, const ctItem* item);

/// First item that belongs to an object, -1 for none. Marks do not count.
CT_API int ct_scene_find(const ctScene* scene, ctObjType type, int id);

#ifdef __cplusplus
}
#endif
