#include <algorithm>
#include <iostream>
#include <mutex>
#include <random>

#include "commands.h"
#include "core/input_error.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "reports.h"
#include "submission.h"

namespace plainformer::course {

namespace {

constexpr Index kDrawn = -1;

struct Request {
  std::string submissions, csv = "-", csv_for, reports;
  bool variant = false, secret = false, milestone = false;
  Index jobs = default_threads();
  GradingOptions options = {.seed = kDrawn};
  std::vector<const Exercise*> exercises = {};

  GradingOptions options_in(const std::string& folder, const Exercise& exercise) const {
    GradingOptions its_options = options;
    its_options.work = options.work / folder / exercise.folder_name();
    return its_options;
  }
};

// Reads the command line. False if it asked for help.
bool read(const Arguments& arguments, Request& request, Arguments& names) {
  CommandLine line(
      "course grade EXERCISE ... --submissions DIR [options]",
      "Grades submissions. Each entry of DIR is a student: a folder with the files of the "
      "exercises, or a single file if the exercise has only one. What Canvas and Moodle hand over "
      "is read as it is, once its archive is unpacked.");
  line.required("--submissions", "DIR", &request.submissions, "a folder with an entry for each student");
  line.option("--milestone", "", &request.milestone,
              "also the last milestone, with all files of a student together");
  line.option("--variant", "", &request.variant, "grade the exercises' variants");
  line.option("--seed", "S", &request.options.seed,
              "the seed of all inputs (keep it secret); drawn unless given");
  line.option("--jobs", "N", &request.jobs, "submissions graded at the same time");
  add_seconds_factor(line, request.options.seconds_factor);
  line.section("Reports");
  line.option("--csv", "FILE", &request.csv, "a line for each student, a column for each exercise");
  line.option("--csv-for", "SYSTEM", &request.csv_for, "the table as canvas or moodle import it");
  line.option("--reports", "DIR", &request.reports, "for each student NAME.txt and NAME.json (Gradescope)");
  line.option("--secret", "", &request.secret, "Gradescope shows the rows after the due date only");
  if (!line.read(arguments, &names)) return false;
  if (request.options.seed != kDrawn) require_between("--seed", request.options.seed, 0, kMostSeed);
  if (!request.csv_for.empty()) index_of_name("--csv-for", request.csv_for, {"canvas", "moodle"});
  if (names.empty() && !request.milestone)
    throw UsageError("name an exercise, for example: course grade 03 --submissions DIR");
  return true;
}

// std::runtime_error if the library's own answer to an exercise does not get all points: then the machine is
// at fault.
void try_references(const Course& course, const Request& request) {
  for (const Exercise* const exercise : request.exercises) {
    if (exercise->asks_for_tests() || !exercise->variant.empty()) continue;
    const GradingOptions options = request.options_in("reference", *exercise);
    const fs::path files = options.work / "files";
    for (const Source& source : exercise->sources)
      write_if_changed(files / to_path(source.folder) / source.file_name(),
                       reference_text(course, source.file));
    const Grade grade = grade_exercise(course, *exercise, {.path = files}, options);
    if (grade.score < grade.points)
      throw std::runtime_error("nobody was graded: the library's own answer does not get all points here:\n" +
                               terminal_report(grade, false, true));
  }
}

void write_reports(const Request& request, const GradedSubmission& graded) {
  if (request.reports.empty()) return;
  const std::string base = request.reports + "/" + graded.student;
  std::string text = graded.why.empty() ? "" : graded.why + "\n";
  for (const Grade& grade : graded.grades) text += terminal_report(grade, false, true) + '\n';
  write_file_atomically(base + ".txt", text);
  write_file_atomically(base + ".json", gradescope_report(graded.grades, request.secret));
}

// A submission that cannot be graded, as a folder that cannot be read, does not stop the others' grading.
GradedSubmission grade_one(const Course& course, const Request& request, const Submission& submission,
                           const std::string& folder) {
  GradedSubmission graded = {.student = submission.student, .id = submission.id, .why = submission.why};
  for (const Exercise* const exercise : request.exercises) {
    graded.grades.push_back(ungraded(*exercise));
    graded.grades.back().problem = "the grading was interrupted; ask your teacher to repeat it";
  }
  write_reports(request, graded);
  try {
    for (std::size_t i = 0; i < request.exercises.size() && graded.why.empty(); ++i) {
      graded.grades[i] = grade_exercise(course, *request.exercises[i], submission,
                                        request.options_in(folder, *request.exercises[i]));
      graded.grades[i].debugger.clear();  // the programs are removed at the end
    }
  } catch (const std::exception& error) {
    graded.why = "it cannot be graded: " + std::string(error.what());
  }
  for (Grade& grade : graded.grades)
    if (!graded.why.empty()) grade.problem = graded.why;
  write_reports(request, graded);
  return graded;
}

std::vector<GradedSubmission> grade_all(const Course& course, const Request& request,
                                        const std::vector<Submission>& submissions) {
  std::vector<GradedSubmission> graded(submissions.size());
  ProgressBar progress(std::cerr, understands_escapes(2), std::ssize(submissions), {.unit = "submission"});
  std::mutex progress_mutex;
  Index done = 0;
  in_parallel(submissions.size(), static_cast<int>(request.jobs), [&](std::size_t i) {
    graded[i] = grade_one(course, request, submissions[i], std::to_string(i));
    const std::lock_guard<std::mutex> lock(progress_mutex);
    progress.update(++done, printable(graded[i].student));
  });
  progress.finish();
  return graded;
}

// "12 graded, 2 without a file, 1 not graded", and who these are. The exit code: 0 if all that has a file is
// graded.
int print_summary(const std::vector<GradedSubmission>& graded, const Texts& left_out) {
  int done = 0, without = 0, failed = 0;
  for (const GradedSubmission& submission : graded) {
    const bool is_graded = submission.why.empty();
    const bool has_file = std::any_of(submission.grades.begin(), submission.grades.end(),
                                      [](const Grade& grade) { return grade.has_file; });
    ++(!is_graded ? failed : has_file ? done : without);
    if (!is_graded || !has_file)
      std::cerr << printable(submission.student) << ": " << printable(why_of(submission)) << '\n';
  }
  if (!left_out.empty()) std::cerr << "Left out: " << printable(join(", ", left_out)) << '\n';
  std::cerr << done << " graded, " << without << " without a file"
            << (failed > 0 ? ", " + std::to_string(failed) + " not graded" : "") << '\n';
  return failed > 0 ? 1 : 0;
}

}  // namespace

int grade_command(const Course& course, const Arguments& arguments) {
  // Step 1. Read the command line: the exercises, and the submissions.
  Request request;
  Arguments names;
  if (!read(arguments, request, names)) return 0;
  for (const std::string& name : names)
    request.exercises.push_back(&find_exercise(course.exercises, name, request.variant));
  if (request.milestone) request.exercises.push_back(&course.milestones.back());
  const ClassFolder folder = read_class_folder(to_path(request.submissions));

  require_writable(request.csv);

  // Step 2. Prepare the drivers, and try the library's own answers: if they fail, the machine is at fault,
  // and nobody is graded.
  prepare(course, request.exercises, static_cast<int>(request.jobs));
  if (request.options.seed == kDrawn) request.options.seed = std::random_device()() % 1'000'000;
  // A folder of our own: another `course grade` may grade the same students now.
  request.options.work =
      course.tools.settings().binary_dir / "grade" / std::to_string(std::random_device()());
  try_references(course, request);

  // Step 3. Grade.
  if (!request.reports.empty()) fs::create_directories(to_path(request.reports));
  const std::vector<GradedSubmission> graded = grade_all(course, request, folder.submissions);
  fs::remove_all(request.options.work);

  // Step 4. Report.
  write_output(request.csv, table_of(graded, request.csv_for));
  return print_summary(graded, folder.left_out);
}

}  // namespace plainformer::course
