// The files of the course against the sources and pages that they name. That the tests catch the bugs is
// shown by `course verify`, which takes minutes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "commands.h"
#include "exercise.h"
#include "files.h"
#include "io/temporary_folder.h"
#include "source_cutter.h"
#include "support/pattern.h"

namespace plainformer::course {
namespace {

const fs::path kRoot = PLAINFORMER_SOURCE_DIR;
const fs::path kCourse = kRoot / "examples" / "assignments";

std::string reference(const std::string& file) {
  return read_text(kRoot / "src" / file);
}

std::vector<Exercise> exercises() {
  return load_exercises(kCourse / "exercises");
}

std::vector<Bug> all_bugs() {
  std::vector<Bug> bugs = load_bugs(kCourse / "break-it" / "bugs.json");
  for (const Exercise& exercise : exercises())
    bugs.insert(bugs.end(), exercise.bugs.begin(), exercise.bugs.end());
  return bugs;
}

// "## Common mistakes" -> "common-mistakes"
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

bool has_anchor(const fs::path& page, const std::string& anchor) {
  std::ifstream stream(page);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("#") && anchor_of(line) == anchor) return true;
  return false;
}

TEST(CourseFiles, EveryExerciseCanBeCut) {
  for (const Exercise& exercise : exercises())
    for (const Source& source : exercise.sources) {
      SCOPED_TRACE(exercise.label());
      EXPECT_NE(stub_of(reference(source.file), source), reference(source.file));
      EXPECT_NE(zeros_of(reference(source.file), source), reference(source.file));
    }
}

TEST(CourseFiles, TheGreedySearchCanBeReplacedForRun) {  // check_house.py looks at all other edits
  const Edit& edit = kGreedyByBeamSearch;
  EXPECT_NE(with_edits(reference(edit.file), edit.file, "greedy", {edit}), reference(edit.file));
}

TEST(CourseFiles, EveryBugHasANameOfItsOwnAndAParagraphThatExplainsIt) {
  std::set<std::string> names;
  for (const Bug& bug : all_bugs()) {
    EXPECT_TRUE(names.insert(bug.name).second) << bug.name << " twice: `run --bug` would take the first";
    const std::size_t hash = bug.read.find('#');
    ASSERT_NE(hash, std::string::npos) << bug.name << ": " << bug.read;
    EXPECT_TRUE(has_anchor(kRoot / bug.read.substr(0, hash), bug.read.substr(hash + 1)))
        << bug.name << ": " << bug.read;
  }
}

TEST(CourseFiles, SeventeenExercisesAreWorthAHundredPointsAndEachHasHintsAndBugs) {
  double points = 0;
  int count = 0, electives = 0;
  std::size_t bugs = 0;
  for (const Exercise& exercise : exercises()) {
    SCOPED_TRACE(exercise.label());
    if (!exercise.variant.empty()) continue;
    ASSERT_EQ(exercise.hints.size(), 3u);
    EXPECT_NE(exercise.hints[0].find('?'), std::string::npos) << "they begin with a question";
    if (exercise.asks_for_tests()) continue;
    EXPECT_GE(exercise.bugs.size(), 4u);
    bugs += exercise.bugs.size();
    electives += exercise.elective;
    points += exercise.elective ? 0 : exercise.points();
    count += !exercise.elective;
  }
  EXPECT_EQ(count, 17);
  EXPECT_EQ(electives, 3);
  EXPECT_DOUBLE_EQ(points, 100);
  EXPECT_GE(bugs, 240u);
}

TEST(CourseFiles, TheSoundAnswersDefineFunctionsOfTheirExercises) {
  int answers = 0;
  for (const Exercise& exercise : exercises())
    for (const fs::path& answer : sources_in(exercise.folder / "sound")) {
      ++answers;
      bool changes = false;
      for (const Source& source : exercise.sources)
        changes = changes ||
                  with_functions(reference(source.file), source, read_text(answer)) != reference(source.file);
      EXPECT_TRUE(changes) << answer;
    }
  EXPECT_GE(answers, 6);
}

TEST(CourseFiles, EveryExerciseNamesAChapterAndHasADriver) {
  for (const Exercise& exercise : exercises()) {
    EXPECT_TRUE(fs::exists(kRoot / exercise.chapter)) << exercise.label();
    EXPECT_TRUE(exercise.asks_for_tests() || fs::exists(exercise.folder / "driver.cpp")) << exercise.label();
    for (const std::string& file : exercise.proof) EXPECT_TRUE(fs::exists(kRoot / "tests" / file)) << file;
  }
}

TEST(CourseFiles, TestsAreWrittenForBugsOfAnExercise) {
  const std::vector<Exercise> all = exercises();
  for (const Exercise& exercise : all) {
    if (!exercise.asks_for_tests()) continue;
    const std::vector<Bug>& bugs = find_exercise(all, exercise.tests_of, false).bugs;
    for (const Row& row : exercise.rows)
      EXPECT_TRUE(std::any_of(bugs.begin(), bugs.end(), [&](const Bug& bug) { return bug.name == row.name; }))
          << row.name;
  }
}

TEST(CourseFiles, EveryMilestoneNamesAnExerciseAndADriver) {
  for (const Exercise& milestone : load_milestones(kCourse / "milestones", exercises())) {
    ASSERT_FALSE(milestone.sources.empty()) << milestone.label();
    EXPECT_TRUE(milestone.sources.back().folder.ends_with("-" + milestone.files_of)) << milestone.label();
    EXPECT_TRUE(fs::exists(milestone.folder / "driver.cpp")) << milestone.label();
  }
}

// The fences of TEACHING.md from this heading on: the files of its example come first.
std::vector<std::string> fences_after(const std::string& heading) {
  std::vector<std::string> fences;
  bool is_after = false, is_inside = false;
  std::ifstream page(kCourse / "TEACHING.md");
  for (std::string line; std::getline(page, line);) {
    is_after = is_after || line == heading;
    if (!is_after) continue;
    if (line == "```") {
      is_inside = !is_inside;
      if (is_inside) fences.emplace_back();
    } else if (is_inside) {
      fences.back() += line + "\n";
    }
  }
  return fences;
}

// That its checks hold was tried with `course verify`.
TEST(CourseFiles, TheExampleOfANewExerciseIsOne) {
  const std::vector<std::string> fences = fences_after("## A new exercise");
  ASSERT_GE(fences.size(), 3u);
  const TemporaryFolder folder;
  fs::create_directories(fs::path(folder.path()) / "22-positions");
  folder.write("22-positions/exercise.json", fences[0]);
  folder.write("22-positions/bugs.json", fences[1]);
  const std::vector<Exercise> read = load_exercises(folder.path());
  ASSERT_EQ(read.size(), 1u);
  const Source& source = read[0].sources[0];
  EXPECT_NE(stub_of(reference(source.file), source), reference(source.file));
  for (const Bug& bug : read[0].bugs)
    EXPECT_NE(with_edits(reference(source.file), source.file, bug.name, bug.edits), reference(source.file))
        << bug.name;
  for (const Exercise& exercise : exercises()) {
    EXPECT_NE(exercise.number, read[0].number) << "the number is taken";
  }
  for (const auto& [name, zeros] : source.cut)
    EXPECT_NE(fences[2].find(name), std::string::npos) << "the driver runs each function";
}

}  // namespace
}  // namespace plainformer::course
