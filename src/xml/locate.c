#include "xml/locate.h"

#include <string.h>

#include "base/strings.h"

ctiXmlSource cti_xml_source(const char* text, size_t size, const char* file) {
  ctiXmlSource source = {.text = text, .size = size, .file = file};
  if (size >= 2) {
    const unsigned char a = (unsigned char)text[0], b = (unsigned char)text[1];
    source.wide =
        (a == 0xfe && b == 0xff) || (a == 0xff && b == 0xfe) || (a == '<' && b == 0) || (a == 0 && b == '<');
  }
  return source;
}

// A place in the text, and its position as an editor shows it.
typedef struct Cursor {
  const char* p;
  const char* end;
  bool one_byte;
  ctiXmlPosition at;
} Cursor;

static void step(Cursor* c) {
  bool line_end = *c->p == '\n' || (*c->p == '\r' && (c->p + 1 == c->end || c->p[1] != '\n'));
  c->p++;
  if (line_end) {
    c->at.line++;
    c->at.column = 1;
    return;
  }
  bool inside_character = !c->one_byte && c->p < c->end && (*c->p & 0xc0) == 0x80;
  if (!inside_character) c->at.column++;
}

static void skip_space(Cursor* c) {
  while (c->p < c->end && cti_is_space(*c->p)) step(c);
}

static bool ends_name(char c) {
  return cti_is_space(c) || c == '=' || c == '/' || c == '>' || c == '<' || c == '"' || c == '\'' || c == 0;
}

static void skip_name(Cursor* c) {
  while (c->p < c->end && !ends_name(*c->p)) step(c);
}

// Over ' = "value"'.
static void skip_value(Cursor* c) {
  while (c->p < c->end && *c->p != '"' && *c->p != '\'') step(c);
  if (c->p == c->end) return;
  char quote = *c->p;
  step(c);
  while (c->p < c->end && *c->p != quote) step(c);
  if (c->p < c->end) step(c);
}

void cti_xml_locate_attrs(const ctiXmlSource* source, size_t offset, ctiXml* e, int n) {
  if (source->wide || offset >= source->size) return;
  Cursor c = {source->text + offset, source->text + source->size, source->one_byte, {e->line, e->column}};
  step(&c);  // '<'
  skip_name(&c);
  for (int i = 0; i < n; i++) {
    skip_space(&c);
    e->attrs[i].line = c.at.line;
    e->attrs[i].column = c.at.column;
    skip_name(&c);
    skip_value(&c);
  }
}

static bool is_predefined(const char* p, const char* end) {
  static const char* const known[] = {"&#", "&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (int i = 0; i < (int)(sizeof(known) / sizeof(known[0])); i++) {
    size_t n = strlen(known[i]);
    if ((size_t)(end - p) >= n && memcmp(p, known[i], n) == 0) return true;
  }
  return false;
}

bool cti_xml_find_reference(const ctiXmlSource* source, size_t* offset, ctiXmlPosition* at) {
  if (source->wide || *offset >= source->size) return false;
  Cursor c = {source->text + *offset, source->text + source->size, source->one_byte, *at};
  while (c.p < c.end && (*c.p != '&' || is_predefined(c.p, c.end))) step(&c);
  if (c.p == c.end) return false;
  *offset = (size_t)(c.p - source->text);
  *at = c.at;
  return true;
}

bool cti_xml_name_at(const ctiXmlSource* source, size_t offset, char* out, size_t size) {
  if (source->wide || offset >= source->size) return false;
  const char *begin = source->text + offset, *p = begin, *end = source->text + source->size;
  while (p < end && !ends_name(*p) && *p != ';') p++;
  cti_copy_head_sized(out, size, begin, (size_t)(p - begin));
  return p > begin;
}
