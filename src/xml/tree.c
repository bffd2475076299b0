// Moving about in a parsed tree, and saying where one is.
#include <string.h>

#include "base/strings.h"
#include "xml/parse.h"

const ctiXmlAttr* cti_xml_find(const ctiXml* e, const char* name) {
  for (int i = 0; i < e->nattr; i++) {
    if (strcmp(e->attrs[i].name, name) == 0) return &e->attrs[i];
  }
  return NULL;
}

// `e` or the first sibling behind it that has the name.
static ctiXml* named(ctiXml* e, const char* name) {
  while (e && name && strcmp(e->name, name) != 0) e = e->next;
  return e;
}

ctiXml* cti_xml_child(const ctiXml* e, const char* name) {
  return named(e->first, name);
}

ctiXml* cti_xml_next(const ctiXml* e, const char* name) {
  return named(e->next, name);
}

ctiXml* cti_xml_walk(const ctiXml* e, const ctiXml* top) {
  if (e->first) return e->first;
  while (e != top && !e->next) e = e->parent;
  return e == top ? NULL : e->next;
}

// Put `text` in front of what is already at the end of the buffer. False when only its end had room.
static bool prepend(char* buffer, size_t* begin, const char* text) {
  size_t length = strlen(text), room = *begin;
  size_t kept = length < room ? length : room;
  *begin -= kept;
  memcpy(buffer + *begin, text + length - kept, kept);
  return kept == length;
}

char* cti_xml_path(const ctiXml* e, char* buffer, size_t size) {
  size_t begin = size - 1;
  bool whole = true;
  buffer[begin] = 0;
  for (; e && whole; e = e->parent) {
    const ctiXmlAttr* name = cti_xml_find(e, "name");
    if (name)
      whole = prepend(buffer, &begin, "]") && prepend(buffer, &begin, name->value) &&
              prepend(buffer, &begin, "[");
    whole = whole && prepend(buffer, &begin, e->name);
    if (e->parent) whole = whole && prepend(buffer, &begin, "/");
  }
  if (!whole) {
    begin += 3;
    while ((buffer[begin] & 0xc0) == 0x80) begin++;  // not in the middle of a character
    begin -= 3;
    memcpy(buffer + begin, "...", 3);
  }
  memmove(buffer, buffer + begin, size - begin);
  return buffer;
}

ctStatus cti_xml_error(ctError* err, ctStatus status, const ctiXml* e, const ctiXmlAttr* attr,
                       const char* format, ...) {
  if (!err) return status;
  char path[sizeof(err->element)];
  cti_xml_path(e, path, sizeof(path));
  int line = attr ? attr->line : e->line, column = attr ? attr->column : e->column;
  va_list args;
  va_start(args, format);
  cti_error_at_v(err, status, e->file, line, column, path, format, args);
  va_end(args);
  return status;
}
