#include "data/batching.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/random.h"

namespace plainformer {

namespace {

// The alphabet of a token that is a digit or a letter from a to z, by the name of its first member: "0", "a"
// or "A", and "0@@", "a@@" or "A@@" within a word. A token may become any of its alphabet. "" for all others.
std::string alphabet_of(const std::string& token) {
  if (token.size() > 1 && token.substr(1) != "@@") return "";
  const char c = token[0];
  if (c >= '0' && c <= '9') return "0" + token.substr(1);
  if (c >= 'a' && c <= 'z') return "a" + token.substr(1);
  return c >= 'A' && c <= 'Z' ? "A" + token.substr(1) : "";
}

using TokensOfWord = std::vector<int>;

std::vector<TokensOfWord> words_of(const std::vector<int>& ids, const Vocabulary& vocabulary) {
  std::vector<TokensOfWord> words(1);
  for (const int id : ids) {
    words.back().push_back(id);
    if (!vocabulary.token(id).ends_with("@@")) words.emplace_back();
  }
  return words;
}

}  // namespace

std::vector<std::vector<Index>> make_batches(const std::vector<SentencePair>& pairs, Index max_tokens,
                                             std::uint64_t seed, std::uint64_t epoch) {
  CHECK(max_tokens >= 1, "max_tokens ", max_tokens);
  Random random(random_stream(seed, epoch, random_site::kShuffle));

  // Step 1. Sort by length. A shuffle before the stable sort leaves pairs of equal length in random order.
  std::vector<Index> order(pairs.size());
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order, random);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(pairs[a].target.size(), pairs[a].source.size()) <
           std::pair(pairs[b].target.size(), pairs[b].source.size());
  });

  // Step 2. Cut: a batch is full when one more pair would overfill the larger of its two padded matrices.
  std::vector<std::vector<Index>> batches;
  Index longest = 0;  // of the batch's sentences on both sides, with </s> or <s>
  for (Index pair : order) {
    const Index length = 1 + std::max(std::ssize(pairs[pair].source), std::ssize(pairs[pair].target));
    longest = std::max(longest, length);
    if (batches.empty() || (std::ssize(batches.back()) + 1) * longest > max_tokens) {
      batches.emplace_back();
      longest = length;
    }
    batches.back().push_back(pair);
  }

  // Step 3. Shuffle the batches, so that training does not go from short to long.
  shuffle(batches, random);
  return batches;
}

TranslationBatch batch_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers) {
  std::vector<std::vector<int>> sources, targets;
  for (const Index number : numbers) {
    sources.push_back(pairs[number].source);
    targets.push_back(pairs[number].target);
  }
  return TranslationBatch::from(sources, targets);
}

BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed) {
  const auto batches = std::make_shared<std::vector<std::vector<Index>>>();  // of this epoch
  return {.begin_epoch =
              [=, &pairs](Index epoch) {
                *batches = make_batches(pairs, max_tokens, seed, static_cast<std::uint64_t>(epoch));
                return std::ssize(*batches);
              },
          .batch = [=, &pairs](Index index) { return batch_of(pairs, (*batches)[index]); }};
}

std::vector<SentencePair> with_fresh_copies(std::vector<SentencePair> pairs, const Vocabulary& vocabulary,
                                            std::uint64_t seed, std::uint64_t epoch) {
  std::map<std::string, std::vector<int>> alphabets;
  for (int id = 0; id < vocabulary.size(); ++id) alphabets[alphabet_of(vocabulary.token(id))].push_back(id);
  const auto is_of_escape = [&](int id) { return vocabulary.token(id).find('%') != std::string::npos; };

  Random random(random_stream(seed, epoch, random_site::kCopies));
  for (SentencePair& pair : pairs) {
    // Step 1. Draw another word for each that stands on both sides.
    const std::vector<TokensOfWord> target = words_of(pair.target, vocabulary);
    std::map<TokensOfWord, TokensOfWord> fresh;
    for (const TokensOfWord& word : words_of(pair.source, vocabulary)) {
      const bool is_copied = std::find(target.begin(), target.end(), word) != target.end();
      if (word.size() < 2 || !is_copied || std::any_of(word.begin(), word.end(), is_of_escape)) continue;
      fresh[word] = word;
      for (int& id : fresh[word]) {
        const std::string alphabet = alphabet_of(vocabulary.token(id));
        const std::vector<int>& alike = alphabets[alphabet];
        if (!alphabet.empty()) id = alike[random.below(std::ssize(alike))];
      }
    }

    // Step 2. Write it in its place on both sides.
    for (std::vector<int>* ids : {&pair.source, &pair.target}) {
      auto to = ids->begin();
      for (const TokensOfWord& word : words_of(*ids, vocabulary)) {
        const TokensOfWord& now = fresh.contains(word) ? fresh[word] : word;
        to = std::copy(now.begin(), now.end(), to);
      }
    }
  }
  return pairs;
}

}  // namespace plainformer
