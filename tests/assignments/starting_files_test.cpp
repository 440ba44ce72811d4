#include "starting_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

// A source and its header, both with a result, and an exercise that hides them.
class StartingFiles : public testing::Test {
 protected:
  StartingFiles() {
    fs::create_directories(fs::path(folder_.path()) / "src" / "ops");
    folder_.write("src/ops/square.h", "// The slope is 2 x.\nReal square_backward(Real x);\n");
    folder_.write("src/ops/square.cpp",
                  "#include \"ops/square.h\"\n\nReal square_backward(Real x) {\n  // Step 1. Derive: 2 x.\n  "
                  "return 2 * "
                  "x;\n}\n");
    exercise_.sources = {{.file = "ops/square.cpp", .cut = {{"square_backward", "return 0;"}}, .drop = {}}};
    exercise_.hide = {{"ops/square.h", "The slope is 2 x.", "The slope of x squared."},
                      {"ops/square.cpp", "Derive: 2 x.", "Derive it."}};
  }

  std::vector<StartingFile> files(bool with_comments) {
    Settings settings;
    settings.source_dir = folder_.path();
    return starting_files({.tools = Toolchain(settings)}, exercise_, with_comments);
  }

  TemporaryFolder folder_;
  Exercise exercise_;
};

TEST_F(StartingFiles, HoldNoResultThatIsToBeDerived) {
  const std::vector<StartingFile> begun = files(true);
  ASSERT_EQ(begun.size(), 2u);
  EXPECT_EQ(begun[0].name, "square.cpp");
  EXPECT_FALSE(begun[0].is_contract);
  EXPECT_EQ(begun[0].text,
            "#include \"ops/square.h\"\n#include \"not_written.h\"\n\nReal square_backward(Real x) {\n  // "
            "Step 1. Derive "
            "it.\n\n  not_written(\"square_backward\");\n}\n");
  EXPECT_EQ(begun[1].name, "square.h");
  EXPECT_TRUE(begun[1].is_contract);
  EXPECT_EQ(begun[1].text,
            "// A copy to read: src/ops/square.h without the results that you derive. The compiler reads the "
            "original.\n//\n// The slope of x squared.\nReal square_backward(Real x);\n");
}

TEST_F(StartingFiles, MayComeWithoutTheSteps) {
  EXPECT_EQ(files(false)[0].text.find("Step"), std::string::npos);
}

TEST_F(StartingFiles, HaveNoContractWhereNothingIsHidden) {
  exercise_.hide.clear();
  EXPECT_EQ(files(true).size(), 1u);
}

}  // namespace
}  // namespace plainformer::course
