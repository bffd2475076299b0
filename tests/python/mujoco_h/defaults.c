// The values of every mjs_default*(), member by member.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static void show(const char* name, const double* x, int n) {
  printf("  %s", name);
  for (int i = 0; i < n; i++) {
    if (isnan(x[i]))
      printf(" none");
    else
      printf(" %.7g", x[i] + 0.0);
  }
  printf("\n");
}

#define SHOW(member, count)                                                \
  {                                                                        \
    double numbers[count];                                                 \
    for (int i = 0; i < (count); i++) numbers[i] = (double)(&x.member)[i]; \
    show(#member, numbers, count);                                         \
  }
#define SHOWN(member, count)                                            \
  {                                                                     \
    double numbers[count];                                              \
    for (int i = 0; i < (count); i++) numbers[i] = (double)x.member[i]; \
    show(#member, numbers, count);                                      \
  }

static void showOrientation(void) {
  mjsOrientation x;
  mjs_defaultOrientation(&x);
  printf("Orientation\n");
  SHOW(type, 1)
  SHOWN(axisangle, 4)
  SHOWN(xyaxes, 6)
  SHOWN(zaxis, 3)
  SHOWN(euler, 3)
}
static void showPlugin(void) {
  mjsPlugin x;
  mjs_defaultPlugin(&x);
  printf("Plugin\n");
  SHOW(active, 1)
}
static void showBody(void) {
  mjsBody x;
  mjs_defaultBody(&x);
  printf("Body\n");
  SHOWN(pos, 3)
  SHOWN(quat, 4)
  SHOW(alt.type, 1)
  SHOW(mass, 1)
  SHOWN(ipos, 3)
  SHOWN(iquat, 4)
  SHOWN(inertia, 3)
  SHOW(ialt.type, 1)
  SHOWN(fullinertia, 6)
  SHOW(mocap, 1)
  SHOW(gravcomp, 1)
  SHOW(sleep, 1)
  SHOW(simple, 1)
  SHOW(fuse, 1)
  SHOW(explicitinertial, 1)
  SHOW(plugin.active, 1)
}
static void showFrame(void) {
  mjsFrame x;
  mjs_defaultFrame(&x);
  printf("Frame\n");
  SHOWN(pos, 3)
  SHOWN(quat, 4)
  SHOW(alt.type, 1)
  SHOWN(scale, 3)
  SHOW(scaling, 1)
  SHOW(massscale, 1)
}
static void showJoint(void) {
  mjsJoint x;
  mjs_defaultJoint(&x);
  printf("Joint\n");
  SHOW(type, 1)
  SHOWN(pos, 3)
  SHOWN(axis, 3)
  SHOW(ref, 1)
  SHOW(align, 1)
  SHOWN(stiffness, mjNPOLY + 1)
  SHOW(springref, 1)
  SHOW(springyield, 1)
  SHOWN(springdamper, 2)
  SHOW(limited, 1)
  SHOWN(range, 2)
  SHOW(margin, 1)
  SHOWN(solref_limit, mjNREF)
  SHOWN(solimp_limit, mjNIMP)
  SHOW(actfrclimited, 1)
  SHOWN(actfrcrange, 2)
  SHOW(armature, 1)
  SHOWN(damping, mjNPOLY + 1)
  SHOW(frictionloss, 1)
  SHOWN(solref_friction, mjNREF)
  SHOWN(solimp_friction, mjNIMP)
  SHOW(group, 1)
  SHOW(actgravcomp, 1)
}
static void showGeom(void) {
  mjsGeom x;
  mjs_defaultGeom(&x);
  printf("Geom\n");
  SHOW(type, 1)
  SHOWN(pos, 3)
  SHOWN(quat, 4)
  SHOW(alt.type, 1)
  SHOWN(fromto, 6)
  SHOWN(size, 3)
  SHOW(contype, 1)
  SHOW(conaffinity, 1)
  SHOW(condim, 1)
  SHOW(priority, 1)
  SHOWN(friction, 3)
  SHOW(solmix, 1)
  SHOWN(solref, mjNREF)
  SHOWN(solimp, mjNIMP)
  SHOW(margin, 1)
  SHOW(gap, 1)
  SHOWN(surfacevel, 6)
  SHOW(adhesion, 1)
  SHOW(mass, 1)
  SHOW(density, 1)
  SHOW(typeinertia, 1)
  SHOW(fluid_ellipsoid, 1)
  SHOWN(fluid_coefs, 5)
  SHOWN(rgba, 4)
  SHOW(group, 1)
  SHOW(castshadow, 1)
  SHOW(fitscale, 1)
  SHOW(plugin.active, 1)
}
static void showSite(void) {
  mjsSite x;
  mjs_defaultSite(&x);
  printf("Site\n");
  SHOWN(pos, 3)
  SHOWN(quat, 4)
  SHOW(alt.type, 1)
  SHOWN(fromto, 6)
  SHOWN(size, 3)
  SHOW(type, 1)
  SHOW(group, 1)
  SHOWN(rgba, 4)
}
static void showCamera(void) {
  mjsCamera x;
  mjs_defaultCamera(&x);
  printf("Camera\n");
  SHOWN(pos, 3)
  SHOWN(quat, 4)
  SHOW(alt.type, 1)
  SHOW(mode, 1)
  SHOW(proj, 1)
  SHOWN(resolution, 2)
  SHOW(output, 1)
  SHOW(fovy, 1)
  SHOW(ipd, 1)
  SHOWN(intrinsic, 4)
  SHOWN(sensor_size, 2)
  SHOWN(focal_length, 2)
  SHOWN(focal_pixel, 2)
  SHOWN(principal_length, 2)
  SHOWN(principal_pixel, 2)
}
static void showLight(void) {
  mjsLight x;
  mjs_defaultLight(&x);
  printf("Light\n");
  SHOWN(pos, 3)
  SHOWN(dir, 3)
  SHOW(mode, 1)
  SHOW(active, 1)
  SHOW(type, 1)
  SHOW(castshadow, 1)
  SHOW(bulbradius, 1)
  SHOW(intensity, 1)
  SHOW(range, 1)
  SHOWN(attenuation, 3)
  SHOW(cutoff, 1)
  SHOW(softness, 1)
  SHOW(exponent, 1)
  SHOWN(ambient, 3)
  SHOWN(diffuse, 3)
  SHOWN(specular, 3)
}
static void showFlex(void) {
  mjsFlex x;
  mjs_defaultFlex(&x);
  printf("Flex\n");
  SHOW(contype, 1)
  SHOW(conaffinity, 1)
  SHOW(condim, 1)
  SHOW(priority, 1)
  SHOWN(friction, 3)
  SHOW(solmix, 1)
  SHOWN(solref, mjNREF)
  SHOWN(solimp, mjNIMP)
  SHOW(margin, 1)
  SHOW(gap, 1)
  SHOW(dim, 1)
  SHOW(radius, 1)
  SHOWN(size, 3)
  SHOW(flatskin, 1)
  SHOW(selfcollide, 1)
  SHOW(passive, 1)
  SHOW(activelayers, 1)
  SHOW(group, 1)
  SHOW(edgestiffness, 1)
  SHOW(edgedamping, 1)
  SHOWN(rgba, 4)
  SHOW(young, 1)
  SHOW(poisson, 1)
  SHOW(shear, 1)
  SHOW(damping, 1)
  SHOW(thickness, 1)
  SHOWN(stressyield, 2)
  SHOW(elastic2d, 1)
  SHOW(elastic3d, 1)
  SHOW(section, 1)
  SHOWN(sectionsize, 2)
  SHOWN(cellcount, 3)
  SHOW(order, 1)
}
static void showMesh(void) {
  mjsMesh x;
  mjs_defaultMesh(&x);
  printf("Mesh\n");
  SHOWN(refpos, 3)
  SHOWN(refquat, 4)
  SHOWN(scale, 3)
  SHOW(inertia, 1)
  SHOW(smoothnormal, 1)
  SHOW(needsdf, 1)
  SHOW(maxhullvert, 1)
  SHOW(plugin.active, 1)
  SHOW(octree_maxdepth, 1)
}
static void showHField(void) {
  mjsHField x;
  mjs_defaultHField(&x);
  printf("HField\n");
  SHOWN(size, 4)
  SHOW(nrow, 1)
  SHOW(ncol, 1)
}
static void showSkin(void) {
  mjsSkin x;
  mjs_defaultSkin(&x);
  printf("Skin\n");
  SHOWN(rgba, 4)
  SHOW(inflate, 1)
  SHOW(group, 1)
}
static void showTexture(void) {
  mjsTexture x;
  mjs_defaultTexture(&x);
  printf("Texture\n");
  SHOW(type, 1)
  SHOW(colorspace, 1)
  SHOW(builtin, 1)
  SHOW(mark, 1)
  SHOWN(rgb1, 3)
  SHOWN(rgb2, 3)
  SHOWN(markrgb, 3)
  SHOW(random, 1)
  SHOW(height, 1)
  SHOW(width, 1)
  SHOW(nchannel, 1)
  SHOWN(gridsize, 2)
  SHOWN(gridlayout, 12)
  SHOW(hflip, 1)
  SHOW(vflip, 1)
  SHOW(embed, 1)
}
static void showMaterial(void) {
  mjsMaterial x;
  mjs_defaultMaterial(&x);
  printf("Material\n");
  SHOW(texuniform, 1)
  SHOWN(texrepeat, 2)
  SHOW(emission, 1)
  SHOW(specular, 1)
  SHOW(shininess, 1)
  SHOW(reflectance, 1)
  SHOW(metallic, 1)
  SHOW(roughness, 1)
  SHOWN(rgba, 4)
}
static void showPair(void) {
  mjsPair x;
  mjs_defaultPair(&x);
  printf("Pair\n");
  SHOW(condim, 1)
  SHOWN(solref, mjNREF)
  SHOWN(solreffriction, mjNREF)
  SHOWN(solimp, mjNIMP)
  SHOW(margin, 1)
  SHOW(gap, 1)
  SHOW(adhesion, 1)
  SHOWN(friction, 5)
}
static void showEquality(void) {
  mjsEquality x;
  mjs_defaultEquality(&x);
  printf("Equality\n");
  SHOW(type, 1)
  SHOWN(data, mjNEQDATA)
  SHOW(active, 1)
  SHOW(objtype, 1)
  SHOWN(solref, mjNREF)
  SHOWN(solimp, mjNIMP)
}
static void showTendon(void) {
  mjsTendon x;
  mjs_defaultTendon(&x);
  printf("Tendon\n");
  SHOWN(stiffness, mjNPOLY + 1)
  SHOWN(springlength, 2)
  SHOW(springyield, 1)
  SHOWN(damping, mjNPOLY + 1)
  SHOW(frictionloss, 1)
  SHOWN(solref_friction, mjNREF)
  SHOWN(solimp_friction, mjNIMP)
  SHOW(armature, 1)
  SHOW(limited, 1)
  SHOW(actfrclimited, 1)
  SHOWN(range, 2)
  SHOWN(actfrcrange, 2)
  SHOW(margin, 1)
  SHOWN(solref_limit, mjNREF)
  SHOWN(solimp_limit, mjNIMP)
  SHOW(width, 1)
  SHOWN(rgba, 4)
  SHOW(group, 1)
}
static void showActuator(void) {
  mjsActuator x;
  mjs_defaultActuator(&x);
  printf("Actuator\n");
  SHOW(type, 1)
  SHOW(gaintype, 1)
  SHOWN(gainprm, mjNGAIN)
  SHOW(biastype, 1)
  SHOWN(biasprm, mjNBIAS)
  SHOW(dyntype, 1)
  SHOWN(dynprm, mjNDYN)
  SHOW(actdim, 1)
  SHOW(ctrlspec, 1)
  SHOWN(velrange, 2)
  SHOWN(ffrange, 2)
  SHOW(actearly, 1)
  SHOW(trntype, 1)
  SHOWN(gear, 6)
  SHOW(cranklength, 1)
  SHOWN(lengthrange, 2)
  SHOW(inheritrange, 1)
  SHOWN(damping, mjNPOLY + 1)
  SHOW(armature, 1)
  SHOW(ctrllimited, 1)
  SHOWN(ctrlrange, 2)
  SHOW(forcelimited, 1)
  SHOWN(forcerange, 2)
  SHOW(actlimited, 1)
  SHOWN(actrange, 2)
  SHOW(group, 1)
  SHOW(nsample, 1)
  SHOW(interp, 1)
  SHOW(delay, 1)
  SHOW(plugin.active, 1)
}
static void showSensor(void) {
  mjsSensor x;
  mjs_defaultSensor(&x);
  printf("Sensor\n");
  SHOW(type, 1)
  SHOW(objtype, 1)
  SHOW(reftype, 1)
  SHOWN(intprm, mjNSENS)
  SHOW(datatype, 1)
  SHOW(needstage, 1)
  SHOW(dim, 1)
  SHOW(cutoff, 1)
  SHOW(noise, 1)
  SHOW(nsample, 1)
  SHOW(interp, 1)
  SHOW(delay, 1)
  SHOWN(interval, 2)
  SHOW(plugin.active, 1)
}
static void showNumeric(void) {
  mjsNumeric x;
  mjs_defaultNumeric(&x);
  printf("Numeric\n");
  SHOW(size, 1)
}
static void showText(void) {
  mjsText x;
  mjs_defaultText(&x);
  printf("Text\n");
}
static void showTuple(void) {
  mjsTuple x;
  mjs_defaultTuple(&x);
  printf("Tuple\n");
}
static void showKey(void) {
  mjsKey x;
  mjs_defaultKey(&x);
  printf("Key\n");
  SHOW(time, 1)
}

int main(void) {
  showOrientation();
  showPlugin();
  showBody();
  showFrame();
  showJoint();
  showGeom();
  showSite();
  showCamera();
  showLight();
  showFlex();
  showMesh();
  showHField();
  showSkin();
  showTexture();
  showMaterial();
  showPair();
  showEquality();
  showTendon();
  showActuator();
  showSensor();
  showNumeric();
  showText();
  showTuple();
  showKey();
  mjSpec x;
  mjs_defaultSpec(&x);
  SHOW(compiler.autolimits, 1)
  SHOW(compiler.boundmass, 1)
  SHOW(compiler.boundinertia, 1)
  SHOW(compiler.settotalmass, 1)
  SHOW(compiler.balanceinertia, 1)
  SHOW(compiler.fitaabb, 1)
  SHOW(compiler.degree, 1)
  SHOWN(compiler.eulerseq, 3)
  SHOW(compiler.discardvisual, 1)
  SHOW(compiler.usethread, 1)
  SHOW(compiler.fusestatic, 1)
  SHOW(compiler.inertiafromgeom, 1)
  SHOWN(compiler.inertiagrouprange, 2)
  SHOW(compiler.saveinertial, 1)
  SHOW(compiler.savecompiled, 1)
  SHOW(compiler.savecanonical, 1)
  SHOW(compiler.alignfree, 1)
  SHOW(compiler.conflict, 1)
  SHOW(compiler.passthrough, 1)
  SHOW(compiler.LRopt.mode, 1)
  SHOW(compiler.LRopt.useexisting, 1)
  SHOW(compiler.LRopt.uselimit, 1)
  SHOW(compiler.LRopt.accel, 1)
  SHOW(compiler.LRopt.maxforce, 1)
  SHOW(compiler.LRopt.timeconst, 1)
  SHOW(compiler.LRopt.timestep, 1)
  SHOW(compiler.LRopt.inttotal, 1)
  SHOW(compiler.LRopt.interval, 1)
  SHOW(compiler.LRopt.tolrange, 1)
  SHOW(strippath, 1)
  SHOW(nuserdata, 1)
  SHOW(nuser_body, 1)
  SHOW(nuser_jnt, 1)
  SHOW(nuser_geom, 1)
  SHOW(nuser_site, 1)
  SHOW(nuser_cam, 1)
  SHOW(nuser_tendon, 1)
  SHOW(nuser_actuator, 1)
  SHOW(nuser_sensor, 1)
  SHOW(nkey, 1)
  SHOW(njmax, 1)
  SHOW(nconmax, 1)
  SHOW(option.timestep, 1)
  SHOW(option.impratio, 1)
  SHOW(option.tolerance, 1)
  SHOWN(option.gravity, 3)
  SHOWN(option.wind, 3)
  SHOWN(option.magnetic, 3)
  SHOW(option.density, 1)
  SHOW(option.viscosity, 1)
  SHOW(option.integrator, 1)
  SHOW(option.cone, 1)
  SHOW(option.jacobian, 1)
  SHOW(option.solver, 1)
  SHOW(option.iterations, 1)
  SHOW(option.disableflags, 1)
  SHOW(option.enableflags, 1)
  SHOW(visual.global.fovy, 1)
  SHOW(visual.global.offwidth, 1)
  SHOW(visual.quality.shadowsize, 1)
  SHOWN(visual.headlight.ambient, 3)
  SHOW(visual.headlight.active, 1)
  SHOW(visual.map.zfar, 1)
  SHOW(visual.scale.com, 1)
  SHOWN(visual.rgba.fog, 4)
  SHOW(stat.meaninertia, 1)
  SHOWN(stat.center, 3)
  SHOW(stat.extent, 1)
}
