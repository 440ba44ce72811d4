#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include "commands.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "source_cutter.h"
#include "text.h"
#include "whole_program.h"

namespace plainformer::course {

namespace {

// What the program is built of, and the operations that take the plain way, so that the replacements run.
struct Replaced {
  std::vector<Replacement> files;
  std::string plain;
};

// The student's files of the exercises that "03,04" names, or with "all" of each that has been started.
Replaced files_of_exercises(const Course& course, const std::string& names, const fs::path& homework) {
  std::vector<const Exercise*> chosen;
  std::istringstream input(names);
  for (std::string name; names != "all" && std::getline(input, name, ',');)
    chosen.push_back(&find_exercise(course.exercises, name, false));
  for (const Exercise& exercise : course.exercises)
    if (names == "all" && exercise.variant.empty() && fs::exists(homework / exercise.folder_name()))
      chosen.push_back(&exercise);
  Replaced replaced;
  std::vector<Source> sources;
  for (const Exercise* const exercise : chosen) {
    if (exercise->asks_for_tests() && names == "all") continue;
    if (exercise->asks_for_tests())
      throw UsageError("exercise " + exercise->label() + " asks for tests, and the program runs none");
    for (Source source : exercise->sources) {
      source.folder = exercise->folder_name();
      sources.push_back(source);
    }
    if (!exercise->plain.empty()) replaced.plain += (replaced.plain.empty() ? "" : ",") + exercise->plain;
  }
  replaced.files = files_of_student(sources, homework);
  if (replaced.files.empty())
    throw input_error(text_of(homework), "no exercise has been started there", "begin with: course start 00");
  return replaced;
}

// The files of a bug of an exercise, or of the whole program, written into `folder`.
Replaced files_of_bug(const Course& course, const std::string& name, const fs::path& folder) {
  std::vector<std::string> names;
  Bug found;
  const auto look_at = [&](const std::vector<Bug>& bugs, const std::string& plain) {
    for (const Bug& bug : bugs) {
      if (bug.file.empty()) names.push_back(bug.name);
      if (bug.name != name || !bug.file.empty()) continue;
      found = bug;
      if (found.plain.empty()) found.plain = plain;
    }
  };
  for (const Exercise& exercise : course.exercises) look_at(exercise.bugs, exercise.plain);
  look_at(course.whole_program_bugs, "");
  if (found.name.empty())
    throw input_error("--bug " + name, "there is no such bug" + did_you_mean(name, names),
                      "`course bugs` lists them");
  Replaced replaced = {.files = {}, .plain = found.plain};
  std::set<std::string> files;
  for (const Edit& edit : found.edits) {
    if (!files.insert(edit.file).second) continue;
    const fs::path path = folder / std::to_string(files.size()) / fs::path(edit.file).filename();
    fs::create_directories(path.parent_path());
    write_file_atomically(text_of(path),
                          with_edits(reference_text(course, edit.file), edit.file, found.name, found.edits));
    replaced.files.push_back({edit.file, path});
  }
  return replaced;
}

}  // namespace

int run_command(const Course& course, const Arguments& arguments) {
  std::string bug, mine, homework = text_of(course.homework());
  CommandLine line(
      "course run (--mine EXERCISE[,...] | --bug NAME) -- COMMAND [options of plainformer]",
      "Runs the whole program, in float, with your files, or with a bug, in place of the library's files.\n"
      "Example: course run --mine 03,04 -- train --preset toy --out my-model");
  line.option("--mine", "EXERCISE,...", &mine,
              "your files of these exercises; all: of each that you have started");
  line.option("--bug", "NAME", &bug, "a known bug; `course bugs` lists them");
  line.option("--folder", "DIR", &homework, "your folder");
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const Arguments own(arguments.begin(), dashes);
  if (!line.read(own)) return 0;
  if (bug.empty() == mine.empty()) throw UsageError("give either --mine or --bug");
  if (dashes == arguments.end())
    throw UsageError("give the program's command after --, for example: -- train --help");

  const fs::path folder = course.tools.settings().binary_dir / "run" / (bug.empty() ? "mine" : bug);
  const Replaced replaced =
      bug.empty() ? files_of_exercises(course, mine, path_of(homework)) : files_of_bug(course, bug, folder);
  const fs::path program = folder / program_name("plainformer");
  build_program_with(course, replaced.files, program);
  Flags command = {text_of(program)}, environment;
  command.insert(command.end(), dashes + 1, arguments.end());
  const bool is_chosen = std::getenv("PLAINFORMER_PLAIN") != nullptr;
  if (!replaced.plain.empty() && !is_chosen) environment.push_back("PLAINFORMER_PLAIN=" + replaced.plain);
  std::cout.flush();
  return become_process(command, environment);
}

}  // namespace plainformer::course
