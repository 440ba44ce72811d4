#include "model_folder/model_folder.h"

#include <gtest/gtest.h>

#include "model_folder/translator.h"
#include "support/small_model_folder.h"
#include "support/thrown_message.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

TEST(ModelFolder, ASavedModelLoadsAsItWas) {
  const TemporaryFolder folder;
  LoadedModel model = load_model(ModelFolder(write_model(folder)));
  save_model(model, ModelFolder(folder.path_of("copy")));
  LoadedModel copy = load_model(ModelFolder(folder.path_of("copy")));

  EXPECT_EQ(copy.transformer->config(), model.transformer->config());
  EXPECT_TRUE(same_bits(weights(*copy.transformer), weights(*model.transformer)));
  const std::vector<int> ids = SourceReader(model).read("the cat sleeps").ids;
  EXPECT_EQ(SourceReader(copy).read("the cat sleeps").ids, ids);
  EXPECT_EQ(copy.decode(ids), "the cat sleeps");
}

TEST(ModelFolder, IsNamedByAnyKindOfPath) {
  EXPECT_EQ(error_of([] { load_model("/no/such/model"); }),
            "/no/such/model: no such folder (hint: give the folder that 'plainformer train --out' wrote)");
  const TemporaryFolder folder;
  const std::string path = write_model(folder, "größe");
  const Index vocab = load_model(path).vocabulary.size();
  EXPECT_EQ(load_model(path.c_str()).vocabulary.size(), vocab);
  EXPECT_EQ(load_model(to_path(path)).vocabulary.size(), vocab);
  save_model(load_model(path), to_path(folder.path_of("copy")));
  EXPECT_TRUE(holds_model(folder.path_of("copy")));
}

TEST(ModelFolder, CheckpointsAreInTheOrderOfTheirSteps) {
  const TemporaryFolder folder;
  const ModelFolder model(folder.path());
  std::filesystem::create_directory(model.checkpoints());
  std::vector<std::string> files;
  for (const Index step : {5, 40, 99'999'999, 100'000'000, 123'456'789}) {
    files.push_back(model.checkpoint(step));
    std::ofstream(files.back()) << "weights";
  }
  EXPECT_EQ(step_checkpoints(model), files);
}

TEST(ModelFolder, AFileOrAFolderWithoutWeightsIsSaidToBeOne) {
  const TemporaryFolder folder;
  const std::string file = folder.write("README.md", "text");
  EXPECT_EQ(error_of([&] { load_model(ModelFolder(file)); }),
            file + ": is not a folder (hint: give the folder that 'plainformer train --out' wrote)");
  const std::string path = folder.path_of("");
  EXPECT_EQ(
      error_of([&] { load_model(ModelFolder(path)); }),
      path + "/model.safetensors: no such file (hint: give the folder that 'plainformer train --out' wrote)");
}

}  // namespace
}  // namespace plainformer
