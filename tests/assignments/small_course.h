// A course in a small repository of its own, whose only exercise is src/half.cpp.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "commands.h"
#include "compiler.h"
#include "io/temporary_folder.h"
#include "text.h"

namespace plainformer::course {

inline constexpr const char* kRightHalf = R"(
  #include "half.h"
  namespace plainformer {
  double half(double x) { return x / 2; }
  })";
inline constexpr const char* kWrongHalf = R"(
  #include "half.h"
  namespace plainformer {
  double half(double x) { return x; }
  })";

class SmallCourse : public testing::Test {
 protected:
  // The repository's folder is below a temporary one.
  explicit SmallCourse(const std::string& repository) : root_(path_of(folder_.path_of(repository))) {}

  void SetUp() override {
    if (!runs_here(test_compiler())) GTEST_SKIP() << kNoCompiler;
#ifdef PLAINFORMER_EMULATED
    GTEST_SKIP() << "the grader starts the programs that it compiles without this build's emulator";
#endif
    for (const char* const name :
         {"src", "tests/support", "examples/assignments/support", "exercise", "build"})
      fs::create_directories(root_ / name);
    write("src/half.h", "#pragma once\nnamespace plainformer { double half(double x); }\n");
    write("src/half.cpp", kRightHalf);
    write("src/library.cpp", "");
    write("tests/half_test.cpp",
          "#include \"half.h\"\nbool is_right() { return plainformer::half(6) == 3; }\n");
    write("examples/assignments/support/not_written.cpp", "");
    write("examples/assignments/support/system.cpp", "");
    write("examples/assignments/support/test_main.cpp", R"(
      #include <unistd.h>
      bool is_right();
      int main() {
        char number[64];
        const ssize_t count = read(0, number, sizeof number);
        return is_right() && write(3, number, count) == count ? 0 : 1;
      })");
    Exercise half;
    half.folder = root_ / "exercise";
    half.number = 1;
    half.name = "half";
    half.sanitizers = "";
    half.sources = {{.file = "half.cpp"}};
    half.tests = {{.file = "half_test.cpp", .name = "Half.IsHalf", .points = 2}};
    course_.exercises = {half};
    const ProcessResult library = course_.tools.compile_submission(half, root_ / "src" / "library.cpp",
                                                                   course_.tools.settings().library);
    EXPECT_TRUE(library.succeeded()) << library.output;
  }

  Settings settings() const {
    Settings settings;
    settings.source_dir = root_;
    settings.binary_dir = root_ / "build";
    settings.library = root_ / "build" / "library.o";
    settings.compiler = test_compiler();
    settings.link_flags = test_link_flags();
    return settings;
  }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = root_ / path_of(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }

  const TemporaryFolder folder_;
  const fs::path root_;
  Course course_ = {.tools = Toolchain(settings())};
};

}  // namespace plainformer::course
