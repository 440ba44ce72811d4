#include "train/corpora.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <span>
#include <utility>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/odd_pairs.h"
#include "data/unicode.h"
#include "data/vocabulary.h"
#include "decoding/beam_search.h"
#include "model_folder/notes.h"
#include "model_folder/translator.h"
#include "parsing/linear_tree.h"
#include "parsing/tree.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/progress_bar.h"

namespace plainformer {

namespace {

ParallelCorpus corpus_of(const std::vector<ToyPair>& pairs) {
  std::vector<std::string> source, target;
  for (const ToyPair& pair : pairs) {
    source.push_back(pair.source);
    target.push_back(pair.target);
  }
  return ParallelCorpus::from_lines(std::move(source), std::move(target), "the built-in grammar");
}

// Sentences, and the linear forms of their trees.
ParallelCorpus corpus_of_trees(const std::string& path) {
  std::ifstream file = open_text_file(path);
  TreeReader reader(file, path);
  std::vector<std::string> source, target;
  std::vector<Index> lines;
  bool has_words = false;
  for (Tree tree; reader.next(tree);) {
    lines.push_back(reader.first_line());
    tree = without_traces_and_function_tags(tree);
    source.push_back(sentence_of(tree));
    target.push_back(source.back().empty() ? "" : linearize(tree));
    has_words = has_words || !source.back().empty();
  }
  if (!has_words) throw input_error(path, "there are no trees with words", "is this a treebank?");
  return ParallelCorpus::from_lines(std::move(source), std::move(target), path, lines);
}

// ---- the report on the text

constexpr std::ptrdiff_t kFewPlaces = 3;

// "(first: train.en:4, 17-20)": a file is named once for all its lines.
std::string first_places(const PairCount& count, std::ptrdiff_t most) {
  const auto places = std::span(count.first).first(std::min(most, std::ssize(count.first)));
  std::string text = "(first: ", file;
  for (auto begin = places.begin(), end = begin; begin != places.end(); begin = end) {
    const auto follows = [&] { return end->file == begin->file && end->line == begin->line + (end - begin); };
    while (end != places.end() && follows()) ++end;
    if (begin != places.begin()) text += ", ";
    if (begin->file != file) text += begin->file + ":";
    file = begin->file;
    text += std::to_string(begin->line);
    if (end - begin > 1) text += "-" + std::to_string(begin->line + (end - begin) - 1);
  }
  return text + ")";
}

void report_pairs(const std::string& name, const std::string& kind, const PairCount& count,
                  std::ostream& out = std::cerr, std::ptrdiff_t most = kFewPlaces) {
  if (count.pairs == 0) return;
  out << name << ": pairs " << kind << ": " << count.pairs << " " << first_places(count, most) << "\n";
}

void report_held_out(const Settings& settings, const Corpora& corpora) {
  const Index train = std::ssize(corpora.train.pairs()), held_out = std::ssize(corpora.valid.pairs());
  if (held_out > 0) {
    std::cerr << "validation text: " << held_out << " of " << count_of(train + held_out, "pair")
              << " are held out, and training does not read them; --hold-out 0 trains on all\n";
    return;
  }
  std::string reason;
  if (settings.pairs_to_hold_out(train) > 0)
    reason = ", because every pair shares a sentence with another";
  else if (settings.hold_out != 0)
    reason = ", because there are fewer than " + std::to_string(kFewestToHoldOutOf) + " pairs";
  std::cerr
      << "validation text: none" << reason
      << "; the last weights, or the average of the last checkpoints, are kept, whether they are the best or "
         "not\n";
}

// How text becomes words, with a hint where it looks as if it needed the other way.
void report_words(const Settings& settings, const ParallelCorpus& corpus) {
  const bool marks = settings.word_rule().marks, needs_other_way = looks_tokenized(corpus) == marks;
  std::cerr << "words: "
            << (marks ? "marks are cut from words so that the cut can be undone"
                      : "they end at blanks alone, and translate needs text that is tokenized like this one");
  if (needs_other_way && marks)
    std::cerr << " (hint: many lines end in a blank and a mark, as if the text were tokenized already; then "
                 "--words spaces suits it)";
  if (needs_other_way && !marks)
    std::cerr << " (hint: it does not look tokenized; --words marks cuts \"yes.\" into \"yes\" and \".\")";
  std::cerr << "\n";
}

// Prints the share of the text's pieces that the vocabulary of a model has, which was made for another text,
// and the characters that it has never seen. input_error if it lacks most of the pieces.
//   model   its folder, for the line and the error
void check_known_pieces(const ParallelCorpus& text, const std::string& model, TextEncoding& encoding) {
  // Step 1. Count the pieces of both sides that are <unk> to the model, and their characters.
  SentenceNotes notes(encoding.vocabulary);
  Index all = 0, unknown = 0;
  std::set<std::string> unseen;
  for (const auto& [of_encoding, count] : text.piece_counts(encoding.byte_pairs)) {
    std::vector<std::string> pieces = {of_encoding};
    if (encoding.words.marks) pieces = cut_unknown_pieces(std::move(pieces), encoding.vocabulary);
    for (const std::string& piece : pieces) {
      all += count;
      if (encoding.vocabulary.id_of_piece(piece) != kUnknownId) continue;
      unknown += count;
      const std::string as_written = encoding.words.join(BytePairEncoding::join({piece}));
      for (const std::string& character : notes.unseen_characters(as_written)) unseen.insert(character);
    }
  }

  // Step 2. Print their share, or refuse the text.
  const double percent = 100.0 * static_cast<double>(all - unknown) / static_cast<double>(all);
  std::string line = "the vocabulary of " + model + " has " + fixed_text(percent, 1) + " % of " +
                     count_of(all, "piece") + " of this text";
  if (!unseen.empty()) line += ", and the model never saw " + first_of({unseen.begin(), unseen.end()}, " ");
  if (2 * unknown > all)
    throw input_error(text.place_of(text.pairs().front()).file, line,
                      "the model reads the others as <unk> and can never write them: train a new model on "
                      "this text, without --from");
  const std::string others = encoding.words.marks ? " and cannot write them" : ", and learns to write <unk>";
  std::cerr << "training text: " << line
            << (unknown > 0 ? "; the model reads the others as <unk>" + others : "") << "\n";
}

std::vector<SentencePair> encode(const ParallelCorpus& corpus, const char* name, Index max_tokens,
                                 EncodedCorpora& encoded) {
  if (corpus.pairs().empty()) return {};
  PairCount too_long;
  std::vector<SentencePair> pairs =
      corpus.encode(encoded.byte_pairs, encoded.vocabulary, max_tokens, too_long);
  report_empty_pairs(std::cerr, name, corpus);
  report_pairs(name,
               "that are left out because one side has more than " + std::to_string(max_tokens) + " tokens",
               too_long);
  return pairs;
}

// 13a, or char where most characters are of a writing system that puts no blank between words: for 13a each
// of its sentences would be one word.
BleuTokenization tokens_to_count(const std::vector<std::string>& references) {
  Index characters = 0, unspaced = 0;
  for (const std::string& line : references) {
    for (const Character& c : characters_in(line)) {
      ++characters;
      if (unicode::class_of(c.value) == unicode::CharacterClass::kUnspaced) ++unspaced;
    }
  }
  return 2 * unspaced > characters ? BleuTokenization::kChar : BleuTokenization::k13a;
}

}  // namespace

Corpora load_corpora(const Settings& settings) {
  if (settings.uses_toy_grammar()) {
    ToyCorpus toy = generate_toy_corpus(settings.training.seed, settings.toy_pairs, settings.toy_held_out,
                                        settings.toy_held_out);
    return {.train = corpus_of(toy.train), .valid = corpus_of(toy.valid), .test = std::move(toy.test)};
  }
  Corpora corpora;
  if (!settings.treebank.empty()) {
    corpora.train = corpus_of_trees(settings.treebank);
    if (!settings.valid_treebank.empty()) corpora.valid = corpus_of_trees(settings.valid_treebank);
    return corpora;
  }
  corpora.train = ParallelCorpus::load(settings.text, settings.word_rule());
  if (!settings.valid_text.empty())
    corpora.valid = ParallelCorpus::load(settings.valid_text, settings.word_rule());
  const Index pairs = std::ssize(corpora.train.pairs()), held_out = settings.pairs_to_hold_out(pairs);
  if (held_out >= pairs) {
    throw input_error("--hold-out",
                      std::to_string(held_out) + " of " + count_of(pairs, "pair") + " leaves none",
                      "train on most of them");
  }
  if (held_out > 0) corpora.valid = corpora.train.hold_out(held_out);
  return corpora;
}

void require_whole_words(const Settings& settings, const Corpora& corpora) {
  if (settings.text.empty() || settings.word_rule().marks) return;
  for (const ParallelCorpus* corpus : {&corpora.train, &corpora.valid})
    for (const ParallelCorpus::LinePair& pair : corpus->pairs())
      for (const std::string* line : {&pair.source, &pair.target}) {
        const std::vector<std::string> words = words_ending_in_at_at(*line);
        if (words.empty()) continue;
        const PairPlace place = corpus->place_of(pair);
        throw input_error(
            place.file + ":" + std::to_string(place.line),
            "the pair has the word " + quoted(words.front()) +
                ", and with --words spaces \"@@\" at the end of a word belongs to byte pair encoding",
            "if the text is cut into pieces already, undo it with sed -E 's/(@@ )|(@@ ?$)//g'; if it "
            "speaks of such words, --words marks reads them");
      }
}

void report_empty_pairs(std::ostream& out, const std::string& name, const ParallelCorpus& corpus) {
  const PairCount& empty = corpus.empty_pairs();
  report_pairs(name, "that are left out because one side is empty", empty, out, empty.pairs);
}

Index report_findings(std::ostream& out, const std::string& name, const std::vector<Finding>& findings,
                      bool in_full) {
  for (const Finding& finding : findings) {
    report_pairs(name, finding.kind + " (hint: " + finding.advice + ")", finding.pairs, out,
                 in_full ? finding.pairs.pairs : kFewPlaces);
    if (!in_full) continue;
    for (const std::string& side : split_at('\t', finding.example)) out << "  " << quoted(side, 80) << "\n";
  }
  return std::ssize(findings);
}

void report_text(const Settings& settings, const Corpora& corpora) {
  if (settings.text.empty()) return;
  if (!settings.resume) report_words(settings, corpora.train);
  report_findings(std::cerr, "training text", findings_in(corpora.train));
  if (settings.valid_text.empty())
    report_held_out(settings, corpora);
  else
    report_findings(std::cerr, "validation text", findings_in(corpora.valid));
  report_findings(std::cerr, "validation text", findings_in_validation(corpora.valid, corpora.train));
}

TranslationTask translation_task(const Settings& settings, const ParallelCorpus& corpus, Index pairs,
                                 TextEncoding& encoding) {
  SourceReader reader(encoding, longest_source(settings.model));
  TranslationTask task;
  if (!settings.treebank.empty()) task.limits = {.extra_length = kLinearTreeExtraLength};
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    if (std::ssize(task.sources) >= pairs) break;
    task.texts.push_back(pair.source);
    task.references.push_back(pair.target);
    task.sources.push_back(reader.read(pair.source).ids);
  }
  task.tokens = tokens_to_count(task.references);
  return task;
}

BytePairEncoding learn_byte_pairs(const WordCounts& counts, Index merges, Index fewest) {
  ProgressBar bar(std::cerr, understands_escapes(2), merges, {.unit = "merge"});
  BytePairEncoding learned =
      BytePairEncoding::learn(counts, merges, fewest, [&](Index done) { bar.update(done); });
  bar.finish();
  const std::string often = fewest == 2 ? "twice" : "in " + std::to_string(fewest) + " pairs";
  if (learned.merges() == 0)
    std::cerr << "no merges: every piece is a single character"
              << (merges > 0 ? ", because no two neighbors occur " + often : "") << "\n";
  else if (learned.merges() < merges)
    std::cerr << learned.merges() << " of " << merges << " merges were found, because no other pair occurs "
              << often << "\n";
  return learned;
}

EncodedCorpora encode_corpora(const Settings& settings, const ModelFolder& folder, const Corpora& corpora) {
  EncodedCorpora encoded;
  encoded.words = settings.word_rule();
  if (settings.resume || !settings.from.empty()) {
    const ModelFolder model = settings.resume ? folder : ModelFolder(settings.from);
    encoded.byte_pairs = BytePairEncoding::load(model.codes());
    encoded.vocabulary = Vocabulary::load(model.vocabulary());
    if (!settings.resume) check_known_pieces(corpora.train, settings.from, encoded);
  } else {
    const Index fewest = encoded.words.marks ? 5 : 2;  // a user's text has its rarer words spelled
    encoded.byte_pairs = learn_byte_pairs(corpora.train.word_counts(), settings.merges, fewest);
    encoded.vocabulary = corpora.train.build_vocabulary(encoded.byte_pairs);
  }
  const Index longest = longest_source(settings.model);
  encoded.train = encode(corpora.train, "training text", std::min(settings.max_tokens, longest), encoded);
  encoded.valid = encode(corpora.valid, "validation text", longest, encoded);
  encoded.valid_task =
      translation_task(settings, corpora.valid, std::max(settings.valid_bleu, settings.samples), encoded);
  return encoded;
}

}  // namespace plainformer
