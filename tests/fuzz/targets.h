// What hostile bytes are fed to: the loaders, as the program uses them. The fuzzers try arbitrary bytes, the
// test of the corpus those that led somewhere new.
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/check.h"
#include "data/odd_pairs.h"
#include "data/parallel_corpus.h"
#include "data/text.h"
#include "data/words.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/temporary_folder.h"
#include "model_folder/model_folder.h"
#include "parsing/bracketing_score.h"
#include "parsing/linear_tree.h"
#include "parsing/tree.h"

namespace plainformer::fuzz {

using Target = void (*)(std::string_view bytes);

// Were the bytes read? A std::runtime_error of one line with a hint is the right answer to bad ones. Any
// other error goes on to the caller.
inline bool run(Target target, std::string_view bytes) {
  try {
    target(bytes);
    return true;
  } catch (const std::runtime_error& error) {
    const std::string_view message = error.what();
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    CHECK(message.find(" (hint: ") != std::string_view::npos, message);
    CHECK(std::none_of(message.begin(), message.end(), is_control), message);
    return false;
  }
}

// The weights of a model folder whose other files are good.
inline void weights(std::string_view bytes) {
  static const TemporaryFolder folder;
  static const TextFiles text_files = {
      .codes = folder.write("codes", "#version: 0.2\n"),
      .vocabulary = folder.write("vocabulary", "<pad>\n<s>\n</s>\n<unk>\na\n")};
  assemble_model(read_tensor_file(folder.write("weights", std::string(bytes))), text_files);
}

// What was read is written so that it reads back the same. (noexcept: there, an error is no right answer.)
inline void json(std::string_view bytes) {
  const JsonValue value = parse_json(bytes, "bytes");
  const std::string text = to_json(value);
  const auto read_back = [&]() noexcept { return to_json(parse_json(text, "text")); };
  CHECK(read_back() == text, text);
}

// Cuts the line into pieces, and puts it together again.
inline void check_pieces(BytePairEncoding& encoding, std::string_view line) {
  std::string words;
  for (std::string_view word : split_words(line)) words += (words.empty() ? "" : " ") + std::string(word);
  const std::vector<std::string> pieces = encoding.apply(line);
  const std::string joined = BytePairEncoding::join(pieces), cut = encoding.apply_to_text(line);
  CHECK(joined == words || line.find("@@") != std::string_view::npos, line);
  const bool has_blank_words = split_at_spaces(line).size() != split_words(line).size();
  CHECK(has_blank_words || split_at_spaces(cut).size() == pieces.size(), cut);
}

inline void byte_pair_codes(std::string_view bytes) {
  BytePairEncoding encoding = BytePairEncoding::parse(std::string(bytes), "bytes");
  const std::string text = encoding.to_text();
  const auto read_back = [&]() noexcept { return BytePairEncoding::parse(text, "text").to_text(); };
  CHECK(read_back() == text, text);
  check_pieces(encoding, bytes.substr(0, 512));
}

// Cuts a line into words, and joins them again; and joins the bytes as if they were words.
inline void words(std::string_view bytes) {
  const std::string line = sanitize_line(std::string(bytes.substr(0, bytes.find('\n'))));
  std::istringstream stream(line);
  std::string expected;
  for (std::string word; stream >> word;) expected += (expected.empty() ? "" : " ") + word;
  const WordRule rule = {.marks = true};
  const std::string cut = rule.cut(line);
  CHECK(rule.join(cut) == expected, line);
  CHECK(cut.find("@@ ") == std::string::npos, cut);
  CHECK(rule.join(bytes).size() <= 3 * bytes.size() + 3, bytes);
  rule.cut(bytes);
}

// First as `translate` reads text, which takes any; then as `train` does.
inline void text(std::string_view bytes) {
  static const BytePairEncoding merges =
      BytePairEncoding::parse("#version: 0.2\na b\nab a</w>\n\xC3\xA4 a\na a\n", "merges");
  static const Vocabulary vocabulary =
      Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\na\nab@@\naba\n", "vocabulary");
  static const TemporaryFolder folder;

  BytePairEncoding encoding = merges;
  check_pieces(encoding, bytes);
  const std::string clean = sanitize_line(std::string(bytes.substr(0, bytes.find('\n'))));
  CHECK(sanitize_line(clean) == clean, clean);
  if (clean != bytes) check_pieces(encoding, clean);
  words(bytes);

  const std::string path = folder.write("text", std::string(bytes));
  const ParallelCorpus corpus = ParallelCorpus::load({.source = {path}, .target = {path}});
  BytePairEncoding learned = BytePairEncoding::learn(corpus.word_counts(), 3);
  const std::string tokens = corpus.build_vocabulary(learned).to_text();
  const auto read_back = [&]() noexcept { return Vocabulary::parse(tokens, "tokens").to_text(); };
  CHECK(read_back() == tokens, tokens);
  PairCount too_long;
  const Index kept = std::ssize(corpus.encode(encoding, vocabulary, 100, too_long));
  CHECK(kept + too_long.pairs == std::ssize(corpus.pairs()), kept);
}

// As `train --pairs` reads a file. The columns are written so that they read back the same.
inline void pairs(std::string_view bytes) {
  static const TemporaryFolder folder;
  const std::string path = folder.write("pairs", std::string(bytes));
  const PairColumns columns = {.source = 2, .target = 1};
  const PairLines lines = read_pair_file(path, columns);
  CHECK(lines.source.size() == lines.target.size(), lines.source.size());
  std::string text = "first\tpair\n";  // not `bytes`, whose first line may begin with two byte order marks
  for (std::size_t i = 0; i < lines.source.size(); ++i)
    text += lines.target[i] + "\t" + lines.source[i] + "\n";
  const std::string copy = folder.write("copy", text);
  const auto read_back = [&]() noexcept { return read_pair_file(copy, columns); };
  PairLines again = read_back();
  again.source.erase(again.source.begin());
  again.target.erase(again.target.begin());
  CHECK(again.source == lines.source && again.target == lines.target, text);

  ParallelCorpus corpus =
      ParallelCorpus::load({.source = {}, .target = {}, .pairs = {path}, .columns = columns});
  const Index kept = std::ssize(corpus.pairs());
  CHECK(kept + corpus.empty_pairs().pairs == std::ssize(lines.source), kept);
  for (const Finding& finding : findings_in(corpus)) CHECK(finding.pairs.pairs <= 2 * kept, kept);
  const ParallelCorpus held_out = corpus.hold_out(kept / 2);
  for (const Finding& finding : findings_in_validation(held_out, corpus))
    CHECK(finding.kind.starts_with("whose source"), kept);  // in another case
}

// Each tree is written so that it reads back the same, and parsed again from its linear form.
inline void trees(std::string_view bytes) {
  std::istringstream stream{std::string(bytes)};
  TreeReader reader(stream, "bytes");
  for (Tree tree; reader.next(tree);) {
    std::istringstream text(to_string(tree));
    Tree read_back;
    const auto read = [&]() noexcept { return TreeReader(text, "text").next(read_back); };
    CHECK(read() && read_back == tree, text.str());
    const Tree learned = without_traces_and_function_tags(tree);
    const std::string sentence = sentence_of(learned);
    const std::vector<std::string_view> words = split_words(sentence);
    if (words.empty()) continue;
    const ParsedSentence parsed = tree_of_line(linearize(learned), {words.begin(), words.end()});
    CHECK(sentence_of(parsed.tree) == sentence, sentence);
    const BracketingCounts counts = bracketing_counts(learned, parsed.tree);
    CHECK(counts.matched <= counts.gold && counts.matched <= counts.test, sentence);
  }
}

}  // namespace plainformer::fuzz
