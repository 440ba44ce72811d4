// Stands where you write the body of a function.
#pragma once

namespace plainformer {

// Says on stderr that `function` is not written yet, and ends the program with exit code 3. It does not
// throw, so no test that expects an error passes by accident.
[[noreturn]] void not_written(const char* function);

}  // namespace plainformer
