// treebank, train --treebank, parse and f1, as their user meets them.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// The built-in treebank, small.
class ParseCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult result =
        run_program({"treebank", "generate", "--out", bank_, "--trees", "200", "--held-out", "5"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  std::string file(const std::string& name) const { return bank_ + "/" + name; }
  std::string text(const std::string& name) const { return folder_.read("bank/" + name); }

  // A model that has learned next to nothing, in the folder "model".
  void train() const {
    const ProgramResult result = run_program(
        {"train", "--preset", "parser", "--treebank", file("train.trees"), "--valid-treebank",
         file("valid.trees"), "--d-model", "16", "--d-ff", "16", "--steps", "2", "--out", model_});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "data: 200 training pairs, 5 validation pairs")) << result.err;
  }

  const TemporaryFolder folder_;
  const std::string bank_ = folder_.path_of("bank"), model_ = folder_.path_of("model");
};

TEST_F(ParseCommands, WriteATreebankAndItsSentences) {
  for (const auto& [name, trees] :
       {std::pair("train.trees", 200), {"valid.trees", 5}, {"test.trees", 5}, {"deeper.trees", 5}})
    EXPECT_EQ(count_lines(text(name)), trees) << name;
  const ProgramResult result =
      run_program({"treebank", "sentences"},
                  {.input = "( (S (NP-SBJ (DT the) (NN cat))\n (VP (VBZ sleeps) (NP (-NONE- *)))))"});
  EXPECT_EQ(result.out, "the cat sleeps\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(ParseCommands, TrainAndParseOneSentenceInOneTreeOut) {
  train();
  const ProgramResult result =
      run_program({"parse", "--model", model_, "--beam", "2", "--extra-length", "5"},
                  {.input = "the cat sleeps .\n\n :) (\n\t\u00A0\u3000\nthe\tcat\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(count_lines(result.out), 5) << result.out;
  const ProgramResult sentences = run_program({"treebank", "sentences"}, {.input = result.out});
  EXPECT_EQ(sentences.out, "the cat sleeps .\n:-RRB- -LRB-\nthe cat\n")
      << "every output is a tree over its words";
  EXPECT_TRUE(contains(result.err, "outputs that were not trees and were repaired: ") &&
              contains(result.err, " of 3\n"))
      << result.err;
}

TEST_F(ParseCommands, ScoreTrees) {
  const ProgramResult same = run_program({"f1", "--gold", file("test.trees")}, {.input = text("test.trees")});
  EXPECT_EQ(same.out,
            "F1 = 100.00 (recall = 100.00 precision = 100.00 complete match = 100.0 % tags = 100.0 % "
            "sentences = 5)\n");
  const ProgramResult gold =
      run_program({"f1", "--gold", folder_.write("gold", "(S (NP (NN cat)) (VP (VBZ sleeps)))")},
                  {.input = "(S (NP (NN cat)) (NP (VBZ sleeps)))"});
  EXPECT_TRUE(contains(gold.out, "F1 = 66.67 ")) << gold.out;
}

TEST_F(ParseCommands, RefuseATranslatorAndTranslateRefusesAParser) {
  const std::string translator = write_model(folder_, "translator"), parser = write_parser(folder_);
  const auto run = [](const std::string& command, const std::string& model) {
    return run_program({command, "--model", model}, {.input = "the cat\n"});
  };
  train();
  write_text(folder_);
  ASSERT_EQ(run_program(train_arguments(folder_, "words")).exit_code, 0);
  for (const std::string& model : {translator, folder_.path_of("words")}) {
    EXPECT_TRUE(refused(run("parse", model), {model + ": is a translator, not a parser",
                                              "a model that 'plainformer train --treebank' made"}));
    EXPECT_EQ(run("translate", model).exit_code, 0);
  }
  for (const std::string& model : {parser, model_}) {
    EXPECT_TRUE(refused(run("translate", model),
                        {model + ": is a parser and does not translate", "'plainformer parse'"}));
    EXPECT_EQ(run("parse", model).exit_code, 0);
  }
}

TEST_F(ParseCommands, TellWhatTheParserDoesNotKnow) {
  const ProgramResult result =
      run_program({"parse", "--model", write_parser(folder_)}, {.input = "the cat\n\u00A0\nthe 猫\n"});
  EXPECT_EQ(count_lines(result.out), 3);
  EXPECT_TRUE(
      result.err.starts_with("standard input:2: white space alone, read as an empty line\n"
                             "standard input:3: the model never saw 猫 and reads <unk> instead\n"))
      << result.err;
}

TEST_F(ParseCommands, RefuseWhatTheyCannotUse) {
  const std::string gold = file("test.trees");
  EXPECT_TRUE(refused(run_program({"f1", "--gold", gold}, {.input = "(S (NN cat)"}),
                      {"standard input:1: the tree that begins here is not closed"}));
  EXPECT_TRUE(refused(run_program({"f1", "--gold", gold}, {.input = "(NN cat)"}),
                      {"standard input:1: the words differ from those of ", "test.trees:1"}));
  EXPECT_TRUE(refused(run_program({"treebank", "generate", "--out", bank_, "--trees", "0"}),
                      {"--trees: 0 is out of range"}));
  EXPECT_TRUE(refused(run_program({"treebank", "generate", "--out", bank_}),
                      {"train.trees: exists already (hint: choose another --out"}));
  const std::vector<std::string> train = {"train", "--out", model_, "--treebank",
                                          folder_.write("trees", "(NN cat)\n\n()\n")};
  EXPECT_TRUE(refused(run_program(train), {"trees:3: an empty bracket"}));
  const std::vector<std::string> traces = {"train", "--out", model_, "--treebank",
                                           folder_.write("traces", "; a comment\n(NP (-NONE- *))")};
  EXPECT_TRUE(refused(run_program(traces), {"traces: there are no trees with words"}));
  EXPECT_TRUE(refused(run_program({"train", "--out", model_, "--valid-treebank", gold}),
                      {"--valid-treebank needs --treebank"}, 2));
}

}  // namespace
}  // namespace plainformer
