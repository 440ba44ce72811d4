#include "train/text_report.h"

#include <algorithm>
#include <iostream>
#include <map>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "data/odd_pairs.h"
#include "data/vocabulary.h"
#include "model_folder/notes.h"
#include "report/numbers.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kWidestNamedWord = 24;  // columns

// "(first: train.en:4, 17)": a file is named once for all its lines.
std::string first_places(const PairCount& count) {
  std::string text = "(first: ", file;
  for (const PairPlace& place : count.first) {
    if (&place != &count.first.front()) text += ", ";
    if (place.file != file) text += place.file + ":";
    file = place.file;
    text += std::to_string(place.line);
  }
  return text + ")";
}

void report(const std::string& name, const PairCount& count, const std::string& one,
            const std::string& many) {
  if (count.pairs == 0) return;
  std::cerr << name << ": " << count_of(count.pairs, one, many) << " " << first_places(count) << "\n";
}

void report_held_out(const Settings& settings, const Corpora& corpora) {
  const Index train = std::ssize(corpora.train.pairs()), held_out = std::ssize(corpora.valid.pairs());
  const Index asked = settings.pairs_to_hold_out(train + held_out);
  std::cerr << "validation text: ";
  if (held_out > 0) {
    std::cerr << held_out << " of " << count_of(train + held_out, "pair")
              << " are held out, and training does not read them";
    if (held_out < asked) std::cerr << " (fewer than " << asked << ": the others share a sentence)";
    std::cerr << "; --hold-out 0 trains on all\n";
  } else {
    const std::string reason = asked > 0 ? ", because every pair shares a sentence with another"
                               : settings.hold_out == 0 ? ""
                                                        : ", because there are fewer than " +
                                                              std::to_string(kFewestToHoldOutOf) + " pairs";
    std::cerr << "none" << reason << "; the last weights are kept, whether they are the best or not\n";
  }
}

// How text becomes words, with a hint where it looks as if it needed the other way.
void report_words(const Settings& settings, const ParallelCorpus& corpus) {
  const std::optional<bool> is_tokenized = looks_tokenized(corpus);
  if (settings.word_rule().marks) {
    std::cerr << "words: marks are cut from words so that the cut can be undone";
    if (is_tokenized == true)
      std::cerr
          << " (hint: many lines end in a blank and a mark, as if the text were tokenized already; then "
             "--words spaces suits it)";
  } else {
    std::cerr << "words: they end at blanks alone, and translate needs text that is tokenized like this one";
    if (is_tokenized == false)
      std::cerr << " (hint: it does not look tokenized; --words marks cuts \"yes.\" into \"yes\" and \".\")";
  }
  std::cerr << "\n";
}

void report_odd_pairs(const std::string& name, const ParallelCorpus& corpus) {
  const OddPairs odd = odd_pairs_of(corpus);
  report(name, odd.repeated, "pair repeats an earlier one", "pairs repeat an earlier one");
  if (odd.equal.pairs == std::ssize(corpus.pairs()))
    std::cerr << name
              << ": every pair has the same words on both sides, so a model learns to copy (hint: is one "
                 "file given twice?)\n";
  else
    report(name, odd.equal, "pair has the same words on both sides",
           "pairs have the same words on both sides");
  report(name, odd.unequal, "pair has sides of very unequal lengths",
         "pairs have sides of very unequal lengths");
  const std::string accents =
      " accents as characters of their own, which are other letters than é and ö (hint: uconv -x any-nfc "
      "joins "
      "them)";
  report(name, odd.accents, "pair writes" + accents, "pairs write" + accents);
  report(name, corpus.report().open_quotes,
         "pair has a quote that is never closed; quotes are read as they are",
         "pairs have a quote that is never closed; quotes are read as they are");
  for (const std::string& file : odd.sorted)
    std::cerr << file
              << ": both sides are in alphabetical order, so the sentences may have lost their translations "
                 "(hint: was each side sorted by itself?)\n";
}

void report_validation_text(const Corpora& corpora) {
  report_odd_pairs("validation text", corpora.valid);
  report("validation text", pairs_in_training(corpora.valid, corpora.train),
         "pair stands in the training text as well, so it measures memory",
         "pairs stand in the training text as well, so they measure memory");
}

struct KnownPieces {
  Index pieces = 0, unknown = 0;        // of both sides; an unknown piece is <unk> to the model
  std::vector<std::string> characters;  // never seen, safe to print; the most frequent first
};

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
  for (const auto& entry : unseen) known.characters.push_back(entry.first);
  std::stable_sort(known.characters.begin(), known.characters.end(),
                   [&](const std::string& a, const std::string& b) { return unseen.at(a) > unseen.at(b); });
  return known;
}

// ", and 2 characters were never seen: é, ß"; at most ten are named.
std::string describe_unseen(const std::vector<std::string>& characters) {
  if (characters.empty()) return "";
  constexpr std::size_t kNamed = 10;
  std::string text = ", and " + count_of(std::ssize(characters), "character") +
                     (characters.size() == 1 ? " was never seen: " : " were never seen: ");
  for (std::size_t i = 0; i < std::min(characters.size(), kNamed); ++i)
    text += (i == 0 ? "" : ", ") + characters[i];
  return text + (characters.size() > kNamed ? ", ..." : "");
}

}  // namespace

void warn_of_left_out(const std::string& name, const PairCount& left_out, const std::string& reason) {
  if (left_out.pairs == 0) return;
  std::cerr << name << ": " << count_of(left_out.pairs, "pair is", "pairs are") << " left out because "
            << reason << " " << first_places(left_out) << "\n";
}

void require_whole_words(const Settings& settings, const Corpora& corpora) {
  if (settings.text.empty() || settings.word_rule().marks) return;
  for (const ParallelCorpus* corpus : {&corpora.train, &corpora.valid}) {
    const std::optional<PlacedWord> found = first_word_ending_in_at_at(*corpus);
    if (!found) continue;
    const std::string word = truncate_to_width(printable(found->word), kWidestNamedWord);
    throw input_error(
        found->place.file + ":" + std::to_string(found->place.line),
        "the pair has the word \"" + word +
            "\", and with --words spaces \"@@\" at the end of a word belongs to byte pair encoding",
        "if the text is cut into pieces already, undo it with sed -E 's/(@@ )|(@@ ?$)//g'; if it "
        "speaks of such words, --words marks reads them");
  }
}

void report_text(const Settings& settings, const Corpora& corpora) {
  if (settings.text.empty()) return;
  if (!settings.resume) report_words(settings, corpora.train);
  report("training text", pairs_with_pieces(corpora.train),
         "pair looks cut by byte pair encoding already, which the model learns itself; undo it with sed -E "
         "'s/(@@ )|(@@ ?$)//g'",
         "pairs look cut by byte pair encoding already, which the model learns itself; undo it with sed -E "
         "'s/(@@ )|(@@ ?$)//g'");
  report_odd_pairs("training text", corpora.train);
  if (settings.valid_text.empty())
    report_held_out(settings, corpora);
  else
    report_validation_text(corpora);
}

void check_known_pieces(const ParallelCorpus& text, const std::string& model, BytePairEncoding& byte_pairs,
                        const Vocabulary& vocabulary) {
  const KnownPieces known = known_pieces_of(text, byte_pairs, vocabulary);
  const double percent =
      100.0 * static_cast<double>(known.pieces - known.unknown) / static_cast<double>(known.pieces);
  const std::string line = "the vocabulary of " + model + " has " + format_fixed(percent, 1) + " % of " +
                           count_of(known.pieces, "piece") + " of this text" +
                           describe_unseen(known.characters);
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
