# The headers of src/ that other projects do not get: those of the program, and those that need our own macros.
set(rooms_of_the_program "^(app|show|train)/")
set(internal_headers "${rooms_of_the_program}|^core/check\\.h$|^platform/(compiler|windows_support)\\.h$")
string(APPEND internal_headers "|^kernels/(instruction_sets|kernel_set|vector_[a-z]+|[a-z0-9]+_vector)\\.h$")
