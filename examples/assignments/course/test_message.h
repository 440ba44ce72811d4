// Why a test failed, in a few lines.
#pragma once

#include <string>

#include "process.h"

namespace plainformer::course {

// From the output of a test's process: GoogleTest's expected and found values; or what the sanitizers found,
// with the line of the student's file; or how the process ended.
std::string failure_message(const ProcessResult& result);

// Of several tests in one process: the first that failed, or the one that was running; empty if none was.
std::string failed_test_of(const ProcessResult& result);

}  // namespace plainformer::course
