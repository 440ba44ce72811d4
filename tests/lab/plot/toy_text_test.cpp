#include "lab/plot/toy_text.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// The preset has 40,000 pairs. 5,000 have the same words.
TEST(SlowToyText, HasTheVocabularyOfThePreset) {
  EXPECT_EQ(toy_text(5000).vocab, toy_text(40000).vocab);
}

}  // namespace
}  // namespace plainformer
