// The message of what an expression throws, and small things about text.
#pragma once

#include <cstddef>
#include <stdexcept>
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

// The message of the error about the user's files and options that `run` throws; "" if it throws none.
template <typename Function>
std::string error_of(Function&& run) {
  return thrown_message<std::runtime_error>(run);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string repeated(const std::string& text, std::ptrdiff_t times, const std::string& between = "") {
  std::string all;
  for (std::ptrdiff_t i = 0; i < times; ++i) {
    if (i > 0) all += between;
    all += text;
  }
  return all;
}

}  // namespace plainformer
