// Loading a model takes at most twice its file and 64 MB.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/small_model.h"

namespace plainformer {
namespace {

constexpr std::uintmax_t kMegabyte = 1 << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Of the hungriest child process so far.
std::uintmax_t peak_of_children() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<std::uintmax_t>(usage.ru_maxrss) * 1024;
}

TEST(LoadingMemory, IsAtMostTwiceTheFileAnd64Megabytes) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const TemporaryFolder folder;
  const ModelFolder small(write_model(folder));
  LoadedModel model = load_model(small);
  ModelConfig config = model.transformer->config();
  config.d_model = 256;
  config.d_ff = 20'480;  // 84 MB in all
  model.transformer = std::make_unique<Transformer>(config, /*seed=*/1);
  const ModelFolder large(folder.path_of("large"));
  save_model(model, large);

  const std::uintmax_t file = std::filesystem::file_size(large.weights());
  ASSERT_GT(file, 80 * kMegabyte) << "too small to notice a third copy";
  for (const std::string command : {"inspect", "translate"}) {
    ASSERT_EQ(run_program({command, "--model", large.path}, {.input = ""}).exit_code, 0);
  }
  EXPECT_GT(peak_of_children(), file);
  EXPECT_LE(peak_of_children(), 2 * file + 64 * kMegabyte);
}

}  // namespace
}  // namespace plainformer
