// The user's language changes no number: 0.5 is never "0,5", and 1000 never "1.000".
#include <gtest/gtest.h>

#include "app/small_model.h"
#include "promises/repository.h"

namespace plainformer {
namespace {

TEST(Locale, NoSourceAsksForTheUsers) {
  const std::regex asks("setlocale|newlocale|std::locale|\\bimbue\\b");
  for (const std::string& path : files_under("src", ".*\\.(h|cpp)")) {
    for (const std::string& line : lines_of(kRoot / path))
      EXPECT_FALSE(std::regex_search(line, asks)) << path << ": " << line;
  }
}

TEST(Locale, OfADecimalCommaChangesNothing) {
  const TemporaryFolder folder;
  const std::string make = "localedef -i de_DE -f UTF-8 '" + folder.path_of("de_DE.UTF-8") + "' 2> /dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "there is no German locale, and none can be made";
  const ProgramSetup german = {.input = "the cat\n",
                               .environment = {{"LOCPATH", folder.path()}, {"LC_ALL", "de_DE.UTF-8"}}};
  const std::string ask = "LOCPATH='" + folder.path() + "' LC_ALL=de_DE.UTF-8 locale decimal_point";
  ASSERT_EQ(std::system((ask + " | grep -qx ,").c_str()), 0);

  write_text(folder);
  const std::string model = write_model(folder), valid = folder.path_of("valid.en");
  const std::vector<std::vector<std::string>> commands = {
      {"train", "--help"},
      {"train", "--dropout", "1.5", "--source", valid, "--target", valid, "--out", model},
      {"translate", "--model", model, "--scores"},
      {"score", "--model", model, "--source", valid, "--target", valid},
      {"score", "--model", model, "--source", valid, "--target", valid, "--perplexity"},
      {"bleu", "--reference", folder.write("reference", "the cat sleeps\n")},
      {"inspect", "--model", model},
  };
  for (const auto& command : commands) {
    const ProgramResult usual = run_program(command, {.input = german.input}),
                        ours = run_program(command, german);
    EXPECT_EQ(ours.out, usual.out) << command[0];
    EXPECT_EQ(ours.err, usual.err) << command[0];
    EXPECT_EQ(ours.exit_code, usual.exit_code) << command[0];
  }
  ASSERT_EQ(run_program(train_arguments(folder, "usual")).exit_code, 0);
  ASSERT_EQ(run_program(train_arguments(folder, "german"), german).exit_code, 0);
  for (const std::string name : {"model.safetensors", "checkpoints/training_state.safetensors"})
    EXPECT_TRUE(folder.read("german/" + name) == folder.read("usual/" + name)) << name;
}

}  // namespace
}  // namespace plainformer
