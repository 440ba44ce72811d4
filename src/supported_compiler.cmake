# Stops a compiler that cannot build plainformer before its first error message, and says what to use instead.
# Reads what CMake knows of the compiler: CMAKE_CXX_COMPILER_ID, CMAKE_CXX_COMPILER_VERSION, and for a Clang that takes the
# place of Microsoft's compiler CMAKE_CXX_SIMULATE_ID.

block()
set(id "${CMAKE_CXX_COMPILER_ID}")
set(version "${CMAKE_CXX_COMPILER_VERSION}")
set(needs "plainformer needs GCC 11, Clang 14, Apple Clang 14 (Xcode 14), or a later one")
set(choose "choose another one in an empty build folder, with -DCMAKE_CXX_COMPILER=")
if(id STREQUAL "MSVC" OR "${CMAKE_CXX_SIMULATE_ID}" STREQUAL "MSVC")
  # plainformer writes vectors and the instruction sets of single functions in the notation of GCC and Clang.
  message(FATAL_ERROR "${needs}, and cannot be built by Microsoft's compiler (or by Clang in its place). "
          "On Windows, MSYS2 (https://www.msys2.org) has GCC: install mingw-w64-ucrt-x86_64-gcc, "
          "mingw-w64-ucrt-x86_64-cmake and mingw-w64-ucrt-x86_64-ninja, and build in its UCRT64 terminal.")
elseif(id STREQUAL "GNU" AND version VERSION_LESS 11)
  # GCC 10's library has no std::atomic::wait.
  message(FATAL_ERROR "${needs}, and this is GCC ${version}: ${choose}g++-11, for example.")
elseif(id STREQUAL "Clang" AND version VERSION_LESS 14)
  # Nobody has tried an earlier one.
  message(FATAL_ERROR "${needs}, and this is Clang ${version}: ${choose}clang++-14, for example.")
elseif(id STREQUAL "AppleClang" AND version VERSION_LESS 14)
  # Its library is LLVM's of the version that Clang 14 is tested with.
  message(FATAL_ERROR "${needs}, and this is Apple Clang ${version}: update Xcode or its command line tools, "
          "or ${choose} and the path of Homebrew's g++ or clang++.")
elseif(NOT id MATCHES "^(GNU|Clang|AppleClang)$")
  message(WARNING "${needs}. Nobody has tried ${id} ${version}.")
endif()
endblock()
