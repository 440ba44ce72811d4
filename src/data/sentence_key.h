// A number that stands for the words of a sentence.
#pragma once

#include <cstdint>
#include <string_view>

namespace plainformer {

// Equal for sentences of the same words, whatever white space is between them. Two other sentences share their key about
// once in 2^64 (FNV-1a, of Fowler, Noll and Vo, with the last step of SplitMix64, which spreads the bits).
std::uint64_t sentence_key(std::string_view sentence);

// The key of a pair whose sides have these keys.
std::uint64_t pair_key(std::uint64_t source, std::uint64_t target);

}  // namespace plainformer
