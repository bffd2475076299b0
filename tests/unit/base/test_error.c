#include "base/error.h"
#include "xt.h"

XT_TEST(status, every_value_has_its_own_text) {
  for (int i = 0; i < CT_STATUS_COUNT; i++) {
    XT_TRUE(ct_status_text((ctStatus)i)[0] != 0);
    for (int j = 0; j < i; j++)
      XT_TRUE(strcmp(ct_status_text((ctStatus)i), ct_status_text((ctStatus)j)) != 0);
  }
  XT_TEXT(ct_status_text(CT_OK), "ok");
}
XT_TEST(status, unknown_value_has_a_text) {
  XT_TEXT(ct_status_text((ctStatus)1000), "unknown status");
  XT_TEXT(ct_status_text((ctStatus)-1), "unknown status");
}

static const char* formatted(const ctError* err) {
  static char text[2048];
  int n = ct_error_format(err, text, sizeof(text));
  XT_INT(n, strlen(text));
  return text;
}
XT_TEST(format, writes_the_parts_that_are_known) {
  ctError err;
  cti_error_at(&err, CT_ERR_INVALID, "arm.xml", 14, 7, "a/b", "joint \"%s\": bad", "elbow");
  XT_TEXT(formatted(&err), "arm.xml:14:7: joint \"elbow\": bad");
  XT_TEXT(err.element, "a/b");
  cti_error_at(&err, CT_ERR_INVALID, "arm.xml", 14, 0, NULL, "bad");
  XT_TEXT(formatted(&err), "arm.xml:14: bad");
  cti_error_at(&err, CT_ERR_INVALID, "arm.xml", 0, 0, NULL, "bad");
  XT_TEXT(formatted(&err), "arm.xml: bad");
  cti_error(&err, CT_ERR_INVALID, "bad");
  XT_TEXT(formatted(&err), "bad");
  cti_error_at(&err, CT_ERR_INVALID, NULL, 3, 4, NULL, "bad");
  XT_TEXT(formatted(&err), "line 3:4: bad");
}
XT_TEST(format, falls_back_on_the_status) {
  ctError err = {.status = CT_ERR_MEMORY};
  XT_TEXT(formatted(&err), "out of memory");
}
XT_TEST(format, tells_the_length_without_a_buffer) {
  ctError err;
  cti_error_at(&err, CT_ERR_IO, "f", 1, 2, NULL, "abc");
  XT_INT(ct_error_format(&err, NULL, 0), strlen("f:1:2: abc"));
  char small[6];
  XT_INT(ct_error_format(&err, small, sizeof(small)), strlen("f:1:2: abc"));
  XT_TEXT(small, "f:1:2");
}
XT_TEST(error, returns_the_status_and_takes_null) {
  XT_INT(cti_error(NULL, CT_ERR_IO, "x %d", 1), CT_ERR_IO);
  XT_INT(cti_error_at(NULL, CT_ERR_LIMIT, "f", 1, 1, "e", "x"), CT_ERR_LIMIT);
  XT_INT(cti_error_memory(NULL), CT_ERR_MEMORY);
  ctError err;
  XT_INT(cti_error_memory(&err), CT_ERR_MEMORY);
  XT_INT(err.status, CT_ERR_MEMORY);
  XT_TEXT(err.message, "out of memory");
}
XT_TEST(error, second_error_leaves_nothing_of_the_first) {
  ctError err;
  cti_error_at(&err, CT_ERR_INVALID, "file", 1, 2, "path", "first");
  cti_error(&err, CT_ERR_IO, "second");
  XT_TEXT(err.file, "");
  XT_TEXT(err.element, "");
  XT_INT(err.line, 0);
  XT_INT(err.column, 0);
}
XT_TEST(error, may_quote_itself) {
  ctError err;
  cti_error_at(&err, CT_ERR_INVALID, "file", 1, 2, "path", "first");
  cti_error_at(&err, CT_ERR_INVALID, err.file, err.line, err.column, err.element, "outer: %s", err.message);
  XT_TEXT(formatted(&err), "file:1:2: outer: first");
  XT_TEXT(err.element, "path");
}
XT_TEST(error, message_is_one_line_of_utf8) {
  ctError err;
  cti_error(&err, CT_ERR_INVALID, "%s",
            "a\nb\tc\x01"
            "d\x7f"
            "e\xc2\x85"
            "f\xe2\x80\xa8g");
  XT_TEXT(err.message, "a b c d e f g");
  cti_error(&err, CT_ERR_INVALID, "%s", "x\xff\xc3-\xe2\x82y\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80z\xc3");
  XT_TEXT(err.message,
          "x"
          "??"
          "-"
          "??"
          "y"
          "??"
          "???"
          "????"
          "z"
          "?");
  cti_error(&err, CT_ERR_INVALID, "%s", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa4\x96");
  XT_TEXT(err.message, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa4\x96");
}
// A text of `n` two-byte characters after `lead` ASCII ones.
static void fill(char* out, int lead, int n) {
  memset(out, 'x', (size_t)lead);
  for (int i = 0; i < n; i++) memcpy(out + lead + 2 * i, "\xc3\xa9", 2);
  out[lead + 2 * n] = 0;
}
XT_TEST(error, long_message_is_cut_between_characters_and_says_so) {
  char text[3000];
  for (int lead = 0; lead < 4; lead++) {
    fill(text, lead, 1000);
    ctError err;
    cti_error(&err, CT_ERR_INVALID, "%s", text);
    size_t n = strlen(err.message);
    XT_TRUE(n <= 511 && n >= 509);
    XT_TEXT(err.message + n - 3, "...");
    XT_INT((n - 3 - (size_t)lead) % 2, 0);
    XT_TRUE(memcmp(err.message, text, n - 3) == 0);
  }
}
XT_TEST(error, message_that_just_fits_is_whole) {
  char text[600];
  ctError err;
  fill(text, 511, 0);
  cti_error(&err, CT_ERR_INVALID, "%s", text);
  XT_TEXT(err.message, text);
  fill(text, 512, 0);
  cti_error(&err, CT_ERR_INVALID, "%s", text);
  XT_INT(strlen(err.message), 511);
  XT_TEXT(err.message + 508, "...");
}
XT_TEST(error, message_that_shrinks_still_shows_its_cut) {
  char text[9001] = "";
  for (int i = 0; i < 3000; i++) memcpy(text + 3 * i, "\xe2\x80\xa8", 3);
  text[9000] = 0;
  ctError err;
  cti_error(&err, CT_ERR_INVALID, "%s", text);
  XT_INT(strlen(err.message), 511);
  XT_TEXT(err.message + 508, "...");
}
XT_TEST(error, long_file_and_path_keep_their_end) {
  char text[3000];
  for (int lead = 0; lead < 4; lead++) {
    fill(text, lead, 1000);
    strcat(text, "arm.xml");
    ctError err;
    cti_error_at(&err, CT_ERR_INVALID, text, 1, 1, text, "bad");
    XT_TRUE(strncmp(err.file, "...\xc3\xa9", 5) == 0);
    XT_TEXT(err.file + strlen(err.file) - 7, "arm.xml");
    XT_TRUE(strlen(err.file) >= 510);
    XT_TRUE(strncmp(err.element, "...\xc3\xa9", 5) == 0);
    XT_TEXT(err.element + strlen(err.element) - 7, "arm.xml");
  }
}
XT_TEST(copy, never_writes_past_small_buffers) {
  for (size_t size = 0; size < 12; size++) {
    char out[16];
    memset(out, '#', sizeof(out));
    cti_copy_head(out, size, "abcdefghijklmnop");
    XT_INT(out[size], '#');
    if (size > 0) XT_INT(strlen(out), size - 1);
    memset(out, '#', sizeof(out));
    cti_copy_tail(out, size, "abcdefghijklmnop");
    XT_INT(out[size], '#');
    if (size > 0) XT_TRUE(strlen(out) < size);
  }
}
static ctStatus tries(ctStatus status, int* reached) {
  CT_TRY(status);
  *reached = 1;
  return CT_OK;
}
XT_TEST(try_macro, returns_only_failures) {
  int reached = 0;
  XT_INT(tries(CT_ERR_IO, &reached), CT_ERR_IO);
  XT_INT(reached, 0);
  XT_INT(tries(CT_OK, &reached), CT_OK);
  XT_INT(reached, 1);
}

XT_MAIN()
