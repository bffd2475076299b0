#include "xml/explain.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base/strings.h"

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
  const int n = (int)(sizeof(unfinished) / sizeof(unfinished[0]));
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
  // expat stops at '&' or behind it; what follows tells whether that is the trouble
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
  if (!f->open || !cti_xml_name_at(source, offset, found, sizeof(found))) {
    return report(err, CT_ERR_SYNTAX, source, f, "closing tag does not match the element that is open");
  }
  return report(err, CT_ERR_SYNTAX, source, f, "</%s> does not match <%s> opened at line %d", found, name,
                f->open->line);
}

static ctStatus explain_duplicate(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  char name[NAME_SIZE];
  if (!cti_xml_name_at(source, f->offset, name, sizeof(name))) {
    return report(err, CT_ERR_SYNTAX, source, f, "an attribute is given twice");
  }
  return report(err, CT_ERR_SYNTAX, source, f, "attribute \"%s\" is given twice", name);
}

// In an attribute expat stops at the beginning of the tag; the reference is looked for from there.
static ctStatus explain_entity(const ctiXmlSource* source, const ctiXmlFailure* f, ctError* err) {
  ctiXmlFailure at_reference = *f;
  char name[NAME_SIZE];
  if (!cti_xml_find_reference(source, &at_reference.offset, &at_reference.at) ||
      !cti_xml_name_at(source, at_reference.offset + 1, name, sizeof(name))) {
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
