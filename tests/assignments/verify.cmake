# Builds the course and proves it: cmake -DSOURCE=... [-DOTHER_COMPILER=...] -P verify.cmake
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

set(compilers "")
if(OTHER_COMPILER)
  set(compilers --compiler ${OTHER_COMPILER})
endif()
run(${CMAKE_COMMAND} --workflow --preset course)
run(build/course/course verify ${compilers})
