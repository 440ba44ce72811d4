#include <fstream>
#include <iostream>

#include "commands.h"
#include "io/atomic_file.h"
#include "source_cutter.h"
#include "starting_files.h"
#include "submission.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr Index kMaxSourceBytes = 1'000'000;

// Writes all of them, or none if one exists.
void write_new_files(const std::vector<StartingFile>& files, const fs::path& folder) {
  for (const StartingFile& file : files)
    if (fs::exists(fs::symlink_status(folder / file.name)))
      throw std::runtime_error(
          text_of(folder / file.name) +
          ": it exists, and your work is never overwritten. To start over, move it away");
  fs::create_directories(folder);
  for (const StartingFile& file : files) write_file_atomically(text_of(folder / file.name), file.text);
}

// "course check 03 --variant --folder mine"
std::string check_command_of(const Course& course, const Exercise& exercise, const std::string& homework) {
  std::string command = course.program + " check " + exercise.label().substr(0, 2);
  if (!exercise.variant.empty()) command += " --variant";
  if (homework != text_of(course.homework())) command += " --folder " + shell_word(homework);
  return command;
}

void print_task(const Exercise& exercise, const std::vector<StartingFile>& files,
                const std::vector<std::string>& headers, const fs::path& folder, const std::string& check) {
  std::cout << exercise.label() << ": " << exercise.title << "\n\n" << exercise.task << "\n\n";
  std::cout << "  Read     " << exercise.chapter << " (the paper's section " << exercise.paper << ")\n";
  for (const StartingFile& file : files)
    if (file.is_contract) std::cout << "           " << text_of(folder / file.name) << " (the contract)\n";
  for (const std::string& header : headers) std::cout << "           " << header << '\n';
  for (const StartingFile& file : files) {
    if (file.is_contract) continue;
    std::cout << "  Write    " << text_of(folder / file.name) << '\n';
    for (const Source& source : exercise.sources)
      if (source.file_name() == file.name)
        for (const CutFunction& function : source.cut) std::cout << "             " << function.name << '\n';
  }
  std::cout << "  Check    " << check << '\n';
  std::cout << "  Worth    " << exercise.points()
            << (exercise.elective ? " points of an elective, about " : " points, about ") << exercise.hours
            << (exercise.hours == 1 ? " hour" : " hours") << '\n';
}

}  // namespace

std::string reference_text(const Course& course, const std::string& source_file) {
  return without_the_fast_way(
      read_file(text_of(course.tools.settings().reference(source_file)), kMaxSourceBytes));
}

int start_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course start EXERCISE [options]", "Puts the files of an exercise into your folder.");
  std::string homework = text_of(course.homework());
  bool variant = false, bare = false;
  line.option("--variant", "", &variant, "the exercise's variant, whose answer is not in the repository");
  line.option("--folder", "DIR", &homework, "your folder");
  line.option("--bare", "", &bare, "leave out the comments that number the steps");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  if (names.size() != 1) throw UsageError("name one exercise, for example: course start 01");
  const Exercise& exercise = find_exercise(course.exercises, names[0], variant);
  const fs::path folder = path_of(homework) / exercise.folder_name();
  const std::vector<StartingFile> files = starting_files(course, exercise, !bare);
  write_new_files(files, folder);
  print_task(exercise, files, headers_to_read(course, exercise), fs::proximate(folder),
             check_command_of(course, exercise, homework));
  return 0;
}

}  // namespace plainformer::course
