#include "core/number_text.h"

namespace plainformer {

namespace {

template <typename Number>
std::string text_of(Number number) {
  char text[32];  // long enough for every double in its shortest form
  return std::string(text, std::to_chars(text, text + sizeof(text), number).ptr);
}

}  // namespace

std::string shortest_text(float number) {
  return text_of(number);
}

std::string shortest_text(double number) {
  return text_of(number);
}

}  // namespace plainformer
