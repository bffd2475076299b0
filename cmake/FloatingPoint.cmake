# The same input gives the same bits: no contraction into fused multiply-add, no value-changing
# optimisation, on any compiler. errno is never read, which lets sqrt be one instruction.
add_library(corten_fp INTERFACE)
target_compile_options(corten_fp INTERFACE -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
