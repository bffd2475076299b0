#!/usr/bin/env bash
# Words that were retired stay out of the sources: each has one that says what it means.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# retired word, the word for it
readonly words="
CTI_KERNEL      CTI_SIMD_FN
CTI_DISPATCH    CTI_SIMD_DISPATCH
CTI_LANES       CTI_SIMD
ctiLanes        ctiVec4
CT_APART        CT_KERNEL_NOINLINE
CT_STAGE_KEPT   CT_KERNEL_INLINE_KEPT
CT_CALLED       CT_PLAIN_NOINLINE
CT_RARE         CT_COLD
CTI_ROOM_       CTI_LIVE_
ctiRoom         ctiLifetime
CTI_FAST        CTI_SHARED
ctiFast         ctiShared
CTI_SPARED      CTI_OPTIONAL
CTI_PASSING     CTI_TRANSIENT
CTI_STEP_PART   CTI_STAGE
ctiStepPart     ctiStage
CT_CREW         removed
XT_UNUSED       nothing
XT_CASE         nothing
"
files=$(git ls-files '*.c' '*.h' '*.cu' '*.cc' '*.md' 2>/dev/null || find include src apps render viewer python tests docs -name '*.[ch]' -o -name '*.cu' -o -name '*.cc' -o -name '*.md')
files=$(grep -v '^CHANGELOG.md$' <<<"$files")
found=0 count=0
while read -r old new; do
  [[ -n $old ]] || continue
  count=$((count + 1))
  # shellcheck disable=SC2086
  if grep -nw "$old[A-Za-z_]*" $files; then
    echo "  the word is $new"
    found=1
  fi
done <<<"$words"
((found == 0)) && echo "$count retired words are not used"
exit $found
