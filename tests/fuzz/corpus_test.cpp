// What the fuzzers found worth keeping: each file of corpus/ is read or refused as it should be, in every
// build.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/input_error.h"
#include "fuzz/targets.h"

namespace plainformer::fuzz {
namespace {

struct Corpus {
  const char* folder;
  Target target;
};

class FuzzCorpus : public testing::TestWithParam<Corpus> {};

TEST_P(FuzzCorpus, IsReadOrRefusedWithOneLine) {
  const std::string folder = PLAINFORMER_SOURCE_DIR "/tests/fuzz/corpus/" + std::string(GetParam().folder);
  int read = 0, refused = 0;
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string input = read_file(to_text(entry.path()), 1 << 20);
    EXPECT_NO_THROW(++(run(GetParam().target, input) ? read : refused)) << entry.path();
    bytes += input.size();
  }
  EXPECT_GE(read, 3);
  EXPECT_GE(refused, 5);
  EXPECT_LE(bytes, 16'000u) << "minimize the corpus";
}

INSTANTIATE_TEST_SUITE_P(, FuzzCorpus,
                         testing::Values(Corpus{"weights", weights}, Corpus{"json", json},
                                         Corpus{"byte_pair_codes", byte_pair_codes}, Corpus{"text", text},
                                         Corpus{"pairs", pairs}, Corpus{"trees", trees}),
                         [](const auto& corpus) { return std::string(corpus.param.folder); });

// The property that the fuzzers look for can be violated.
TEST(FuzzRun, AcceptsNoErrorButOneLineWithAHint) {
  const auto clean = [](std::string_view) { throw input_error("file:7", "is bad", "get it again"); };
  const auto two_lines = [](std::string_view) {
    throw std::runtime_error("file:7: is\nbad (hint: get it again)");
  };
  const auto no_hint = [](std::string_view) { throw std::runtime_error("file:7: is bad"); };
  EXPECT_FALSE(run(clean, ""));
  EXPECT_TRUE(run([](std::string_view) {}, ""));
  EXPECT_THROW(run(two_lines, ""), std::logic_error);
  EXPECT_THROW(run(no_hint, ""), std::logic_error);
}

}  // namespace
}  // namespace plainformer::fuzz
