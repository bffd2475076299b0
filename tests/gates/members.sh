#!/bin/sh
# Struct members, docs/fields.md and the link names in single precision are what the lists and headers say, and
# everything public in the headers has a comment.
set -eu
cd "$(dirname "$0")/../.."
python3 tools/members.py --check
python3 tools/single.py --check
python3 tests/gates/documented.py
echo "$(grep -c '^X(' include/corten/fields/*.def | awk -F: '{ n += $2 } END { print n }') fields explained, headers and docs/fields.md current"
