// A text of one's own: two files, several, or one with tabs; with validation text or without.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/strings.h"
#include "io/json.h"
#include "support/small_model_folder.h"
#include "train/run_record.h"

namespace plainformer {
namespace {

class OwnText : public TrainingOnText {
 protected:
  std::vector<std::string> lines_of(const std::string& name) const {
    std::vector<std::string> lines = split_at('\n', folder_.read(name));
    lines.pop_back();  // behind the last line feed
    return lines;
  }
  // A file with a number, the German and the English sentence of each line.
  std::string write_pairs(const std::string& name, const std::string& text, std::size_t from = 0) const {
    const std::vector<std::string> source = lines_of(text + ".en"), target = lines_of(text + ".de");
    std::string pairs;
    for (std::size_t i = from; i < source.size(); ++i)
      pairs += std::to_string(i) + "\t" + target[i] + "\t" + source[i] + "\n";
    return folder_.write(name, pairs);
  }
  std::string write_lines(const std::string& name, const std::string& text, std::size_t from,
                          std::size_t end) const {
    const std::vector<std::string> lines = lines_of(text);
    std::string part;
    for (std::size_t i = from; i < end; ++i) part += lines[i] + "\n";
    return folder_.write(name, part);
  }

  // Trains on nothing but the text that the options name.
  ProgramResult train(const std::string& out, const std::vector<std::string>& options,
                      const ProgramSetup& setup = {}) const {
    std::vector<std::string> arguments = train_arguments(folder_, out, options);
    for (const char* option : {"--source", "--target", "--valid-source", "--valid-target"}) {
      const auto at = std::find(arguments.begin(), arguments.end(), option);
      const bool is_usual = std::find(options.begin(), options.end(), option) == options.end();
      if (is_usual) arguments.erase(at, at + 2);
    }
    return run_program(arguments, setup);
  }
  ProgramResult train_on_files(const std::string& out, const std::vector<std::string>& more = {}) const {
    return train(
        out,
        joined({"--source", folder_.path_of("train.en"), "--target", folder_.path_of("train.de")}, more));
  }
  ProgramResult resume(const std::string& out, const std::vector<std::string>& more = {},
                       const ProgramSetup& setup = {}) const {
    return TrainingOnText::resume(out, joined({"--steps", "8"}, more), setup);
  }
  void expect_lines(std::vector<std::string> options, const std::vector<std::string>& lines) const {
    options.push_back("--overwrite");
    const ProgramResult result = train("reported", options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const std::string& line : lines) EXPECT_TRUE(contains(result.err, line + "\n")) << result.err;
  }
  // A checksum of run.json: "train" or "valid".
  std::string checksum(const std::string& out, const std::string& text) const {
    return *parse_json(folder_.read(out + "/run.json"), out).find("data")->find(text)->string();
  }
  void expect_same_weights(const std::string& out, const std::string& other) const {
    EXPECT_TRUE(folder_.read(out + "/model.safetensors") == folder_.read(other + "/model.safetensors"));
  }
};

TEST_F(OwnText, InSeveralFilesIsReadInTheirOrder) {
  ASSERT_EQ(train_on_files("whole").exit_code, 0);
  const std::string a_en = write_lines("a.en", "train.en", 0, 20),
                    a_de = write_lines("a.de", "train.de", 0, 20),
                    b_en = write_lines("b.en", "train.en", 20, 50),
                    b_de = write_lines("b.de", "train.de", 20, 50),
                    rest = write_pairs("rest.tsv", "train", 50);
  const ProgramResult result = train("parts", {"--pairs", rest, "--columns", "3,2", "--source", a_en,
                                               "--target", a_de, "--source", b_en, "--target", b_de});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_same_weights("parts", "whole");
  EXPECT_EQ(resume("parts").exit_code, 0);
}

TEST_F(OwnText, FromStandardInputTrainsTheSameBitsAsFromAFile) {
  const std::string pairs = write_pairs("train.tsv", "train"), valid = write_pairs("valid.tsv", "valid");
  ASSERT_EQ(train("file", {"--pairs", pairs, "--columns", "3,2"}).exit_code, 0);
  const ProgramResult result =
      train("input", {"--pairs", "-", "--columns", "3,2"}, {.input = folder_.read("train.tsv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "8 of 80 pairs are held out")) << result.err;
  expect_same_weights("input", "file");

  ASSERT_EQ(train("given", {"--pairs", pairs, "--valid-pairs", valid, "--columns", "3,2"}).exit_code, 0);
  ASSERT_EQ(train("half", {"--pairs", pairs, "--valid-pairs", "-", "--columns", "3,2"},
                  {.input = folder_.read("valid.tsv")})
                .exit_code,
            0);
  expect_same_weights("half", "given");
}

// Without --preset, the text is also read to choose a recipe.
TEST_F(OwnText, FromStandardInputHasARecipeAndIsNamedInMessages) {
  const ProgramResult result =
      run_program({"train", "--pairs", "-", "--out", folder_.path_of("model"), "--steps", "2"},
                  {.input = "a b\tx y\na b\tx y\nc\t\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "(2 pairs: very little text")) << result.err;
  EXPECT_TRUE(
      contains(result.err,
               "earlier one (hint: delete them, unless they are to count more): 1 (first: standard input:2)"))
      << result.err;
  EXPECT_TRUE(
      contains(result.err, "pairs that are left out because one side is empty: 1 (first: standard input:3)"))
      << result.err;
  EXPECT_TRUE(refused(train("bad", {"--pairs", "-"}, {.input = "a\tb\nc\n"}),
                      {"standard input:2: has 1 column, but column 2 is asked for"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("bad")));
}

TEST_F(OwnText, FromStandardInputIsAskedForAgainByAResumedRun) {
  write_pairs("train.tsv", "train");
  const ProgramSetup text = {.input = folder_.read("train.tsv")};
  ASSERT_EQ(train("model", {"--pairs", "-", "--columns", "3,2"}, text).exit_code, 0);
  EXPECT_TRUE(refused(resume("model"), {"standard input: is empty", "by a resumed run once more"}));
  EXPECT_TRUE(refused(resume("model", {}, {.input = text.input + "80\tdas\tthe\n"}),
                      {"run.json: the train text is not the one that this run began with"}));
  const ProgramResult result = resume("model", {}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(OwnText, MayHaveMovedWhenARunIsResumed) {
  ASSERT_EQ(train("model", {"--pairs", write_pairs("train.tsv", "train"), "--columns", "3,2"}).exit_code, 0);
  const std::string moved = folder_.path_of("moved.tsv");
  std::filesystem::rename(folder_.path_of("train.tsv"), moved);
  EXPECT_EQ(resume("model", {"--pairs", moved}).exit_code, 0);
  EXPECT_EQ(read_run_settings(ModelFolder(folder_.path_of("model"))).text.pairs, Arguments{moved});
}

TEST_F(OwnText, WithoutValidationTextHoldsSomeOut) {
  const ProgramResult result = train_on_files("model", {"--validate-every", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err,
                       "validation text: 8 of 80 pairs are held out, and training does not read them; "
                       "--hold-out 0 trains on all\n"))
      << result.err;
  EXPECT_TRUE(contains(result.err, "data: 72 training pairs, 8 validation pairs\n")) << result.err;
  EXPECT_TRUE(contains(folder_.read("model/log.jsonl"), "\"valid_loss\""));
  EXPECT_EQ(resume("model").exit_code, 0);

  ASSERT_EQ(train_on_files("other", {"--seed", "2", "--hold-out", "8"}).exit_code, 0);
  EXPECT_EQ(checksum("other", "valid"), checksum("model", "valid"));
  EXPECT_TRUE(refused(resume("model", {"--hold-out", "9"}),
                      {"the train text is not the one that this run began with"}));
}

TEST_F(OwnText, HoldsNothingOutIfItIsAskedNotTo) {
  const ProgramResult result = train_on_files("all", {"--hold-out", "0", "--checkpoint-every", "6"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "validation text: none; the last weights, or the average")) << result.err;
  ASSERT_EQ(run_program(train_arguments(folder_, "given", {"--checkpoint-every", "6"})).exit_code, 0);
  EXPECT_TRUE(folder_.read("all/checkpoints/step_00000006.safetensors") ==
              folder_.read("given/checkpoints/step_00000006.safetensors"));
}

TEST_F(OwnText, OfAFewPairsHoldsNothingOut) {
  const std::string pairs = folder_.write("few.tsv", "a\tx\nb\ty\n");
  const ProgramResult result = train("model", {"--pairs", pairs, "--merges", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "validation text: none, because there are fewer than 50 pairs; "))
      << result.err;
  EXPECT_TRUE(refused(train("other", {"--pairs", pairs, "--hold-out", "2"}),
                      {"--hold-out: 2 of 2 pairs leaves none"}));
}

TEST_F(OwnText, IsReportedWithItsSuspiciousPairs) {
  std::string pairs;
  for (int i = 0; i < 30; ++i) pairs += "word " + std::to_string(i) + "\tWort " + std::to_string(i) + "\n";
  const std::string first = folder_.write("first.tsv", pairs + "word 3\tWort 3\nParis\tParis\n"),
                    second = folder_.write("second.tsv", "word 4\tWort 4\n\"a\tb\nno\t" +
                                                             std::string(90, 'x') + "\nword  5\tWort 5\n");
  expect_lines(
      {"--pairs", first, "--pairs", second, "--merges", "0"},
      {"training text: pairs that repeat an earlier one (hint: delete them, unless they are to count more): "
       "3 (first: " +
           first + ":31, " + second + ":1, 4)",
       "training text: pairs with the same words on both sides (hint: delete those that are not translated): "
       "1 (first: " +
           first + ":32)",
       "training text: pairs with sides of very unequal lengths (hint: is one a part of the other, or of the "
       "next line?): 1 (first: " +
           second + ":3)"});

  const std::string en = folder_.path_of("train.en");
  const std::string valid = folder_.write(
      "valid.tsv", "the\tdas\n" + lines_of("train.en")[7] + "\t" + lines_of("train.de")[7] + " \n");
  expect_lines({"--source", en, "--target", folder_.path_of("train.de"), "--valid-pairs", valid},
               {"validation text: pairs that are in the training text as well, so that they measure memory "
                "(hint: take them out of one of the texts): 1 (first: " +
                valid + ":2)"});
  expect_lines({"--source", en, "--target", en}, {"training text: pairs with the same words on both sides, "
                                                  "which are all, so a model learns to copy (hint: "
                                                  "is one file given twice?): 72 (first: " +
                                                  en + ":1-3)"});
}

TEST_F(OwnText, IsReportedWithWhatBytePairEncodingCannotLearn) {
  const std::string few = folder_.write("few.tsv", "ab\tcd\n");
  expect_lines({"--pairs", few, "--merges", "50"},
               {"no merges: every piece is a single character, because no two neighbors occur twice"});
  expect_lines({"--pairs", few, "--merges", "0"}, {"no merges: every piece is a single character"});
}

// At this learning rate the loss explodes repeatedly.
TEST_F(OwnText, IsLeftWhenThePatienceIsUsedUp) {
  const std::vector<std::string> options = {"--validate-every",      "1",  "--warmup", "3",
                                            "--learning-rate-scale", "40", "--steps",  "30"};
  const ProgramResult result = train_on_files("short", joined(options, {"--patience", "2"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string log = folder_.read("short/log.jsonl");
  const auto has_step = [&](Index step) { return contains(log, "{\"step\": " + std::to_string(step) + ","); };
  Index last = 1;
  while (has_step(last + 1)) ++last;
  ASSERT_LT(last, 30);
  EXPECT_TRUE(contains(result.err, "out of patience after step " + std::to_string(last) +
                                       ": no validation since step " + std::to_string(last - 2) +
                                       " had a lower loss\n"))
      << result.err;

  const std::vector<std::string> go_on = {"train", "--resume", "--out", folder_.path_of("short")};
  EXPECT_TRUE(contains(run_program(go_on).err, "out of patience after step " + std::to_string(last) + ":"));
  EXPECT_EQ(run_program(joined(go_on, {"--steps", "30"})).exit_code, 0) << "steps that are given are made";
  ASSERT_EQ(train_on_files("long", options).exit_code, 0);
  EXPECT_TRUE(folder_.read("short/checkpoints/training_state.safetensors") ==
              folder_.read("long/checkpoints/training_state.safetensors"));
}

// Among equal BLEU the lower perplexity is better, and not the lower loss: smoothed this much, they differ.
TEST_F(OwnText, IsBestByPerplexityWhereBleuIsEqual) {
  const ProgramResult result = train_on_files(
      "ties", {"--best-by", "bleu", "--valid-bleu", "5", "--validate-every", "1", "--label-smoothing", "0.9",
               "--warmup", "3", "--learning-rate-scale", "2", "--steps", "40"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::pair<double, double> best = {-1, 0};  // BLEU, and the negative perplexity
  for (const JsonValue& record : json_lines(folder_.read("ties/log.jsonl"))) {
    if (record.find("valid_bleu") == nullptr) continue;
    const std::pair now = {*record.find("valid_bleu")->number(), -*record.find("valid_perplexity")->number()};
    const std::size_t told = result.err.find("step " + std::to_string(*record.find("step")->size()) + ": ");
    const std::string said = result.err.substr(told, result.err.find('\n', told) - told);
    EXPECT_EQ(contains(said, "(best so far)"), now > best) << said;
    best = std::max(best, now);
  }
}

}  // namespace
}  // namespace plainformer
