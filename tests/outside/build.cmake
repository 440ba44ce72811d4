# Uses the library as another project does, in each of three ways, and runs an example.
#   WAY              package, subdirectory or fetched
#   SOURCE, BINARY   this repository, and its build folder, which holds the library
#   CONFIG           the build type of that library
#   FOLDER           to work in
#   TOOLS            options of CMake for the compiler and what it compiles for
#   EMULATOR         runs the programs, if this machine cannot
#   SUFFIX           of programs: .exe on Windows
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    message(FATAL_ERROR "${ARGV}\n${text}")
  endif()
  string(REPLACE "\r\n" "\n" text "${text}")
  set(output "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(more "")
if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} --install ${BINARY} --config ${CONFIG} --prefix ${FOLDER}/installed)
  file(GLOB_RECURSE app ${FOLDER}/installed/include/plainformer/app/* ${FOLDER}/installed/include/plainformer/core/check.h
       ${FOLDER}/installed/include/plainformer/platform/compiler.h)
  if(app)
    message(FATAL_ERROR "installed, though it is not for other projects: ${app}")
  endif()
  run(${EMULATOR} ${FOLDER}/installed/bin/plainformer${SUFFIX} --version)
  set(more -DCMAKE_PREFIX_PATH=${FOLDER}/installed)
endif()

# Their folders may have names like ours, and spaces.
set(path ${SOURCE})
if(WAY STREQUAL "subdirectory")
  set(path "${FOLDER}/their src/app/plainformer")
  file(MAKE_DIRECTORY "${FOLDER}/their src/app")
  list(APPEND more -DCMAKE_INSTALL_INCLUDEDIR=headers -DCMAKE_INSTALL_LIBDIR=lib)
  file(CREATE_LINK ${SOURCE} "${path}" RESULT result SYMBOLIC)
  if(result)
    message("SKIPPED: this system refuses symbolic links: ${result}")
    return()
  endif()
endif()

# Without optimization: what matters is that it builds and runs. Programs stand in the same place with every generator.
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/outside -B ${FOLDER}/build ${TOOLS} -DWAY=${WAY} "-DSOURCE=${path}"
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
    "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=$<TARGET_PROPERTY:BINARY_DIR>" ${more})
run(${CMAKE_COMMAND} --build ${FOLDER}/build --config Debug --parallel 2)
run(${EMULATOR} ${FOLDER}/build/every_header${SUFFIX})
if(NOT output STREQUAL "31 parameters\n")
  message(FATAL_ERROR "every_header printed ${output}")
endif()
run(${EMULATOR} ${FOLDER}/build/first_program${SUFFIX})
file(READ ${SOURCE}/docs/appendix-library.md page)
string(FIND "${page}" "```\n${output}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the first program of docs/appendix-library.md printed something else than the page:\n${output}")
endif()
run(${EMULATOR} ${FOLDER}/build/examples/five_words${SUFFIX})
if(NOT output MATCHES "猫")
  message(FATAL_ERROR "five_words printed ${output}")
endif()
if(WAY STREQUAL "subdirectory")
  run(${CMAKE_COMMAND} --install ${FOLDER}/build --config Debug --prefix ${FOLDER}/installed)
  foreach(file IN ITEMS headers/plainformer/core/tensor.h lib/cmake/theirs/theirs.cmake)
    if(NOT EXISTS ${FOLDER}/installed/${file})
      message(FATAL_ERROR "the project around ours installed no ${file}")
    endif()
  endforeach()
endif()
