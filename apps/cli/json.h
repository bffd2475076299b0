// JSON, written as it is computed. The writer keeps commas and indentation; the caller opens and closes.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  FILE* file;
  int depth;
  bool filled;  // the object or array being written has a member already
} cli_Json;

// `key` is NULL for the members of an array and for the outermost value.
void json_open(cli_Json* j, const char* key, char bracket);  // '{' or '['
void json_close(cli_Json* j, char bracket);                  // '}' or ']'
void json_int(cli_Json* j, const char* key, long long n);
void json_real(cli_Json* j, const char* key, double x);  // null when not finite
void json_bool(cli_Json* j, const char* key, bool b);
void json_text(cli_Json* j, const char* key, const char* text);  // null when NULL
void json_reals(cli_Json* j, const char* key, const ctReal* x, long long count);
void json_field(cli_Json* j, const char* key, const ctField* field);  // a number, or an array of numbers
void json_end(cli_Json* j);                                           // the newline after the outermost value
