# Asks gdb for a variable as editors do, in its machine interface, and compares the value.
#   DEBUGGER  gdb, if there is one
#   PROGRAM   printed_values
#   FOLDER    has its core file
#   SOURCE    the checkout

if(NOT DEBUGGER OR NOT EXISTS ${FOLDER}/core)
  message("SKIPPED: there is no gdb here, or it left no core file")
  return()
endif()
file(WRITE ${FOLDER}/editor "-enable-pretty-printing\nsource ${SOURCE}/.debugger/plainformer_gdb.py\n"
  "-var-create tensor * printed.matrix\n-var-create parameter * printed.trained\n"
  "-var-create broken * broken.garbage.object\n"
  "-gdb-exit\n")
execute_process(COMMAND ${DEBUGGER} -nx --interpreter=mi ${PROGRAM} -c ${FOLDER}/core
  INPUT_FILE ${FOLDER}/editor OUTPUT_VARIABLE printed ERROR_VARIABLE errors)
message("${printed}\n${errors}")
foreach(value
  "Tensor [2, 3], min 0, mean 0.625, max 1.25\\n[0, :]    0 0.25  0.5\\n[1, :] 0.75    1 1.25"
  "Parameter [2, 2], min 0, mean 0.375, max 0.75; gradient of norm 5"
  "Tensor, not initialized yet, or overwritten")
  string(FIND "${printed}" "value=\"${value}\"" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "gdb did not give the value \"${value}\"")
  endif()
endforeach()
