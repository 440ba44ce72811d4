# Links the program once more so that the linker drops every function that main does not reach, and fails if one of
# ours is among them: code that nobody can run is a museum.
#   CXX, NM    the tools
#   LIBRARY    the library
#   COMMANDS   the libraries of the commands
#   MAIN       the object file of main
#   FOLDER     to work in

# Not reached on purpose: printing for the debugger, and what tests and other programs ask of the library.
set(allowed
  "plainformer::AttentionMask::to_string"
  "plainformer::Tensor::to_string"
  "plainformer::Tensor::from"
  "plainformer::Tensor::at"
  "plainformer::TensorFile::at"
  "plainformer::BytePairEncoding::parse"
  "plainformer::Vocabulary::parse"
  "plainformer::JsonValue::JsonValue"
  "plainformer::InScope<"
  "plainformer::central_difference"
  "plainformer::checked_tensors"
  "plainformer::dot\\("
  "plainformer::gradient_errors"
  ".*::element_name"
  ".*::errors_of"
  "plainformer::decode_all"
  "plainformer::translate\\("
  "plainformer::ModelFolder::ModelFolder"
  "plainformer::MultiHeadAttention::MultiHeadAttention"
  "plainformer::TableOptions::read"
  "plainformer::use_kernels")

file(WRITE ${FOLDER}/nothing.cpp "int main() {}\n")
execute_process(COMMAND ${CXX} ${FOLDER}/nothing.cpp -Wl,--whole-archive -Wl,--no-whole-archive -Wl,--gc-sections -o ${FOLDER}/nothing
                RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
  message("SKIPPED: this linker cannot drop sections: ${message}")
  return()
endif()

set(reached_program ${FOLDER}/reached_program)
execute_process(
  COMMAND ${CXX} -pthread ${MAIN} -Wl,--whole-archive ${COMMANDS} ${LIBRARY} -Wl,--no-whole-archive -Wl,--gc-sections
          -o ${reached_program}
  RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
  message(FATAL_ERROR "the program cannot be linked: ${message}")
endif()

# The functions of ours that a file defines (not the inline ones, which every object file may hold).
function(functions_in file result)
  execute_process(COMMAND ${NM} -C --defined-only ${file} OUTPUT_VARIABLE text ERROR_QUIET)
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REGEX MATCHALL "[0-9a-f]+ [Tt] plainformer::[^\n]*" lines "${text}")
  list(TRANSFORM lines REPLACE "^[0-9a-f]+ [Tt] " "")
  list(FILTER lines EXCLUDE REGEX "lambda|::{|clone|{lambda")
  list(REMOVE_DUPLICATES lines)
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

functions_in(${LIBRARY} all)
foreach(library IN LISTS COMMANDS)
  functions_in(${library} of_commands)
  list(APPEND all ${of_commands})
endforeach()
functions_in(${reached_program} reached)
list(LENGTH all count)
if(count LESS 500)
  message(FATAL_ERROR "only ${count} functions found in ${LIBRARY}")
endif()
list(REMOVE_ITEM all ${reached})
foreach(name IN LISTS allowed)
  list(FILTER all EXCLUDE REGEX "^${name}")
endforeach()
if(all)
  string(REPLACE ";" "\n  " text "${all}")
  message(FATAL_ERROR "no command reaches\n  ${text}")
endif()
message("every function of ours is reached (${count} looked at)")
