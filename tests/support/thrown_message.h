// What an expression throws, as text.
#pragma once

#include <string>

namespace plainformer {

// The message of the Exception that `run` throws; "" if it throws none. Any other exception passes through.
template <typename Exception, typename Function>
std::string thrown_message(Function&& run) {
  try {
    run();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace plainformer
