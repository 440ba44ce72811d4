// Notes on the lines of a text: the first ones, and how many there are.
#include "model_folder/line_notes.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using Texts = std::vector<std::string>;

TEST(LineNotes, TellTheFirstOfEachKindAndTheNumberOfTheOthers) {
  Texts told;
  LineNotes notes([&](const std::string& text) { told.push_back(text); }, "in.txt", /*most=*/2);
  for (Index line = 3; line <= 7; ++line) notes.add(line, {NoteKind::kUnknownCharacters, "x"});
  notes.add(8, white_space_note());
  for (Index line = 20; line <= 22; ++line) notes.add(line, {NoteKind::kRepetition, "again"});
  EXPECT_EQ(told, (Texts{"in.txt:3: x", "in.txt:4: x", "in.txt:8: white space alone, read as an empty line",
                         "in.txt:20: again", "in.txt:21: again"}));
  told.clear();
  notes.finish();
  EXPECT_EQ(told, (Texts{"in.txt: 3 more lines with characters that the model never saw, the last is line 7",
                         "in.txt: 1 more line with a translation that repeats itself, the last is line 22"}));
  told.clear();
  notes.finish();
  EXPECT_EQ(told, Texts{}) << "once";
}

}  // namespace
}  // namespace plainformer
