#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "report/terminal.h"
#include "reports.h"
#include "text.h"
#include "whole_program.h"

namespace plainformer::course {

namespace {

// A command of the milestone, where FOLDER is the folder for pages and MODEL that of the trained model.
Flags command_of(const Course& course, const Flags& words, const fs::path& program, const fs::path& folder) {
  Flags command = {text_of(program)};
  for (std::string word : words) {
    const std::size_t at = word.find("FOLDER");
    if (at != std::string::npos) word.replace(at, 6, text_of(fs::proximate(folder)));
    if (word == "MODEL") word = text_of(course.tools.settings().source_dir / "docs" / "page-model");
    command.push_back(word);
  }
  return command;
}

// Shows what the student's files do in the whole program: pages, a map, a training.
void show(const Course& course, const Exercise& milestone, const fs::path& homework, const fs::path& folder) {
  if (milestone.show.empty()) return;
  std::cerr << "Building the program with your files.\n";
  const fs::path program = folder / program_name("plainformer");
  build_program_with(course, files_of_student(milestone.sources, homework), program);
  for (const Flags& words : milestone.show) {
    const Flags command = command_of(course, words, program, folder);
    const ProcessResult result =
        run_process(command, {.seconds = 3600, .memory_mb = 4096, .file_mb = 256}, {"PLAINFORMER_PLAIN=all"});
    std::cout << result.output;
    if (!result.succeeded()) throw std::runtime_error("your program ended early (" + result.ending() + ")");
  }
}

}  // namespace

int milestone_command(const Course& course, const Arguments& arguments) {
  std::string homework = text_of(course.homework());
  std::string summary = "Runs your files together, in the plain way, and shows what they do.";
  for (const Exercise& milestone : course.milestones)
    summary += "\n" + milestone.number + ": " + milestone.task;
  CommandLine line("course milestone NUMBER [options]", summary);
  LimitOptions limits;
  line.option("--folder", "DIR", &homework, "your folder");
  limits.add_to(line);
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  if (names.size() != 1) throw UsageError("name one milestone, for example: course milestone 1");
  const Exercise& milestone = find_exercise(course.milestones, names[0], false);
  const fs::path folder = course.tools.settings().binary_dir / "milestone" / milestone.folder_name();
  prepare(course, {&milestone}, default_threads());
  const Grade grade = grade_exercise(course, milestone, {.path = path_of(homework)},
                                     limits.options(folder, 1, default_threads()));
  std::cout << terminal_report(grade, color_allowed(1), true);
  const bool reached = grade.score == grade.points;
  if (reached) show(course, milestone, path_of(homework), folder);
  std::cout << colored("Milestone " + milestone.number + ", " + milestone.title + ": " +
                           (reached ? "reached." : "not yet."),
                       reached ? Color::kGreen : Color::kRed, color_allowed(1))
            << '\n';
  return reached ? 0 : 1;
}

}  // namespace plainformer::course
