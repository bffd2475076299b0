// Numbers, text and bytes inside the page of a replay.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Bytes in base64, in pieces.
typedef struct {
  FILE* file;
  unsigned char left[3];
  int n;
} Base64;

void put_bytes(Base64* b, const void* data, size_t size);
void put_end(Base64* b);

// `name:"..."` with bytes in base64, and a comma.
void put_array(FILE* file, const char* name, const void* data, size_t size);

// A string of JavaScript, safe inside a script element.
void put_text(FILE* file, const char* text);

// `name:[...]` and a comma; numbers that are none are 0.
void put_numbers(FILE* file, const char* name, const float* x, int n);
