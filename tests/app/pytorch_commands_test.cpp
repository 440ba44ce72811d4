// plainformer export and import: PyTorch computes the same with the same weights.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "core/strings.h"
#include "io/safetensors.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

const std::string kFixtures = PLAINFORMER_SOURCE_DIR "/tests/app/fixtures/";

struct ScoredPair {
  std::string source, target;
  double log_probability;
  std::string tokens;
};

std::vector<ScoredPair> pytorch_scores() {
  std::ifstream file(kFixtures + "pytorch_scores.tsv");
  std::vector<ScoredPair> pairs;
  for (std::string line; std::getline(file, line);) {
    const auto fields = split_at('\t', line);
    pairs.push_back({fields.at(0), fields.at(1), std::stod(fields.at(2)), fields.at(3)});
  }
  return pairs;
}

class PyTorch : public testing::Test {
 protected:
  // Both write below the folder, under `out`.
  ProgramResult export_model(const std::string& model, const std::string& out) const {
    return run_program({"export", "--model", model, "--out", folder_.path_of(out)});
  }
  ProgramResult import_model(const std::string& source, const std::string& codes,
                             const std::string& vocabulary, const std::string& out) const {
    return run_program({"import", "--source", source, "--bpe", codes, "--vocabulary", vocabulary, "--out",
                        folder_.path_of(out)});
  }
  ProgramResult import_fixture(const std::string& out) const {
    return import_model(kFixtures + "pytorch_model.safetensors", kFixtures + "pytorch_model.bpe",
                        kFixtures + "pytorch_model.vocabulary", out);
  }

  const TemporaryFolder folder_;
};

TEST_F(PyTorch, AModelThatItWroteScoresTheSame) {
  const ProgramResult imported = import_fixture("model");
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  std::string sources, targets;
  for (const ScoredPair& pair : pytorch_scores()) {
    sources += pair.source + "\n";
    targets += pair.target + "\n";
  }
  const ProgramResult scored =
      run_program({"score", "--model", folder_.path_of("model"), "--source", folder_.write("s", sources),
                   "--target", folder_.write("t", targets)});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  std::istringstream lines(scored.out);
  ASSERT_EQ(pytorch_scores().size(), 7u);
  for (const ScoredPair& pair : pytorch_scores()) {
    std::string log_probability, tokens;
    ASSERT_TRUE(std::getline(lines, log_probability, '\t') && std::getline(lines, tokens));
    EXPECT_NEAR(std::stod(log_probability), pair.log_probability, 2e-5) << pair.source;
    EXPECT_EQ(tokens, pair.tokens) << pair.source;
  }
}

TEST_F(PyTorch, ThereAndBackIsTheSameModel) {
  for (const std::string positions : {"sinusoidal", "learned"}) {
    const std::string model = write_model(folder_, positions, positions);
    const ProgramResult exported = export_model(model, positions + ".exported");
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    EXPECT_EQ(exported.out, "");
    const ProgramResult imported =
        import_model(folder_.path_of(positions + ".exported"), model + "/bpe.codes",
                     model + "/vocabulary.txt", positions + ".back");
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
    for (const std::string name : {"/model.safetensors", "/bpe.codes", "/vocabulary.txt"})
      EXPECT_EQ(folder_.read(positions + ".back" + name), folder_.read(positions + name)) << name;
  }
}

// PyTorch's heads always have d_model / heads columns.
TEST_F(PyTorch, HeadsOfAnotherWidthCannotBeExported) {
  write_text(folder_);
  ASSERT_EQ(run_program(train_arguments(folder_, "model", {"--d-k", "9"})).exit_code, 0);
  EXPECT_TRUE(refused(
      export_model(folder_.path_of("model"), "exported"),
      {"its heads have d_k = 9 and d_v = 8, but PyTorch's have d_model / heads columns", "without --d-k"}));
}

TEST_F(PyTorch, ExportRefusesToWriteOverTheModel) {
  const ModelFolder model(write_model(folder_));
  const auto before = snapshot(model.path);
  EXPECT_TRUE(refused(export_model(model.path, "model/../model/model.safetensors"),
                      {"model.safetensors: would replace ", "model.safetensors, which is read"}));
  EXPECT_TRUE(refused(export_model(model.path, "model/bpe.codes"), {"bpe.codes, which is read"}));
  EXPECT_TRUE(refused(export_model(folder_.path_of("none"), "x"), {"no such folder"}));
  EXPECT_EQ(snapshot(folder_.path()), before);
}

// --- files that pretend to be a state dict

class HostileImport : public testing::Test {
 protected:
  HostileImport() { EXPECT_EQ(run_program({"export", "--model", model_.path, "--out", file_}).exit_code, 0); }

  void expect_refused(const std::vector<std::string>& parts, const std::string& codes,
                      const std::string& vocabulary) {
    const ProgramResult result = run_program({"import", "--source", file_, "--bpe", codes, "--vocabulary",
                                              vocabulary, "--out", folder_.path_of("out")});
    EXPECT_TRUE(refused(result, parts));
    EXPECT_FALSE(std::filesystem::exists(folder_.path_of("out")));
  }
  void expect_refused(const std::vector<std::string>& parts) {
    expect_refused(parts, model_.codes(), model_.vocabulary());
  }
  void write(std::vector<NamedTensor> tensors, Metadata metadata) {
    write_tensor_file(file_, tensors, metadata);
  }

  const TemporaryFolder folder_;
  const ModelFolder model_ = ModelFolder(write_model(folder_));
  const std::string file_ = folder_.path_of("exported");
};

TEST_F(HostileImport, NotAStateDict) {
  const TensorFile good = read_tensor_file(file_);
  write(good.tensors, {});
  expect_refused({file_ + ": has no configuration (d_model, heads, ...) in its metadata"});

  Metadata metadata = good.metadata;
  metadata[0].second = "65536";  // d_model
  write(good.tensors, metadata);
  expect_refused({file_ + ": embedding.weight is [19, 16], not [19, 65536]"});

  write(read_tensor_file(model_.weights()).tensors, good.metadata);
  expect_refused({file_ + ": tensor \"embedding\" has no place"});

  std::vector<NamedTensor> tensors = good.tensors;
  tensors[0].tensor.mutable_data()[3] = std::numeric_limits<Real>::infinity();
  write(tensors, good.metadata);
  expect_refused({file_ + ": embedding holds NaN or infinite values"});
}

TEST_F(HostileImport, TextFilesOfAnotherModel) {
  const std::string vocabulary = folder_.read("model/vocabulary.txt");
  const std::string longer = folder_.write("longer", vocabulary + "more\n");
  expect_refused({longer + ": 20 tokens, but the model knows 19"}, model_.codes(), longer);
  const std::string codes = folder_.write("codes", "#version: 0.2\n");
  expect_refused({codes + ": is not the file that the model was trained with"}, codes, model_.vocabulary());
  expect_refused({folder_.path_of("none")}, folder_.path_of("none"), model_.vocabulary());
}

TEST_F(HostileImport, ABiasThatThePaperDoesNotHaveMustBeZero) {
  const TensorFile good = read_tensor_file(file_);
  const std::string name = "decoder.layers.0.multihead_attn.in_proj_bias";
  for (const Real bad : {Real(0.25), Real(-1e-30)}) {
    std::vector<NamedTensor> tensors = good.tensors;
    for (NamedTensor& t : tensors)
      if (t.name == name) t.tensor.mutable_data()[1] = bad;
    write(tensors, good.metadata);
    expect_refused({file_ + ": " + name +
                    " is not zero (element 1, for example), but the paper's attention has no biases"});
  }
}

TEST_F(HostileImport, EachTensorIsThereInItsShapeAndNothingElse) {
  const TensorFile good = read_tensor_file(file_);
  for (std::size_t i = 0; i < good.tensors.size(); ++i) {
    std::vector<NamedTensor> tensors = good.tensors;
    const auto [name, tensor] = good.tensors[i];
    const Shape other = {1, tensor.size()};
    tensors[i].tensor = tensor.reshaped(other);
    write(tensors, good.metadata);
    expect_refused(
        {file_ + ": " + name + " is " + other.to_string() + ", not " + tensor.shape().to_string()});
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(i));
    write(tensors, good.metadata);
    expect_refused({file_ + ": has no tensor \"" + name + "\""});
  }
  std::vector<NamedTensor> tensors = good.tensors;
  tensors.push_back({"encoder.norm.weight", Tensor::zeros({2})});
  write(tensors, good.metadata);
  expect_refused(
      {"tensor \"encoder.norm.weight\" has no place in the paper's model (hint: set encoder.norm"});
  tensors.back().name = "generator\n\x1b[31m";
  write(tensors, good.metadata);
  expect_refused({file_ + ": tensor \"generator"});
}

// --- the page, where PyTorch is installed

std::string python_of_the_page() {
  std::ifstream page(PLAINFORMER_SOURCE_DIR "/docs/appendix-pytorch.md");
  std::string code;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = line == "```python";
    } else if (inside) {
      code += line + "\n";
    }
  }
  return code;
}

class ThePage : public PyTorch, public testing::WithParamInterface<const char*> {};

TEST_P(ThePage, GivesTheSameLogProbabilities) {
  const std::string model = write_model(folder_, "model", /*positions=*/GetParam());
  ASSERT_EQ(export_model(model, "exported").exit_code, 0);
  const std::string source = folder_.write("s", "the cat\n\nthe dog sleeps on a table\nthe cat sleeps\n");
  const std::string target = folder_.write("t", "die Katze\nnicht\n\ndie Katze schläft auf dem <s>\n");
  const std::string codes = model + "/bpe.codes", vocabulary = model + "/vocabulary.txt";
  for (const char* name : {"s", "t"}) {
    const ProgramResult pieces =
        run_program({"bpe", "apply", "--codes", codes}, {.stdin_path = folder_.path_of(name)});
    folder_.write(std::string(name) + ".bpe", pieces.out);
  }
  folder_.write("score.py", python_of_the_page());
  const ProgramResult theirs = run_program({"score.py", "exported", vocabulary, "s.bpe", "t.bpe"},
                                           {.program = "python3", .folder = folder_.path()});
  if (theirs.exit_code == 127 || contains(theirs.err, "No module named"))
    GTEST_SKIP() << "no Python here with torch and safetensors: " << theirs.err;
  ASSERT_EQ(theirs.exit_code, 0) << theirs.err;

  const ProgramResult ours = run_program({"score", "--model", model, "--source", source, "--target", target});
  std::istringstream our_lines(ours.out), their_lines(theirs.out);
  int count = 0;
  for (std::string our_line, their_line; std::getline(our_lines, our_line); ++count) {
    ASSERT_TRUE(std::getline(their_lines, their_line)) << "line " << count + 1;
    EXPECT_NEAR(std::stod(our_line), std::stod(their_line), 1e-4);
    EXPECT_EQ(split_at('\t', our_line).at(1), split_at('\t', their_line).at(1));
  }
  EXPECT_EQ(count, 4);

  const ProgramResult imported = import_model(folder_.path_of("back.safetensors"), codes, vocabulary, "back");
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(folder_.read("back/model.safetensors"), folder_.read("model/model.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(PyTorch, ThePage, testing::Values("sinusoidal", "learned"));

}  // namespace
}  // namespace plainformer
