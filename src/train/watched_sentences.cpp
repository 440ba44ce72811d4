#include "train/watched_sentences.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "report/number_format.h"
#include "report/terminal.h"
#include "train/validation.h"

namespace plainformer {

namespace {

// "\n  2 ", or as many spaces for another line of the same sentence.
std::string line_of(Index number, bool is_first = true) {
  const std::string text = std::to_string(number);
  return "\n  " + (is_first ? text : std::string(text.size(), ' ')) + " ";
}

// The translation, cut at twice the width of its reference: an early one may repeat a word to the limit of length.
std::string shortened(const std::string& translation, const std::string& reference) {
  if (translation.empty()) return "(nothing)";
  constexpr int kShortest = 40;
  return truncate_to_width(printable(translation), std::max(kShortest, 2 * display_width(reference)));
}

}  // namespace

ParallelCorpus pairs_to_watch(const ParallelCorpus& text, Index count) {
  const Index pairs = std::ssize(text.pairs());
  std::vector<Index> by_length(pairs);
  std::iota(by_length.begin(), by_length.end(), Index{0});
  std::stable_sort(by_length.begin(), by_length.end(), [&](Index a, Index b) {
    return text.pairs()[a].source.size() < text.pairs()[b].source.size();
  });

  // A small text has few sentences between quartile and median. Then longer and shorter ones join.
  count = std::min(count, pairs);
  if (count == 0) return {};
  const Index width = std::max(count, pairs / 4), first = std::min(pairs / 4, pairs - width);
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(by_length[first + i * width / count]);
  std::sort(chosen.begin(), chosen.end());

  std::vector<std::string> sources, targets;
  for (const Index i : chosen) {
    sources.push_back(text.pairs()[i].source);
    targets.push_back(text.pairs()[i].target);
  }
  return ParallelCorpus::from_lines(std::move(sources), std::move(targets), "the validation text");
}

std::string describe_watched(const WatchedSentences& watched) {
  const auto& pairs = watched.text.pairs();
  if (pairs.empty()) return "";
  std::string text = count_of(std::ssize(pairs), "held-out sentence") +
                     ", and what each should become; validations show their translation";
  for (Index i = 0; i < std::ssize(pairs); ++i) {
    text += line_of(i + 1) + printable(pairs[i].source);
    text += line_of(i + 1, /*is_first=*/false) + printable(pairs[i].target);
  }
  return text;
}

std::vector<std::string> translate_watched(const WatchedSentences& watched, const Transformer& model,
                                           const Vocabulary& vocabulary) {
  try {
    return translations_of(watched.task, model, vocabulary, kGreedy);
  } catch (const std::runtime_error&) {
    return {};  // of a model whose output is not finite
  }
}

std::string describe_translations(const WatchedSentences& watched,
                                  const std::vector<std::string>& translations,
                                  const std::vector<std::string>& before) {
  std::string text, unchanged;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    if (i < before.size() && before[i] == translations[i]) {
      unchanged += (unchanged.empty() ? "" : ", ") + std::to_string(i + 1);
      continue;
    }
    const std::string& reference = watched.task.references[i];
    text += line_of(static_cast<Index>(i) + 1) + (translations[i] == reference ? "= " : "  ") +
            shortened(translations[i], reference);
  }
  return unchanged.empty() ? text : text + "\n  " + unchanged + " as before";
}

}  // namespace plainformer
