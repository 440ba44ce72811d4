// plainformer variations: the rows of Table 3.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "data/text.h"
#include "io/json.h"
#include "report/number_format.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class Variations : public testing::Test {
 protected:
  Variations() { write_text(folder_); }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> options = more;
    for (const auto& [option, value] :
         {std::pair{"--preset", "toy"}, {"--steps", "4"}, {"--rows", "E"}, {"--seeds", "2"}})
      if (std::find(more.begin(), more.end(), option) == more.end())
        options.insert(options.end(), {option, value});
    std::vector<std::string> arguments = train_arguments(folder_, "out", options);
    arguments[0] = "variations";
    return arguments;
  }
  // A training that learns some of its own text by heart, so that the translations have a BLEU.
  std::vector<std::string> arguments_by_heart() const {
    return arguments({"--valid-source", folder_.path_of("train.en"), "--valid-target",
                      folder_.path_of("train.de"), "--seeds", "1", "--steps", "400", "--warmup", "100",
                      "--learning-rate-scale", "1", "--dropout", "0", "--d-model", "32", "--d-ff", "64"});
  }
  std::string read(const std::string& name) const { return folder_.read("out/" + name); }

  const TemporaryFolder folder_;
};

TEST_F(Variations, EndsWithATableItsValuesAndAPicture) {
  const ProgramResult result = run_program(arguments());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "run 4 of 4: E learned positions, seed 2 (about 0:00 left)\n"));
  EXPECT_TRUE(contains(result.out, "\nE     learned positions      2 ")) << result.out;
  const std::string csv = read("variations.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_TRUE(contains(csv, "\nbase,,2,"));
  EXPECT_TRUE(contains(csv, "\nE,learned positions,1,"));
  EXPECT_TRUE(contains(read("variations.svg"), "Differences from the base with the same seed"));
}

// The numbers are those that the other commands give for the model in the run's folder.
TEST_F(Variations, MeasuresWhatScoreAndBleuMeasure) {
  ASSERT_EQ(run_program(arguments_by_heart()).exit_code, 0);
  const std::string model = folder_.path_of("out/E-learned-positions/seed-1"),
                    de = folder_.path_of("train.de");
  const ProgramResult score = run_program(
      {"score", "--model", model, "--source", folder_.path_of("train.en"), "--target", de, "--perplexity"});
  const ProgramResult translated =
      run_program({"translate", "--model", model}, {.input = folder_.read("train.en")});
  const ProgramResult bleu = run_program({"bleu", "--reference", de}, {.input = translated.out});
  const JsonValue result = parse_json(read("E-learned-positions/seed-1/result.json"), "result");
  const double perplexity = *result.find("perplexity")->number();
  const auto at = score.out.find("perplexity = ");
  ASSERT_NE(at, std::string::npos) << score.out;
  EXPECT_NEAR(std::stod(score.out.substr(at + 13)), perplexity, 1e-3 * perplexity);
  EXPECT_GT(*result.find("bleu")->number(), 5) << "a BLEU of 0 would equal any other";
  EXPECT_TRUE(contains(bleu.out, "BLEU = " + format_fixed(*result.find("bleu")->number(), 2) + " "))
      << bleu.out;
}

TEST_F(Variations, LeavesTheTranslationsToComparePairs) {
  ASSERT_EQ(run_program(arguments_by_heart()).exit_code, 0);
  EXPECT_EQ(read("base/seed-1/references.txt"), folder_.read("train.de"));
  const ProgramResult pair = run_program({"bleu", "--reference", folder_.path_of("train.de"), "--baseline",
                                          folder_.path_of("out/base/seed-1/translations.txt")},
                                         {.input = read("E-learned-positions/seed-1/translations.txt")});
  const auto bleu_of = [&](const std::string& run) {
    return *parse_json(read(run + "/seed-1/result.json"), "result").find("bleu")->number();
  };
  const double learned = bleu_of("E-learned-positions"), base = bleu_of("base");
  ASSERT_NE(format_fixed(learned, 2), format_fixed(base, 2))
      << "their difference would be that of one to itself";
  EXPECT_TRUE(contains(pair.out, "BLEU = " + format_fixed(learned, 2) + " ")) << pair.out;
  const std::string label = "difference from the baseline: ";
  ASSERT_TRUE(contains(pair.out, label)) << pair.out;
  EXPECT_NEAR(std::stod(pair.out.substr(pair.out.find(label) + label.size())), learned - base, 0.0051);
}

// Of what --hours and the time left are computed. The log's end is that of the last step.
TEST_F(Variations, ARunsTimeIsThatOfTrainingAndMeasuring) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  double last_step = 0;
  for (const std::string& line : read_lines(folder_.path_of("out/base/seed-1/log.jsonl")))
    if (const JsonValue entry = parse_json(line, "log"); entry.find("seconds"))
      last_step = *entry.find("seconds")->number();
  ASSERT_GT(last_step, 0);
  const JsonValue result = parse_json(read("base/seed-1/result.json"), "result");
  EXPECT_GT(*result.find("seconds")->number(), last_step);
}

// The results of a killed and repeated command are those of one that was left in peace.
TEST_F(Variations, TheSameCommandGoesOnWhereAKilledOneWas) {
  const std::vector<std::string> more = {"--seeds", "1", "--steps", "600", "--checkpoint-every", "5"};
  {
    Program program(arguments(more));
    ASSERT_TRUE(wait_until([&] {
      return std::filesystem::exists(
          folder_.path_of("out/base/seed-1/checkpoints/training_state.safetensors"));
    }));
    program.send(kKill);
    ASSERT_EQ(program.wait().exit_code, 128 + kKill);
  }
  ASSERT_FALSE(std::filesystem::exists(folder_.path_of("out/base/seed-1/result.json")));
  // A power failure can damage the log's last line.
  folder_.write("out/base/seed-1/log.jsonl", read("base/seed-1/log.jsonl") + "{\"step\": 7, \"sec\n");
  const ProgramResult resumed = run_program(arguments(more));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string first_run = resumed.err.substr(0, resumed.err.find("run 2 of 2"));
  EXPECT_FALSE(contains(first_run, "\n600 steps in")) << "it began again";
  ASSERT_EQ(run_program(arguments({"--seeds", "1", "--steps", "600", "--checkpoint-every", "5", "--out",
                                   folder_.path_of("whole")}))
                .exit_code,
            0);
  for (const char* run : {"base/seed-1/", "E-learned-positions/seed-1/"}) {
    EXPECT_TRUE(read(std::string(run) + "model.safetensors") ==
                folder_.read("whole/" + std::string(run) + "model.safetensors"))
        << run;
  }
}

TEST_F(Variations, FinishedRunsAreNotMadeAgain) {
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  const std::string before = read("variations.csv");
  const ProgramResult again = run_program(arguments());
  ASSERT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(read("variations.csv"), before);

  const ProgramResult more = run_program(arguments({"--rows", "D,E"}));
  ASSERT_EQ(more.exit_code, 0);
  EXPECT_FALSE(contains(more.err, "base, seed")) << more.err;
  EXPECT_TRUE(contains(more.err, "D P_drop 0.0, seed 1"));
}

TEST_F(Variations, AFolderOfOtherOptionsIsRefused) {
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  const auto before = snapshot(folder_.path_of("out"));
  EXPECT_TRUE(
      failed_with_one_line(run_program(arguments({"--d-ff", "25"})), "variations",
                           {"variations.json: was made with other options: --d-ff 24, not 25", "(hint: "}));
  EXPECT_EQ(snapshot(folder_.path_of("out")), before);
}

TEST_F(Variations, AFolderOfAnotherTextIsRefused) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  folder_.write("valid.de", folder_.read("valid.de") + "noch ein Satz\n");
  folder_.write("valid.en", folder_.read("valid.en") + "one more sentence\n");
  EXPECT_TRUE(failed_with_one_line(run_program(arguments()), "variations",
                                   {"variations.json: was made with another valid text", "(hint: "}));
}

// The same options, but no files.
TEST_F(Variations, AFolderOfFilesIsRefusedForTheBuiltInGrammar) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  std::vector<std::string> without_files = arguments();
  for (const char* option : {"--source", "--target", "--valid-source", "--valid-target"}) {
    const auto at = std::find(without_files.begin(), without_files.end(), option);
    ASSERT_NE(at, without_files.end());
    without_files.erase(at, at + 2);
  }
  EXPECT_TRUE(failed_with_one_line(
      run_program(without_files), "variations",
      {"variations.json: was made with files, not with the built-in grammar", "(hint: "}));
}

// A record of an older version does not know all options.
TEST_F(Variations, AnOptionThatTheRecordDoesNotKnowHasItsDefault) {
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  std::string record = read("variations.json");
  const std::string option = "\"--layer-drop\", \"0\", ";
  ASSERT_TRUE(contains(record, option)) << record;
  folder_.write("out/variations.json", record.erase(record.find(option), option.size()));
  EXPECT_EQ(run_program(arguments()).exit_code, 0);
  EXPECT_TRUE(failed_with_one_line(run_program(arguments({"--layer-drop", "0.5"})), "variations",
                                   {"--layer-drop 0, not 0.5"}));
}

TEST_F(Variations, ADamagedRecordIsRefused) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  for (const char* damaged : {"{}", "{\"options\": [7]}", "{\"options\": [\"--no-such-option\"]}"}) {
    folder_.write("out/variations.json", damaged);
    EXPECT_TRUE(failed_with_one_line(run_program(arguments()), "variations",
                                     {"variations.json: is not a record of variations", "(hint: "}));
  }
}

TEST_F(Variations, ADamagedResultIsNamed) {
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  folder_.write("out/base/seed-1/result.json", "{\"perplexity\": 3}");
  EXPECT_TRUE(failed_with_one_line(run_program(arguments()), "variations",
                                   {"base/seed-1/result.json: has no \"bleu\" from 0 on", "(hint: "}));
  folder_.write("out/base/seed-1/result.json", "{\"perplexity\": ");
  EXPECT_TRUE(failed_with_one_line(run_program(arguments()), "variations",
                                   {"base/seed-1/result.json: is damaged", "(hint: remove the folder"}));
}

// One run that diverges does not keep the others from being made, nor the table from being written.
TEST_F(Variations, ARunThatDivergesLeavesTheOthers) {
  const ProgramResult result = run_program(
      arguments({"--rows", "E", "--seeds", "1", "--learning-rate-scale", "1e4", "--warmup", "1"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "this run failed: ")) << result.err;
  EXPECT_TRUE(contains(result.err, "run 2 of 2: E learned positions, seed 1")) << result.err;
  EXPECT_TRUE(contains(result.err, "failed, as said above")) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path_of("out/variations.csv")));
}

// What cannot be trained is refused before the first run.
TEST_F(Variations, AVariationThatCannotBeTrainedIsRefusedAtOnce) {
  for (const auto& [more, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--rows", "C", "--encoder-layers", "200"}, "row C N 267+1: "},
           {{"--rows", "bf16", "--plain"}, "row bf16: --precision: the plain way of linear"},
       }) {
    const ProgramResult result = run_program(arguments(more));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_FALSE(contains(result.err, "run 1 of")) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("out")));
}

// Two machines may share the work: each makes some of the runs, and one of them merges.
TEST_F(Variations, ResultsOfAnotherFolderAreTakenOver) {
  const std::string other = folder_.path_of("other");
  ASSERT_EQ(
      run_program(arguments({"--seed", "2", "--seeds", "1", "--rows", "D,E", "--out", other})).exit_code, 0);
  const ProgramResult merged = run_program(arguments({"--merge", other}));
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_TRUE(contains(merged.err, "base, seed 1"));
  EXPECT_TRUE(contains(merged.err, "E learned positions, seed 1"));
  EXPECT_FALSE(contains(merged.err, "seed 2")) << merged.err;
  const std::string csv = read("variations.csv"), line = "\nE,learned positions,2,";
  const std::string theirs = folder_.read("other/variations.csv");
  ASSERT_TRUE(contains(theirs, line));
  const std::string result = theirs.substr(theirs.find(line));
  EXPECT_TRUE(contains(csv, result.substr(0, result.find('\n', 1)))) << csv;
  EXPECT_FALSE(contains(csv, "P_drop"));
  // Taken over once, it stays.
  const ProgramResult again = run_program(arguments());
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(read("variations.csv"), csv);
}

// The table on the screen has the rows that were asked for. variations.csv keeps the others.
TEST_F(Variations, RunsOfEarlierCallsStayInTheFile) {
  ASSERT_EQ(run_program(arguments({"--rows", "E", "--seeds", "1"})).exit_code, 0);
  const std::string before = read("variations.csv");
  const ProgramResult result = run_program(arguments({"--rows", "bf16", "--seeds", "1"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(contains(result.out, "learned positions"));
  const std::string csv = read("variations.csv");
  EXPECT_TRUE(contains(csv, "\nbf16,,1,"));
  EXPECT_TRUE(contains(csv, before.substr(before.find("\nE,learned positions,1,")))) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
}

// So that --merge does not take its old figures over.
TEST_F(Variations, ARunThatFailsLeavesTheFile) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  ASSERT_TRUE(contains(read("variations.csv"), "\nE,"));
  std::filesystem::remove_all(folder_.path_of("out/E-learned-positions"));
  folder_.write("out/E-learned-positions", "in its place");
  EXPECT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 1);
  EXPECT_TRUE(contains(read("variations.csv"), "\nbase,"));
  EXPECT_FALSE(contains(read("variations.csv"), "\nE,"));
}

// A published folder has no more than its table and its options.
TEST_F(Variations, ARunThatIsStillToBeMadeStaysInTheFile) {
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  const std::string before = read("variations.csv");
  std::filesystem::remove_all(folder_.path_of("out/E-learned-positions"));
  EXPECT_EQ(run_program(arguments({"--hours", "1e-9"})).exit_code, 0);
  EXPECT_EQ(read("variations.csv"), before);
}

TEST_F(Variations, ADamagedTableIsRefusedBeforeTheRuns) {
  std::filesystem::create_directory(folder_.path_of("out"));
  folder_.write("out/variations.csv", "not a table\n");
  const ProgramResult result = run_program(arguments());
  EXPECT_TRUE(failed_with_one_line(result, "variations", {"out/variations.csv:1: "}));
}

// The folders of runs say more than a table of the rows that were asked for last.
TEST_F(Variations, RunsThatTheTableLeavesOutAreTakenOverToo) {
  const std::string other = folder_.path_of("other");
  ASSERT_EQ(run_program(arguments({"--rows", "D,E", "--seeds", "1", "--out", other})).exit_code, 0);
  ASSERT_EQ(run_program(arguments({"--rows", "E", "--seeds", "1", "--out", other})).exit_code, 0);
  const ProgramResult merged = run_program(arguments({"--rows", "D,E", "--seeds", "1", "--merge", other}));
  EXPECT_EQ(merged.exit_code, 0);
  EXPECT_EQ(merged.err, "");
}

TEST_F(Variations, ResultsOfOtherOptionsAreNotTakenOver) {
  const std::string other = folder_.path_of("other");
  ASSERT_EQ(run_program(arguments({"--d-ff", "25", "--seeds", "1", "--out", other})).exit_code, 0);
  EXPECT_TRUE(
      failed_with_one_line(run_program(arguments({"--merge", other})), "variations",
                           {"other/variations.json: was made with other options", "another --merge)"}));
  EXPECT_TRUE(failed_with_one_line(run_program(arguments({"--merge", folder_.path_of("none")})), "variations",
                                   {"none: holds no results of variations (hint: "}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("out"))) << "a mistyped folder leaves nothing behind";
}

TEST_F(Variations, TheTimeIsABudgetForWholeRuns) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  const ProgramResult result = run_program(arguments({"--hours", "1e-9"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "the next run would end after 1e-09 hours")) << result.err;
  EXPECT_FALSE(contains(result.err, "run 3 of 4"));
}

// If the base took an hour, the big model, with three times the steps, takes more than two.
TEST_F(Variations, ALargerVariationNeedsMoreOfTheTime) {
  ASSERT_EQ(run_program(arguments({"--seeds", "1"})).exit_code, 0);
  const std::string result = read("base/seed-1/result.json");
  folder_.write("out/base/seed-1/result.json",
                result.substr(0, result.find("\"seconds\"")) + "\"seconds\": 3600}\n");
  const ProgramResult big = run_program(arguments({"--rows", "big", "--seeds", "1", "--hours", "2"}));
  EXPECT_TRUE(contains(big.err, "the next run would end after 2 hours")) << big.err;
}

TEST_F(Variations, HoldTheSamePairsOutOfATextWithoutValidation) {
  std::vector<std::string> asked = arguments({"--rows", "E", "--seeds", "2"});
  for (const char* option : {"--valid-source", "--valid-target"}) {
    const auto at = std::find(asked.begin(), asked.end(), option);
    asked.erase(at, at + 2);
  }
  const ProgramResult result = run_program(asked);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string references = read("base/seed-1/references.txt");
  EXPECT_EQ(std::count(references.begin(), references.end(), '\n'), 8);
  EXPECT_EQ(read("E-learned-positions/seed-2/references.txt"), references);
}

TEST_F(Variations, UnknownRowsAndATextWithoutValidationAreWrongUsage) {
  EXPECT_TRUE(failed_with_one_line(
      run_program(arguments({"--rows", "A,F"})), "variations",
      {"--rows takes names from A, B, C, D, E, big, attention, beyond, bf16", "not \"F\""}, 2));
  EXPECT_TRUE(failed_with_one_line(
      run_program({"variations", "--out", folder_.path_of("x"), "--source", folder_.path_of("train.en"),
                   "--target", folder_.path_of("train.de"), "--hold-out", "0"}),
      "variations", {"validation text is required, because the table is measured on it: --valid-pairs"}, 2));
  const std::string few = folder_.write("few.tsv", "a\tb\nc\td\n");
  EXPECT_TRUE(failed_with_one_line(run_program({"variations", "--out", folder_.path_of("x"), "--pairs", few}),
                                   "variations", {"validation text is required"}, 2));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("x")));
  EXPECT_TRUE(failed_with_one_line(
      run_program({"variations", "--out", folder_.path_of("x"), "--treebank", folder_.path_of("train.en")}),
      "variations", {"--valid-treebank is required"}, 2));
}

TEST_F(Variations, OptionsThatContradictTheRowsAreWrongUsage) {
  EXPECT_TRUE(
      failed_with_one_line(run_program(arguments({"--keep", "5"})), "variations", {"--keep must be 1"}, 2));
  EXPECT_TRUE(failed_with_one_line(run_program(arguments({"--rows", "A", "--d-k", "4"})), "variations",
                                   {"row A sets the width of the heads"}, 2));
  const std::string largest = std::to_string(std::numeric_limits<Index>::max());
  EXPECT_TRUE(failed_with_one_line(run_program(arguments({"--seed", largest})), "variations",
                                   {"--seed: " + largest + " is out of range"}));
}

}  // namespace
}  // namespace plainformer
