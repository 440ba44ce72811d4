# Builds the page for the browser, and shows that it keeps its promises:
#   cmake -DSOURCE=... -DPROGRAM=.../plainformer -DFOLDER=... -P verify.cmake
# Without Emscripten or node it prints "skipped:" and the reason. Without Chromium it leaves out the visit.
cmake_minimum_required(VERSION 3.25)
set(toolchain /usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
find_program(EMSCRIPTEN em++)
find_program(NODE NAMES node nodejs)
find_program(CHROMIUM NAMES chromium chromium-browser google-chrome)
if(NOT EMSCRIPTEN OR NOT NODE OR NOT EXISTS ${toolchain})
  message("SKIPPED: there is no Emscripten on this machine (Debian: apt install emscripten)")
  return()
endif()

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result COMMAND_ECHO STDOUT)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

# --- it builds, and is small ------------------------------------------------------------------------------------------
run(${CMAKE_COMMAND} --preset browser)
run(${CMAKE_COMMAND} --build --preset browser)
set(page ${SOURCE}/build/browser/plainformer.html)
file(SIZE ${page} bytes)
message("${page}: ${bytes} bytes")
set(module ${SOURCE}/build/browser/examples/browser/engine.wasm)
file(SIZE ${module} module_bytes)
message("${module}, with the step page: ${module_bytes} bytes")
if(bytes GREATER 1000000)
  message(FATAL_ERROR "the page is larger than 1 MB")
endif()

# --- the copy in docs/pages is that of a release ------------------------------------------------------------------------
# BuiltPages.* hold its text to the sources. Its engine may differ from this one: another Emscripten compiles other bytes.
file(SHA256 ${page} now)
file(SHA256 ${SOURCE}/docs/pages/tab.html copy)
if(now STREQUAL copy)
  message("docs/pages/tab.html is this page, byte for byte")
else()
  message("docs/pages/tab.html has another engine than this page: of the last release, or of another Emscripten")
endif()

# --- it computes the same numbers as the program ----------------------------------------------------------------------
set(model ${FOLDER}/model)
set(ENV{PLAINFORMER_KERNELS} scalar)
run(${PROGRAM} train --preset toy --steps 12 --validate-every 0 --out ${model} --overwrite)
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/numbers.js ${module} ${SOURCE}/examples/browser/engine.js ${model}/log.jsonl)

# --- a reader can use it ----------------------------------------------------------------------------------------------
if(NOT CHROMIUM)
  message("SKIPPED: all that needs a browser; there is no Chromium on this machine (Debian: apt install chromium)")
  return()
endif()
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/visit.js ${CHROMIUM} ${page})
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/live.js ${CHROMIUM} ${page} ${PROGRAM} ${SOURCE} ${FOLDER}/live)
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/visit.js ${CHROMIUM} ${SOURCE}/docs/pages/tab.html)
