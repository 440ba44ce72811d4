# Builds the library and the program without the laboratory, tries the program, and prints the sizes.
#   SOURCE           this repository
#   PROGRAM          the program with the laboratory, to compare with
#   TOOLS            options of CMake for the compiler and what it compiles for
#   CONFIG           the build type of that program
#   FOLDER           to work in
#   SUFFIX           of programs: .exe on Windows
function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL expected)
    message(FATAL_ERROR "${ARGN} returned ${result}, not ${expected}:\n${text}")
  endif()
  string(REPLACE "\r\n" "\n" text "${text}")
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(expect text part)
  string(FIND "${text}" "${part}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "\"${part}\" is not in:\n${text}")
  endif()
endfunction()

function(print_size name file)
  file(SIZE ${file} bytes)
  message("${name}: ${bytes} bytes")
endfunction()

set(build ${FOLDER}/build)
run(0 ${CMAKE_COMMAND} -S ${SOURCE} -B ${build} ${TOOLS} -DCMAKE_BUILD_TYPE=${CONFIG} -DPLAINFORMER_LAB=OFF
    -DPLAINFORMER_TESTS=OFF -DPLAINFORMER_EXAMPLES=OFF)
run(0 ${CMAKE_COMMAND} --build ${build} --config ${CONFIG} --parallel 2 --target plainformer)
set(program ${build}/plainformer${SUFFIX})

# Its help lists all everyday commands, and none of the laboratory's.
run(0 ${PROGRAM} --help)
string(REGEX REPLACE "\nLaboratory:\n.*\n('plainformer COMMAND)" "\n\\1" everyday "${output}")
if(everyday STREQUAL output)
  message(FATAL_ERROR "the program's help has no laboratory:\n${output}")
endif()
run(0 ${program} --help)
if(NOT output STREQUAL everyday)
  message(FATAL_ERROR "the help without the laboratory should be\n${everyday}\nbut is\n${output}")
endif()

run(2 ${program} trace)
expect("${output}" "this program was built without the laboratory")
run(2 ${program} inspect)
expect("${output}" "--model is required")

file(GLOB_RECURSE laboratory ${build}/*plainformer_lab*)
if(laboratory)
  message(FATAL_ERROR "the laboratory was built: ${laboratory}")
endif()
file(GLOB_RECURSE library ${build}/src/*plainformer.a)
print_size("the library" ${library})
print_size("plainformer without the laboratory" ${program})
print_size("plainformer with the laboratory" ${PROGRAM})
