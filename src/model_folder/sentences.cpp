#include "model_folder/sentences.h"

#include <algorithm>
#include <iostream>

#include "core/special_symbols.h"
#include "data/text.h"
#include "decoding/decode_all.h"
#include "decoding/encoded_sources.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr std::size_t kMostNamed = 5;  // unknown pieces in a warning

void warn_of_unknown(const Sentence& sentence, const std::string& where, const Warn& warn) {
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < sentence.ids.size(); ++i) {
    if (sentence.ids[i] != kUnknownId) continue;
    if (std::find(unknown.begin(), unknown.end(), sentence.pieces[i]) == unknown.end())
      unknown.push_back(sentence.pieces[i]);
  }
  if (unknown.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(unknown.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : " ") + truncate_to_width(unknown[i], 24);
  warn(where + ": the model reads <unk> in place of " + names + (unknown.size() > kMostNamed ? " ..." : ""));
}

}  // namespace

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return sanitize_line(std::move(text), /*is_first=*/true);
}

Sentence sentence_of_text(LoadedModel& model, const std::string& text) {
  Sentence sentence;
  sentence.pieces = model.byte_pairs.apply(text);
  sentence.ids = model.vocabulary.encode(sentence.pieces);
  return sentence;
}

Sentence sentence_of_ids(const LoadedModel& model, const std::vector<int>& ids) {
  return {.ids = ids, .pieces = model.vocabulary.decode(ids)};
}

Warn warnings_of(const std::string& command) {
  return [command](const std::string& text) {
    std::cerr << "plainformer " << command << ": " << printable(text) << "\n";
  };
}

Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn) {
  Sentence sentence = sentence_of_text(model, one_line(text));
  const Index longest = longest_source(model.transformer->config());
  if (std::ssize(sentence.ids) > longest) {
    warn(where + ": " + std::to_string(sentence.ids.size()) + " tokens, cut to " + std::to_string(longest) +
         " (hint: split long lines into sentences)");
    sentence.ids.resize(static_cast<std::size_t>(longest));
    sentence.pieces.resize(static_cast<std::size_t>(longest));
  }
  warn_of_unknown(sentence, where, warn);
  return sentence;
}

std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options) {
  std::vector<std::vector<int>> asked;
  for (const Sentence& source : sources) {
    if (!source.ids.empty()) asked.push_back(source.ids);
  }
  std::vector<Hypotheses> answers;
  if (asked.size() == 1) {
    answers = decode_all(*model.transformer, asked, options);
  } else if (!asked.empty()) {
    ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(asked),
                    {.unit = "translation", .color = color_allowed(2)});
    answers = decode_all(*model.transformer, asked, options, [&](Index done, Index) { bar.update(done); });
  }
  std::vector<Sentence> translations;
  std::size_t next = 0;
  for (const Sentence& source : sources) {
    const std::vector<int> ids = source.ids.empty() ? std::vector<int>{} : answers[next++].front().tokens;
    translations.push_back(sentence_of_ids(model, ids));
  }
  return translations;
}

}  // namespace plainformer
