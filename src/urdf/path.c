// Where the files that a URDF names are.
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "urdf/read.h"

// Folders above that of the file in which a package is looked for.
#define LEVELS 12

#ifdef _WIN32
#define LIST_SEPARATOR ';'
#else
#define LIST_SEPARATOR ':'
#endif

typedef struct Search {
  ctiUrdf* u;
  const char *package, *rest;  // package NULL: a plain path
  size_t package_size;
  const char* found;
  bool failed;  // memory ran out
} Search;

// Take `folder`/`name` when there is such a file.
static bool try_file(Search* s, const char* folder, const char* name) {
  if (s->failed || s->found) return true;
  const char* path = cti_path_join(s->u->spec->region, folder, name);
  if (!path) {
    s->failed = true;
  } else if (cti_file_exists(s->u->spec->vfs, path)) {
    s->found = path;
  }
  return s->failed || s->found;
}

// The package inside a folder, or the folder that is the package.
static bool try_package(Search* s, const char* folder) {
  ctiRegion* region = s->u->spec->region;
  const char* name = cti_region_printf(region, "%.*s/%s", (int)s->package_size, s->package, s->rest);
  const char* plain = cti_path_normalise(region, folder);
  if (!name || !plain) return s->failed = true;
  if (try_file(s, folder, name)) return true;
  const char* base = cti_path_base(plain);
  bool same = strlen(base) == s->package_size && strncmp(base, s->package, s->package_size) == 0;
  return same && try_file(s, folder, s->rest);
}

// A list of folders as in an environment variable; `inside` is where packages are in each, "" for the folder.
static void try_list(Search* s, const char* list, const char* inside) {
  while (list && *list && !s->found && !s->failed) {
    const char* end = strchr(list, LIST_SEPARATOR);
    size_t size = end ? (size_t)(end - list) : strlen(list);
    const char* folder = cti_region_printf(s->u->spec->region, "%.*s/%s", (int)size, list, inside);
    if (!folder) s->failed = true;
    if (folder && size > 0) try_package(s, folder);
    list = end ? end + 1 : NULL;
  }
}

// The folder of the file and those above it.
static void walk_up(Search* s, bool by_package) {
  ctiRegion* region = s->u->spec->region;
  const char* folder = s->u->folder;
  for (int i = 0; i < LEVELS && !s->found && !s->failed; i++) {
    if (by_package) {
      try_package(s, folder);
    } else {
      try_file(s, folder, s->rest);
    }
    folder = cti_region_printf(region, "%s../", folder);
    if (!folder) s->failed = true;
    // text in memory has nothing above it on the disk
    if (cti_text_equal(s->u->spec->file, "<string>")) break;
  }
}

static bool take_scheme(const char** rest, const char* uri, const char* scheme) {
  if (!cti_text_starts(uri, scheme)) return false;
  *rest = uri + strlen(scheme);
  return true;
}

static void look(Search* s, const char* uri, const char* dir) {
  const ctiCompiler* c = &s->u->spec->compiler;
  // where MuJoCo looks
  const char* folder = cti_asset_folder(s->u->spec->region, c, dir);
  if (!folder) s->failed = true;
  if (s->failed || try_file(s, folder, c->strippath ? cti_path_base(uri) : uri)) return;
  if (take_scheme(&s->rest, uri, "package://") || take_scheme(&s->rest, uri, "model://")) {
    const char* slash = strchr(s->rest, '/');
    s->package = s->rest;
    s->package_size = slash ? (size_t)(slash - s->rest) : strlen(s->rest);
    s->rest = slash ? slash + 1 : "";
    try_list(s, s->u->opt.package_path, "");
    try_list(s, getenv("ROS_PACKAGE_PATH"), "");
    try_list(s, getenv("AMENT_PREFIX_PATH"), "share/");
    walk_up(s, true);
  } else if (!take_scheme(&s->rest, uri, "file://")) {
    s->rest = uri;
  }
  // the folder of a package may have been renamed; plain paths may start further up
  if (!s->found) walk_up(s, false);
}

ctStatus cti_urdf_find_file(ctiUrdf* u, const char** out, const ctiXml* e, const ctiXmlAttr* uri,
                            const char* dir) {
  if (!uri->value[0]) return cti_xml_error(u->err, CT_ERR_INVALID, e, uri, "the name of the file is empty");
  Search s = {.u = u};
  look(&s, uri->value, dir);
  if (s.failed) return cti_error_memory(u->err);
  if (!s.found) {
    return cti_xml_error(
        u->err, CT_ERR_NOT_FOUND, e, uri, "there is no file \"%s\"%s; it was looked for beside the model%s",
        uri->value, strstr(uri->value, "$(") || strstr(uri->value, "${") ? " (Xacro is not expanded)" : "",
        s.package ? ", in the package path of the options, in ROS_PACKAGE_PATH and in the "
                    "folders above: add the folder that has the package"
                  : " and in the folders above: correct the path");
  }
  *out = cti_path_relative(u->spec->region, u->folder, s.found);
  return *out ? cti_urdf_keep(u, out, *out) : cti_error_memory(u->err);
}
