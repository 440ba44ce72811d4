#include <algorithm>
#include <iostream>

#include "commands.h"
#include "io/atomic_file.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr Index kMaxSourceBytes = 1'000'000;

struct StartingFile {
  std::string name, text;
  bool is_contract = false;  // a header's copy to read; the others are to write
};

// A source without the results that the student derives.
std::string without_results(const Course& course, const Exercise& exercise, const std::string& file) {
  return with_edits(reference_text(course, file), file, exercise.label() + ": hide", exercise.hide);
}

// The headers in which something is hidden.
std::vector<std::string> contracts_of(const Exercise& exercise) {
  std::vector<std::string> headers;
  for (const Edit& edit : exercise.hide)
    if (edit.file.ends_with(".h") && std::find(headers.begin(), headers.end(), edit.file) == headers.end())
      headers.push_back(edit.file);
  return headers;
}

// The headers of the sources: they give the equations. One in which results are hidden comes as a starting
// file.
std::vector<std::string> headers_to_read(const Course& course, const Exercise& exercise) {
  const std::vector<std::string> contracts = contracts_of(exercise);
  std::vector<std::string> headers;
  for (const Source& source : exercise.sources) {
    const std::string header = text_of(fs::path(source.file).replace_extension(".h"));
    const bool is_written = std::any_of(exercise.sources.begin(), exercise.sources.end(),
                                        [&](const Source& other) { return other.file == header; });
    if (!is_written && std::find(contracts.begin(), contracts.end(), header) == contracts.end() &&
        fs::exists(course.tools.settings().reference(header)))
      headers.push_back("src/" + header);
  }
  return headers;
}

// A stub of each source, or the file to begin with where tests are written, and copies of the headers without
// the hidden results.
std::vector<StartingFile> starting_files(const Course& course, const Exercise& exercise, bool with_comments) {
  std::vector<StartingFile> files;
  for (const Source& source : exercise.sources)
    files.push_back({.name = source.file_name(),
                     .text = stub_of(without_results(course, exercise, source.file), source, with_comments)});
  for (const std::string& header : contracts_of(exercise))
    files.push_back({.name = text_of(fs::path(header).filename()),
                     .text = "// A copy to read: src/" + header +
                             " without the results that you derive. The compiler reads the original.\n//\n" +
                             without_results(course, exercise, header),
                     .is_contract = true});
  if (exercise.asks_for_tests())
    for (const auto& entry : fs::directory_iterator(exercise.folder / "start"))
      files.push_back({.name = text_of(entry.path().filename()),
                       .text = read_file(text_of(entry.path()), kMaxSourceBytes)});
  return files;
}

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
  std::string command = course.program + " check " + exercise.number;
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

Submission write_reference(const Course& course, const Exercise& exercise, const fs::path& folder) {
  for (const Source& source : exercise.sources) {
    const fs::path file = folder / path_of(source.folder) / source.file_name();
    fs::create_directories(file.parent_path());
    write_file_atomically(text_of(file), reference_text(course, source.file));
  }
  return {.student = "the reference", .path = folder};
}

int start_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course start EXERCISE [options]", "Puts the files of an exercise into your folder.");
  std::string homework = text_of(course.homework());
  bool variant = false, bare = false;
  line.option("--variant", "", &variant, "the exercise's variant, whose answer is not in the repository");
  line.option("--folder", "DIR", &homework, "your folder");
  line.option("--bare", "", &bare, "leave out the comments that number the steps");
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
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
