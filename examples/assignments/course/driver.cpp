#include "driver.h"

#include <algorithm>
#include <mutex>

#include "io/atomic_file.h"
#include "source_cutter.h"
#include "submission.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::vector<std::string> stages_of(const Results& right) {
  std::vector<std::string> stages;
  for (const Result& result : right)
    if (stages.empty() || stages.back() != result.stage) stages.push_back(result.stage);
  return stages;
}

// The first lines of a file, which are a comment: "The shared sum is divided by the number of entries".
std::string first_comment(const std::string& text) {
  std::string comment;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("// ")) break;
    comment += (comment.empty() ? "" : " ") + line.substr(3);
  }
  while (comment.ends_with('.')) comment.pop_back();
  return comment;
}

void write_if_changed(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_text(path) == text) return;
  fs::create_directories(path.parent_path());
  write_file_atomically(text_of(path), text);
}

fs::path folder_of(const Toolchain& tools, const Exercise& exercise, const std::string& name) {
  return tools.settings().binary_dir / "known" / exercise.folder_name() / path_of(name);
}

// The library is compiled without sanitizers, and that of threads would take its locks for data races.
Exercise without_thread_sanitizer(Exercise exercise) {
  if (exercise.sanitizers == "thread") exercise.sanitizers.clear();
  return exercise;
}

// Links a program again only if one of its objects is newer.
void link_if_older(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& objects,
                   const std::vector<fs::path>& driver, const fs::path& program) {
  std::vector<fs::path> all = objects;
  all.insert(all.end(), driver.begin(), driver.end());
  all.push_back(tools.settings().library);
  std::error_code missing;
  const auto time = fs::last_write_time(program, missing);
  const auto is_older = [&](const fs::path& file) { return fs::last_write_time(file) <= time; };
  if (!missing && std::all_of(all.begin(), all.end(), is_older)) return;
  fs::create_directories(program.parent_path());
  const std::string problem = link_problem(tools.link(exercise, objects, driver, program));
  if (!problem.empty()) throw std::runtime_error(text_of(program) + ": " + problem);
}

}  // namespace

std::vector<Mistake> mistakes_of(const Settings& settings, const Exercise& exercise) {
  std::vector<Mistake> mistakes;
  for (const Bug& bug : exercise.bugs)
    mistakes.push_back({.name = bug.name, .numbers_of = bug.numbers_of, .read = bug.read, .bug = &bug});
  if (!exercise.variant.empty()) return mistakes;
  const fs::path folder = settings.course_dir() / "mistakes" / exercise.folder_name();
  for (const fs::path& file : sources_in(folder))
    mistakes.push_back({.name = text_of(file.stem()),
                        .numbers_of = "\"" + first_comment(read_text(file)) + "\"",
                        .read = exercise.chapter,
                        .file = file});
  return mistakes;
}

std::string with_file(const Settings& settings, const Source& source, const fs::path& file) {
  const std::string reference = without_the_fast_way(read_text(settings.reference(source.file)));
  const std::string functions = read_text(file);
  return defines_some(functions, source) ? with_functions(reference, source, functions) : reference;
}

std::string with_mistake(const Settings& settings, const Source& source, const Mistake& mistake) {
  if (!mistake.bug) return with_file(settings, source, mistake.file);
  return with_bug(without_the_fast_way(read_text(settings.reference(source.file))), source.file,
                  *mistake.bug);
}

std::vector<fs::path> kept_objects_of(const Toolchain& tools, const Exercise& exercise,
                                      const Mistake* mistake, const std::vector<std::string>& more_flags,
                                      std::vector<std::string>* header_flags) {
  std::vector<fs::path> objects;
  for (const Source& source : exercise.sources) {
    const std::string reference = without_the_fast_way(read_text(tools.settings().reference(source.file)));
    const std::string text = mistake ? with_mistake(tools.settings(), source, *mistake) : reference;
    const std::string name = text == reference ? "reference" : mistake->name;
    const fs::path folder = folder_of(tools, exercise, name);
    const fs::path copy = source.is_header() ? folder / "include" / source.file : folder / source.file_name();
    static std::mutex one_at_a_time;
    {
      const std::lock_guard<std::mutex> lock(one_at_a_time);
      write_if_changed(copy, text);
    }
    if (!source.is_header())
      objects.push_back(tools.kept_object(exercise, copy, more_flags));
    else if (header_flags && text != reference)
      *header_flags = {"-iquote", text_of(folder / "include")};
  }
  return objects;
}

DriverRun run_driver(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                     const Results& right, const GradingOptions& options) {
  const ProcessResult whole = run_limited(tools, exercise, {text_of(program)}, "", options);
  Results results = results_of(whole.report);
  const bool is_complete = std::all_of(right.begin(), right.end(),
                                       [&](const Result& result) { return find_result(results, result); });
  if (whole.succeeded() && is_complete) return {.results = std::move(results)};
  DriverRun run;
  const std::vector<std::string> stages = stages_of(right);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const ProcessResult part =
        run_limited(tools, exercise, {text_of(program), std::to_string(i)}, "", options);
    for (Result& result : results_of(part.report)) run.results.push_back(std::move(result));
    if (!part.succeeded()) run.unfinished[stages[i]] = part;
  }
  return run;
}

Results right_results(const Toolchain& tools, const Exercise& given, const GradingOptions& options) {
  const Exercise exercise = without_thread_sanitizer(given);
  static std::mutex mutex;
  static std::map<std::string, Results> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const fs::path program = folder_of(tools, exercise, "reference") / program_name("driver");
  Results& results = known[text_of(program) + " " + std::to_string(options.seed)];
  if (!results.empty()) return results;
  link_if_older(tools, exercise, {}, tools.driver_objects(exercise), program);
  const ProcessResult run = run_limited(tools, exercise, {text_of(program)}, "", options);
  if (!run.succeeded())
    throw std::runtime_error("the reference was " + run.ending() + ":\n" +
                             run.output.substr(0, kMostCompilerBytes));
  return results = results_of(run.report);
}

std::vector<KnownMistake> known_mistakes(const Toolchain& tools, const Exercise& given, const Results& right,
                                         const GradingOptions& options) {
  const Exercise exercise = without_thread_sanitizer(given);
  static std::mutex mutex;
  static std::map<std::string, std::vector<KnownMistake>> all_known;
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<KnownMistake>& known =
      all_known[text_of(tools.settings().binary_dir) + exercise.folder_name() + std::to_string(options.seed)];
  if (!known.empty()) return known;
  const std::vector<Mistake> mistakes = mistakes_of(tools.settings(), exercise);
  std::vector<KnownMistake> tried(mistakes.size());
  in_parallel(mistakes.size(), options.jobs, [&](std::size_t i) {
    const Mistake& mistake = mistakes[i];
    const fs::path program = folder_of(tools, exercise, mistake.name) / program_name("driver");
    tried[i] = {.name = mistake.name, .numbers_of = mistake.numbers_of, .read = mistake.read};
    try {
      std::vector<std::string> header_flags;
      const std::vector<fs::path> objects = kept_objects_of(tools, exercise, &mistake, {}, &header_flags);
      link_if_older(tools, exercise, objects, tools.driver_objects(exercise, header_flags), program);
      tried[i].results = run_driver(tools, exercise, program, right, options).results;
    } catch (const std::runtime_error& error) {
      tried[i].problem = error.what();
    }
  });
  return known = tried;
}

}  // namespace plainformer::course
