#include "class_folder.h"

#include <algorithm>
#include <regex>
#include <set>

#include "core/input_error.h"
#include "text.h"

namespace plainformer::course {

namespace {

bool is_left_out(const std::string& name) {
  return name.starts_with(".") || name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini";
}

bool is_archive(const fs::path& path) {
  const std::string endings[] = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"};
  return std::find(std::begin(endings), std::end(endings), text_of(path.extension())) != std::end(endings);
}

// The file's name without its suffix, and a folder's whole name.
std::string student_of(const fs::path& path) {
  std::error_code unreadable;
  return text_of(fs::is_directory(path, unreadable) ? path.filename() : path.stem());
}

// What a platform says in the name of an entry.
struct PlatformName {
  std::string student, id, file;  // file: empty if the entry is a folder of files
};

PlatformName platform_name(const std::string& name) {
  static const std::regex moodle("(.+)_([0-9]+)_assignsubmission_file_?(.*)");
  static const std::regex canvas("([^_]+)_(?:LATE_)?([0-9]+)_[0-9]+_(.+)");
  std::smatch found;
  if (std::regex_match(name, found, moodle) || std::regex_match(name, found, canvas))
    return {found[1], found[2], found[3]};
  return {};
}

void add_entry(const fs::path& path, std::vector<Submission>& submissions) {
  const PlatformName name = platform_name(text_of(path.filename()));
  auto known = std::find_if(submissions.begin(), submissions.end(), [&](const Submission& other) {
    return !name.id.empty() && other.id == name.id && other.student == name.student;
  });
  if (known == submissions.end()) {
    submissions.push_back({.student = name.id.empty() ? student_of(path) : name.student, .id = name.id});
    known = submissions.end() - 1;
  }
  Submission& submission = *known;
  if (is_archive(path))
    submission.why = text_of(path.filename()) + " is an archive: unpack it into a folder of this name";
  else if (name.file.empty())
    submission.path = path;
  else
    submission.files[name.file] = path;
}

}  // namespace

ClassFolder read_class_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw input_error(text_of(folder), "it is not a folder",
                      "give the folder that holds an entry for each student");
  ClassFolder all;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = text_of(entry.path().filename());
    if (is_left_out(name))
      all.left_out.push_back(name);
    else
      paths.push_back(entry.path());
  }
  if (paths.empty()) throw input_error(text_of(folder), "it is empty", "put a folder for each student there");
  std::sort(paths.begin(), paths.end());
  std::sort(all.left_out.begin(), all.left_out.end());
  for (const fs::path& path : paths) add_entry(path, all.submissions);

  // If two names are the same, as those of alice/ and alice.cpp, they are the whole names of the entries.
  std::set<std::string> names;
  for (const Submission& submission : all.submissions) names.insert(submission.student + submission.id);
  if (names.size() < all.submissions.size())
    for (Submission& submission : all.submissions)
      if (!submission.path.empty()) submission.student = text_of(submission.path.filename());
  return all;
}

Submission single_submission(const std::string& name) {
  if (!fs::exists(path_of(name)))
    throw input_error(name, "it is missing", "give one student's folder or file");
  const fs::path path = fs::absolute(path_of(name)).lexically_normal();
  const fs::path named = path.has_filename() ? path : path.parent_path();
  return {.student = student_of(named), .path = named};
}

}  // namespace plainformer::course
