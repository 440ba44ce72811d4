// The files for teachers: the script that sets an autograder up.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compiler.h"
#include "io/temporary_folder.h"
#include "process.h"
#include "text.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

const fs::path kRepository = path_of(PLAINFORMER_SOURCE_DIR);
const fs::path kTeaching = kRepository / "examples" / "assignments" / "teaching";

// With commands in the place of the system's that only say how they were called. (run_autograder: promises_tests)
TEST(SetupOfTheAutograder, InstallsWhatTheCourseNeedsAndBuildsIt) {
  if (!runs_here("bash")) GTEST_SKIP() << "no bash here";
  const TemporaryFolder folder;
  const fs::path root = path_of(folder.path_of("auto grader")), calls = root / "calls";
  fs::create_directories(root / "source" / "plainformer");
  fs::create_directories(root / "bin");
  for (const char* const name : {"apt-get", "cmake"}) {
    std::ofstream(root / "bin" / name)
        << "#!/bin/bash\necho \"" << name << " $*\" >> '" << text_of(calls) << "'\n";
    fs::permissions(root / "bin" / name, fs::perms::owner_all);
  }
  const ProcessResult result =
      run_process({"bash", text_of(kTeaching / "gradescope" / "setup.sh")}, "", {},
                  {"AUTOGRADER=" + text_of(root), "PATH=" + text_of(root / "bin") + ":/usr/bin:/bin"});
  EXPECT_TRUE(result.succeeded()) << result.output;
  const std::string said = read_text(calls);
  EXPECT_NE(said.find("apt-get install"), std::string::npos) << said;
  EXPECT_NE(said.find("libgtest-dev"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("cmake --workflow --preset course\n")) << said;
}

}  // namespace
}  // namespace plainformer::course
