#include "data/prepared_text.h"

#include <algorithm>

#include "data/text.h"
#include "data/word_scanner.h"

namespace plainformer {

namespace {

bool has_piece(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i].size() > 2 && words[i].ends_with("@@")) return true;
  return false;
}

}  // namespace

PairCount pairs_with_pieces(const ParallelCorpus& corpus) {
  constexpr Index kShare = 20;
  PairCount count;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs())
    if (has_piece(pair.source) || has_piece(pair.target)) count.add(corpus.place_of(pair));
  return count.pairs * kShare < std::ssize(corpus.pairs()) ? PairCount() : count;
}

std::optional<WordLikeAPiece> first_word_like_a_piece(const ParallelCorpus& corpus) {
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    for (const std::string* line : {&pair.source, &pair.target}) {
      if (line->find("@@") == std::string::npos) continue;
      for (std::string_view word : split_words(*line))
        if (word.ends_with("@@")) return WordLikeAPiece{std::string(word), corpus.place_of(pair)};
    }
  }
  return std::nullopt;
}

LastMarks last_marks_of(const ParallelCorpus& corpus) {
  constexpr Index kMostPairs = 10'000, kShare = 10;
  const Index pairs = std::min(std::ssize(corpus.pairs()), kMostPairs);
  Index attached = 0, detached = 0;
  for (Index i = 0; i < pairs; ++i) {
    const ParallelCorpus::LinePair& pair = corpus.pairs()[i];
    for (const std::string* line : {&pair.source, &pair.target}) {
      const std::vector<ScannedToken> tokens = scan_words(*line);
      if (tokens.size() < 2 || tokens.back().kind != CharacterKind::kSymbol) continue;
      ++(tokens.back().follows_blank ? detached : attached);
    }
  }
  if (std::max(attached, detached) * kShare < pairs) return LastMarks::kFew;
  return detached > attached ? LastMarks::kDetached : LastMarks::kAttached;
}

}  // namespace plainformer
