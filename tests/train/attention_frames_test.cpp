// The frames that a training run keeps: what they hold, that they change nothing, and that a resumed run goes
// on with them.
#include "train/attention_frames.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

std::vector<Index> steps_of(const std::string& text) {
  std::vector<Index> steps;
  for (const JsonValue& line : json_lines(text))
    if (const JsonValue* step = line.find("step")) steps.push_back(step->size().value());
  return steps;
}

class AttentionFramesOfARun : public TrainingOnText {
 protected:
  std::string frames(const std::string& model) const { return folder_.read(model + "/frames.jsonl"); }
};

TEST_F(AttentionFramesOfARun, HoldWhereTheLastLayerLooks) {
  ASSERT_EQ(train("model", {"--frames", "2", "--frame-source", "the cat", "--frame-target", "die Katze",
                            "--decoder-layers", "2"})
                .exit_code,
            0);
  const std::vector<JsonValue> lines = json_lines(frames("model"));
  ASSERT_EQ(lines.size(), 5u) << "the sentence, and the steps 0, 2, 4 and 6";
  EXPECT_EQ(*lines[0].find("source_text")->string(), "the cat");
  EXPECT_EQ(*lines[0].find("target_text")->string(), "die Katze");
  EXPECT_EQ(lines[0].find("layer")->size(), 1);
  EXPECT_EQ(*lines[0].find("target")->array()->back().string(), "</s>");
  EXPECT_TRUE(lines[1].find("loss")->is_null()) << "no step was made";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].find("step")->size(), static_cast<Index>(2 * i - 2));
    EXPECT_GT(lines[i].find("sentence_loss")->number().value(), 1);
    EXPECT_TRUE(lines[i].find("translation")->string());
    ASSERT_EQ(lines[i].find("attention")->array()->size(), 2u) << "heads";
  }
}

// The last frame is of the weights that the run has then, and its loss that of the log.
TEST_F(AttentionFramesOfARun, AreThoseOfTheAttentionCommandAndTheLog) {
  ASSERT_EQ(train("model", {"--frames", "3", "--validate-every", "0", "--keep", "1", "--frame-source",
                            "the cat", "--frame-target", "die Katze"})
                .exit_code,
            0);
  const JsonValue last = json_lines(frames("model")).back();
  const ProgramResult shown =
      run_program({"attention", "--model", folder_.path_of("model"), "--source", "the cat", "--target",
                   "die Katze", "--kind", "encoder-decoder", "--html", "-"});
  const std::size_t begin = shown.out.find("[{\"name\"");
  const JsonValue json =
      parse_json(shown.out.substr(begin, shown.out.find("]]}]", begin) + 4 - begin), "json");
  const JsonArray& heads = *json.array()->at(0).find("attn")->array()->at(0).array();
  for (std::size_t head = 0; head < 2; ++head)
    for (std::size_t row = 0; row < heads[head].array()->size(); ++row)
      for (std::size_t column = 0; column < heads[head].array()->at(row).array()->size(); ++column)
        EXPECT_NEAR(
            last.find("attention")->array()->at(head).array()->at(row).array()->at(column).number().value(),
            1000 * heads[head].array()->at(row).array()->at(column).number().value(), 0.51);
  std::vector<std::optional<double>> losses;
  for (const JsonValue& entry : json_lines(folder_.read("model/log.jsonl")))
    if (entry.find("loss") && entry.find("step")->size() == 6) losses.push_back(entry.find("loss")->number());
  EXPECT_EQ(losses, std::vector{last.find("loss")->number()});
  const ProgramResult score =
      run_program({"score", "--model", folder_.path_of("model"), "--source", folder_.write("s", "the cat\n"),
                   "--target", folder_.write("t", "die Katze\n")});
  double log_probability = 0, tokens = 0;
  std::istringstream(score.out) >> log_probability >> tokens;
  EXPECT_NEAR(last.find("sentence_loss")->number().value(), -log_probability / tokens, 1e-4) << score.err;
}

TEST_F(AttentionFramesOfARun, ChangeNoBitOfTheTraining) {
  ASSERT_EQ(train("with", {"--frames", "1"}).exit_code, 0);
  ASSERT_EQ(train("without").exit_code, 0);
  EXPECT_TRUE(folder_.read("with/model.safetensors") == folder_.read("without/model.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("without/frames.jsonl")));
}

// A run that is killed after its checkpoint of step 4 leaves a frame of step 5.
TEST_F(AttentionFramesOfARun, OfAResumedRunAreThoseOfOneThatNeverStopped) {
  ASSERT_EQ(train("whole", {"--frames", "1"}).exit_code, 0);
  ASSERT_EQ(train("model", {"--frames", "1", "--steps", "4"}).exit_code, 0);
  const std::string four = frames("model");
  folder_.write("model/frames.jsonl", four + "{\"step\": 5, \"loss\": 1}\n{\"st");
  const ProgramResult result = resume("model", {"--steps", "6"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(frames("model"), frames("whole"));
  EXPECT_EQ(steps_of(frames("model")), (std::vector<Index>{0, 1, 2, 3, 4, 5, 6}));

  const ProgramResult other =
      resume("model", {"--steps", "8", "--frame-source", "a cat", "--frame-target", "Katze"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(steps_of(frames("model")), (std::vector<Index>{7, 8})) << "another sentence begins a new file";
}

TEST_F(AttentionFramesOfARun, OfAReplacedModelGoWithIt) {
  ASSERT_EQ(train("model", {"--frames", "3"}).exit_code, 0);
  ASSERT_EQ(train("model", {"--frames", "2", "--overwrite"}).exit_code, 0);
  EXPECT_EQ(steps_of(frames("model")), (std::vector<Index>{0, 2, 4, 6}));
  ASSERT_EQ(train("model", {"--overwrite"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("model/frames.jsonl")));
}

TEST_F(AttentionFramesOfARun, AreOfAHeldOutSentence) {
  Settings toy = preset_settings("toy");
  Corpora text;
  text.valid = ParallelCorpus::from_lines({"one"}, {"eins"}, "a test");
  text.test = {{"the cat sleeps", "die Katze schläft"},
               {"they know that he sleeps", "sie wissen , dass er schläft"}};
  EXPECT_EQ(sentence_of_frames(toy, text).source, "they know that he sleeps");
  text.test.clear();
  EXPECT_EQ(sentence_of_frames(toy, text).source, "one");
  text.valid = {};
  text.train = ParallelCorpus::from_lines({"two"}, {"zwei"}, "a test");
  EXPECT_EQ(sentence_of_frames(toy, text).target, "zwei");
  toy.frame_source = "a\nb";
  toy.frame_target = "c";
  EXPECT_EQ(sentence_of_frames(toy, text).source, "a b");
}

TEST_F(AttentionFramesOfARun, AreCutWhereTheSentenceIsLong) {
  const std::string words = repeated("the ", 60);
  ASSERT_EQ(train("model", {"--frames", "6", "--frame-source", words, "--frame-target", words}).exit_code, 0);
  EXPECT_EQ(std::ssize(*json_lines(frames("model"))[0].find("source")->array()), kMostFrameTokens + 1);
}

}  // namespace
}  // namespace plainformer
