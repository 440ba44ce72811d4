#include "data/fast/byte_pair_learner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "data/word_counts.h"

namespace plainformer {
namespace {

std::string learned_codes(const std::vector<Merge>& merges) {
  return "#version: 0.2\n" + text_of(merges);
}

TEST(LearnBytePairs, IsSubwordNmt) {
  EXPECT_EQ(learned_codes(fast::learn_merges(words_of({"corpus.en", "corpus.de"}), 400)),
            fixture_text("corpus.codes"));
  for (const std::string name : {"white_space", "rare_pairs_1", "rare_pairs_2", "rare_pairs_3"}) {
    EXPECT_EQ(learned_codes(fast::learn_merges(words_of({name + ".txt"}), 400)),
              fixture_text(name + ".codes"))
        << name;
  }
}

// The 58,000 sentences of Multi30k, if PLAINFORMER_MULTI30K names the folder of train.en and train.de (raw). The
// length and the FNV-1a checksum are those of the file that `subword-nmt learn-bpe -s 10000` (0.3.8) makes of
// train.en and train.de, one after the other.
TEST(LearnBytePairs, IsSubwordNmtOnMulti30k) {
  const char* const folder = std::getenv("PLAINFORMER_MULTI30K");
  if (folder == nullptr) GTEST_SKIP() << "PLAINFORMER_MULTI30K names no folder with train.en and train.de";
  WordCounts counts;
  for (const char* name : {"/train.en", "/train.de"})
    for (const std::string& line : read_lines(std::string(folder) + name)) count_words(line, counts);

  const std::string learned = learned_codes(fast::learn_merges(counts, 10'000));
  std::uint64_t fnv1a = 14695981039346656037u;
  for (unsigned char byte : learned) fnv1a = (fnv1a ^ byte) * 1099511628211u;
  EXPECT_EQ(learned.size(), 98'867u);
  EXPECT_EQ(fnv1a, 17'045'000'841'622'585'598u);
}

}  // namespace
}  // namespace plainformer
