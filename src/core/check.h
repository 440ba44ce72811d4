// Two kinds of error.
//   A programmer's: CHECK and CHECK_SHAPE throw std::logic_error with the values, in all builds.
//   A user's or the data's: throw input_error(where, problem, hint), one line that suggests a remedy.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/shape.h"

namespace plainformer {

// The error of a file or an option: "corpus.en:17: not valid UTF-8 (hint: convert it with iconv)". One line,
// safe to print on a terminal: control characters, which a hostile file or name may contain, become "?".
//   where   "file", "file:line" or "--option"
std::runtime_error input_error(const std::string& where, const std::string& problem, const std::string& hint);

// Throws the input_error "name: value is out of range (hint: choose least to most)" unless
// least <= value <= most.
//   name   "--merges" or "model.safetensors: heads"
void require_between(const std::string& name, Index value, Index least, Index most);

// The same without an upper bound.
void require_at_least(const std::string& name, Index value, Index least);

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
