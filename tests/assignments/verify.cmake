# Builds the course and proves it: cmake -DSOURCE=... [-DOTHER_COMPILER=...] -P verify.cmake
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

# A compiler may come without the sanitizers' libraries (on Debian, Clang's are in libclang-rt-dev).
set(compilers "")
if(OTHER_COMPILER)
  set(program ${SOURCE}/build/sanitized)
  file(WRITE ${program}.cpp "int main() {}\n")
  execute_process(COMMAND ${OTHER_COMPILER} -fsanitize=address,undefined ${program}.cpp -o ${program}
                  RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    set(compilers --compiler ${OTHER_COMPILER})
  else()
    message(WARNING "SKIPPED: the references with ${OTHER_COMPILER}, which cannot link its sanitizers")
  endif()
endif()
run(${CMAKE_COMMAND} --workflow --preset course)
run(build/course/course verify ${compilers})

# Builds the program of `course run`, which shows a milestone too.
run(build/course/course run --bug decoder-not-causal -- --version)

# A program with a student's file runs it: a file that is not written says so.
set(homework ${SOURCE}/build/course/homework)
file(REMOVE_RECURSE ${homework})
run(build/course/course start 01 --folder ${homework})
execute_process(COMMAND build/course/course run --mine 01 --folder ${homework} -- trace
                WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "softmax_forward is not written yet")
  message(FATAL_ERROR "run --mine does not run the student's file:\n${output}")
endif()
