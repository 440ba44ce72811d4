// course: starts, checks and grades the assignments.
#include <cstdio>
#include <exception>
#include <iostream>

#include "commands.h"
#include "platform/platform.h"
#include "text.h"

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

void print_usage() {
  std::cout << "course: \"Attention Is All You Need\" in exercises\n\nUsage: course COMMAND "
               "[options]\n\nCommands:\n";
  for (const Command& command : kCommands) std::printf("  %-9s %s\n", command.name, command.summary);
  std::cout << "\n`course COMMAND --help` shows a command's options. Begin with: course start 00\n";
}

Course load_course(const std::string& program) {
  const Settings settings = load_settings(path_of(PLAINFORMER_COURSE_SETTINGS));
  const fs::path folder = settings.course_dir();
  const std::vector<Exercise> exercises = load_exercises(folder / "exercises");
  return {.program = program,
          .tools = Toolchain(settings),
          .exercises = exercises,
          .milestones = load_milestones(folder / "milestones", exercises),
          .whole_program_bugs = load_bugs(folder / "break-it" / "bugs.json"),
          .wrong_submissions = load_wrong_submissions(folder / "wrong-submissions" / "submissions.json")};
}

int run(const std::string& program, const Arguments& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "help") {
    print_usage();
    return arguments.empty() ? 2 : 0;
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name)
      return command.run(load_course(program), Arguments(arguments.begin() + 1, arguments.end()));
    names.push_back(command.name);
  }
  throw UsageError("there is no command \"" + arguments[0] + "\"" + did_you_mean(arguments[0], names) +
                   " (`course --help` lists them)");
}

}  // namespace
}  // namespace plainformer::course

int main(int count, char** values) {
  const std::string program = count > 0 ? values[0] : "course";
  const plainformer::Arguments arguments = plainformer::start_program(count, values);
  plainformer::course::end_processes_with_us();
  try {
    return plainformer::course::run(program, arguments);
  } catch (const plainformer::UsageError& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 1;
  }
}
