#include "xml/source.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fn.h"
#include "base/strings.h"

// ---- positions

// expat says where a tag begins; the attributes are found by reading the tag again.

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
  for (int i = 0; i < CT_COUNT_OF(known); i++) {
    size_t n = strlen(known[i]);
    if ((size_t)(end - p) >= n && memcmp(p, known[i], n) == 0) return true;
  }
  return false;
}

// Move on from a place in the text to the next reference to an entity that XML itself does not define, such
// as &foo; but not &lt; or &#65;. False, and nothing moved, when there is none.
static bool find_reference(const ctiXmlSource* source, size_t* offset, ctiXmlPosition* at) {
  if (source->wide || *offset >= source->size) return false;
  Cursor c = {source->text + *offset, source->text + source->size, source->one_byte, *at};
  while (c.p < c.end && (*c.p != '&' || is_predefined(c.p, c.end))) step(&c);
  if (c.p == c.end) return false;
  *offset = (size_t)(c.p - source->text);
  *at = c.at;
  return true;
}

// Copy the name that stands at `offset`, made short enough to print; false if there is none.
static bool name_at(const ctiXmlSource* source, size_t offset, char* out, size_t size) {
  if (source->wide || offset >= source->size) return false;
  const char *begin = source->text + offset, *p = begin, *end = source->text + source->size;
  while (p < end && !ends_name(*p) && *p != ';') p++;
  cti_copy_head_sized(out, size, begin, (size_t)(p - begin));
  return p > begin;
}

// ---- text that strict XML refuses

// Where the scan is, and what was written so far.
typedef struct Mend {
  const char *at, *end;
  CTI_ARRAY(char) out;
  const ctAllocator* memory;
  bool changed, full;
} Mend;

static void put(Mend* m, const char* text, size_t size) {
  if (!m->full && cti_array_append(&m->out, m->memory, text, (int64_t)size) != CT_OK) m->full = true;
}

static void copy_to(Mend* m, const char* stop) {
  put(m, m->at, (size_t)(stop - m->at));
  m->at = stop;
}

static void put_instead(Mend* m, const char* text) {
  put(m, text, strlen(text));
  m->changed = true;
}

static bool starts(const Mend* m, const char* word) {
  size_t n = strlen(word);
  return (size_t)(m->end - m->at) >= n && memcmp(m->at, word, n) == 0;
}

// Behind the next `word`; the end when there is none.
static const char* behind(const char* from, const char* end, const char* word) {
  size_t n = strlen(word);
  for (const char* p = from; (size_t)(end - p) >= n; p++) {
    p = memchr(p, word[0], (size_t)(end - p) - n + 1);
    if (!p) return end;
    if (memcmp(p, word, n) == 0) return p + n;
  }
  return end;
}

static bool is_clean(const char* p, const char* end) {
  while (p < end) {
    int n = cti_xml_length(p, end);
    if (n == 0) return false;
    p += n;
  }
  return true;
}

// Blanks, with the same line breaks.
static void blank_to(Mend* m, const char* stop) {
  for (; m->at < stop; m->at++) put(m, *m->at == '\n' ? "\n" : " ", 1);
  m->changed = true;
}

static void comment(Mend* m) {
  const char* stop = behind(m->at + 4, m->end, "-->");
  const char *inner = m->at + 4, *inner_end = stop - 3;
  bool closed = stop - m->at >= 7 && memcmp(inner_end, "-->", 3) == 0;
  bool dashes =
      closed && inner_end > inner && (inner_end[-1] == '-' || behind(inner, inner_end, "--") < inner_end);
  if (closed && (dashes || !is_clean(inner, inner_end))) {
    blank_to(m, stop);
  } else {
    copy_to(m, stop);
  }
}

// The line <?xml ...?>: at the beginning, and with an encoding that is known, it stays.
static void declaration(Mend* m, bool first) {
  const char* stop = behind(m->at, m->end, "?>");
  static const char* const known[] = {"UTF-8",      "utf-8",      "UTF-16",  "utf-16",
                                      "ISO-8859-1", "iso-8859-1", "US-ASCII"};
  bool good = behind(m->at, stop, "encoding") == stop;
  for (int i = 0; i < CT_COUNT_OF(known); i++) good = good || behind(m->at, stop, known[i]) < stop;
  if (first && good) {
    copy_to(m, stop);
  } else {
    blank_to(m, stop);
  }
}

// A value in quotation marks, and the blank that must follow.
static void value(Mend* m) {
  const char mark = *m->at;
  const char* stop = memchr(m->at + 1, mark, (size_t)(m->end - m->at) - 1);
  if (!stop) stop = m->end;
  copy_to(m, stop < m->end ? stop + 1 : stop);
  if (m->at < m->end && !cti_is_space(*m->at) && !strchr("/>?", *m->at)) put_instead(m, " ");
}

static void tag(Mend* m) {
  while (m->at < m->end && *m->at != '>') {
    if (*m->at == '"' || *m->at == '\'') {
      value(m);
    } else {
      copy_to(m, m->at + 1);
    }
  }
  if (m->at < m->end) copy_to(m, m->at + 1);
}

ctStatus cti_xml_mend(const char** out, size_t* out_size, const char* text, size_t size, ctiRegion* region,
                      ctError* err) {
  Mend m = {.at = text, .end = text + size, .memory = cti_region_allocator(region)};
  *out = NULL;
  if (memchr(text, 0, size)) return CT_OK;  // not text, or not of one byte a letter
  if (starts(&m, "\xef\xbb\xbf")) copy_to(&m, m.at + 3);
  const char* first = m.at;
  while (m.at < m.end && !m.full) {
    if (starts(&m, "<!--")) {
      comment(&m);
    } else if (starts(&m, "<?xml")) {
      // after an element it is a mistake
      const char* p = first;
      while (p < m.at && cti_is_space(*p)) p++;
      if (p == m.at) {
        declaration(&m, m.at == first);
      } else {
        copy_to(&m, behind(m.at, m.end, "?>"));
      }
    } else if (starts(&m, "<![CDATA[")) {
      copy_to(&m, behind(m.at, m.end, "]]>"));
    } else if (starts(&m, "<!") || starts(&m, "<?")) {
      copy_to(&m, behind(m.at, m.end, ">"));
    } else if (*m.at == '<') {
      tag(&m);
    } else {
      const char* next = memchr(m.at, '<', (size_t)(m.end - m.at));
      copy_to(&m, next ? next : m.end);
    }
  }
  if (m.full) return cti_error_memory(err);
  if (!m.changed) return CT_OK;
  *out = m.out.data ? m.out.data : "";
  *out_size = (size_t)m.out.count;
  return CT_OK;
}

// ---- what expat complains about

enum { NAME_SIZE = 80 };  // bytes of a name shown in a message

CTI_PRINTF(5, 6)
static ctStatus report(ctError* err, ctStatus status, const ctiXmlSource* source, const ctiXmlFailure* f,
                       const char* format, ...) {
  char path[sizeof(err->element)] = "";
  if (f->open) cti_xml_path(f->open, path, sizeof(path));
  va_list args;
  va_start(args, format);
  cti_error_at_v(err, status, source->file, f->at.line, f->at.column, path, format, args);
  va_end(args);
  return status;
}

static bool text_at(const ctiXmlSource* source, size_t offset, const char* word) {
  size_t n = strlen(word);
  return offset <= source->size && source->size - offset >= n && memcmp(source->text + offset, word, n) == 0;
}

// The text ends although something is still open: an element, or a tag in the middle.
static ctStatus explain_end(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  static const struct {
    const char* start;
    const char* what;
  } unfinished[] = {{"<!--", "comment"},   {"<![CDATA[", "CDATA section"}, {"<!", "declaration"},
                    {"<?", "instruction"}, {"</", "closing tag"},          {"<", "tag"},
                    {"&", "reference"}};
  const int n = CT_COUNT_OF(unfinished);
  for (int i = 0; i < n && !source->wide; i++) {
    if (f->offset < source->size && text_at(source, f->offset, unfinished[i].start)) {
      return report(err, CT_ERR_SYNTAX, source, f,
                    "unexpected end of file: the %s that begins here is not complete", unfinished[i].what);
    }
  }
  if (f->open) {
    char name[NAME_SIZE];
    cti_copy_head(name, sizeof(name), f->open->name);
    return report(err, CT_ERR_SYNTAX, source, f,
                  "unexpected end of file: element <%s> opened at line %d is not closed", name,
                  f->open->line);
  }
  if (f->root) return report(err, CT_ERR_SYNTAX, source, f, "unexpected end of file");
  const char* p = source->text;
  while (p < source->text + source->size && cti_is_space(*p)) p++;
  bool blank = p == source->text + source->size;
  return report(
      err, CT_ERR_SYNTAX, source, f,
      blank ? "the text is empty: expected an XML element" : "unexpected end of file: there is no element");
}

// A character that cannot stand where it does.
static ctStatus explain_character(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  if (source->wide || f->offset >= source->size) {
    return report(err, CT_ERR_SYNTAX, source, f, "unexpected character");
  }
  unsigned char c = (unsigned char)source->text[f->offset];
  if (!f->root && !memchr(source->text, '<', f->offset + 1)) {
    return report(err, CT_ERR_SYNTAX, source, f, "this is not XML: expected '<'");
  }
  if (c == '<') {
    return report(
        err, CT_ERR_SYNTAX, source, f,
        "unexpected '<': a quotation mark or '>' is missing before it, or it should be written &lt;");
  }
  if (c == '&') return report(err, CT_ERR_SYNTAX, source, f, "unexpected '&': it should be written &amp;");
  if (c >= 0x80 && !source->one_byte) {
    return report(err, CT_ERR_SYNTAX, source, f, "byte 0x%02x: not allowed here, or the text is not UTF-8",
                  c);
  }
  if (c < 0x20 || c == 0x7f) return report(err, CT_ERR_SYNTAX, source, f, "byte 0x%02x is not allowed", c);
  // expat stops at '&' or behind it; what follows shows whether that is the trouble
  if (f->offset > 0 && source->text[f->offset - 1] == '&') {
    return report(err, CT_ERR_SYNTAX, source, f, "'&' before '%c': it should be written &amp;", c);
  }
  return report(err, CT_ERR_SYNTAX, source, f, "unexpected '%c'", c);
}

static ctStatus explain_mismatch(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  char found[NAME_SIZE], name[NAME_SIZE] = "";
  if (f->open) cti_copy_head(name, sizeof(name), f->open->name);
  // expat stops at the name or at the tag's beginning
  size_t offset = f->offset + (text_at(source, f->offset, "</") ? 2 : 0);
  if (!f->open || !name_at(source, offset, found, sizeof(found))) {
    return report(err, CT_ERR_SYNTAX, source, f, "closing tag does not match the element that is open");
  }
  return report(err, CT_ERR_SYNTAX, source, f, "</%s> does not match <%s> opened at line %d", found, name,
                f->open->line);
}

static ctStatus explain_duplicate(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  char name[NAME_SIZE];
  if (!name_at(source, f->offset, name, sizeof(name))) {
    return report(err, CT_ERR_SYNTAX, source, f, "an attribute is given twice");
  }
  return report(err, CT_ERR_SYNTAX, source, f, "attribute \"%s\" is given twice", name);
}

// In an attribute expat stops at the beginning of the tag; the reference is looked for from there.
static ctStatus explain_entity(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  ctiXmlFailure at_reference = *f;
  char name[NAME_SIZE];
  if (!find_reference(source, &at_reference.offset, &at_reference.at) ||
      !name_at(source, at_reference.offset + 1, name, sizeof(name))) {
    return report(err, CT_ERR_SYNTAX, source, f, "reference to an entity that is not defined");
  }
  return report(err, CT_ERR_SYNTAX, source, &at_reference, "entity &%s; is not defined", name);
}

static ctStatus explain_trailing(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  char name[NAME_SIZE];
  cti_copy_head(name, sizeof(name), f->root->name);
  return report(err, CT_ERR_SYNTAX, source, f, "unexpected text after the end of the root element <%s>",
                name);
}

ctStatus cti_xml_explain(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  if (f->code == XML_ERROR_NO_MEMORY) return cti_error_memory(err);
  switch (f->code) {
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR: return explain_end(source, f, err);
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
    case XML_ERROR_INVALID_TOKEN:
    case XML_ERROR_SYNTAX:
      return f->root && !f->open ? explain_trailing(source, f, err) : explain_character(source, f, err);
    case XML_ERROR_TAG_MISMATCH: return explain_mismatch(source, f, err);
    case XML_ERROR_DUPLICATE_ATTRIBUTE: return explain_duplicate(source, f, err);
    case XML_ERROR_UNDEFINED_ENTITY: return explain_entity(source, f, err);
    case XML_ERROR_BAD_CHAR_REF:
      return report(err, CT_ERR_SYNTAX, source, f,
                    "character reference to a character that XML does not allow");
    case XML_ERROR_MISPLACED_XML_PI:
      return report(err, CT_ERR_SYNTAX, source, f,
                    "the <?xml ...?> line must be the very beginning of the text");
    case XML_ERROR_XML_DECL:
      return report(err, CT_ERR_SYNTAX, source, f, "the <?xml ...?> line is malformed");
    case XML_ERROR_UNKNOWN_ENCODING:
      return report(err, CT_ERR_UNSUPPORTED, source, f,
                    "unknown encoding: use UTF-8, UTF-16, ISO-8859-1 or US-ASCII");
    case XML_ERROR_INCORRECT_ENCODING:
      return report(err, CT_ERR_SYNTAX, source, f,
                    "the encoding declared is not the one the text is written in");
    default:
      return report(err, CT_ERR_SYNTAX, source, f, "malformed XML: %s",
                    XML_ErrorString((enum XML_Error)f->code));
  }
}
