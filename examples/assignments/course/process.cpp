#include "process.h"

#include <cmath>
#include <cstdio>

namespace plainformer::course {

std::string ProcessResult::ending() const {
  if (timed_out) {
    char text[40];
    std::snprintf(text, sizeof text, "stopped after %g s", std::round(seconds * 10) / 10);
    return text;
  }
  if (signal != 0) return name_of_signal(signal);
  return "exit code " + std::to_string(exit_code);
}

}  // namespace plainformer::course
