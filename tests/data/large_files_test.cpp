// A file of a terabyte is refused before it is read.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "data/byte_pair_encoding.h"
#include "data/fixtures.h"
#include "data/vocabulary.h"
#include "io/temporary_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

constexpr std::uintmax_t kTerabyte = std::uintmax_t{1} << 40;
constexpr const char* kRefusal = "has 1099511627776 bytes";

TEST(LargeFiles, AreNoCodes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("bpe.codes", "#version: 0.2\n");
  stretch_file(path, kTerabyte);
  EXPECT_NE(error_message([&] { BytePairEncoding::load(path); }).find(kRefusal), std::string::npos);
}

TEST(LargeFiles, AreNoVocabulary) {
  const TemporaryFolder folder;
  const std::string path = folder.write("vocabulary.txt", "<pad>\n<s>\n</s>\n<unk>\n");
  stretch_file(path, kTerabyte);
  EXPECT_NE(error_message([&] { Vocabulary::load(path); }).find(kRefusal), std::string::npos);
}

}  // namespace
}  // namespace plainformer
