#include "xml/mend.h"

#include <string.h>

#include "base/array.h"
#include "base/strings.h"

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
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    good = good || behind(m->at, stop, known[i]) < stop;
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
