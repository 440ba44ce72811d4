#include <gtest/gtest.h>

#include "io/json.h"
#include "support/program.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

std::string line_of(const std::string& text, const std::string& begin) {
  const std::size_t from = text.find("\n" + begin);
  return from == std::string::npos ? "" : text.substr(from + 1, text.find('\n', from + 1) - from - 1);
}

TEST(TraceCommand, RunsFromNothing) {
  const ProgramResult result = run_program({"trace"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(line_of(result.out, "source"), "source  that the queen buys a book");
  EXPECT_EQ(line_of(result.out, "target"),
            "target  dass die Königin ein Buch kauft  (the model's own greedy translation)");
  for (const char* part :
       {"\nsource.embedding  [source_len=7, d_model=6]  section 3.4\n",
        "\nencoder.0.self_attention.weights  [heads=2, query_len=7, key_len=7]  section 3.2.1 (1)\n",
        "\ndecoder.0.encoder_decoder_attention.grad_scores  [heads=2, query_len=7, key_len=7]",
        "\nembedding.grad_rows  [tokens="})
    EXPECT_TRUE(contains(result.out, part)) << part;
  EXPECT_EQ(run_program({"trace"}).out, result.out);
}

TEST(TraceCommand, ShowsOnlyTheTensorsThatAreNamed) {
  const std::string all = run_program({"trace"}).out;
  const ProgramResult one = run_program({"trace", "--only", "source.scaled"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(one.out.starts_with("source.scaled  [source_len=7, d_model=6]  section 3.4\n")) << one.out;
  EXPECT_EQ(count_lines(one.out), 11);
  EXPECT_TRUE(contains(all, "\n\n" + one.out + "\n"));

  // In the order of the computation; a beginning names all that it begins, but "grad" not "grad_logits".
  const ProgramResult several =
      run_program({"trace", "--only", "loss,encoder.0.self_attention_norm,decoder.0.grad_x", "--json", "-"});
  std::string names;
  const JsonValue json = parse_json(several.out, "json");
  for (const JsonValue& record : *json.find("records")->array())
    names += *record.find("name")->string() + " ";
  const std::string norm = "encoder.0.self_attention_norm.";
  EXPECT_EQ(names, norm + "sum " + norm + "mean " + norm + "rstd " + norm + "gain " + norm + "bias " + norm +
                       "output loss decoder.0.grad_x " + norm + "grad_sum " + norm + "gain.grad " + norm +
                       "bias.grad ");
}

TEST(TraceCommand, TheLossIsTheLogProbabilityThatScorePrints) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const std::string source = folder.write("in", "the cat sleeps\n"),
                    target = folder.write("out", "die Katze\n");
  const ProgramResult score =
      run_program({"score", "--model", model, "--source", source, "--target", target});
  const ProgramResult traced = run_program(
      {"trace", "--model", model, "--source", "the cat sleeps", "--target", "die Katze", "--json", "-"});
  const JsonValue json = parse_json(traced.out, "json");
  EXPECT_NEAR(*json.find("loss")->number(), -std::stod(score.out), 1e-5);
  EXPECT_TRUE(*json.find("target_is_given")->boolean());
}

TEST(TraceCommand, WritesAFileAndThenNothingElse) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"trace", "--json", folder.path_of("trace.json"), "--values", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(folder.read("trace.json"), run_program({"trace", "--json", "-", "--values", "3"}).out);
}

TEST(TraceCommand, AnEmptySentenceIsTheEndSymbolAlone) {
  for (const char* source : {"", "   "}) {
    const ProgramResult result = run_program({"trace", "--source", source});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.out, "\nsource.ids  [source_len=1]")) << result.out.substr(0, 300);
    EXPECT_TRUE(contains(result.out, "\ntarget.ids  [target_len=1]"));
  }
}

TEST(TraceCommand, BytesThatAreNotTextAreReplaced) {
  const ProgramResult result = run_program({"trace", "--source", "a\xff\x1b[31m b", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(*parse_json(result.out, "json").find("source")->string(), "a\uFFFD\x1b[31m b");
  const ProgramResult text = run_program({"trace", "--source", "a\xff\x1b[31m b"});
  EXPECT_FALSE(contains(text.out, "\x1b"));
  EXPECT_FALSE(contains(text.out, "\xff"));
}

TEST(TraceCommand, WrongUseIsOneLine) {
  const auto fails = [](std::vector<std::string> arguments, const std::string& part, int exit_code = 1) {
    arguments.insert(arguments.begin(), "trace");
    return refused(run_program(arguments), {part}, exit_code);
  };
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--json", "-"}, {"--values", "3"}, {"--only", "loss"}})
    EXPECT_TRUE(fails(joined({"--steps", "-"}, more), "--steps goes without", 2));
  EXPECT_TRUE(fails({"--target", "a"}, "--target needs --source", 2));
  EXPECT_TRUE(fails({"--source", "a", "--source", "b"}, "--source is given twice", 2));
  EXPECT_TRUE(fails({"--only", "loss,grad"}, "--only: no tensor is called \"grad\" (hint: without --only"));
  EXPECT_TRUE(fails({"--values", "-1"}, "--values: -1 is out of range"));
  EXPECT_TRUE(fails({"--label-smoothing", "1"}, "--label-smoothing: 1 is out of range"));
  EXPECT_TRUE(fails({"--label-smoothing", "nan"}, "--label-smoothing: nan is out of range"));
  EXPECT_TRUE(fails({"--model", "/nowhere"}, "/nowhere: no such folder"));
  EXPECT_TRUE(fails({"--json", "/nowhere/trace.json"}, "/nowhere/trace.json"));
}

}  // namespace
}  // namespace plainformer
