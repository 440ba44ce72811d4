# Makes the book in a build folder, as the target `book` does, and shows that it keeps its promises:
#   cmake -DSOURCE=... -DFOLDER=... -P verify.cmake
# Without pandoc, Chromium or node it prints "SKIPPED:" and the reason.
cmake_minimum_required(VERSION 3.25)
find_program(PANDOC pandoc)
find_program(CHROMIUM NAMES chromium chromium-browser google-chrome)
find_program(NODE NAMES node nodejs)

# Runs the maker with more options; what it says is in `said`.
function(make folder)
  execute_process(COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} ${ARGN} -P ${SOURCE}/docs/book/make.cmake
                  OUTPUT_VARIABLE out ERROR_VARIABLE said RESULT_VARIABLE result)
  message("${said}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: make.cmake ${ARGN}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result COMMAND_ECHO STDOUT)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

# --- it does without its tools, and says so in one line ---------------------------------------------------------------
make(${FOLDER}/tests/book/without -DPANDOC=)
if(NOT said MATCHES "^book: SKIPPED[^\n]*pandoc[^\n]*\n$")
  message(FATAL_ERROR "it does not say that pandoc is missing")
endif()
if(NOT PANDOC OR NOT CHROMIUM OR NOT NODE)
  message("SKIPPED: pandoc, Chromium or node is missing on this machine (Debian: apt install pandoc chromium nodejs)")
  return()
endif()

# --- pages stay text --------------------------------------------------------------------------------------------------
make(${FOLDER}/tests/book/odd -DCHROMIUM= -DROOT=${CMAKE_CURRENT_LIST_DIR}/odd)
if(NOT said MATCHES "book: SKIPPED[^\n]*Chromium[^\n]*\n$")
  message(FATAL_ERROR "it does not say that Chromium is missing")
endif()
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/visit_odd.js ${CHROMIUM} ${FOLDER}/tests/book/odd/book.html)

# --- a reader can use it ----------------------------------------------------------------------------------------------
make(${FOLDER})
run(${NODE} ${CMAKE_CURRENT_LIST_DIR}/visit.js ${CHROMIUM} ${FOLDER}/book.html ${SOURCE}/docs)
