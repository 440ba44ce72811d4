#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "commands.h"
#include "students_program.h"
#include "text.h"

namespace plainformer::course {

namespace {

struct RunRequest {
  std::string bug, mine, homework;
};

}  // namespace

int run_command(const Course& course, const Arguments& arguments) {
  RunRequest request = {.bug = {}, .mine = {}, .homework = text_of(course.homework())};
  CommandLine line(
      "course run (--mine EXERCISE[,...] | --bug NAME) -- COMMAND [options of plainformer]",
      "Runs the whole program, in float, with your files, or with a bug, in place of the library's files.\n"
      "Example: course run --mine 03,04 -- train --preset toy --out my-model");
  line.option("--mine", "EXERCISE,...", &request.mine,
              "your files of these exercises; all: of each that you have started");
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
    const fs::path homework = path_of(request.homework);
    const StudentsProgram mine =
        students_program(exercises_with_files(course, request.mine, homework), homework);
    replacements = mine.replacements;
    plain = mine.plain;
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
