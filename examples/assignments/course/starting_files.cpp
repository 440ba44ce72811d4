#include "starting_files.h"

#include <algorithm>

#include "io/atomic_file.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr Index kMostStartingBytes = 1'000'000;

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

}  // namespace

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
  if (exercise.kind == Kind::kTests)
    for (const auto& entry : fs::directory_iterator(exercise.folder / "start"))
      files.push_back({.name = text_of(entry.path().filename()),
                       .text = read_file(text_of(entry.path()), kMostStartingBytes)});
  return files;
}

}  // namespace plainformer::course
