# Uses the library as another project does, in each of three ways, and runs an example.
#   WAY              package, subdirectory or fetched
#   SOURCE, BINARY   this repository, and its build folder, which holds the library
#   CXX, FOLDER      the compiler, and a folder to work in
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    message(FATAL_ERROR "${ARGV}\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(more "")
if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} --install ${BINARY} --prefix ${FOLDER}/installed)
  file(GLOB_RECURSE app ${FOLDER}/installed/include/plainformer/app/* ${FOLDER}/installed/include/plainformer/core/check.h)
  if(app)
    message(FATAL_ERROR "installed, though it is not for other projects: ${app}")
  endif()
  run(${FOLDER}/installed/bin/plainformer --version)
  set(more -DCMAKE_PREFIX_PATH=${FOLDER}/installed)
endif()

# Their folders may have names like ours, and spaces.
set(path ${SOURCE})
if(WAY STREQUAL "subdirectory")
  set(path "${FOLDER}/their src/app/plainformer")
  file(MAKE_DIRECTORY "${FOLDER}/their src/app")
  file(CREATE_LINK ${SOURCE} "${path}" SYMBOLIC)
endif()

# Without optimization: what matters is that it builds and runs.
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/outside -B ${FOLDER}/build -DWAY=${WAY} "-DSOURCE=${path}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 ${more})
run(${CMAKE_COMMAND} --build ${FOLDER}/build --parallel 2)
run(${FOLDER}/build/every_header)
if(NOT output STREQUAL "31 parameters\n")
  message(FATAL_ERROR "every_header printed ${output}")
endif()
run(${FOLDER}/build/first_program)
file(READ ${SOURCE}/docs/appendix-library.md page)
string(FIND "${page}" "```\n${output}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the first program of docs/appendix-library.md printed something else than the page:\n${output}")
endif()
run(${FOLDER}/build/examples/five_words)
if(NOT output MATCHES "猫")
  message(FATAL_ERROR "five_words printed ${output}")
endif()
