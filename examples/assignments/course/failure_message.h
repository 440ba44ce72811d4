// Why a program with a student's code did not come to its end, in a few lines.
#pragma once

#include <string>

#include "process.h"

namespace plainformer::course {

// From the output of a driver's process: what the sanitizers found, with the line of the student's file; what
// it printed; how it ended. From that of a student's tests: GoogleTest's first failure.
std::string failure_message(const ProcessResult& result);

// Had it to wait for a processor, or did the system end it? Then it may not be the student's fault.
bool may_be_the_machine(const ProcessResult& result);

}  // namespace plainformer::course
