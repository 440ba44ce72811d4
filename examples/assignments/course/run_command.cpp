#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "text.h"
#include "whole_program.h"

namespace plainformer::course {

namespace {

struct RunRequest {
  std::string bug, mine, homework;
};

// The files that a student has written for an exercise.
void add_students_files(const Exercise& exercise, const fs::path& homework,
                        std::vector<Replacement>& replacements) {
  if (exercise.kind == Kind::kTests)
    throw UsageError("exercise " + exercise.label() + " asks for tests, and the program runs none");
  for (const Source& source : exercise.sources) {
    const fs::path file = homework / exercise.folder_name() / source.file_name();
    if (!fs::exists(file))
      throw input_error(text_of(file), "it is missing",
                        "begin with: course start " + exercise.label().substr(0, 2));
    replacements.push_back({source.file, file});
  }
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// The union of two lists of operations, "attention,decoding".
std::string union_of(const std::string& operations, const std::string& more) {
  if (operations.empty() || more.empty()) return operations + more;
  return operations + "," + more;
}

}  // namespace

int run_command(const Course& course, const Arguments& arguments) {
  RunRequest request = {.bug = {}, .mine = {}, .homework = text_of(course.homework())};
  CommandLine line(
      "course run (--mine EXERCISE[,...] | --bug NAME) -- COMMAND [options of plainformer]",
      "Runs the whole program, in float, with your files, or with a bug, in place of the library's files.\n"
      "Example: course run --mine 03,04 -- train --preset toy --out my-model");
  line.option("--mine", "EXERCISE,...", &request.mine, "your files of these exercises");
  line.option("--bug", "NAME", &request.bug, "a known bug; `course bugs` lists them");
  line.option("--folder", "DIR", &request.homework, "your folder");
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const Arguments own(arguments.begin(), dashes);
  if (wants_help(own)) {
    std::cout << line.help();
    return 0;
  }
  expect_no_more(line.parse(own));
  if (request.bug.empty() == request.mine.empty()) throw UsageError("give either --mine or --bug");
  if (dashes == arguments.end())
    throw UsageError("give the program's command after --, for example: -- train --help");

  const fs::path folder =
      course.tools.settings().binary_dir / "run" / (request.bug.empty() ? "mine" : request.bug);
  std::vector<Replacement> replacements;
  std::string plain;
  if (!request.bug.empty()) {
    const Bug bug = find_bug(course, request.bug);
    replacements = files_of_bug(course, bug, folder);
    plain = bug.plain;
  } else {
    for (const std::string& name : split_at_commas(request.mine)) {
      const Exercise& exercise = find_exercise(course.exercises, name, false);
      add_students_files(exercise, path_of(request.homework), replacements);
      plain = union_of(plain, exercise.plain);
    }
  }
  const fs::path program = folder / program_name("plainformer");
  build_program_with(course, replacements, program);
  std::vector<std::string> command = {text_of(program)}, environment;
  command.insert(command.end(), dashes + 1, arguments.end());
  const bool is_chosen = std::getenv("PLAINFORMER_PLAIN") != nullptr;
  if (!plain.empty() && !is_chosen) environment.push_back("PLAINFORMER_PLAIN=" + plain);
  std::cout.flush();
  return become_process(command, environment);
}

}  // namespace plainformer::course
