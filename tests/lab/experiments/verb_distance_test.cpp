#include "lab/experiments/verb_distance.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(VerbDistance, OfTheFarthestVerb) {
  EXPECT_EQ(verb_distance({"the king opens the door", "der König macht die Tür auf"}), 0);
  EXPECT_EQ(verb_distance({"the man can open the door", "der Mann kann die Tür aufmachen"}), 2);
  EXPECT_EQ(verb_distance(
                {"she knows that the queen buys this book", "sie weiß , dass die Königin dieses Buch kauft"}),
            3);
  EXPECT_EQ(verb_distance({"they know that the small queen buys this new book",
                           "sie wissen , dass die kleine Königin dieses neue Buch kauft"}),
            4);
  EXPECT_EQ(verb_distance({"she opens a door because she closes a door",
                           "sie macht eine Tür auf , weil sie eine Tür zumacht"}),
            4);
}

TEST(VerbDistance, OfEverySentenceOfTheGrammar) {
  Index far = 0;
  for (const ToyPair& pair : generate_toy_corpus(1, 3000, 0, 0).train) far += verb_distance(pair) > 2 ? 1 : 0;
  EXPECT_GT(far, 1000);
  EXPECT_THROW(verb_distance({"the king sleeps", "der König tanzt"}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
