// A model folder is untrusted: any fault of it gives one line that names the file, and exit code 1.
#include <gtest/gtest.h>

#include <limits>

#include "io/safetensors.h"
#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

constexpr char kWebPage[] = "<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n";
constexpr char kGitLfsPointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n";

class MalformedModel : public testing::Test {
 protected:
  MalformedModel() : model_(write_model(folder_)) {}

  void expect_refused(const std::vector<std::string>& parts) {
    const ProgramResult result = run_program({"translate", "--model", model_.path}, {.input = "the cat\n"});
    EXPECT_TRUE(refused(result, parts));
  }

  // Writes the weights with one entry of the metadata changed and a checksum that fits.
  void set_metadata(const std::string& key, const std::string& value) {
    Metadata metadata = good_.metadata;
    for (auto& [name, text] : metadata) {
      if (name == key) text = value;
    }
    write_tensor_file(model_.weights(), good_.tensors, metadata);
  }

  std::string read(const std::string& name) const { return folder_.read("model/" + name); }
  void write(const std::string& name, const std::string& bytes) { folder_.write("model/" + name, bytes); }

  // The bytes of a file, and the part of the line after its name.
  using Cases = std::vector<std::pair<std::string, std::string>>;
  void expect_refused(const std::string& name, const Cases& cases) {
    for (const auto& [bytes, message] : cases) {
      write(name, bytes);
      expect_refused({model_.path + "/" + name + message});
    }
  }

  const TemporaryFolder folder_;
  const ModelFolder model_;
  const TensorFile good_ = read_tensor_file(model_.weights());
};

TEST_F(MalformedModel, TheFolderOrAFileIsMissing) {
  for (const std::string name : {"model.safetensors", "bpe.codes", "vocabulary.txt"}) {
    const std::string bytes = read(name);
    std::filesystem::remove(model_.path + "/" + name);
    expect_refused({model_.path + "/" + name + ": "});
    std::filesystem::create_directory(model_.path + "/" + name);
    expect_refused({model_.path + "/" + name + ": is a folder"});
    std::filesystem::remove(model_.path + "/" + name);
    if (pipes_stand_in_any_folder()) {
      const NamedPipe pipe(model_.path + "/" + name);
      expect_refused({pipe.path() + ": is "});
    }
    write(name, bytes);
  }
  for (const std::string command : {"translate", "score", "inspect"}) {
    std::vector<std::string> arguments = {command, "--model", folder_.path_of("none")};
    if (command == "score") arguments.insert(arguments.end(), {"--source", "a", "--target", "b"});
    EXPECT_TRUE(refused(run_program(arguments), {folder_.path_of("none") + ": no such folder"}));
  }
}

// tests/io/safetensors_test.cpp has each truncation and each flipped bit.
TEST_F(MalformedModel, TheWeightsAreTruncatedOrTamperedOrAnotherFile) {
  const std::string bytes = read("model.safetensors");
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 0x10);
  expect_refused("model.safetensors", {{"", ": is empty"},
                                       {bytes.substr(0, 100), ": ends within its header"},
                                       {bytes.substr(0, bytes.size() - 1), ": its tensors take "},
                                       {bytes + "x", ": its tensors take "},
                                       {flipped, ": was altered or damaged"},
                                       {kWebPage, ": is a web page"},
                                       {kGitLfsPointer, ": is a git-LFS pointer"}});
  write_tensor_file(model_.weights(), {{"x", Tensor::zeros({2})}}, {});
  expect_refused({model_.weights() + ": no \"d_model\""});
}

TEST_F(MalformedModel, AnotherFileUnderTheNameOfATextFile) {
  const std::string codes = read("bpe.codes");
  for (const std::string& other :
       {std::string(kWebPage), std::string(kGitLfsPointer), read("model.safetensors")}) {
    write("bpe.codes", other);
    expect_refused({model_.codes() + ":1: "});
    write("bpe.codes", codes);
    write("vocabulary.txt", other);
    expect_refused({model_.vocabulary() + ":1: "});
    write("vocabulary.txt", codes);
    expect_refused({model_.vocabulary() + ":1: expected the special symbol <pad>"});
  }
}

TEST_F(MalformedModel, HyperParametersOutOfRange) {
  for (const auto& [key, value] : {std::pair("d_model", "65537"), std::pair("heads", "x")}) {
    set_metadata(key, value);
    expect_refused({model_.weights() + ": ", key});
  }
}

// Each number is in range, but the file does not hold that many weights, so none are allocated.
TEST_F(MalformedModel, HyperParametersThatWouldTakeAllMemory) {
  for (const auto& [key, value] :
       {std::pair("d_model", "65536"), std::pair("d_ff", "65536"), std::pair("encoder_layers", "256"),
        std::pair("vocab", "10000000"), std::pair("positional_encoding", "learned")}) {
    set_metadata(key, value);
    expect_refused({model_.weights() + ": holds 5152 weights, but its configuration needs "});
  }
}

TEST_F(MalformedModel, WeightsThatAreNotThoseOfTheConfiguration) {
  std::vector<NamedTensor> tensors = good_.tensors;
  std::swap(tensors[1].name, tensors[2].name);  // of one shape, so it goes unnoticed
  write_tensor_file(model_.weights(), tensors, good_.metadata);
  EXPECT_EQ(run_program({"inspect", "--model", model_.path}).exit_code, 0);

  const auto expect_refused_with = [&](const NamedTensor& first, const std::string& message) {
    tensors = good_.tensors;
    tensors[0] = first;
    write_tensor_file(model_.weights(), tensors, good_.metadata);
    expect_refused({model_.weights() + message});
  };
  const Tensor& embedding = good_.tensors[0].tensor;
  Tensor damaged = embedding;
  damaged.mutable_data()[7] = std::numeric_limits<Real>::quiet_NaN();
  expect_refused_with({"embeddings", embedding}, ": no tensor \"embedding\"");
  expect_refused_with({"embedding", embedding.reshaped({16, 19})}, ": embedding is [16, 19], not [19, 16]");
  expect_refused_with({"embedding", damaged}, ": embedding holds NaN");

  tensors = good_.tensors;
  tensors.pop_back();
  write_tensor_file(model_.weights(), tensors, good_.metadata);
  expect_refused({model_.weights() + ": holds 5136 weights, but its configuration needs 5152"});
}

TEST_F(MalformedModel, TheCodesAreTruncatedOrTampered) {
  const std::string codes = read("bpe.codes"),
                    whole_lines = codes.substr(0, codes.rfind('\n', codes.size() - 2) + 1),
                    another = ": is not the file that the model was trained with",
                    behind = ":" + std::to_string(count_lines(codes) + 1) + ": ";
  expect_refused("bpe.codes", {{"", ": is empty"},
                               {codes.substr(0, codes.size() / 2 + 1), ""},
                               {whole_lines, another},
                               {codes + "q x</w>\n", another},
                               {codes + "three symbols here\n", behind + "not a merge"},
                               {codes + "\xff x\n", behind + "not valid UTF-8"},
                               {codes + std::string(1, '\0'), behind + "contains a NUL byte"},
                               {codes + "\n", behind}});
}

TEST_F(MalformedModel, TheVocabularyIsTruncatedOrTampered) {
  const std::string vocabulary = read("vocabulary.txt");
  std::string swapped = vocabulary;  // two tokens in each other's places
  swapped.replace(vocabulary.find("\ncat\n"), 5, "\nnot\n").replace(vocabulary.find("\nnot\n"), 5, "\ncat\n");
  expect_refused("vocabulary.txt", {{"", ": ends after 0 of the 4 special symbols"},
                                    {vocabulary.substr(0, vocabulary.rfind('\n', vocabulary.size() - 2) + 1),
                                     ": 18 tokens, but the model knows 19"},
                                    {vocabulary + "more\n", ": 20 tokens, but the model knows 19"},
                                    {vocabulary + "the\n", ":20: repeats the token of an earlier line"},
                                    {vocabulary + "\xC3", ":20: not valid UTF-8"},
                                    {vocabulary + "\n", ":20: "},
                                    {"the\n" + vocabulary, ":1: expected the special symbol <pad>"},
                                    {swapped, ": is not the file that the model was trained with"}});
}

// As editors on other systems save it; the final line end may be missing, too.
TEST_F(MalformedModel, OtherLineEndsAndAByteOrderMarkAreTheSameText) {
  for (const char* name : {"bpe.codes", "vocabulary.txt"}) {
    std::string text = "\xEF\xBB\xBF";
    for (char c : read(name)) text += c == '\n' ? "\r\n" : std::string(1, c);
    write(name, text);
    EXPECT_EQ(run_program({"inspect", "--model", model_.path}).exit_code, 0);
    write(name, text.substr(0, text.size() - 2));
    EXPECT_EQ(run_program({"inspect", "--model", model_.path}).exit_code, 0);
  }
}

// In this process, because a run of the program for each length would take long. Only the last line end may
// be missing.
TEST_F(MalformedModel, ATextFileIsRefusedWhereverItIsCut) {
  for (const std::string name : {"bpe.codes", "vocabulary.txt"}) {
    const std::string text = read(name);
    for (std::size_t length = 0; length < text.size(); ++length) {
      write(name, text.substr(0, length));
      const std::string error = error_of([&] { load_model(model_); });
      EXPECT_EQ(error.empty(), length == text.size() - 1) << name << " of " << length << " bytes: " << error;
      if (error.empty()) continue;
      EXPECT_EQ(error.rfind(model_.path + "/" + name + ":", 0), 0u) << error;
      EXPECT_TRUE(contains(error, " (hint: ") && count_lines(error) == 0) << error;
    }
    write(name, text);
  }
}

// Another program wrote these weights, so they have no checksums.
TEST_F(MalformedModel, WithoutChecksumsTheFolderIsTaken) {
  Metadata metadata;
  for (const auto& entry : good_.metadata) {
    if (!contains(entry.first, "checksum")) metadata.push_back(entry);
  }
  ASSERT_LT(metadata.size(), good_.metadata.size());
  write_tensor_file(model_.weights(), good_.tensors, metadata);
  EXPECT_EQ(run_program({"inspect", "--model", model_.path}).exit_code, 0);
}

}  // namespace
}  // namespace plainformer
