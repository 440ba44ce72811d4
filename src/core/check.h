// Two kinds of error.
//   A programmer's: CHECK and CHECK_SHAPE throw std::logic_error with the values, in all builds.
//   A user's or the data's: throw input_error(where, problem, hint), one line that says what to do.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/shape.h"

namespace plainformer {

// The error of a file or an option: "corpus.en:17: not valid UTF-8 (hint: convert it with iconv)". One line,
// fit for a terminal: what a hostile file or name brings of control characters becomes "?".
//   where   "file", "file:line" or "--option"
std::runtime_error input_error(const std::string& where, const std::string& problem, const std::string& hint);

// Throws the input_error "where: name is value (hint: choose least to most)" unless it is in that range.
void require_in_range(const std::string& where, const char* name, Index value, Index least, Index most);

namespace detail {

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

}  // namespace detail
}  // namespace plainformer

// CHECK(condition, parts of a message...): the values belong into the message.
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
