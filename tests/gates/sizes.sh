#!/bin/sh
# Counts that come from a file are never summed or multiplied in int. What a text search can see of that:
#   - in the compiler, a size of the model grows through CTI_GROW alone
#   - the count given to an allocation or to the arena has its products in size_t or int64_t
# It cannot see a product that is put into an int first; the fuzzers and tests/unit/compile/test_limits.c look for those.
set -eu
cd "$(dirname "$0")/../.."
bad=$(
  grep -nE '(sizes\.|\bn->)n[A-Za-z_]+ *(\+=|-=|\*=)' src/compile/*.c || true
  grep -nE '(sizes\.|\bn->)n[A-Za-z_]+ *= *[^=;]*[*+]' src/compile/*.c | grep -v 'cti_size_' || true
  grep -rnE 'CTI_(NEW_ARRAY|ALLOC|SCRATCH|ARENA)\([^"]*, [^",]*[A-Za-z0-9_)] ?\* ?[A-Za-z0-9_(][^",]*[,)]' src --include='*.c' --include='*.h' --include='*.cu' |
    grep -vE '\((size_t|int64_t)\)|# *define|: *//' || true
)
if [ -n "$bad" ]; then
  echo "$bad"
  echo "a count may wrap: use CTI_GROW (compile/build.h), cti_size_mul (base/alloc.h), or a product in size_t or int64_t"
  exit 1
fi
echo "no count of a file is summed in int"
