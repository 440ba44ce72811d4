# Types README's first breakpoint into gdb, command by command, and compares what it prints.
#   GDB      gdb, if there is one
#   README   the page; its lines "(gdb) command   # remark" are typed
#   PROGRAM  the program of the preset debug
#   FOLDER   to work in

if(NOT GDB)
  message("SKIPPED: there is no gdb here")
  return()
endif()

file(STRINGS ${README} lines)
set(script "set confirm off\nset pagination off\nset debuginfod enabled off\nset width 0\n")
set(arguments "")
foreach(line IN LISTS lines)
  if(line MATCHES "^gdb --args [^ ]*plainformer (.*)$")
    separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^\\(gdb\\) (.*)$")
    string(REGEX REPLACE " +#.*$" "" command "${CMAKE_MATCH_1}")
    string(APPEND script "echo (gdb) ${command}\\n\n${command}\n")
  endif()
endforeach()
if(NOT arguments)
  message(FATAL_ERROR "${README} starts no gdb")
endif()
list(APPEND arguments --overwrite)
list(TRANSFORM arguments REPLACE "^/tmp/nano$" "${FOLDER}/nano")
file(WRITE ${FOLDER}/first_breakpoint.gdb "${script}")

execute_process(
  COMMAND ${GDB} -nx -batch -x ${FOLDER}/first_breakpoint.gdb --args ${PROGRAM} ${arguments}
  OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE failed)
message("${printed}\n${errors}")
if(errors MATCHES "ptrace: Operation not permitted|Couldn't get CS register|warning: Error disabling address space")
  message("SKIPPED: gdb may not run programs here")
  return()
endif()

# What each stop must show, in this order.
set(expected
  "plainformer::plain::attention_forward"
  "#1 [^\n]*plainformer::attention_forward"
  "#2 [^\n]*MultiHeadAttention::forward"
  "#3 [^\n]*EncoderLayer::forward"
  "plainformer::softmax_forward"
  "= {[-0-9., e]+}"
  "plainformer::plain::attention_forward"
  "= {[0-9., e-]+}"
  "attention = plainformer::Way::kPlain"
  "plainformer::plain::attention_backward"
  "plainformer::plain::adam_update"
  "= {[-0-9., e]+}")
set(rest "${printed}")
foreach(pattern IN LISTS expected)
  if(NOT rest MATCHES "${pattern}")
    message(FATAL_ERROR "gdb did not print \"${pattern}\" where README promises it")
  endif()
  string(REGEX MATCH "${pattern}" found "${rest}")
  string(FIND "${rest}" "${found}" at)
  string(LENGTH "${found}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${rest}" ${at} -1 rest)
endforeach()
