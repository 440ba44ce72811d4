// Numbers as text by streams: what core/number_text.h promises, for a library whose <charconv> lacks it.
// Apple's <charconv> reads no floating-point numbers, and writes them from macOS 13.3 on. LLVM's reads them
// from version 20 on. GCC 11's reads no subnormal ones. Streams round correctly, and the classic locale is
// the same everywhere.
#pragma once

#include <ios>
#include <optional>
#include <string>
#include <string_view>

namespace plainformer {

// The number as std::to_chars writes it in that format: std::ios_base::fixed, std::ios_base::scientific, or
// neither for general.
std::string streamed_text(double number, std::ios_base::fmtflags format, int precision);

// shortest_text and parse_number of core/number_text.h, for float and double.
template <typename Number>
std::string shortest_streamed_text(Number number);
template <typename Number>
std::optional<Number> parse_streamed_number(std::string_view text);

}  // namespace plainformer
