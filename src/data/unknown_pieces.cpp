#include "data/unknown_pieces.h"

#include <algorithm>
#include <string_view>

#include "core/special_symbols.h"
#include "core/utf8.h"
#include "data/byte_pair_encoding.h"

namespace plainformer {

namespace {

constexpr std::string_view kContinues = "@@";
constexpr std::size_t kLongestTried = 128;  // bytes

bool has(const Vocabulary& vocabulary, const std::string& piece) {
  return vocabulary.id_of_piece(piece) != kUnknownId;
}

// The best way to cut the beginning of a text, up to some byte.
struct Beginning {
  std::size_t unknown = 0, pieces = 0;  // unknown characters; pieces, these included
  std::size_t last = 0;                 // the byte at which the last piece begins

  bool is_better_than(const Beginning& other) const {
    return unknown != other.unknown ? unknown < other.unknown : pieces < other.pieces;
  }
};

std::vector<std::size_t> character_ends(std::string_view text) {
  std::vector<std::size_t> ends = {0};  // the empty beginning, too
  while (ends.back() < text.size()) ends.push_back(ends.back() + decode_utf8(text, ends.back()).bytes);
  return ends;
}

// Appends the pieces of a text. `ending` follows its last piece: "@@" if its word goes on.
void append_cut(const std::string& text, std::string_view ending, const Vocabulary& vocabulary,
                std::vector<std::string>& pieces) {
  const auto piece = [&](std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin) + std::string(end == text.size() ? ending : kContinues);
  };
  // Step 1. Find the best way to each end of a character, from the best ways to the ends before it: a best way consists
  // of a last piece and a best way to where that begins.
  const std::vector<std::size_t> ends = character_ends(text);
  std::vector<Beginning> best(ends.size());
  for (std::size_t i = 1; i < ends.size(); ++i) {
    best[i] = {.unknown = best[i - 1].unknown + 1, .pieces = best[i - 1].pieces + 1, .last = i - 1};
    for (std::size_t j = i; j-- > 0 && ends[i] - ends[j] <= kLongestTried;) {
      const Beginning way = {.unknown = best[j].unknown, .pieces = best[j].pieces + 1, .last = j};
      const bool is_as_good = !best[i].is_better_than(way);  // of equal ones, the longer last piece
      if (is_as_good && has(vocabulary, piece(ends[j], ends[i]))) best[i] = way;
    }
  }

  // Step 2. Follow it back from the end.
  const auto first = static_cast<std::ptrdiff_t>(pieces.size());
  for (std::size_t i = ends.size() - 1; i > 0; i = best[i].last)
    pieces.push_back(piece(ends[best[i].last], ends[i]));
  std::reverse(pieces.begin() + first, pieces.end());
}

}  // namespace

std::vector<std::string> cut_unknown_pieces(std::vector<std::string> pieces, const Vocabulary& vocabulary) {
  const auto is_known = [&](const std::string& piece) { return has(vocabulary, piece); };
  if (std::all_of(pieces.begin(), pieces.end(), is_known)) return pieces;
  std::vector<std::string> known;
  for (std::string& piece : pieces) {
    if (is_known(piece)) {
      known.push_back(std::move(piece));
      continue;
    }
    const std::string text = BytePairEncoding::join({piece});
    append_cut(text, text.size() < piece.size() ? kContinues : "", vocabulary, known);
  }
  return known;
}

}  // namespace plainformer
