// The held-out sentences whose translations a run prints.
#include "train/watched_sentences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "report/terminal.h"
#include "support/small_model_folder.h"
#include "train/validation.h"

namespace plainformer {
namespace {

// Sentences of these lengths: "x", "xx", ...
ParallelCorpus text_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::string> sources, targets;
  for (const std::size_t length : lengths) {
    sources.emplace_back(length, 'x');
    targets.emplace_back(length, 'y');
  }
  return ParallelCorpus::from_lines(sources, targets, "a test");
}

std::vector<std::size_t> watched(const std::vector<std::size_t>& lengths, Index count) {
  const ParallelCorpus text = pairs_to_watch(text_of(lengths), count);
  std::vector<std::size_t> chosen;
  for (const auto& pair : text.pairs()) chosen.push_back(pair.source.size());
  return chosen;
}

TEST(WatchedSentences, AreOfShortToMiddleLengthInTheOrderOfTheText) {
  using Lengths = std::vector<std::size_t>;
  const Lengths sixteen = {16, 1, 15, 2, 14, 3, 13, 4, 12, 5, 11, 6, 10, 7, 9, 8};
  EXPECT_EQ(watched(sixteen, 2), (Lengths{5, 7}));
  EXPECT_EQ(watched(sixteen, 4), (Lengths{5, 6, 7, 8}));
  EXPECT_EQ(watched(sixteen, 1), Lengths{5});
  EXPECT_EQ(watched({3, 2, 1}, 9), (Lengths{3, 2, 1}));
  EXPECT_EQ(watched({7, 7, 7, 7}, 1), Lengths{7});
  EXPECT_EQ(watched(sixteen, 0), Lengths());
}

TEST(WatchedSentences, OfNoTextAreNone) {
  EXPECT_TRUE(pairs_to_watch(ParallelCorpus(), 3).pairs().empty());
  EXPECT_EQ(describe_watched({}), "");
}

class WatchedTranslations : public testing::Test {
 protected:
  WatchedTranslations() {
    write_text(folder_);
    std::vector<std::string> arguments = train_arguments(folder_, "model", {"--samples", "2"});
    arguments.erase(arguments.begin());  // the command
    TrainSettings settings = parse_train_settings(arguments);
    corpora_ = encode_corpora(settings, ModelFolder(settings.out), load_corpora(settings));
    settings.model.vocab = corpora_.vocabulary.size();
    model_ = std::make_unique<Transformer>(settings.model, /*seed=*/1);
  }
  std::vector<std::string> translated() const {
    return translate_watched(corpora_.watched, *model_, corpora_.vocabulary);
  }
  std::string now(const std::vector<std::string>& before = {}) const {
    return describe_translations(corpora_.watched, translated(), before);
  }

  const TemporaryFolder folder_;
  EncodedCorpora corpora_;
  std::unique_ptr<Transformer> model_;
};

TEST_F(WatchedTranslations, StandBesideTheReferenceThatTheyEqual) {
  const auto& pairs = corpora_.watched.text.pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(describe_watched(corpora_.watched),
            "2 held-out sentences, and what each should become; validations show their translation\n  1 " +
                pairs[0].source + "\n    " + pairs[0].target + "\n  2 " + pairs[1].source + "\n    " +
                pairs[1].target);
  const std::vector<std::string> translations =
      translations_of(corpora_.watched.task, *model_, corpora_.vocabulary, kGreedy);
  const auto cut = [&](std::size_t i) {
    const int width = std::max(40, 2 * display_width(pairs[i].target));
    EXPECT_GT(display_width(translations[i]), width) << "an untrained model's repetition";
    return truncate_to_width(translations[i], width);
  };
  EXPECT_EQ(now(), "\n  1   " + cut(0) + "\n  2   " + cut(1));
  corpora_.watched.task.references[1] = translations[1];
  EXPECT_EQ(now(), "\n  1   " + cut(0) + "\n  2 = " + translations[1]);
}

TEST_F(WatchedTranslations, ThatAreTheSameAsBeforeShareALine) {
  std::vector<std::string> before = translated();
  EXPECT_EQ(now(before), "\n  1, 2 as before");
  before[0] += " more";
  const std::string first = now().substr(0, now().find("\n  2"));
  EXPECT_EQ(now(before), first + "\n  2 as before");
}

TEST_F(WatchedTranslations, AreNoneOfAModelThatIsNotFinite) {
  model_->embedding.value.mutable_data()[0] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(now(), "");
}

}  // namespace
}  // namespace plainformer
