// "Did you mean": the known word nearest to a misspelt one.
#pragma once

// The nearest of `count` words, NULL when none is near enough to be what was meant.
const char* cli_suggest(const char* word, const char* const* known, int count);
