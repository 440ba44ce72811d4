// plainformer inspect --nearest: the words with the most similar rows of the embedding.
#include "app/inspect_nearest.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Rows 4 to 7 belong to words: (1, 0); twice as long and in the same direction; at a right angle; opposite.
TEST(InspectNearest, RanksByTheAngleAndNotByTheLength) {
  const Tensor embedding = Tensor::from({8, 2}, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 3, 2, 0, -1, 0});
  const std::vector<NearToken> tokens = nearest_tokens(embedding, 4, 5);
  ASSERT_EQ(tokens.size(), 3u) << "neither itself nor a special symbol";
  EXPECT_EQ(tokens[0].id, 6);
  EXPECT_NEAR(tokens[0].cosine, 1, 1e-12);
  EXPECT_EQ(tokens[1].id, 5);
  EXPECT_NEAR(tokens[1].cosine, 0, 1e-12);
  EXPECT_EQ(tokens[2].id, 7);
  EXPECT_NEAR(tokens[2].cosine, -1, 1e-12);
}

TEST(InspectNearest, ARowOfZerosHasNoDirection) {
  const Tensor embedding = Tensor::from({6, 1}, {1, 1, 1, 1, 2, 0});
  EXPECT_EQ(nearest_tokens(embedding, 4, 1)[0].cosine, 0);
}

class InspectNearestCommand : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
};

TEST_F(InspectNearestCommand, HasALineForEachWord) {
  const ProgramResult result = run_program({"inspect", "--model", model_, "--nearest", "cat,Katze"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "\ncat "));
  EXPECT_TRUE(contains(result.out, "\nKatze "));
}

TEST_F(InspectNearestCommand, RefusesAWordThatIsNoTokenAndBatchesBesides) {
  const ProgramResult unknown = run_program({"inspect", "--model", model_, "--nearest", "cat,zebra"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(contains(unknown.err, "--nearest: \"zebra\" is no token of the model (hint: "));
  const ProgramResult both =
      run_program({"inspect", "--model", model_, "--nearest", "cat", "--source", model_, "--target", model_});
  EXPECT_EQ(both.exit_code, 2);
}

}  // namespace
}  // namespace plainformer
