// The files of the course against the sources and pages that they name. That the tests catch the bugs is
// shown by `course verify`, which takes minutes.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "allowed_functions.h"
#include "commands.h"
#include "exercise.h"
#include "recognition.h"
#include "source_cutter.h"
#include "support/pattern.h"
#include "text.h"
#include "whole_program.h"
#include "wrong_submission.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PLAINFORMER_SOURCE_DIR;
const fs::path kCourse = kRoot / "examples" / "assignments";

std::string text_of_file(const fs::path& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path << " is missing";
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string reference(const std::string& file) {
  return text_of_file(kRoot / "src" / file);
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

TEST(CourseFiles, TheTextOfEveryBugOccursOnceInItsSource) {
  for (const Bug& bug : all_bugs()) {
    ASSERT_FALSE(bug.edits.empty()) << bug.name;
    for (const Edit& edit : bug.edits)
      EXPECT_NE(with_bug(reference(edit.file), edit.file, bug), reference(edit.file)) << bug.name;
  }
}

TEST(CourseFiles, TheTextOfTheProgramsOwnEditOccursOnceInItsSource) {
  const std::string source = reference(kGreedyByBeamSearch.file);
  EXPECT_NE(with_edits(source, kGreedyByBeamSearch.file, "greedy", {kGreedyByBeamSearch}), source);
}

TEST(CourseFiles, TheTextOfEveryWrongSubmissionOccursOnceInItsSource) {
  for (const WrongSubmission& submission :
       load_wrong_submissions(kCourse / "wrong-submissions" / "submissions.json"))
    for (const Edit& edit : submission.edits)
      EXPECT_NE(with_edits(reference(edit.file), edit.file, submission.name, {edit}), reference(edit.file));
}

TEST(CourseFiles, EveryBugIsExplainedByAParagraphThatExists) {
  for (const Bug& bug : all_bugs()) {
    const std::size_t hash = bug.read.find('#');
    ASSERT_NE(hash, std::string::npos) << bug.name << ": " << bug.read;
    EXPECT_TRUE(has_anchor(kRoot / bug.read.substr(0, hash), bug.read.substr(hash + 1)))
        << bug.name << ": " << bug.read;
  }
}

TEST(CourseFiles, EveryBugHasRecordedNumbers) {
  for (const Exercise& exercise : exercises()) {
    if (exercise.bugs.empty()) continue;
    const Probes probes = load_probes(text_of(exercise.folder / "probe.txt"));
    EXPECT_TRUE(probes.contains("reference")) << exercise.label();
    for (const Bug& bug : exercise.bugs) EXPECT_TRUE(probes.contains(bug.name)) << bug.name;
    EXPECT_EQ(probes.size(), exercise.bugs.size() + 1)
        << exercise.label() << ": numbers of a bug that is gone";
  }
}

TEST(CourseFiles, FourteenExercisesAreWorthAHundredPoints) {
  double points = 0;
  int count = 0;
  for (const Exercise& exercise : exercises()) {
    if (exercise.number > 14 || !exercise.variant.empty()) continue;
    points += exercise.points();
    ++count;
  }
  EXPECT_EQ(count, 14);
  EXPECT_DOUBLE_EQ(points, 100);
}

TEST(CourseFiles, EveryExerciseHasAtLeastFourBugs) {
  std::size_t bugs = 0;
  for (const Exercise& exercise : exercises()) {
    if (exercise.number > 14 || !exercise.variant.empty()) continue;
    EXPECT_GE(exercise.bugs.size(), 4u) << exercise.label();
    bugs += exercise.bugs.size();
  }
  EXPECT_GE(bugs, 60u);
}

TEST(CourseFiles, EveryExerciseOfTheFirstSixteenHasThreeHints) {
  for (const Exercise& exercise : exercises()) {
    if (!exercise.variant.empty()) continue;
    const std::vector<std::string> hints = hints_of(exercise);
    const bool has_some = !hints.empty(), must_have = exercise.number >= 1 && exercise.number <= 16;
    EXPECT_EQ(hints.size(), has_some || must_have ? 3u : 0u) << exercise.label();
    EXPECT_TRUE(!has_some || hints[0].find('?') != std::string::npos)
        << exercise.label() << ": not a question";
  }
}

TEST(CourseFiles, TheSoundAnswersDefineFunctionsOfTheirExercises) {
  int answers = 0;
  for (const Exercise& exercise : exercises())
    for (const fs::path& answer : sound_answers(exercise)) {
      ++answers;
      bool changes = false;
      for (const Source& source : exercise.sources)
        changes = changes || with_functions(reference(source.file), source, text_of_file(answer)) !=
                                 reference(source.file);
      EXPECT_TRUE(changes) << answer;
    }
  EXPECT_GE(answers, 6);
}

TEST(CourseFiles, EveryExerciseNamesAChapterAndTestsThatExist) {
  for (const Exercise& exercise : exercises()) {
    EXPECT_TRUE(fs::exists(kRoot / exercise.chapter)) << exercise.label();
    for (const ScoredTest& test : exercise.tests) {
      if (exercise.kind == Kind::kTests) continue;
      const bool own = test.file.starts_with("./");
      EXPECT_TRUE(fs::exists((own ? exercise.folder : kRoot / "tests") / test.file))
          << exercise.label() << test.file;
    }
  }
}

// The library's own way to the system leads past the list of C functions.
TEST(CourseFiles, NoRequestOfTheSystemIsOpenToStudents) {
  std::ifstream header(kRoot / "src" / "platform" / "platform.h");
  const Pattern declaration("^[a-z].* (\\w+)\\(.*");
  int requests = 0;
  for (std::string line; std::getline(header, line);) {
    const auto match = declaration.match(line);
    if (!match) continue;
    ++requests;
    const std::string name = "plainformer::" + match->groups[1];
    EXPECT_TRUE(std::any_of(std::begin(kGuardedNames), std::end(kGuardedNames),
                            [&](const GuardedName& guarded) { return name.starts_with(guarded.name); }))
        << name;
  }
  EXPECT_GT(requests, 20);
}

}  // namespace
}  // namespace plainformer::course
