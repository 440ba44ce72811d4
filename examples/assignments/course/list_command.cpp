#include <iostream>

#include "commands.h"
#include "core/thread_pool.h"
#include "report/numbers.h"

namespace plainformer::course {

int list_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course list", "Lists the exercises, in the order of work.");
  if (!line.read(arguments)) return 0;
  using Kind = TableColumn::Kind;
  Table table = {{{"exercise"},
                  {"title"},
                  {"paper"},
                  {"points", Kind::kNumber, 1},
                  {"hours", Kind::kNumber, 1},
                  {"elective"},
                  {"variant"},
                  {"started"}},
                 {}};
  const auto is_started = [&](const Exercise& exercise) {
    return fs::exists(course.homework() / exercise.folder_name());
  };
  for (const Exercise& exercise : course.exercises) {
    if (!exercise.variant.empty()) continue;
    bool started = is_started(exercise);
    std::string variant;
    for (const Exercise& other : course.exercises)
      if (other.number == exercise.number && !other.variant.empty()) {
        variant = other.variant;
        started = started || is_started(other);
      }
    table.rows.push_back({exercise.label(), exercise.title, exercise.paper, exercise.points(), exercise.hours,
                          std::string(exercise.elective ? "yes" : ""), variant,
                          std::string(started ? "yes" : "")});
  }
  std::cout << render_table(table, false);
  return 0;
}

int bugs_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course bugs", "Lists the known bugs, for `course run --bug NAME`.");
  if (!line.read(arguments)) return 0;
  Table table = {{{"bug"}, {"the program's numbers are those of"}, {"read"}},
                 {}};
  const auto add = [&](const std::vector<Bug>& bugs) {
    for (const Bug& bug : bugs)
      if (bug.file.empty()) table.rows.push_back({bug.name, bug.numbers_of, bug.read});
  };
  for (const Exercise& exercise : course.exercises) add(exercise.bugs);
  add(course.whole_program_bugs);
  std::cout << render_table(table, false);
  return 0;
}

int prepare_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course prepare",
                   "Compiles the drivers of the exercises, so that the first check is fast.");
  if (!line.read(arguments)) return 0;
  std::vector<const Exercise*> exercises;
  for (const Exercise& exercise : course.exercises)
    if (!exercise.in_float) exercises.push_back(&exercise);
  prepare(course, exercises, default_threads());
  return 0;
}

}  // namespace plainformer::course
