// A course in a small repository of its own, whose only exercise is src/half.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "commands.h"
#include "files.h"
#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "process.h"

namespace plainformer::course {

// PLAINFORMER_TEST_COMPILER, or the one that compiled the tests, which an emulated processor cannot call.
inline std::string test_compiler() {
  const char* const other = std::getenv("PLAINFORMER_TEST_COMPILER");
  return other ? other : PLAINFORMER_CXX;
}

inline bool runs_here(const std::string& program) {
  try {
    const ProcessResult result = run_process({program, "--version"});
    return result.succeeded() && !result.output.empty();
  } catch (const std::runtime_error&) {
    return false;
  }
}

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
  explicit SmallCourse(const std::string& repository) : root_(to_path(folder_.path_of(repository))) {}

  void SetUp() override {
    if (!runs_here(test_compiler()))
      GTEST_SKIP() << "the compiler of this build does not run here: PLAINFORMER_TEST_COMPILER";
#ifdef PLAINFORMER_EMULATED
    GTEST_SKIP() << "the grader starts the programs that it compiles without this build's emulator";
#endif
    for (const char* const name : {"src", "examples/assignments/support", "exercise", "build"})
      fs::create_directories(root_ / name);
    write("src/half.h", "#pragma once\nnamespace plainformer { double half(double x); }\n");
    write("src/half.cpp", kRightHalf);
    write("src/library.cpp", "");
    write("examples/assignments/support/not_written.cpp", "");
    write("examples/assignments/support/driver_main.cpp", R"(
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      #include "half.h"
      int main() {
        char line[64];
        const int length = snprintf(line, sizeof line, "half\tof a number\t\t%.17g\n",
                                    plainformer::half(2 * atof(getenv("PLAINFORMER_COURSE_SEED")) + 5));
        return write(3, line, length) == length ? 0 : 1;
      })");
    write("exercise/driver.cpp", "");
    write("examples/assignments/support/test_main.cpp",
          "bool is_right();\nint main() { return is_right() ? 0 : 1; }\n");
    Exercise half;
    half.folder = root_ / "exercise";
    half.number = "01";
    half.name = "half";
    half.sanitizers = "";
    half.sources = {{.file = "half.cpp"}};
    half.rows = {{.name = "half", .points = 2}};
    course_.exercises = {half};
    build_library();
  }

  // Of src/library.cpp and src/half.cpp.
  void build_library() {
    const Settings& settings = course_.tools.settings();
    std::vector<std::string> command = {settings.archiver, "rcs", to_text(settings.library)};
    for (const char* const name : {"library.cpp", "half.cpp"}) {
      const fs::path object = root_ / "build" / "o" / (std::string(name) + ".o");
      const ProcessResult compiled =
          course_.tools.compile_submission(course_.exercises[0], root_ / "src" / name, object);
      EXPECT_TRUE(compiled.succeeded()) << compiled.output;
      command.push_back(to_text(object));
    }
    fs::remove(settings.library);
    EXPECT_TRUE(run_process(command).succeeded());
  }

  Settings settings() const {
    Settings settings;
    settings.source_dir = root_;
    settings.binary_dir = root_ / "build";
    settings.library = root_ / "build" / "library.a";
    settings.archiver = "ar";
    for (const char* const name : {"library.cpp.o", "half.cpp.o"})
      settings.library_objects.push_back(to_text(root_ / "build" / "o" / name));
    settings.compiler = test_compiler();
    return settings;
  }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = root_ / to_path(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }

  const TemporaryFolder folder_;
  const fs::path root_;
  Course course_ = {.tools = Toolchain(settings())};
};

}  // namespace plainformer::course
