#include <algorithm>
#include <iostream>
#include <mutex>
#include <random>

#include "class_folder.h"
#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "reports.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr unsigned kDisguises = 24;
constexpr Index kDrawn = -1;

struct Request {
  std::string submissions, submission, csv, csv_for, reports, results, variants;
  bool variant = false, secret = false, milestone = false;
  Index seed = kDrawn, jobs = 0;
  LimitOptions limits;
  unsigned disguise = 0;  // drawn for each grading
};

CommandLine command_line(Request& request) {
  CommandLine line(
      "course grade EXERCISE ... --submissions DIR [options]",
      "Grades submissions. Each entry of DIR is a student: a folder with the files of the "
      "exercises, or a single file if the exercise has only one. What Canvas and Moodle hand over "
      "is read as it is, once its archive is unpacked.");
  line.option("--submissions", "DIR", &request.submissions, "a folder with an entry for each student");
  line.option("--submission", "PATH", &request.submission, "one student's folder or file");
  line.option("--milestone", "", &request.milestone,
              "also the last milestone, with all files of a student together");
  line.option("--variant", "", &request.variant, "grade the exercises' variants");
  line.option("--variants", "DIR", &request.variants,
              "grade variants that lie outside of the repository: folders like 03-attention");
  line.option("--seed", "S", &request.seed, "the seed of all inputs (keep it secret); drawn unless given");
  line.option("--jobs", "N", &request.jobs, "submissions graded at the same time; 0: one for each processor");
  request.limits.add_to(line);
  line.section("Reports");
  line.option("--csv", "FILE", &request.csv, "a line for each student, a column for each exercise");
  line.option("--csv-for", "SYSTEM", &request.csv_for, "the table as canvas or moodle import it");
  line.option("--reports", "DIR", &request.reports, "for each student NAME.txt and NAME.json (Gradescope)");
  line.option("--results", "FILE", &request.results, "one student's results.json for Gradescope");
  line.option("--secret", "", &request.secret, "Gradescope shows the rows after the due date only");
  return line;
}

void check(const Request& request) {
  if (request.seed != kDrawn) require_between("--seed", request.seed, 0, kMaxSeed);
  if (!request.csv_for.empty() && request.csv_for != "canvas" && request.csv_for != "moodle")
    throw UsageError("--csv-for: give canvas or moodle");
  if (request.submissions.empty() == request.submission.empty())
    throw UsageError("give either --submissions DIR or --submission PATH");
  if (request.submission.empty() && !request.results.empty())
    throw UsageError("--results is for one --submission; for many use --reports DIR");
}

std::vector<const Exercise*> exercises_of(const Course& course, const Arguments& names,
                                          const Request& request) {
  if (names.empty() && !request.milestone)
    throw UsageError("name an exercise, for example: course grade 03 --submissions DIR");
  std::vector<const Exercise*> exercises;
  for (const std::string& name : names)
    exercises.push_back(&find_exercise(course.exercises, name, request.variant || !request.variants.empty()));
  if (request.milestone) exercises.push_back(&course.milestones.back());
  return exercises;
}

// Of this process: another `course grade` may grade the same students now.
fs::path work_folder(const Course& course) {
  return course.tools.settings().binary_dir / "grade" / process_id();
}

GradingOptions options_of(const Request& request, const fs::path& work) {
  GradingOptions options = request.limits.options(work, request.seed, 1);
  options.disguise = request.disguise;
  return options;
}

// Why this machine cannot grade an exercise: the library's own answer does not get all points. Empty if it
// can.
std::string machine_problem(const Course& course, const Exercise& exercise, const Request& request) {
  if (exercise.asks_for_tests() || !exercise.variant.empty()) return "";
  const fs::path work = work_folder(course) / "reference" / exercise.folder_name();
  GradingOptions options = options_of(request, work);
  options.recognize = false;
  const Grade grade =
      grade_exercise(course, exercise, write_reference(course, exercise, work / "files"), options);
  if (grade.score == grade.points) return "";
  return "the library's own answer does not get all points here:\n" + terminal_report(grade, false, true);
}

void write_reports(const Request& request, const GradedSubmission& graded) {
  const std::string for_gradescope = gradescope_report(graded.grades, request.secret);
  if (!request.results.empty()) write_file_atomically(request.results, for_gradescope);
  if (request.reports.empty()) return;
  const std::string base = request.reports + "/" + graded.student;
  std::string text = graded.why.empty() ? "" : graded.why + "\n";
  for (const Grade& grade : graded.grades) text += terminal_report(grade, false, true) + '\n';
  write_file_atomically(base + ".txt", text);
  write_file_atomically(base + ".json", for_gradescope);
}

// A submission that cannot be graded, as a folder that cannot be read, does not stop the others' grading.
GradedSubmission grade_submission(const Course& course, const std::vector<const Exercise*>& exercises,
                                  const Submission& submission, const fs::path& work,
                                  const Request& request) {
  GradedSubmission graded = {.student = submission.student, .id = submission.id, .why = submission.why};
  for (const Exercise* const exercise : exercises) {
    graded.grades.push_back(ungraded(*exercise));
    graded.grades.back().problems = {"the grading was interrupted; ask your teacher to repeat it"};
  }
  write_reports(request, graded);
  for (std::size_t i = 0; i < exercises.size() && graded.why.empty(); ++i) try {
      graded.grades[i] = grade_exercise(course, *exercises[i], submission,
                                        options_of(request, work / exercises[i]->folder_name()));
      graded.grades[i].debugger.clear();  // the programs are removed at the end
    } catch (const std::exception& error) {
      graded.why = "it cannot be graded: " + std::string(error.what());
    }
  if (!graded.why.empty())
    for (Grade& grade : graded.grades) grade.problems = {graded.why};
  write_reports(request, graded);
  return graded;
}

std::vector<GradedSubmission> grade_all(const Course& course, const std::vector<const Exercise*>& exercises,
                                        const std::vector<Submission>& submissions, const Request& request,
                                        int jobs) {
  std::vector<GradedSubmission> graded(submissions.size());
  ProgressBar progress(std::cerr, is_terminal(2), std::ssize(submissions), {.unit = "submission"});
  std::mutex progress_mutex;
  Index done = 0;
  in_parallel(submissions.size(), jobs, [&](std::size_t i) {
    const fs::path work = work_folder(course) / std::to_string(i);
    graded[i] = grade_submission(course, exercises, submissions[i], work, request);
    const std::lock_guard<std::mutex> lock(progress_mutex);
    progress.update(++done, printable(graded[i].student));
  });
  progress.finish();
  return graded;
}

bool is_graded(const GradedSubmission& submission) {
  return submission.why.empty() && std::all_of(submission.grades.begin(), submission.grades.end(),
                                               [](const Grade& grade) { return grade.machine.empty(); });
}

bool has_file(const GradedSubmission& submission) {
  return std::any_of(submission.grades.begin(), submission.grades.end(),
                     [](const Grade& grade) { return grade.has_file; });
}

// "12 graded, 2 without a file, 1 not graded", and who these are. The exit code: 0 if all that has a file is
// graded.
int print_summary(const std::vector<GradedSubmission>& graded, const std::vector<std::string>& left_out) {
  int done = 0, without = 0, failed = 0;
  for (const GradedSubmission& submission : graded) {
    if (!is_graded(submission))
      ++failed;
    else
      ++(has_file(submission) ? done : without);
    if (!is_graded(submission) || !has_file(submission))
      std::cerr << printable(submission.student) << ": " << printable(why_of(submission)) << '\n';
  }
  std::string names;
  for (const std::string& name : left_out) names += (names.empty() ? "Left out: " : ", ") + printable(name);
  if (!names.empty()) std::cerr << names << '\n';
  std::cerr << done << " graded, " << without << " without a file"
            << (failed > 0 ? ", " + std::to_string(failed) + " not graded" : "") << '\n';
  return failed > 0 ? 1 : 0;
}

}  // namespace

int grade_command(const Course& given_course, const Arguments& arguments) {
  // Step 1. Read the command line: the exercises, and the submissions.
  Request request;
  CommandLine line = command_line(request);
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  check(request);
  Course course = given_course;
  if (!request.variants.empty())
    course.exercises = with_variants(course.exercises, path_of(request.variants));
  const std::vector<const Exercise*> exercises = exercises_of(course, names, request);
  const ClassFolder folder = request.submission.empty()
                                 ? read_class_folder(path_of(request.submissions))
                                 : ClassFolder{.submissions = {single_submission(request.submission)}};
  const int jobs = request.jobs > 0 ? static_cast<int>(request.jobs) : default_threads();

  // Step 2. Prepare the drivers, and try the library's own answers: if they fail, the machine is at fault,
  // and nobody is graded.
  if (!can_refuse_files())
    std::cerr << "On this system a submission may write files, and no sanitizer watches it: grade on Linux "
                 "(TEACHING.md)\n";
  prepare(course, exercises, jobs);
  std::random_device random;
  request.disguise = 1 + random() % (kDisguises - 1);
  if (request.seed == kDrawn) request.seed = static_cast<Index>(random() % 1'000'000);
  for (const Exercise* const exercise : exercises) {
    const std::string problem = machine_problem(course, *exercise, request);
    if (problem.empty()) continue;
    std::cerr << "Nobody was graded: " << problem << '\n';
    fs::remove_all(work_folder(course));
    return 1;
  }

  // Step 3. Grade.
  if (!request.reports.empty()) fs::create_directories(path_of(request.reports));
  const std::vector<GradedSubmission> graded =
      grade_all(course, exercises, folder.submissions, request, jobs);
  fs::remove_all(work_folder(course));

  // Step 4. Report.
  if (!request.submission.empty())
    for (const Grade& grade : graded[0].grades) std::cout << terminal_report(grade, color_allowed(1), true);
  const std::string table = table_of(graded, request.csv_for);
  if (!request.csv.empty()) write_file_atomically(request.csv, table);
  if (request.submission.empty() && request.csv.empty()) std::cout << table;
  return print_summary(graded, folder.left_out);
}

}  // namespace plainformer::course
