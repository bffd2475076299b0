// The programs of the driver. Positions, normals and lights are in world axes.
#pragma once

// clang-format off
#define SHADER_VERSION "#version 330 core\n"

// A corner of a shape of unit size goes to its place. `end` moves the halves of a capsule apart. What a
// program does not use of it, the driver leaves out.
static const char vertex_shader[] =
  "layout(location = 0) in vec4 corner;\n"
  "layout(location = 1) in vec3 corner_normal;\n"
  "layout(location = 2) in vec2 corner_uv;\n"
  "uniform mat4 project;\n"
  "uniform mat3 turn;\n"
  "uniform vec3 place, scale, offset, look;\n"
  "uniform vec3 eye;\n"
  "uniform vec4 clip;\n"
  "uniform float half_length;\n"
  "uniform int texture_kind;  // 1 by coordinates, 2 over x and y, 3 cube\n"
  "uniform bool texture_unit;\n"
  "uniform vec2 texture_repeat;\n"
  "out vec3 at, normal, texel;\n"
  "out float depth;\n"
  "void main() {\n"
  "  vec3 local = corner.xyz * scale + vec3(0, 0, corner.w * half_length) + offset;\n"
  "  at = turn * local + place;\n"
  "  normal = turn * (corner_normal / scale);\n"
  "  texel = texture_unit ? corner.xyz + vec3(0, 0, corner.w) : local;\n"
  "  if (texture_kind == 2) texel.xy = vec2(0.5, -0.5) * texture_repeat * texel.xy + 0.5;\n"
  "  if (texture_kind == 1) {\n"
  "    vec3 n = abs(corner_normal);\n"
  "    vec2 side = n.z > 0.7 ? scale.xy : n.y > 0.7 ? scale.xz : scale.yz;\n"
  "    texel.xy = texture_repeat * corner_uv * (texture_unit ? vec2(1) : side);\n"
  "  }\n"
  "  depth = dot(at - eye, look);\n"
  "  gl_ClipDistance[0] = dot(vec4(at, 1), clip);\n"
  "  gl_Position = project * vec4(at, 1);\n"
  "}\n";

// Depth alone, for shadows.
static const char shadow_shader[] =
  "void main() {}\n";

// Distance along the look, and the number of the item.
static const char measure_shader[] =
  "in float depth;\n"
  "uniform int number;\n"
  "layout(location = 0) out float metres;\n"
  "layout(location = 1) out int item;\n"
  "void main() { metres = depth; item = number; }\n";

// Colour: texture, lights with their shadows, mirror image, haze, fog. Software runs what a condition leaves
// out, too, and a loop once more than it is needed: so there is a program for each combination of what costs,
// and its lights are written one by one. ADD_LIGHTS is
//   add_light(0, of a point, a cone, fades, throws shadows) add_light(1, ...
static const char color_shader[] =
  "in vec3 at, normal, texel;\n"
  "struct Light {\n"
  "  vec4 pos;          // w: 0 parallel rays, 1 from a point\n"
  "  vec4 dir;          // w: cosine of the half angle of a cone, -2: no cone\n"
  "  vec4 ambient;      // w: exponent\n"
  "  vec4 diffuse;      // w: layer of the shadow map, -1: none\n"
  "  vec4 specular;     // w: how far from a surface its shadow is looked up\n"
  "  vec4 attenuation;\n"
  "  vec4 part;         // of the shadow map: low and high corner\n"
  "  mat4 shadow;       // from the world to the shadow map\n"
  "};\n"
  "layout(std140) uniform Lights { Light lights[100]; };\n"
  "uniform int light_count;\n"
  "uniform vec4 rgba;\n"
  "uniform vec4 surface;      // emission, specular, shininess, reflectance\n"
  "uniform vec3 eye;\n"
  "uniform bool orthographic;\n"
  "uniform vec3 look;\n"
  "uniform sampler2D flat_texture;\n"
  "uniform samplerCube cube_texture;\n"
  "uniform sampler2DArrayShadow shadows;\n"
  "uniform sampler2D mirror;\n"
  "uniform vec2 picture;\n"
  "uniform vec4 fog_colour, haze_colour;\n"
  "uniform vec2 fog_range, haze_range;\n"
  "uniform bool two_sided;\n"
  "layout(location = 0) out vec4 colour;\n"
  "vec3 n, to_eye, glow = vec3(0), shine = vec3(0);  // glow takes the colour of the surface\n"
  "float lit(int i) {\n"
  "  vec4 p = lights[i].shadow * vec4(at + n * lights[i].specular.w, 1);\n"
  "  vec3 q = p.xyz / p.w;\n"
  "  return texture(shadows, vec4(clamp(q.xy, lights[i].part.xy, lights[i].part.zw), lights[i].diffuse.w, q.z));\n"
  "}\n"
  "void add_light(int i, bool point, bool cone, bool fades, bool shadow) {\n"
  "  vec3 to_light = point ? lights[i].pos.xyz - at : -lights[i].dir.xyz;\n"
  "  float fade = 1.0;\n"
  "  if (point) {\n"
  "    float d = length(to_light);\n"
  "    to_light /= max(d, 1e-9);\n"
  "    if (fades) fade = 1.0 / max(lights[i].attenuation.x + lights[i].attenuation.y * d + lights[i].attenuation.z * d * d, 1e-6);\n"
  "  }\n"
  "  if (cone) {\n"
  "    float c = dot(-to_light, lights[i].dir.xyz);\n"
  "    fade *= c < lights[i].dir.w ? 0.0 : pow(max(c, 0.0), lights[i].ambient.w);\n"
  "  }\n"
  "  glow += fade * lights[i].ambient.rgb;\n"
  "  float facing = dot(n, to_light);\n"
  "  fade = facing > 0.0 ? fade : 0.0;\n"
  "  if (shadow) fade *= lit(i);\n"
  "  glow += fade * facing * lights[i].diffuse.rgb;\n"
  "  float h = max(dot(n, normalize(to_light + to_eye)), 0.0);\n"
  "  shine += fade * surface.y * pow(h, max(128.0 * surface.z, 1.0)) * lights[i].specular.rgb;\n"
  "}\n"
  "void main() {\n"
  "  vec4 base = rgba;\n"
  "#ifdef WITH_FLAT\n"
  "  base *= texture(flat_texture, texel.xy);\n"
  "#endif\n"
  "#ifdef WITH_CUBE\n"
  "  base *= texture(cube_texture, texel);\n"
  "#endif\n"
  "  n = normalize(normal);\n"
  "  to_eye = orthographic ? -look : normalize(eye - at);\n"
  "  if (two_sided && dot(n, to_eye) < 0.0) n = -n;\n"
  "  ADD_LIGHTS\n"
  "#ifdef WITH_MORE\n"
  "  for (int i = UNROLLED; i < light_count; i++) add_light(i, lights[i].pos.w > 0.0, lights[i].dir.w > -1.5, true, lights[i].diffuse.w >= 0.0);\n"
  "#endif\n"
  "  vec3 sum = min((surface.x + glow) * base.rgb + shine, vec3(1));\n"
  "#ifdef WITH_MIRROR\n"
  "  vec3 image = texture(mirror, gl_FragCoord.xy / picture).rgb;\n"
  "  sum = min(sum + surface.w * image, vec3(1));\n"
  "#endif\n"
  "#ifdef WITH_HAZE\n"
  "  float far = clamp((length(at - eye) - haze_range.x) / (haze_range.y - haze_range.x), 0.0, 1.0);\n"
  "  sum = mix(sum, haze_colour.rgb, far * haze_colour.a);\n"
  "#endif\n"
  "#ifdef WITH_FOG\n"
  "  float deep = clamp((dot(at - eye, look) - fog_range.x) / (fog_range.y - fog_range.x), 0.0, 1.0);\n"
  "  sum = mix(sum, fog_colour.rgb, deep);\n"
  "#endif\n"
  "  colour = vec4(sum, base.a);\n"
  "}\n";

// The sky: a triangle over the whole picture, and the direction of each pixel.
static const char sky_vertex_shader[] =
  "uniform vec3 forward, right, up;\n"
  "out vec3 way;\n"
  "void main() {\n"
  "  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
  "  way = forward + p.x * right + p.y * up;\n"
  "  gl_ClipDistance[0] = 1.0;\n"
  "  gl_Position = vec4(p, 1.0, 1.0);\n"
  "}\n";
static const char sky_shader[] =
  "in vec3 way;\n"
  "uniform samplerCube cube_texture;\n"
  "layout(location = 0) out vec4 colour;\n"
  "void main() { colour = vec4(texture(cube_texture, vec3(way.x, way.z, -way.y)).rgb, 1); }\n";
// clang-format on
