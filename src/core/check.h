// CHECK and CHECK_SHAPE: a programmer's error throws std::logic_error with the values, in all builds. (A
// user's error is an input_error.) No header includes this one, so that the macros stay out of programs that
// use the library.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/shape.h"

namespace plainformer::detail {

template <typename... Parts>
std::string concatenate(const Parts&... parts) {
  std::ostringstream text;
  static_cast<void>((text << ... << parts));
  return text.str();
}

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

// Throws unless `actual` has exactly the extents `expected`; `names` is the macro's argument text, for the
// message.
void check_shape(const char* file, int line, const char* tensor_name, const Shape& actual, const char* names,
                 std::initializer_list<Index> expected);

}  // namespace plainformer::detail

// CHECK(condition, parts of a message...): put the values into the message.
#define CHECK(condition, ...)                                                               \
  do {                                                                                      \
    if (!(condition))                                                                       \
      ::plainformer::detail::check_failed(__FILE__, __LINE__, #condition,                   \
                                          ::plainformer::detail::concatenate(__VA_ARGS__)); \
  } while (false)

// CHECK_SHAPE(scores, batch, heads, query_len, key_len) fails with
// "scores: expected [batch=2, heads=8, query_len=7, key_len=9], got [2, 8, 9, 7]".
#define CHECK_SHAPE(tensor, ...)                                                                  \
  ::plainformer::detail::check_shape(__FILE__, __LINE__, #tensor, (tensor).shape(), #__VA_ARGS__, \
                                     {__VA_ARGS__})
