# Makes book.html and book.pdf of the pages of docs/. Without pandoc or Chromium it says in one line what it left out.
#   cmake -DFOLDER=build -P docs/book/make.cmake
#   FOLDER    where to write them
#   ROOT      the repository, by default this one
#   SOURCES   the address of this repository's files, with a "/" at its end; links to them are left out without it
cmake_minimum_required(VERSION 3.25)
find_program(PANDOC pandoc)
find_program(CHROMIUM NAMES chromium chromium-browser google-chrome)
if(NOT PANDOC)
  message("book: SKIPPED, there is no pandoc on this machine (Debian: apt install pandoc)")
  return()
endif()

cmake_path(ABSOLUTE_PATH FOLDER)
if(NOT ROOT)
  cmake_path(SET ROOT NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
endif()
file(MAKE_DIRECTORY ${FOLDER})
set(sources "")
if(SOURCES)
  set(sources --metadata sources=${SOURCES})
endif()
execute_process(
  COMMAND ${PANDOC} --from commonmark+pipe_tables --to html5 --mathml --fail-if-warnings ${sources}
          --metadata "pagetitle=Attention Is All You Need, in plain C++" --lua-filter ${CMAKE_CURRENT_LIST_DIR}/book.lua
          --template ${CMAKE_CURRENT_LIST_DIR}/template.html --output ${FOLDER}/book.html docs/README.md
  WORKING_DIRECTORY ${ROOT} COMMAND_ERROR_IS_FATAL ANY)
message("book: ${FOLDER}/book.html")

if(NOT CHROMIUM)
  message("book: SKIPPED book.pdf, there is no Chromium on this machine (Debian: apt install chromium)")
  return()
endif()
# Chromium was seen to crash while it prints on a busy machine, and to succeed when asked again.
foreach(attempt RANGE 1 3)
  execute_process(
    COMMAND ${CHROMIUM} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run
            --user-data-dir=${FOLDER}/book-profile --no-pdf-header-footer --generate-pdf-document-outline
            --print-to-pdf=${FOLDER}/book.pdf file://${FOLDER}/book.html
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    break()
  endif()
endforeach()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "book: ${CHROMIUM} does not print book.pdf: ${result}")
endif()
file(REMOVE_RECURSE ${FOLDER}/book-profile)
message("book: ${FOLDER}/book.pdf")
