// The special symbols, first in every vocabulary. No text spells them.
#pragma once

#include <array>

namespace plainformer {

inline constexpr int kPadId = 0;      // fills a row beyond its sentence
inline constexpr int kStartId = 1;    // the decoder reads it first
inline constexpr int kEndId = 2;      // ends each sentence
inline constexpr int kUnknownId = 3;  // replaces a token that the vocabulary lacks

inline constexpr int kSpecialSymbols = 4;
inline constexpr std::array<const char*, kSpecialSymbols> kSpecialSpellings = {"<pad>", "<s>", "</s>",
                                                                               "<unk>"};

}  // namespace plainformer
