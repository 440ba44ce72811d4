// A path may hold spaces and any script, and be written as its system writes it.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// With the separators of the system: backslashes on Windows.
std::string native(const std::string& path) {
  const std::u8string text = to_path(path).make_preferred().u8string();
  return {text.begin(), text.end()};
}

TEST(Paths, OfAnyScriptServeEveryCommand) {
  const TemporaryFolder folder;
  const std::string here = "B\u00fccher \u732b \U0001F600/";
  std::filesystem::create_directory(to_path(folder.path_of(here)));
  write_text(folder);
  for (const std::string name : {"train.en", "train.de", "valid.en", "valid.de"})
    folder.write(here + name, folder.read(name));
  const auto path = [&](const std::string& name) { return native(folder.path_of(here + name)); };
  const auto expect_done = [](const std::vector<std::string>& command, const ProgramSetup& setup = {}) {
    const ProgramResult result = run_program(command, setup);
    EXPECT_EQ(result.exit_code, 0) << command[0] << ": " << result.err;
    return result;
  };

  const std::string model = path("das Modell");
  expect_done(train_arguments(folder, "unused",
                              {"--source", path("train.en"), "--target", path("train.de"), "--valid-source",
                               path("valid.en"), "--valid-target", path("valid.de"), "--out", model,
                               "--checkpoint-every", "2", "--keep", "2", "--validate-every", "3"}));
  EXPECT_TRUE(contains(expect_done({"train", "--resume", "--out", model, "--steps", "8"}).err, model));
  EXPECT_EQ(count_lines(expect_done({"translate", "--model", model}, {.stdin_path = path("valid.en")}).out),
            count_lines(folder.read("valid.en")));
  expect_done({"score", "--model", model, "--source", path("valid.en"), "--target", path("valid.de")});
  expect_done({"bleu", "--reference", path("valid.de")}, {.stdin_path = path("valid.de")});
  expect_done({"inspect", "--model", model});
  expect_done({"bpe", "learn", path("train.en"), "--out", path("codes \u00e4")});
  expect_done({"bpe", "apply", "--codes", path("codes \u00e4")}, {.stdin_path = path("train.en")});
  expect_done({"export", "--model", model, "--out", path("\u732b.safetensors")});
  EXPECT_NE(folder.read(here + "das Modell/log.jsonl"), "");
  EXPECT_NE(folder.read(here + "\u732b.safetensors"), "");
  EXPECT_TRUE(
      refused(run_program({"inspect", "--model", path("\u00df")}), {path("\u00df") + ": no such folder"}));
}

}  // namespace
}  // namespace plainformer
