#include "toolchain.h"

#include <gtest/gtest.h>

#include <chrono>

#include "compiler.h"
#include "io/temporary_folder.h"
#include "text.h"

namespace plainformer::course {
namespace {

TEST(Dependencies, AreReadAsCompilersWriteThem) {
  const TemporaryFolder folder;
  folder.write("a.o.d", "/my\\ build/a.o: /my\\ 猫/a.cpp \\\n /my\\ 猫/b\\#.h $$c.h \\\n  d.h\n");
  EXPECT_EQ(dependencies(folder.path_of("a.o")),
            (std::vector<fs::path>{path_of("/my 猫/a.cpp"), path_of("/my 猫/b#.h"), "$c.h", "d.h"}));
  EXPECT_TRUE(dependencies(folder.path_of("b.o")).empty());
}

// An object of a file with a header, in a folder with a space in its name.
class KeptObject : public testing::Test {
 protected:
  KeptObject() : root_(path_of(folder_.path_of("my 猫"))) {}

  void SetUp() override {
    if (!runs_here(test_compiler())) GTEST_SKIP() << kNoCompiler;
    fs::create_directories(root_ / "src");
    write("src/one.h", "constexpr int kOne = 1;\n");
    write("src/one.cpp", "#include \"one.h\"\nint one() { return kOne; }\n");
    settings_.source_dir = root_;
    settings_.binary_dir = root_ / "build";
    settings_.compiler = test_compiler();
    kept_once_ = kept();
  }

  void write(const char* name, const std::string& text) const { std::ofstream(root_ / name) << text; }
  fs::path kept() const { return Toolchain(settings_).kept_object(Exercise{}, root_ / "src" / "one.cpp"); }
  // Is it compiled once more?
  bool is_compiled() const {
    const auto before = fs::last_write_time(kept_once_);
    const fs::path object = kept();
    return object != kept_once_ || fs::last_write_time(object) != before;
  }

  const TemporaryFolder folder_;
  const fs::path root_;
  Settings settings_;
  fs::path kept_once_;
};

TEST_F(KeptObject, IsKeptUntilAHeaderChanges) {
  EXPECT_FALSE(is_compiled());
  write("src/one.h", "constexpr int kOne = 2;\n");
  EXPECT_TRUE(is_compiled());
  EXPECT_FALSE(is_compiled());
}

TEST_F(KeptObject, IsAnotherForAnotherCompiler) {
  if (program_name("compiler") != "compiler") GTEST_SKIP() << "a script is no program here";
  write("compiler", "#!/bin/sh\nexec " PLAINFORMER_CXX " \"$@\"\n");
  fs::permissions(root_ / "compiler", fs::perms::owner_all);
  settings_.other_compiler = text_of(root_ / "compiler");  // only submissions are compiled with it
  EXPECT_FALSE(is_compiled());
  settings_.compiler = settings_.other_compiler;
  EXPECT_TRUE(is_compiled());
}

TEST_F(KeptObject, IsAnotherForOtherOptions) {
  Exercise in_float;
  in_float.in_float = true;
  EXPECT_NE(Toolchain(settings_).kept_object(in_float, root_ / "src" / "one.cpp"), kept_once_);
}

TEST_F(KeptObject, MayBeWantedByManyThreadsAtOnce) {
  write("src/one.h", "constexpr int kOne = 3;\n");
  in_parallel(4, 4, [&](std::size_t) { EXPECT_GT(fs::file_size(kept()), 0u); });
  EXPECT_FALSE(is_compiled());
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "build" / "objects"), fs::directory_iterator()), 2)
      << "an object and its dependencies, and nothing unfinished";
}

}  // namespace
}  // namespace plainformer::course
