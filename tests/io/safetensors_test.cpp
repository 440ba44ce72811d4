#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <limits>

#include "io/checksum.h"
#include "io/temporary_folder.h"
#include "support/tensors.h"
#include "system/system.h"

namespace plainformer {
namespace {

constexpr char kOneTensor[] = R"({"t": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})";

// A file of the format: the length of the header, the header, `data_bytes` zeros.
std::string file_with(const std::string& header, std::size_t data_bytes) {
  std::string length(8, '\0');
  store(length.data(), std::uint64_t{header.size()});
  return length + header + std::string(data_bytes, '\0');
}

std::vector<NamedTensor> some_tensors() {
  return {{"encoder.0.self_attention.w_q", Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6})},
          {"caf\u00e9 \"x\"", Tensor::from({2}, {-0.5f, 1e-30f})},
          {"empty", Tensor({0, 5})},
          {"four", Tensor::from({1, 2, 1, 2}, {7, 8, 9, 10})}};
}

const Metadata kSomeMetadata = {{"heads", "8"}, {"d_model", "512"}, {"note", "line\nand \"quote\""}};

// The bytes that some_tensors() and kSomeMetadata make.
std::string some_file() {
  const TemporaryFolder folder;
  write_tensor_file(folder.path_of("m"), some_tensors(), kSomeMetadata);
  return folder.read("m");
}

std::string error_for(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m", bytes);
  const std::string error = error_of([&] { read_tensor_file(path); });
  if (error.empty()) return error;
  EXPECT_EQ(error.rfind(path + ": ", 0), 0u) << error;
  EXPECT_TRUE(contains(error, "(hint: ")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  return error;
}

void expect_equal(const std::vector<NamedTensor>& actual, const std::vector<NamedTensor>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_TRUE(same_bits(actual[i].tensor, expected[i].tensor)) << actual[i].name;
  }
}

TEST(Safetensors, WritesTheseBytes) {
  const TemporaryFolder folder;
  write_tensor_file(folder.path_of("m"), {{"t", Tensor::from({2}, {1, -2})}}, {{"heads", "8"}});
  const std::string bytes = folder.read("m");
  const std::string header =
      R"({"__metadata__": {"heads": "8", "checksum": "plainformer-1:dae885cedb1e1d1e"}, )"
      R"("t": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  std::string expected = file_with(header + padding, 8);
  store(expected.data() + expected.size() - 8, std::uint32_t{0x3f800000});
  store(expected.data() + expected.size() - 4, std::uint32_t{0xc0000000});
  EXPECT_EQ(bytes, expected);
}

TEST(Safetensors, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("m");
  write_tensor_file(path, some_tensors(), kSomeMetadata);
  const TensorFile file = read_tensor_file(path);
  expect_equal(file.tensors, [] {
    std::vector<NamedTensor> rounded = some_tensors();  // through float, in the double build
    for (Index i = 0; i < 2; ++i) {
      Real& value = rounded[1].tensor.mutable_data()[i];
      value = static_cast<float>(value);
    }
    return rounded;
  }());
  EXPECT_EQ(file.metadata, kSomeMetadata);
  EXPECT_EQ(file.at("four").shape(), Shape({1, 2, 1, 2}));
  EXPECT_EQ(*find_text(file.metadata, "d_model"), "512");
  EXPECT_EQ(find_text(file.metadata, "checksum"), nullptr);
  EXPECT_TRUE(contains(error_of([&] { file.at("five"); }), path + ": has no tensor \"five\""));
}

TEST(Safetensors, KeepsTensorsLongerThanABuffer) {
  const Index length = 200'003;  // three chunks, the last one odd
  Tensor tensor({length});
  for (Index i = 0; i < length; ++i) tensor.mutable_data()[i] = static_cast<Real>(i);
  const TemporaryFolder folder;
  write_tensor_file(folder.path_of("m"), {{"a", tensor}, {"b", Tensor::from({1}, {-1})}}, {});
  expect_equal(read_tensor_file(folder.path_of("m")).tensors,
               {{"a", tensor}, {"b", Tensor::from({1}, {-1})}});
}

TEST(Safetensors, WritingCopiesNoTensor) {
  const std::vector<NamedTensor> tensors = {{"t", Tensor::zeros({1000, 1000})}};
  const TemporaryFolder folder;
  const std::uint64_t before = storage_statistics().system_allocations;
  write_tensor_file(folder.path_of("m"), tensors, {});
  EXPECT_EQ(storage_statistics().system_allocations, before);
}

TEST(Safetensors, ReadsTheReferenceImplementation) {
  const TensorFile file = read_tensor_file(PLAINFORMER_SOURCE_DIR "/tests/io/fixtures/reference.safetensors");
  EXPECT_EQ(file.tensors.size(), 4u);
  const Tensor& w_q = file.at("encoder.0.self_attention.w_q");
  ASSERT_EQ(w_q.shape(), Shape({2, 3}));
  const float expected[] = {1, -2, 0.1f, 3e38f, 1e-45f, -0.0f};
  for (Index i = 0; i < 6; ++i) EXPECT_EQ(w_q.data()[i], static_cast<Real>(expected[i]));
  EXPECT_EQ(file.at("doubles").at({0}), static_cast<Real>(0.1));
  EXPECT_EQ(file.at("doubles").at({1}), Real(-2.5));
  ASSERT_EQ(file.at("scalar").shape(), Shape({1}));
  EXPECT_EQ(file.at("scalar").at({0}), Real(2.5));
  EXPECT_EQ(file.at("empty").shape(), Shape({0, 3}));
  EXPECT_EQ(*find_text(file.metadata, "d_model"), "3");
  EXPECT_EQ(*find_text(file.metadata, "text"), "a \"quoted\"\tcaf\u00e9 \U0001F600");
}

TEST(Safetensors, AcceptsWhatTheFormatAllows) {
  EXPECT_EQ(error_for(file_with("{}", 0)), "");
  EXPECT_EQ(error_for(file_with(R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]},
                                    "a": {"data_offsets": [0, 4], "shape": [], "dtype": "F32"}})",
                                8)),
            "");
  EXPECT_EQ(error_for(file_with(" \n" + std::string(kOneTensor) + "\t ", 8)), "");
}

struct Malformed {
  std::string header;
  std::string problem;
};

// A header with one tensor, some part of which is wrong.
std::string tensor_header(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"t": {"dtype": )" + dtype + R"(, "shape": )" + shape + R"(, "data_offsets": )" + offsets + "}}";
}

TEST(Safetensors, RejectsMalformedHeaders) {
  const std::string million_ones = "[1" + repeated(",1", 999'999) + "]";
  constexpr Index kLargest = std::numeric_limits<Index>::max();
  const std::string root = std::to_string(Index{1} << 4 * sizeof(Index));  // its square wraps to 0
  const std::string no_size =
      "has an extent that is not a whole number from 0 to " + std::to_string(kLargest);
  const std::string no_range = "has data_offsets that are not a range of bytes";
  const std::string no_fit = "has a shape that does not fit its data_offsets";
  const std::vector<Malformed> cases = {
      {tensor_header("\"F32\"", "[3]", "[0, 8]"), no_fit},
      {tensor_header("\"F32\"", "[" + root + ", " + root + ", 4]", "[0, 0]"), no_fit},  // wraps to 0
      {tensor_header("\"F32\"", "[" + std::to_string(kLargest / 2 + 3) + "]", "[0, 8]"),
       no_fit},  // wraps to 8
      {tensor_header("\"F32\"", "[-2]", "[0, 8]"), no_size},
      {tensor_header("\"F32\"", "[\"2\"]", "[0, 8]"), no_size},
      {tensor_header("\"F32\"", "[1, 1, 1, 1, 2]", "[0, 8]"),
       "has 5 dimensions (hint: at most 4 can be read)"},
      {tensor_header("\"F32\"", million_ones, "[0, 4]"), "too many values"},
      {tensor_header("\"F32\"", "2", "[0, 8]"), "has no shape"},
      {tensor_header("\"F32\"", "[2]", "[8]"), "does not have two data_offsets"},
      {tensor_header("\"F32\"", "[2]", "[0, 8, 8]"), "does not have two data_offsets"},
      {tensor_header("\"F32\"", "[2]", "[8, 0]"), no_range},
      {tensor_header("\"F32\"", "[2]", "[-8, 0]"), no_range},
      {tensor_header("\"F32\"", "[2]", "[0, 8.0]"), no_range},
      {tensor_header("\"F32\"", "[2]", "[8, 16]"), "does not begin where the one before it ends"},
      {tensor_header("\"F32\"", "[3]", "[0, 12]"), "its tensors take 12 bytes, but 8 follow"},
      {tensor_header("\"F32\"", "[1]", "[0, 4]"), "its tensors take 4 bytes, but 8 follow"},
      {tensor_header("\"F16\"", "[4]", "[0, 8]"), "has dtype \"F16\" (hint: convert it to F32)"},
      {tensor_header("\"X\\n\"", "[2]", "[0, 8]"), "has dtype \"X\\n\""},
      {tensor_header("32", "[2]", "[0, 8]"), "has no dtype"},
      {R"({"t": {"dtype": "F32", "shape": [2]}})", "needs exactly dtype, shape and data_offsets"},
      {R"({"t": 7})", "needs exactly dtype, shape and data_offsets"},
      {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
           "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})",
       "\"b\" does not begin where"},
      {R"({"__metadata__": {"a": "1", "a": "2"}})", "a name occurs twice"},
      {R"({"__metadata__": {"a": 1}})", "metadata \"a\" is not a string"},
      {R"({"__metadata__": ["a"]})", "__metadata__ is not an object"},
      {R"({"__metadata__": {"checksum": "crc32:1"}})", "metadata \"checksum\" is not a checksum"},
      {R"({"__metadata__": {"chocksum": "plainformer-1:0"}})", "metadata \"chocksum\" is not a checksum"},
      {"[" + std::string(kOneTensor) + "]", "its header is not a JSON object"},
      {"{\"\xff\": 1}", "not valid UTF-8"},
  };
  for (const Malformed& bad : cases) {
    const std::string error = error_for(file_with(bad.header, 8));
    EXPECT_TRUE(contains(error, bad.problem)) << bad.header.substr(0, 200) << "\n gives \"" << error << '"';
  }
}

TEST(Safetensors, RejectsOtherFiles) {
  const auto with_length = [](std::uint64_t length) {
    std::string bytes = file_with(kOneTensor, 8);
    store(bytes.data(), length);
    return bytes;
  };
  const std::vector<Malformed> cases = {
      {"", "is empty"},
      {"1234567", "ends within its first 8 bytes"},
      {with_length(std::numeric_limits<std::uint64_t>::max()),
       "its first 8 bytes are not the length of a header"},
      {with_length(100'000'001), "its first 8 bytes are not the length of a header"},
      {with_length(100'000'000), "ends within its header of 100000000 bytes"},
      {with_length(sizeof(kOneTensor) + 8), "ends within its header"},
      {file_with(kOneTensor, 9), "its tensors take 8 bytes, but 9 follow"},
      {"<!DOCTYPE html><html>Not found</html>", "is a web page"},
      {"\r\n  <html>", "is a web page"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a git-LFS pointer"},
      {std::string("PK\x03\x04") + std::string(60, '\x7f'), "is a PyTorch file"},
      {"one two three", "is not a safetensors file"},
  };
  for (const Malformed& bad : cases) {
    const std::string error = error_for(bad.header);
    EXPECT_TRUE(contains(error, bad.problem)) << bad.header.substr(0, 200) << "\n gives \"" << error << '"';
  }
}

TEST(Safetensors, RejectsEveryTruncation) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m", some_file());
  ASSERT_NO_THROW(read_tensor_file(path));
  for (std::uintmax_t length = std::filesystem::file_size(path); length-- > 0;) {
    std::filesystem::resize_file(path, length);
    EXPECT_THROW(read_tensor_file(path), std::runtime_error) << "the first " << length << " bytes";
  }
  EXPECT_NE(error_for(some_file() + '\0'), "");
}

TEST(Safetensors, DetectsEveryFlippedBit) {
  const std::string bytes = some_file();
  const TemporaryFolder folder;
  const std::string path = folder.write("m", bytes);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto set_byte = [&](std::size_t position, int value) {
    file.seekp(static_cast<std::streamoff>(position)).put(static_cast<char>(value)).flush();
  };
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (int bit = 0; bit < 8; ++bit) {
      set_byte(position, bytes[position] ^ 1 << bit);
      EXPECT_THROW(read_tensor_file(path), std::runtime_error) << "bit " << bit << " of byte " << position;
    }
    set_byte(position, bytes[position]);
  }
  EXPECT_NO_THROW(read_tensor_file(path));
  set_byte(bytes.size() - 1, bytes.back() ^ 1);
  const std::string error = error_of([&] { read_tensor_file(path); });
  EXPECT_TRUE(contains(error, "was altered or damaged")) << error;
  EXPECT_TRUE(contains(error, "remove the metadata key \"checksum\"")) << error;
}

TEST(Safetensors, RefusesToWriteWhatItWouldNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("m");
  const Tensor tensor = Tensor::zeros({2});
  EXPECT_THROW(write_tensor_file(path, {{"__metadata__", tensor}}, {}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {{"a\xff", tensor}}, {}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {{"t", Tensor()}}, {}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {}, {{"a", "1"}, {"a", "2"}}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {}, {{"a", "\xff"}}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {}, {{"a", "plainformer-1:"}}), std::logic_error);
  EXPECT_THROW(write_tensor_file(path, {}, {{"checksum", "1"}}), std::logic_error);
  EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace plainformer
