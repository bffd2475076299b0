#include "xml/parse.h"

#include <expat.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fn.h"
#include "base/strings.h"
#include "xml/source.h"

// ---- moving about in a parsed tree, and saying where one is

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

// ---- parsing

// An element that is not closed yet.
typedef struct Open {
  ctiXml* element;
  ctiXml* last;     // its newest child
  int text_offset;  // where its text begins in Parse.text
} Open;

typedef struct Parse {
  XML_Parser expat;
  const ctAllocator* allocator;
  ctiXmlLimits limits;
  ctiXmlSource source;
  ctiXmlDoc* doc;
  ctiStrings names;      // of elements and attributes: few differ
  CTI_ARRAY(Open) open;  // from the root inwards
  CTI_ARRAY(char) text;  // of all open elements, outer before inner
  ctStatus status;       // first failure of a handler
  ctError* err;
} Parse;

// ---- failures inside handlers: noted once, then expat stops

static void stop(Parse* p, ctStatus status) {
  p->status = status;
  XML_StopParser(p->expat, XML_FALSE);
}

static void stop_memory(Parse* p) {
  stop(p, cti_error_memory(p->err));
}

static ctiXmlPosition position(const Parse* p) {
  return (ctiXmlPosition){(int)XML_GetCurrentLineNumber(p->expat),
                          (int)XML_GetCurrentColumnNumber(p->expat) + 1};
}

CTI_PRINTF(3, 4) static void stop_here(Parse* p, ctStatus status, const char* format, ...) {
  char path[sizeof(p->err->element)] = "";
  if (p->open.count > 0) cti_xml_path(p->open.data[p->open.count - 1].element, path, sizeof(path));
  ctiXmlPosition at = position(p);
  va_list args;
  va_start(args, format);
  stop(p, cti_error_at_v(p->err, status, p->source.file, at.line, at.column, path, format, args));
  va_end(args);
}

// ---- elements

enum { NAMES_SHARED = 1024 };

// The tree's copy of a name. Only so many are shared: a file with more is not ours, and might have chosen
// names that all fall into one place of the table.
static const char* copy_name(Parse* p, const char* name) {
  size_t size = strlen(name);
  bool share = p->names.map.count < NAMES_SHARED || cti_names_lookup(&p->names.map, name, size);
  return share ? cti_intern_sized(&p->names, name, size) : cti_region_strndup(p->doc->region, name, size);
}

static int count_attrs(const XML_Char** attrs) {
  int n = 0;
  while (attrs[2 * n]) n++;
  return n;
}

// Copy names and values into the tree; false when memory runs out.
static bool copy_attrs(Parse* p, ctiXml* e, const XML_Char** attrs, int n) {
  if (n == 0) return true;
  e->attrs = CTI_NEW_ARRAY(p->doc->region, ctiXmlAttr, n);
  if (!e->attrs) return false;
  for (int i = 0; i < n; i++) {
    ctiXmlAttr* attr = &e->attrs[i];
    attr->name = copy_name(p, attrs[2 * i]);
    attr->value = cti_region_strdup(p->doc->region, attrs[2 * i + 1]);
    attr->line = e->line;
    attr->column = e->column;
    if (!attr->name || !attr->value) return false;
  }
  e->nattr = n;
  // Attributes that a DTD adds stand nowhere in the text; they come last and keep the element's position.
  int written = XML_GetSpecifiedAttributeCount(p->expat) / 2;
  cti_xml_locate_attrs(&p->source, (size_t)XML_GetCurrentByteIndex(p->expat), e, written);
  return true;
}

static void link_element(Parse* p, ctiXml* e) {
  if (p->open.count == 0) {
    p->doc->root = e;
    return;
  }
  Open* parent = &p->open.data[p->open.count - 1];
  e->parent = parent->element;
  if (parent->last) {
    parent->last->next = e;
  } else {
    parent->element->first = e;
  }
  parent->last = e;
}

static void XMLCALL on_start(void* context, const XML_Char* name, const XML_Char** attrs) {
  Parse* p = (Parse*)context;
  if (p->status != CT_OK) return;
  int nattr = count_attrs(attrs);
  if (p->open.count >= p->limits.depth) {
    stop_here(p, CT_ERR_LIMIT, "elements are nested more than %d deep", p->limits.depth);
    return;
  }
  if (p->doc->count >= p->limits.elements) {
    stop_here(p, CT_ERR_LIMIT, "more than %d elements", p->limits.elements);
    return;
  }
  if (nattr > p->limits.attrs) {
    stop_here(p, CT_ERR_LIMIT, "element <%s> has %d attributes, the limit is %d", name, nattr,
              p->limits.attrs);
    return;
  }

  ctiXml* e = CTI_NEW(p->doc->region, ctiXml);
  if (!e) {
    stop_memory(p);
    return;
  }
  ctiXmlPosition at = position(p);
  e->line = at.line;
  e->column = at.column;
  e->file = p->source.file;
  e->name = copy_name(p, name);
  if (!e->name || !copy_attrs(p, e, attrs, nattr)) {
    stop_memory(p);
    return;
  }
  link_element(p, e);
  p->doc->count++;
  Open open = {e, NULL, p->text.count};
  if (cti_array_push(&p->open, p->allocator, open) != CT_OK) stop_memory(p);
}

static void XMLCALL on_end(void* context, const XML_Char* name) {
  (void)name;  // expat has checked it
  Parse* p = (Parse*)context;
  if (p->status != CT_OK) return;
  const Open* open = &p->open.data[--p->open.count];
  int begin = open->text_offset, end = p->text.count;
  p->text.count = begin;  // what is behind belongs to this element; the parent's text goes on here
  while (end > begin && cti_is_space(p->text.data[end - 1])) end--;
  if (end == begin) return;
  ctiXml* e = open->element;
  e->text_size = (size_t)(end - begin);
  e->text = cti_region_strndup(p->doc->region, p->text.data + begin, e->text_size);
  if (!e->text) stop_memory(p);
}

static void XMLCALL on_text(void* context, const XML_Char* text, int size) {
  Parse* p = (Parse*)context;
  if (p->status != CT_OK || p->open.count == 0) return;
  const Open* open = &p->open.data[p->open.count - 1];
  if (p->text.count ==
      open->text_offset) {  // white space before the first word: all there is in most elements
    while (size > 0 && cti_is_space(*text)) text++, size--;
  }
  if (size > 0 && cti_array_append(&p->text, p->allocator, text, size) != CT_OK) stop_memory(p);
}

// ---- what is refused

static void refuse_dtd(Parse* p) {
  if (p->status != CT_OK) return;
  stop_here(p, CT_ERR_UNSUPPORTED,
            "external DTDs and parameter entities are not supported: remove the DOCTYPE");
}

static void XMLCALL on_doctype(void* context, const XML_Char* name, const XML_Char* system_id,
                               const XML_Char* public_id, int has_subset) {
  (void)name, (void)has_subset;
  if (system_id || public_id) refuse_dtd((Parse*)context);
}

// Called for an external DTD or a parameter entity. Without reading them, expat would drop references
// silently.
static int XMLCALL on_not_standalone(void* context) {
  refuse_dtd((Parse*)context);
  return XML_STATUS_ERROR;
}

static void XMLCALL on_entity(void* context, const XML_Char* name, int is_parameter, const XML_Char* value,
                              int size, const XML_Char* base, const XML_Char* system_id,
                              const XML_Char* public_id, const XML_Char* notation) {
  (void)is_parameter, (void)value, (void)size, (void)base, (void)system_id, (void)public_id, (void)notation;
  Parse* p = (Parse*)context;
  if (p->status == CT_OK)
    stop_here(p, CT_ERR_UNSUPPORTED, "entity declarations are not allowed (\"%s\")", name);
}

static void XMLCALL on_declaration(void* context, const XML_Char* version, const XML_Char* encoding,
                                   int standalone) {
  (void)version, (void)standalone;
  Parse* p = (Parse*)context;
  p->source.one_byte = p->source.one_byte || cti_text_equal_nocase(encoding, "ISO-8859-1");
}

// ---- the parse

static ctiXmlLimits with_defaults(const ctiXmlLimits* limits) {
  const size_t most = (size_t)1 << 30;  // expat counts bytes in an int and doubles its buffers
  ctiXmlLimits l = limits ? *limits : (ctiXmlLimits){0};
  if (l.size == 0 || l.size > most) l.size = most;
  if (l.depth <= 0) l.depth = 10000;
  if (l.elements <= 0) l.elements = 20000000;
  if (l.attrs <= 0) l.attrs = 1000;
  return l;
}

static void set_handlers(Parse* p) {
  XML_SetUserData(p->expat, p);
  XML_SetElementHandler(p->expat, on_start, on_end);
  XML_SetCharacterDataHandler(p->expat, on_text);
  XML_SetStartDoctypeDeclHandler(p->expat, on_doctype);
  XML_SetEntityDeclHandler(p->expat, on_entity);
  XML_SetNotStandaloneHandler(p->expat, on_not_standalone);
  XML_SetXmlDeclHandler(p->expat, on_declaration);
}

// Put expat's complaint into words.
static ctStatus explain(Parse* p) {
  ctiXmlFailure failure = {
      .code = (int)XML_GetErrorCode(p->expat),
      .offset = (size_t)XML_GetCurrentByteIndex(p->expat),
      .at = position(p),
      .open = p->open.count > 0 ? p->open.data[p->open.count - 1].element : NULL,
      .root = p->doc->root,
  };
  return cti_xml_explain(&p->source, &failure, p->err);
}

// The whole text goes to expat at once: fed in pieces, a token longer than a piece would be scanned again and
// again.
// The value of `encoding` in the line <?xml ...?>, small and without marks: "iso88591". "" when there is
// none.
static void declared_encoding(char* out, size_t room, const char* text, size_t size) {
  out[0] = 0;
  const size_t head = size < 200 ? size : 200, bom = head > 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (head < bom + 5 || memcmp(text + bom, "<?xml", 5) != 0) return;
  const char *stop = text + head, *at = text + bom;
  while (at < stop && *at != '>' &&
         strncmp(at, "encoding", (size_t)(stop - at) < 8 ? (size_t)(stop - at) : 8) != 0)
    at++;
  while (at < stop && *at != '"' && *at != '\'' && *at != '>') at++;
  if (at >= stop || *at == '>') return;
  size_t n = 0;
  for (const char mark = *at++; at < stop && *at != mark && n + 1 < room; at++) {
    const bool upper = *at >= 'A' && *at <= 'Z';
    if (upper || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9'))
      out[n++] = (char)(upper ? *at - 'A' + 'a' : *at);
  }
  out[n] = 0;
}

// The name that expat knows for a usual spelling of an encoding; NULL leaves it to the text.
static const char* usual_encoding(const ctiXmlSource* source) {
  static const char* const spellings[][2] = {{"utf8", "UTF-8"},     {"latin1", "ISO-8859-1"},
                                             {"l1", "ISO-8859-1"},  {"iso88591", "ISO-8859-1"},
                                             {"ascii", "US-ASCII"}, {"usascii", "US-ASCII"}};
  char word[20];
  declared_encoding(word, sizeof(word), source->text, source->size);
  for (int i = 0; i < CT_COUNT_OF(spellings); i++) {
    if (strcmp(word, spellings[i][0]) == 0) return spellings[i][1];
  }
  return NULL;
}

static ctStatus run(Parse* p) {
  if (p->source.size > p->limits.size) {
    return cti_error_at(p->err, CT_ERR_LIMIT, p->source.file, 0, 0, NULL,
                        "the text has %zu bytes, the limit is %zu", p->source.size, p->limits.size);
  }
  const char* encoding = usual_encoding(&p->source);
  p->expat = XML_ParserCreate(encoding);
  if (!p->expat) return cti_error_memory(p->err);
  p->source.one_byte = cti_text_equal(encoding, "ISO-8859-1");
  set_handlers(p);
  enum XML_Status result = XML_Parse(p->expat, p->source.text, (int)p->source.size, XML_TRUE);
  if (p->status != CT_OK) return p->status;
  return result == XML_STATUS_OK ? CT_OK : explain(p);
}

static void end(Parse* p) {
  if (p->expat) XML_ParserFree(p->expat);
  cti_array_free(&p->open, p->allocator);
  cti_array_free(&p->text, p->allocator);
}

// Once more, with the text mended. What was wrong with it becomes the document's remark.
static ctStatus run_mended(Parse* p, ctStatus strict) {
  ctiXmlDoc* doc = p->doc;
  const char* text;
  size_t size;
  char remark[1024];
  CT_TRY(cti_xml_mend(&text, &size, p->source.text, p->source.size, doc->region, p->err));
  if (!text) return strict;
  ct_error_format(p->err, remark, sizeof(remark));
  doc->remark = cti_region_strdup(doc->region, remark);
  if (!doc->remark) return cti_error_memory(p->err);
  doc->root = NULL;
  doc->count = 0;
  *p->err = (ctError){0};
  Parse again = {.allocator = p->allocator, .limits = p->limits, .doc = doc, .err = p->err};
  again.source = cti_xml_source(text, size, p->source.file);
  cti_strings_init(&again.names, doc->region);
  ctStatus status = run(&again);
  end(&again);
  return status;
}

ctStatus cti_xml_parse(ctiXmlDoc** out, const char* text, size_t size, const char* file,
                       const ctiXmlLimits* limits, const ctAllocator* a, ctError* err) {
  *out = NULL;
  ctiRegion* region = cti_region_create(a);
  if (!region) return cti_error_memory(err);
  ctiXmlDoc* doc = CTI_NEW(region, ctiXmlDoc);
  const char* name = cti_region_strdup(region, file ? file : "<string>");
  if (!doc || !name) {
    cti_region_free(region);
    return cti_error_memory(err);
  }
  doc->region = region;

  ctError first = {0};
  Parse parse = {.allocator = a, .limits = with_defaults(limits), .doc = doc, .err = &first};
  parse.source = cti_xml_source(text ? text : "", text ? size : 0, name);
  cti_strings_init(&parse.names, region);
  ctStatus status = run(&parse);
  if (status == CT_ERR_SYNTAX || status == CT_ERR_UNSUPPORTED) status = run_mended(&parse, status);
  end(&parse);
  if (status != CT_OK) {
    if (err) *err = first;
    cti_region_free(region);
    return status;
  }
  *out = doc;
  return CT_OK;
}

void cti_xml_free(ctiXmlDoc* doc) {
  if (doc) cti_region_free(doc->region);
}
