# Builds the pages of this folder again: cmake --build build/toy --target pages
# Trains the toy (some minutes). Without Emscripten it leaves the tab as it is, and says so.
cmake_minimum_required(VERSION 3.25)
set(pages ${CMAKE_CURRENT_LIST_DIR})
set(toolchain /usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result COMMAND_ECHO STDOUT)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

# The sentence of the pictures, whose German verb comes last.
run(${PROGRAM} train --preset toy --frames 25 --out ${FOLDER}/toy-model --overwrite
    --frame-source "they know that the small queen buys this new book"
    --frame-target "sie wissen , dass die kleine Königin dieses neue Buch kauft")
file(COPY_FILE ${FOLDER}/toy-model/frames.jsonl ${pages}/frames.jsonl)
run(${PROGRAM} trace --steps ${pages}/steps.html)
run(${PROGRAM} attention --frames ${pages} --html ${pages}/learning.html)
run(${PROGRAM} attention --model ${FOLDER}/toy-model --source "they know that the queen buys a book"
    --html ${pages}/attention.html)

find_program(EMSCRIPTEN em++)
if(NOT EMSCRIPTEN OR NOT EXISTS ${toolchain})
  message("docs/pages/tab.html stays as it is: there is no Emscripten on this machine (Debian: apt install emscripten)")
  return()
endif()
run(${CMAKE_COMMAND} --preset browser)
run(${CMAKE_COMMAND} --build --preset browser)
file(COPY_FILE ${SOURCE}/build/browser/plainformer.html ${pages}/tab.html)
