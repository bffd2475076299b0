# What is compiled for the device, as lists of includes. The words of step code come first.
set(device_words "#include \"cuda/device.h\"\n")

# Step sources that call each other are compiled together: what is called often is then inlined, and there are
# fewer runs of a slow compiler. The first unit has the stages of all models; the kernels of teams belong to it,
# and have these stages in their own code (CT_KERNEL_INLINE).
set(units)
foreach(group
    "step/(step|integrate).c|stage/position/(kinematics|inertia).c|stage/velocity/(velocity|passive).c|stage/force/actuation.c|stage/derivative/velocity.c|stage/constraint/rows.c|collide/(collide|broad|mid).c|math/tree_ldl.c|data/data.c"
    "math/.*|data/.*|stage/solve/.*" "collide/.*" "stage/(position|velocity|force|sleep|derivative|metric)/.*"
    "stage/constraint/.*|sense/.*|query/.*|step/.*")
  set(unit "${device_words}")
  foreach(source ${CORTEN_STEP_SOURCES})
    if(source MATCHES "^(${group})$" AND NOT source IN_LIST grouped)
      string(APPEND unit "#include \"${source}\"\n")
      list(APPEND grouped ${source})
    endif()
  endforeach()
  list(APPEND units "${unit}")
endforeach()
# The units of a form, `form_units`.
function(corten_form_units form)
  set(all ${units})
  if(form STREQUAL "teams")
    list(POP_FRONT all stages)
    list(PREPEND all "${stages}#include \"cuda/teams.cu\"\n")
  else()
    list(APPEND all "${device_words}#include \"cuda/${form}.cu\"\n")
  endif()
  set(form_units ${all} PARENT_SCOPE)
endfunction()
list(LENGTH CORTEN_STEP_SOURCES all)
list(LENGTH grouped some)
if(NOT all EQUAL some)
  message(FATAL_ERROR "step sources without a group, or in two: ${some} of ${all}")
endif()

# The solver for plain problems, alone: one unit, inlined into one kernel.
set(plain_unit "${device_words}")
foreach(source math/dense.c math/sparse.c math/tree_ldl.c math/skyline.c data/awake.c data/box_tree.c data/scenery.c data/data.c stage/solve/problem.c
    stage/solve/row_cost.c stage/solve/order.c stage/solve/hessian_rows.c stage/solve/hessian.c stage/solve/line_search.c stage/solve/primal.c stage/solve/islands.c stage/solve/solve.c cuda/plain.cu)
  string(APPEND plain_unit "#include \"${source}\"\n")
endforeach()
