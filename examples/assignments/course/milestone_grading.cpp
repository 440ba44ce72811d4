#include "milestone_grading.h"

#include <chrono>

#include "reference_run.h"
#include "submission.h"
#include "test_message.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kToySeconds = 900;  // of the processor, to train the toy in the plain way
constexpr int kFirstNumber = 100;    // in a table, milestones come behind the exercises

// The toy's text comes with its translations, and its training with an answer.
constexpr const char* kKnowTheTranslations[] = {
    "generate_toy_corpus", "random_toy_pair", "toy::",        "load_corpora", "encode_corpora",
    "train_model",         "load_model",      "load_weights", "read_weights"};

const std::string kTest = "Toy.IsTrainedAndTranslatesWhatItHasNotSeen";

// The test that trains the toy, as an exercise.
Exercise toy_exercise(const Course& course) {
  Exercise toy;
  toy.folder = course.tools.settings().course_dir() / "milestones";
  toy.number = kFirstNumber + kGradedMilestone.number;
  toy.name = "milestone";
  toy.tests = {{.file = "./toy_test.cpp", .name = kTest, .points = kMilestonePoints}};
  toy.sanitizers = "";
  toy.in_float = true;
  toy.seconds = kToySeconds;
  return toy;
}

// An exercise whose files become a part of the toy's program. What it forbids stays forbidden.
Exercise part_of(const Exercise& toy, const Exercise& exercise) {
  Exercise part = exercise;
  part.folder = toy.folder;
  part.tests = toy.tests;
  part.gate = "";
  part.sanitizers = "";
  part.in_float = true;
  part.flags = {"-DNDEBUG"};
  for (const char* const function : kKnowTheTranslations) part.forbid.push_back(function);
  return part;
}

std::string label_of_milestone() {
  return "milestone " + std::to_string(kGradedMilestone.number);
}

struct ExerciseSource {
  Exercise part;
  const Source* source;
  fs::path file;
};

void build_part(const Course& course, const ExerciseSource& one, const fs::path& object,
                GuardedObjects& built) {
  const std::string problem = compile_file(course.tools, one.part, one.file, object);
  if (!problem.empty()) {
    built.problems.push_back(one.part.label() + ": " + problem);
    return;
  }
  built.objects.push_back(object);
}

// Links the objects with the test that trains the toy, and runs it.
void run_toy(const Course& course, const std::vector<fs::path>& objects, const GradingOptions& options,
             Grade& grade) {
  const Exercise toy = toy_exercise(course);
  std::vector<fs::path> others = course.tools.test_objects(toy);
  others.push_back(course.tools.settings().float_app_library());
  const fs::path program = options.work / program_name("toy");
  const ProcessResult linked = course.tools.link(toy, objects, others, program);
  if (!linked.succeeded()) {
    grade.problems.push_back(link_problem(linked));
    return;
  }
  const TestRun run = run_tests(course.tools, toy, program, kTest, options);
  TestResult& result = grade.tests.at(0);
  if (run.passed) {
    result.status = Status::kPassed;
    result.score = grade.score = result.points;
  } else {
    result.message = failure_message(run.process);
    result.timed_out = run.process.timed_out;
    result.may_be_the_machine = may_be_the_machine(run.process);
  }
}

Grade grade_milestone_once(const Course& course, const fs::path& submission, const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = ungraded_milestone();
  const GuardedObjects built =
      guarded_objects(course, exercises_of(kGradedMilestone, course.exercises), submission, options);
  grade.problems = built.problems;
  if (grade.problems.empty()) run_toy(course, built.objects, options, grade);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace

GuardedObjects guarded_objects(const Course& course, const std::vector<const Exercise*>& exercises,
                               const fs::path& submission, const GradingOptions& options) {
  const Exercise toy = toy_exercise(course);
  std::vector<ExerciseSource> sources;
  for (const Exercise* const exercise : exercises)
    for (const Source& source : exercise->sources)
      if (!source.is_header())
        sources.push_back(
            {part_of(toy, *exercise), &source, files_of(submission, *exercise) / source.file_name()});
  std::vector<GuardedObjects> parts(sources.size());
  in_parallel(sources.size(), options.jobs, [&](std::size_t i) {
    const fs::path folder = options.work / sources[i].part.folder_name();
    build_part(course, sources[i], folder / (sources[i].source->file_name() + ".o"), parts[i]);
  });
  GuardedObjects built;
  for (const GuardedObjects& part : parts) {
    built.objects.insert(built.objects.end(), part.objects.begin(), part.objects.end());
    built.problems.insert(built.problems.end(), part.problems.begin(), part.problems.end());
  }
  return built;
}

Grade ungraded_milestone() {
  Grade grade = {.label = label_of_milestone(),
                 .number = kFirstNumber + kGradedMilestone.number,
                 .points = kMilestonePoints};
  grade.tests = {{.name = kTest, .points = kMilestonePoints}};
  grade.problems = {"the grading was interrupted; ask your teacher to repeat it"};
  return grade;
}

std::string machine_problem_of_milestone(const Course& course, const GradingOptions& options) {
  const fs::path answers = options.work / "answers";
  for (const Exercise* const exercise : exercises_of(kGradedMilestone, course.exercises))
    write_reference(course, *exercise, answers / exercise->folder_name());
  return machine_problem_of(grade_milestone_once(course, answers, options));
}

Grade grade_milestone(const Course& course, const fs::path& submission, const GradingOptions& options) {
  return grade_with_machine_in_doubt([&] { return grade_milestone_once(course, submission, options); },
                                     [&] {
                                       GradingOptions own = options;
                                       own.work = options.work / "reference-of-machine";
                                       return machine_problem_of_milestone(course, own);
                                     });
}

}  // namespace plainformer::course
