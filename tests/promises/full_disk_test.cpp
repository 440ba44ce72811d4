// A disk without space left: one clear line, a non-zero exit code, and the previous files intact.
#include <gtest/gtest.h>

#include <optional>

#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

// A disk of a megabyte on a folder.
class SmallDisk {
 public:
  SmallDisk() : mounted_(mount_small_disk(folder_.path(), 1 << 20)) {}
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) unmount_small_disk(folder_.path());
  }

  bool mounted() const { return mounted_; }
  const TemporaryFolder& folder() const { return folder_; }

  void fill() const {
    const std::string page(4096, 'x');
    std::ofstream file(to_path(folder_.path_of("filler")), std::ios::binary);
    while (file << page << std::flush) continue;
  }

 private:
  const TemporaryFolder folder_;
  const bool mounted_;
};

TEST(FullDisk, ANewTrainingEndsWithOneLine) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount the small disk that this test fills";
  write_text(disk.folder());
  disk.fill();
  const ProgramResult result = run_program(train_arguments(disk.folder(), "model"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "plainformer train: " + disk.folder().path_of("model"))) << result.err;
  EXPECT_TRUE(result.err.ends_with("(hint: free some space, or write to another disk)\n") ||
              result.err.ends_with("(hint: choose another folder with --out)\n"))
      << result.err;
}

TEST(FullDisk, LearnedCodesLeaveTheOldOnesAlone) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount the small disk that this test fills";
  write_text(disk.folder());
  const std::string codes = disk.folder().write("codes", "old");
  disk.fill();
  const ProgramResult result =
      run_program({"bpe", "learn", disk.folder().path_of("train.en"), "--out", codes});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "plainformer bpe learn: " + codes)) << result.err;
  EXPECT_TRUE(contains(result.err, "No space left on device (hint: ")) << result.err;
  EXPECT_EQ(disk.folder().read("codes"), "old");
}

// Where no byte fits: Linux's device, or a file on a disk that is full.
class FullOutput : public testing::Test {
 protected:
  void SetUp() override {
    if (std::filesystem::exists("/dev/full")) {
      path_ = "/dev/full";
      return;
    }
    disk_.emplace();
    if (!disk_->mounted()) GTEST_SKIP() << "no /dev/full here, and only root can mount a small disk";
    path_ = disk_->folder().path_of("out");
    disk_->fill();
  }

  std::string path_;

 private:
  std::optional<SmallDisk> disk_;
};

TEST_F(FullOutput, OfTheUsageIsAnError) {
  for (const char* option : {"--help", "--version"})
    EXPECT_EQ(run_program({option}, {.stdout_path = path_}).exit_code, 1) << option;
}

TEST_F(FullOutput, OfResultsIsAnError) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder), text = folder.write("text", "the cat\n");
  const std::vector<std::vector<std::string>> commands = {
      {"translate", "--model", model},
      {"score", "--model", model, "--source", text, "--target", text},
      {"bleu", "--reference", text},
      {"inspect", "--model", model},
      {"train", "--help"},
      {"train", "--preset", "toy", "--toy-pairs", "50", "--steps", "1", "--d-model", "8", "--d-ff", "8",
       "--heads", "1", "--out", folder.path_of("toy")},
  };
  for (const auto& command : commands) {
    const ProgramResult result = run_program(command, {.input = "the cat\n", .stdout_path = path_});
    EXPECT_EQ(result.exit_code, 1) << command[0];
    EXPECT_TRUE(result.err.ends_with("plainformer " + command[0] +
                                     ": standard output: not everything could be "
                                     "written (hint: is the disk full?)\n"))
        << result.err;
  }
}

}  // namespace
}  // namespace plainformer
