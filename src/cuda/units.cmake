# What is compiled for the device, as lists of includes.

# Step sources that call each other are compiled together: what is called often is then inlined, and there are
# fewer runs of a slow compiler.
set(units)
foreach(group "math/.*|data/.*|stage/solve/.*" "collide/.*" "stage/(position|velocity|force|sleep|derivative|metric)/.*"
    "stage/constraint/.*|sense/.*|query/.*" "step/.*")
  set(unit "")
  foreach(source ${CORTEN_STEP_SOURCES})
    if(source MATCHES "^(${group})$")
      string(APPEND unit "#include \"${source}\"\n")
      list(APPEND grouped ${source})
    endif()
  endforeach()
  list(APPEND units "${unit}")
endforeach()
list(LENGTH CORTEN_STEP_SOURCES all)
list(LENGTH grouped some)
if(NOT all EQUAL some)
  message(FATAL_ERROR "step sources without a group, or in two: ${some} of ${all}")
endif()

# The solver for plain problems, alone: one unit, inlined into one kernel.
set(plain_unit "")
foreach(source math/dense.c math/sparse.c math/tree_ldl.c math/skyline.c data/awake.c data/data.c stage/solve/problem.c
    stage/solve/row_cost.c stage/solve/hessian.c stage/solve/line_search.c stage/solve/primal.c stage/solve/islands.c stage/solve/solve.c cuda/plain.cu)
  string(APPEND plain_unit "#include \"${source}\"\n")
endforeach()
