#include "train/known_pieces.h"

#include <algorithm>
#include <iostream>
#include <map>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "data/vocabulary.h"
#include "model_folder/notes.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

// The most frequent first, equally frequent ones in the order of their bytes.
std::vector<std::string> most_frequent_first(const std::map<std::string, Index>& counts) {
  std::vector<std::string> names;
  for (const auto& entry : counts) names.push_back(entry.first);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return counts.at(a) > counts.at(b); });
  return names;
}

}  // namespace

std::string KnownPieces::share() const {
  const double known = 100.0 * static_cast<double>(pieces - unknown) / static_cast<double>(pieces);
  return format_fixed(known, 1) + " % of " + count_of(pieces, "piece");
}

std::string KnownPieces::unseen() const {
  if (characters.empty()) return "";
  constexpr std::size_t kNamed = 10;
  const bool is_one = characters.size() == 1;
  std::string text = ", and " + count_of(std::ssize(characters), "character") +
                     (is_one ? " was never seen: " : " were never seen: ");
  for (std::size_t i = 0; i < std::min(characters.size(), kNamed); ++i)
    text += (i == 0 ? "" : ", ") + characters[i];
  return text + (characters.size() > kNamed ? ", ..." : "");
}

KnownPieces known_pieces_of(const ParallelCorpus& text, BytePairEncoding& byte_pairs,
                            const Vocabulary& vocabulary) {
  SentenceNotes notes(vocabulary);
  KnownPieces known;
  std::map<std::string, Index> unseen;
  for (const auto& [of_encoding, count] : text.piece_counts(byte_pairs)) {
    std::vector<std::string> pieces = {of_encoding};
    if (text.words().cuts_unknown) pieces = cut_unknown_pieces(std::move(pieces), vocabulary);
    for (const std::string& piece : pieces) {
      known.pieces += count;
      if (vocabulary.id_of_piece(piece) != kUnknownId) continue;
      known.unknown += count;
      const std::string as_written = text.words().join(BytePairEncoding::join({piece}));
      for (const std::string& character : notes.unseen_characters(as_written)) unseen[character] += count;
    }
  }
  known.characters = most_frequent_first(unseen);
  return known;
}

void check_known_pieces(const ParallelCorpus& text, const std::string& model, BytePairEncoding& byte_pairs,
                        const Vocabulary& vocabulary) {
  const KnownPieces known = known_pieces_of(text, byte_pairs, vocabulary);
  const std::string line =
      "the vocabulary of " + model + " has " + known.share() + " of this text" + known.unseen();
  if (2 * known.unknown > known.pieces)
    throw input_error(text.place_of(text.pairs().front()).file, line,
                      "the model reads the others as <unk> and can never write them: train a new model on "
                      "this text, without --from");
  const std::string others =
      text.words().cuts_unknown ? " and cannot write them" : ", and learns to write <unk>";
  std::cerr << "training text: " << line
            << (known.unknown > 0 ? "; the model reads the others as <unk>" + others : "") << "\n";
}

}  // namespace plainformer
