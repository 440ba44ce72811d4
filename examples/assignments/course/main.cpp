// course: starts, checks and grades the assignments.
#include <cstdio>
#include <exception>
#include <iostream>

#include "commands.h"
#include "platform/platform.h"

namespace plainformer::course {
namespace {

struct Command {
  const char* name;
  int (*run)(const Course& course, const Arguments& arguments);
  const char* summary;
};

constexpr Command kCommands[] = {
    {"list", list_command, "the exercises, their points and hours"},
    {"start", start_command, "put the files of an exercise into your folder"},
    {"check", check_command, "build and test your files"},
    {"hint", hint_command, "a hint, one at a time: course hint 03, course hint 03 2"},
    {"run", run_command, "run the whole program with your files, or with a bug"},
    {"milestone", milestone_command, "see what your files do together: 1, 2 or 3"},
    {"bugs", bugs_command, "the known bugs, for `course run --bug`"},
    {"grade", grade_command, "grade a folder of submissions"},
    {"verify", verify_command, "prove that the course works: stubs fail, references pass, bugs are caught"},
    {"prepare", prepare_command, "compile the drivers of the exercises"},
};

int run(const Arguments& arguments) {
  if (arguments.empty() || wants_help({arguments[0]}) || arguments[0] == "help") {
    std::cout << "course: \"Attention Is All You Need\" in exercises\n\n"
                 "Usage: course COMMAND [options]\n\nCommands:\n";
    for (const Command& command : kCommands) std::printf("  %-9s %s\n", command.name, command.summary);
    std::cout << "\n`course COMMAND --help` shows a command's options. Begin with: course start 00\n";
    return arguments.empty() ? 2 : 0;
  }
  Texts names;
  for (const Command& command : kCommands) {
    names.push_back(command.name);
    if (arguments[0] != command.name) continue;
    const Settings settings = settings_of_this_build();
    Course course = {.tools = Toolchain(settings),
                     .exercises = load_exercises(settings.course_dir() / "exercises")};
    course.milestones = load_milestones(settings.course_dir() / "milestones", course.exercises);
    return command.run(course, Arguments(arguments.begin() + 1, arguments.end()));
  }
  throw UsageError("there is no command \"" + arguments[0] + "\"" + did_you_mean(arguments[0], names) +
                   " (`course --help` lists them)");
}

}  // namespace
}  // namespace plainformer::course

int main(int count, char** values) {
  const plainformer::Arguments arguments = plainformer::start_program(count, values);
  try {
    return plainformer::course::run(arguments);
  } catch (const plainformer::UsageError& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 1;
  }
}
