#include <algorithm>
#include <iostream>
#include <mutex>
#include <random>
#include <set>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "grading.h"
#include "io/atomic_file.h"
#include "milestone_grading.h"
#include "platform/platform.h"
#include "reference_run.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "reports.h"
#include "submission.h"
#include "text.h"
#include "whole_program.h"

namespace plainformer::course {

namespace {

constexpr Index kLeastMemory = 64, kMostMemory = 1'000'000;  // MB
constexpr double kLeastFactor = 0.1, kMostFactor = 100;
constexpr unsigned kDisguises = 48;

constexpr Index kDrawn = -1;

struct Request {
  std::string submissions, submission, csv, csv_for, reports, results, junit, variants;
  bool variant = false, secret = false, milestone = false;
  Index seed = kDrawn, jobs = 0, memory = 1024;
  double seconds_factor = 1;
  unsigned disguise = 0;  // drawn anew for each grading
};

CommandLine command_line(Request& request) {
  CommandLine line("course grade EXERCISE ... --submissions DIR [options]",
                   "Grades submissions. Each entry of DIR is a student: a folder with the files of the "
                   "exercises, or with\n"
                   "folders like 03-attention, or a single file if the exercise has only one.");
  line.option("--submissions", "DIR", &request.submissions, "a folder with an entry for each student");
  line.option("--submission", "PATH", &request.submission, "one student's folder or file");
  line.option("--milestone", "", &request.milestone,
              "also train the toy with all files of a student's together: milestone 3");
  line.option("--variant", "", &request.variant, "grade the exercises' variants");
  line.option("--variants", "DIR", &request.variants,
              "grade variants that lie outside of the repository: folders like 03-attention");
  line.option("--seed", "S", &request.seed,
              "the seed of all inputs (keep it secret); of exercises, drawn unless given; of variants, 1");
  line.option("--jobs", "N", &request.jobs, "submissions graded at the same time; 0: one for each processor");
  line.section("Limits");
  line.option("--memory", "MB", &request.memory, "of one test");
  line.option("--seconds-factor", "F", &request.seconds_factor,
              "times the exercises' limits of time: 3 for a slow machine");
  line.section("Reports");
  line.option("--csv", "FILE", &request.csv, "a line for each student, a column for each exercise");
  line.option("--csv-for", "SYSTEM", &request.csv_for, "the table as canvas or moodle import it");
  line.option("--reports", "DIR", &request.reports,
              "for each student NAME.txt, NAME.json (Gradescope) and NAME.xml (JUnit)");
  line.option("--results", "FILE", &request.results, "one student's results.json for Gradescope");
  line.option("--junit", "FILE", &request.junit,
              "one student's report in the XML of JUnit, for other servers");
  line.option("--secret", "", &request.secret, "Gradescope shows the tests after the due date only");
  return line;
}

void check(const Request& request) {
  if (request.seed != kDrawn) require_between("--seed", request.seed, 0, kMaxSeed);
  require_between("--memory", request.memory, kLeastMemory, kMostMemory);
  if (!(request.seconds_factor >= kLeastFactor && request.seconds_factor <= kMostFactor))
    throw UsageError("--seconds-factor: give a number from 0.1 to 100");
  if (!request.csv_for.empty() && request.csv_for != "canvas" && request.csv_for != "moodle")
    throw UsageError("--csv-for: give canvas or moodle");
  if (request.submissions.empty() == request.submission.empty())
    throw UsageError("give either --submissions DIR or --submission PATH");
  if (request.submission.empty() && !(request.results.empty() && request.junit.empty()))
    throw UsageError("--results and --junit are for one --submission; for many use --reports DIR");
}

struct Submission {
  fs::path path;
  std::string student;
};

// The file's name without its suffix, and a folder's whole name.
std::string student_of(const fs::path& path) {
  std::error_code unreadable;
  return text_of(fs::is_directory(path, unreadable) ? path.filename() : path.stem());
}

// If two names are the same, as those of alice/ and alice.cpp, all students have the whole names of their
// entries.
std::vector<Submission> with_names(const std::vector<fs::path>& paths) {
  std::set<std::string> names;
  for (const fs::path& path : paths) names.insert(student_of(path));
  const bool all_differ = names.size() == paths.size();
  std::vector<Submission> submissions;
  for (const fs::path& path : paths)
    submissions.push_back({path, all_differ ? student_of(path) : text_of(path.filename())});
  return submissions;
}

// One student's folder or file, by its own name: "." and "folder/" have none.
std::vector<Submission> single_submission(const std::string& name) {
  if (!fs::exists(path_of(name)))
    throw input_error(name, "it is missing", "give one student's folder or file");
  const fs::path path = fs::absolute(path_of(name)).lexically_normal();
  return with_names({path.has_filename() ? path : path.parent_path()});
}

std::vector<Submission> submissions_of(const Request& request) {
  if (!request.submission.empty()) return single_submission(request.submission);
  const fs::path folder = path_of(request.submissions);
  if (!fs::is_directory(folder))
    throw input_error(request.submissions, "it is not a folder",
                      "give the folder that holds an entry for each student");
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!text_of(entry.path().filename()).starts_with(".")) paths.push_back(entry.path());
  if (paths.empty())
    throw input_error(request.submissions, "it is empty", "put a folder for each student there");
  std::sort(paths.begin(), paths.end());
  return with_names(paths);
}

// What is reported until the grading is done: no points.
Grade without_points(const Exercise& exercise) {
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  grade.problems = {"the grading was interrupted; ask your teacher to repeat it"};
  return grade;
}

void write_machine_reports(const Request& request, const std::vector<Grade>& grades,
                           const std::string& results, const std::string& junit) {
  if (!results.empty()) write_file_atomically(results, gradescope_report(grades, request.secret));
  if (!junit.empty()) write_file_atomically(junit, junit_report(grades));
}

void write_reports(const Request& request, const GradedSubmission& graded) {
  write_machine_reports(request, graded.grades, request.results, request.junit);
  if (request.reports.empty()) return;
  const std::string base = request.reports + "/" + graded.student;
  std::string text;
  for (const Grade& grade : graded.grades) text += terminal_report(grade, false, true) + '\n';
  write_file_atomically(base + ".txt", text);
  write_machine_reports(request, graded.grades, base + ".json", base + ".xml");
}

// Of this process: another `course grade` may grade the same students now.
fs::path work_folder(const Course& course) {
  return course.tools.settings().binary_dir / "grade" / process_id();
}

GradingOptions options_of(const Request& request, const fs::path& work) {
  return {.work = work,
          .seed = static_cast<unsigned>(request.seed),
          .jobs = 1,
          .memory_mb = static_cast<long>(request.memory),
          .seconds_factor = request.seconds_factor,
          .disguise = request.disguise};
}

// What keeps this machine from grading these exercises, one text for each; tried before anybody is graded.
std::vector<std::string> problems_of_machine(const Course& course,
                                             const std::vector<const Exercise*>& exercises,
                                             const Request& request, int jobs) {
  std::vector<std::string> problems(exercises.size());
  in_parallel(exercises.size(), jobs, [&](std::size_t i) {
    const fs::path work = work_folder(course) / "reference" / exercises[i]->folder_name();
    problems[i] = machine_problem(course, *exercises[i], options_of(request, work));
  });
  if (request.milestone) {
    GradingOptions options = options_of(request, work_folder(course) / "reference" / "milestone");
    options.jobs = jobs;
    problems.push_back(machine_problem_of_milestone(course, options));
  }
  std::erase(problems, "");
  return problems;
}

std::string table_for(const std::vector<GradedSubmission>& graded, const std::string& system) {
  if (system == "canvas") return canvas_table(graded);
  if (system == "moodle") return moodle_table(graded);
  return csv_table(graded);
}

// A submission that cannot be graded, as a folder that cannot be read, does not stop the others' grading.
GradedSubmission grade_submission(const Course& course, const std::vector<const Exercise*>& exercises,
                                  const Submission& submission, const Request& request) {
  GradedSubmission graded = {.student = submission.student};
  const fs::path work = work_folder(course) / submission.path.filename();
  for (const Exercise* const exercise : exercises) graded.grades.push_back(without_points(*exercise));
  if (request.milestone) graded.grades.push_back(ungraded_milestone());
  write_reports(request, graded);
  for (std::size_t i = 0; i < graded.grades.size(); ++i) {
    Grade& grade = graded.grades[i];
    try {
      grade = i < exercises.size()
                  ? grade_exercise(course, *exercises[i], files_of(submission.path, *exercises[i]),
                                   options_of(request, work / exercises[i]->folder_name()))
                  : grade_milestone(course, submission.path, options_of(request, work / "milestone"));
      grade.debugger.clear();  // the programs are removed below
      if (!grade.machine.empty()) graded.error = grade.machine;
    } catch (const std::exception& error) {
      grade.problems = {"it cannot be graded: " + std::string(error.what())};
      graded.error = error.what();
    }
  }
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
    graded[i] = grade_submission(course, exercises, submissions[i], request);
    const std::lock_guard<std::mutex> lock(progress_mutex);
    progress.update(++done, printable(graded[i].student));
  });
  progress.finish();
  return graded;
}

// The exit code.
int print_results(const std::vector<GradedSubmission>& graded, const Request& request) {
  if (!request.submission.empty())
    for (const Grade& grade : graded[0].grades) std::cout << terminal_report(grade, color_allowed(1), true);
  if (!request.csv.empty()) write_file_atomically(request.csv, table_for(graded, request.csv_for));
  if (request.submission.empty() && request.csv.empty()) std::cout << table_for(graded, request.csv_for);
  bool all_graded = true;
  for (const GradedSubmission& submission : graded) {
    if (submission.error.empty()) continue;
    std::cerr << printable(submission.student) << " cannot be graded: " << submission.error << '\n';
    all_graded = false;
  }
  return all_graded ? 0 : 1;
}

}  // namespace

Course with_variants_of(Course course, const std::string& folder) {
  if (!folder.empty()) course.exercises = with_variants(course.exercises, path_of(folder));
  return course;
}

int grade_command(const Course& given_course, const Arguments& arguments) {
  Request request;
  CommandLine line = command_line(request);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  if (names.empty() && !request.milestone)
    throw UsageError("name an exercise, for example: course grade 03 --submissions DIR");
  check(request);
  const Course course = with_variants_of(given_course, request.variants);
  std::vector<const Exercise*> exercises;
  for (const std::string& name : names)
    exercises.push_back(&find_exercise(course.exercises, name, request.variant || !request.variants.empty()));
  const int jobs = request.jobs > 0 ? static_cast<int>(request.jobs) : default_threads();
  const std::vector<Submission> submissions = submissions_of(request);
  if (!request.reports.empty()) fs::create_directories(path_of(request.reports));
  if (!can_refuse_files())
    std::cerr << "On this system a submission may write files, and no sanitizer watches it: grade on Linux "
                 "(TEACHING.md)\n";
  prepare(course, exercises, jobs);
  if (request.milestone) build_float_program(course);
  request.disguise = 1 + std::random_device()() % (kDisguises - 1);
  const bool is_fair_with_any = !request.variant && request.variants.empty();
  if (request.seed == kDrawn)
    request.seed = is_fair_with_any ? static_cast<Index>(std::random_device()() % 1'000'000) : 1;
  const std::vector<std::string> machine = problems_of_machine(course, exercises, request, jobs);
  for (const std::string& problem : machine) std::cerr << "Nobody was graded: " << problem << '\n';
  if (!machine.empty()) {
    fs::remove_all(work_folder(course));
    return 1;
  }

  const std::vector<GradedSubmission> graded = grade_all(course, exercises, submissions, request, jobs);
  fs::remove_all(work_folder(course));
  return print_results(graded, request);
}

}  // namespace plainformer::course
