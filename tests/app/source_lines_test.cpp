// What the commands that read sentences from standard input tell of their translations.
#include "app/source_lines.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class NotesOnTranslations : public testing::Test {
 protected:
  NotesOnTranslations() : model_(load_model(write_model(folder_))) {}

  // The translations are given by their tokens, best first.
  std::string notes_on(const std::vector<std::vector<int>>& translations) {
    std::string notes;
    SourceLines lines(model_, [&](const std::string& note) { notes += note + "\n"; });
    Hypotheses hypotheses;
    for (const auto& tokens : translations) hypotheses.push_back({.tokens = tokens});
    lines.check_translations({.number = 7, .text = "the", .sentence = {}}, hypotheses);
    lines.finish();
    return notes;
  }

  const TemporaryFolder folder_;
  LoadedModel model_;
};

TEST_F(NotesOnTranslations, TellOfUnkInAnyOfThem) {
  const std::vector<int> sound = {kSpecialSymbols}, unknown = {kSpecialSymbols, kUnknownId};
  EXPECT_EQ(notes_on({sound, sound}), "");
  EXPECT_EQ(notes_on({unknown, sound}),
            "standard input:7: the translation has <unk> for a word that the model cannot write\n");
  EXPECT_EQ(
      notes_on({sound, unknown}),
      "standard input:7: an alternative translation has <unk> for a word that the model cannot write\n");
}

}  // namespace
}  // namespace plainformer
