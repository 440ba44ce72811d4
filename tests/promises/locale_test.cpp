// The user's language changes no number: 0.5 is never "0,5", and 1000 never "1.000".
#include <gtest/gtest.h>

#include "promises/repository.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

TEST(Locale, NoSourceAsksForTheUsers) {
  const Pattern asks("setlocale|newlocale|std::locale(?!::classic)|\\bimbue\\((?!std::locale::classic)");
  for (const std::string& path : files_under("src", ".*\\.(h|cpp)")) {
    for (const std::string& line : lines_of(kRoot / path)) {
      const bool is_classic = line.find("imbue(std::locale::classic())") != std::string::npos;
      EXPECT_TRUE(is_classic || !asks.first_in(line)) << path << ": " << line;
    }
  }
}

TEST(Locale, OfADecimalCommaChangesNothing) {
  const TemporaryFolder folder;
  const std::optional<Variables> language = german_language(folder.path());
  if (!language) GTEST_SKIP() << "there is no German locale, and none can be made";
  const ProgramSetup german = {.input = "the cat\n", .environment = *language};

  write_text(folder);
  const std::string model = write_model(folder), valid = folder.path_of("valid.en");
  const std::vector<std::vector<std::string>> commands = {
      {"train", "--help"},
      {"train", "--dropout", "1.5", "--source", valid, "--target", valid, "--out", model},
      {"translate", "--model", model, "--scores"},
      {"score", "--model", model, "--source", valid, "--target", valid},
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
