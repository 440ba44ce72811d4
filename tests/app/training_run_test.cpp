// What a run does with weights that went wrong in memory.
#include "app/training_run.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/small_model.h"
#include "thrown_message.h"

namespace plainformer {
namespace {

TEST(TrainingRun, WritesNothingThatIsNotFinite) {
  const TemporaryFolder folder;
  write_text(folder);
  Arguments arguments = train_arguments(folder, "model");
  ASSERT_EQ(run_program(arguments).exit_code, 0);
  const ModelFolder model(folder.path_of("model"));
  const auto before = snapshot(model.checkpoints());

  arguments.erase(arguments.begin());  // the command
  TrainSettings settings = parse_train_settings(arguments);
  settings.resume = true;  // of a run that has nothing left to do but to write its files
  const TrainingData data = prepare_training_data(settings, model, load_training_text(settings));
  TrainingRun run(settings, model, data);
  run.model().decoder.layers[0].feed_forward.w_2.value.mutable_data()[3] =
      std::numeric_limits<Real>::infinity();
  const std::string message = thrown_message<std::runtime_error>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "decoder.0.feed_forward.w_2 is not finite, and was not written (hint: "))
      << message;
  EXPECT_TRUE(snapshot(model.checkpoints()) == before);
}

}  // namespace
}  // namespace plainformer
