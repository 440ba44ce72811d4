// The files for teachers: slides, and the script that sets an autograder up.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compiler.h"
#include "io/temporary_folder.h"
#include "process.h"
#include "slides.h"
#include "text.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

const fs::path kRepository = path_of(PLAINFORMER_SOURCE_DIR);
const fs::path kTeaching = kRepository / "examples" / "assignments" / "teaching";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Slides, OfEachWeekAreOneFileThatNeedsNoOther) {
  constexpr std::size_t kMostBytes = 400'000;
  for (const char* const week : {"1", "2", "3", "4"}) {
    SCOPED_TRACE(week);
    const std::string text = read_text(kTeaching / "slides" / ("week-" + std::string(week) + ".md"));
    const std::string page = slides_page(text, kRepository / "docs" / "pictures");
    EXPECT_LT(page.size(), kMostBytes);
    EXPECT_GE(count_of(page, "<section>"), 6u);
    EXPECT_EQ(count_of(page, "<section>"), count_of(page, "</section>"));
    EXPECT_GE(count_of(page, "<img"), 2u);
    EXPECT_EQ(count_of(page, "src=\""), count_of(page, "src=\"data:image/svg+xml;base64,"));
    for (const char* const foreign : {"<link", "@import", "<script src", "url(", "fetch("})
      EXPECT_EQ(count_of(page, foreign), 0u) << foreign;
    for (const char* const key : {"ArrowRight", "ArrowLeft", "Home", "End", "PageDown"})
      EXPECT_EQ(count_of(page, key), 1u) << key;
    EXPECT_EQ(count_of(page, "prefers-color-scheme:dark"), 1u);
    EXPECT_EQ(count_of(page, "@media print"), 1u);
  }
}

TEST(Slides, EscapeWhatHtmlWouldRead) {
  const TemporaryFolder folder;
  folder.write("p.svg", "<svg/>");
  const std::string page = slides_page(
      "# A & B\n## Q\n- `a < b` is *so*\n- two\n    x <- y\n> say "
      "[this](https://example.org/a)\n![one](p.svg)\nend\n",
      folder.path());
  for (const char* const part :
       {"<title>A &#38; B</title>",
        "<section><h2>Q</h2>\n<ul><li><code>a &#60; b</code> is <em>so</em></li>\n<li>two</li>\n</ul>",
        "<pre>x &#60;- y\n</pre>", "<aside>say <a href=\"https://example.org/a\">this</a></aside>", "PHN2Zy8+",
        "<p>end</p>"})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  EXPECT_THROW(slides_page("- early\n", folder.path()), std::runtime_error);
  EXPECT_THROW(slides_page("# T\n![none](none.svg)\n", folder.path()), std::runtime_error);
}

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
