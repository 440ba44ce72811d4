// The text of a training run: a treebank, and other writings.
#include "train/corpora.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace plainformer {
namespace {

constexpr const char* kTrees =
    "(X (-NONE- *))\n"
    "(S (NP (DT the) (NN cat))\n (VP (VBZ sleeps)))\n"
    "(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))\n";

class TreebankCorpora : public testing::Test {
 protected:
  TreebankCorpora() {
    settings_.treebank = settings_.valid_treebank = folder_.write("trees", kTrees);
    settings_.valid_bleu = 1;
  }

  const TemporaryFolder folder_;
  Settings settings_ = preset_settings("parser");
};

// An editor jumps to "trees:4" where the third tree begins. The first has no words.
TEST_F(TreebankCorpora, NameTheLineInWhichATreeBegins) {
  const ParallelCorpus train = load_corpora(settings_).train;
  ASSERT_EQ(train.pairs().size(), 2u);
  EXPECT_EQ(train.pairs()[0].line, 2);
  EXPECT_EQ(train.pairs()[1].line, 4);
}

TEST_F(TreebankCorpora, AllowLongerOutputsThanAText) {
  const auto limits = [this] {
    settings_.merges = 0;
    const Corpora corpora = load_corpora(settings_);
    return encode_corpora(settings_, ModelFolder(folder_.path_of("out")), corpora).valid_task.limits;
  };
  EXPECT_EQ(limits().extra_length, 300);
  settings_.text.source = settings_.text.target = {settings_.treebank};
  settings_.valid_text = settings_.text;
  settings_.treebank = settings_.valid_treebank = "";
  EXPECT_EQ(limits().extra_length, 50);
}

// For 13a a Chinese sentence is one word, and no other sentence has it.
TEST(TextCorpora, CountCharactersWhereNoBlankIsBetweenWords) {
  const TemporaryFolder folder;
  Settings settings = preset_settings("tiny");
  settings.merges = 0;
  settings.text.pairs = settings.valid_text.pairs = {
      folder.write("pairs.tsv", "the cat sleeps\t猫在睡觉。\nI use Python 3\t我用电脑写字。\n")};
  const auto tokens = [&] {
    return encode_corpora(settings, ModelFolder("none"), load_corpora(settings)).valid_task.tokens;
  };
  EXPECT_EQ(tokens(), BleuTokenization::kChar);
  settings.text.columns = settings.valid_text.columns = {2, 1};
  EXPECT_EQ(tokens(), BleuTokenization::k13a);
}

}  // namespace
}  // namespace plainformer
