#include "app/source_lines.h"

#include <algorithm>

#include "core/special_symbols.h"
#include "data/text.h"
#include "model_folder/repetition.h"
#include "report/terminal.h"

namespace plainformer {

SourceLines::SourceLines(LoadedModel& model, Warn tell, Index most_notes)
    : model_(model),
      reader_(model),
      source_notes_(model.vocabulary),
      input_(0, kStandardInputName),
      sanitize_(tell, kStandardInputName),
      notes_(tell, kStandardInputName, most_notes) {}

std::vector<SourceLine> SourceLines::next(Index most, const PrepareLine& prepare) {
  std::vector<SourceLine> lines;
  for (const std::string& input : input_.next(most)) {
    const bool was_cut = input_.was_cut(lines.size());
    const std::string text = sanitize_(input);
    ++number_;
    if (!text.empty() && is_blank(text)) notes_.add(number_, white_space_note());
    lines.push_back({.number = number_, .text = prepare(text), .sentence = {}});
    lines.back().sentence = reader_.read(lines.back().text);
    note(lines.back(), was_cut);
  }
  return lines;
}

void SourceLines::note(const SourceLine& line, bool was_cut) {
  if (was_cut)
    notes_.add(line.number,
               cut_note("more than " + std::to_string(InputLines::kMostBytes) + " bytes, cut to " +
                        std::to_string(line.sentence.ids.size()) + " tokens"));
  for (const Note& note : source_notes_.on(line.sentence))
    if (note.kind != NoteKind::kCut || !was_cut) notes_.add(line.number, note);
}

void SourceLines::check_translations(const SourceLine& line, const Hypotheses& translations) {
  const auto has_unknown = [](const Hypothesis& translation) {
    return std::find(translation.tokens.begin(), translation.tokens.end(), kUnknownId) !=
           translation.tokens.end();
  };
  const auto unknown = std::find_if(translations.begin(), translations.end(), has_unknown);
  if (unknown != translations.end()) {
    const std::string which =
        unknown == translations.begin() ? "the translation" : "an alternative translation";
    notes_.add(line.number,
               {NoteKind::kUnknownWritten, which + " has <unk> for a word that the model cannot write"});
  }

  const std::vector<int>& tokens = translations.front().tokens;
  const auto repeated = runaway_repetition(model_.vocabulary.decode(tokens), line.sentence.pieces);
  if (!repeated) return;
  const auto begin = tokens.begin() + repeated->first;
  const std::string text = printable(model_.decode({begin, begin + repeated->length}));
  notes_.add(line.number, {NoteKind::kRepetition, "the translation repeats \"" + text + "\" " +
                                                      std::to_string(repeated->times) + " times"});
}

}  // namespace plainformer
