# Which compilers src/supported_compiler.cmake accepts, and what it says to the others.
#   SOURCE  this repository
function(check id version)
  execute_process(COMMAND ${CMAKE_COMMAND} -DCMAKE_CXX_COMPILER_ID=${id} -DCMAKE_CXX_COMPILER_VERSION=${version} ${ARGN}
                  -P ${SOURCE}/src/supported_compiler.cmake
                  RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(failed ${failed} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(accepts id version)
  check(${id} ${version} ${ARGN})
  if(failed OR NOT text STREQUAL "")
    message(FATAL_ERROR "${id} ${version} should be accepted, but: ${text}")
  endif()
endfunction()

function(refuses id version remedy)
  check(${id} ${version} ${ARGN})
  string(FIND "${text}" "${remedy}" at)
  if(NOT failed OR at EQUAL -1)
    message(FATAL_ERROR "${id} ${version} should be refused with \"${remedy}\", but: ${text}")
  endif()
endfunction()

accepts(GNU 11.1.0)
accepts(GNU 16.2.0)
accepts(Clang 14.0.6)
accepts(Clang 22.1.8)
accepts(Clang 19.1.7 -DCMAKE_CXX_SIMULATE_ID=GNU)
accepts(AppleClang 14.0.0.14000029)
accepts(AppleClang 17.0.0)

refuses(GNU 10.2.1 "this is GCC 10.2.1")
refuses(GNU 9.4.0 "-DCMAKE_CXX_COMPILER=g++-11")
refuses(Clang 13.0.1 "-DCMAKE_CXX_COMPILER=clang++-14")
refuses(AppleClang 13.1.6.13160021 "update Xcode")
refuses(MSVC 19.40.33811 "mingw-w64-ucrt-x86_64-gcc")
refuses(Clang 18.1.8 "MSYS2" -DCMAKE_CXX_SIMULATE_ID=MSVC)

check(IntelLLVM 2025.0)
if(failed OR NOT text MATCHES "Nobody has tried IntelLLVM 2025.0")
  message(FATAL_ERROR "an unknown compiler should be tried with a warning, but: ${text}")
endif()
