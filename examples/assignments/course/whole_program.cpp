#include "whole_program.h"

#include <cerrno>
#include <chrono>
#include <iostream>
#include <mutex>
#include <thread>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr const char* kTrains = "train/training_run.cpp";  // the program's only use of the template train

// A build's log is long: its end tells.
void run_or_throw(const Flags& command, const std::string& what) {
  const ProcessResult result = run_process(command);
  if (result.succeeded()) return;
  constexpr std::size_t kShown = 3'000;
  const std::string& log = result.output;
  throw std::runtime_error(what + " failed:\n" + log.substr(log.size() - std::min(log.size(), kShown)));
}

// Compiles a source of the whole program into an object of its folder.
fs::path compiled(const Settings& settings, const fs::path& source, const fs::path& object,
                  const Flags& first) {
  Flags command = {settings.compiler, "-std=c++20",        "-O3",
                   "-DNDEBUG",        "-ffp-contract=off", "-DPLAINFORMER_VERSION=\"course\""};
  command.insert(command.end(), first.begin(), first.end());
  command.insert(command.end(), {"-I", text_of(settings.source_dir / "src"), "-I",
                                 text_of(settings.course_dir() / "support")});
  command.insert(command.end(), settings.compile_flags.begin(), settings.compile_flags.end());
  command.insert(command.end(), {"-c", text_of(source), "-o", text_of(object)});
  run_or_throw(command, text_of(source));
  return object;
}

}  // namespace

int lock_when_free(const fs::path& folder) {
  fs::create_directories(folder);
  for (bool is_first = true;; is_first = false) {
    const int lock = lock_folder(text_of(folder));
    if (lock >= 0 || errno != EWOULDBLOCK) return lock;
    if (is_first) std::cerr << "Another course command is building in " << text_of(folder) << "; waiting.\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

void build_float_program(const Course& course) {
  const Settings& settings = course.tools.settings();
  const std::string source = text_of(settings.source_dir), build = text_of(settings.float_build);
  static std::mutex one_thread_at_a_time;
  const std::lock_guard<std::mutex> alone(one_thread_at_a_time);
  const FileDescriptor lock(lock_when_free(settings.float_build));
  if (!fs::exists(settings.float_build / program_name("plainformer")))
    std::cerr << "Building the program in single precision, once. This takes some minutes.\n";
  const bool configured =
      fs::exists(settings.float_build / "Makefile") || fs::exists(settings.float_build / "build.ninja");
  if (!configured)
    run_or_throw(
        {settings.cmake, "-G", settings.generator, "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
         "-DPLAINFORMER_TESTS=OFF", "-DCMAKE_CXX_COMPILER=" + settings.compiler},
        "cmake");
  run_or_throw(
      {settings.cmake, "--build", build, "--target", "plainformer", "-j", std::to_string(default_threads())},
      "the build in " + build);
}

void build_program_with(const Course& course, const std::vector<Replacement>& replacements,
                        const fs::path& program) {
  // Step 1. Build the rest.
  build_float_program(course);
  const Settings& settings = course.tools.settings();
  const fs::path folder = program.parent_path(), include = folder / "include",
                 search = folder / "decode_all.cpp";
  fs::remove_all(include);
  fs::create_directories(folder);

  // Step 2. Compile the replacements. A header comes first, and its only user is compiled with it.
  Flags first;
  for (const Replacement& replacement : replacements) {
    if (!replacement.file.ends_with(".h")) continue;
    fs::create_directories((include / replacement.file).parent_path());
    fs::copy_file(replacement.with, include / replacement.file);
    first = {"-iquote", text_of(include)};
  }
  std::vector<fs::path> files;
  for (const Replacement& replacement : replacements) {
    const fs::path object = folder / ("replacement" + std::to_string(files.size()) + ".o");
    Flags flags = first;
    flags.insert(flags.end(), replacement.flags.begin(), replacement.flags.end());
    if (!replacement.file.ends_with(".h"))
      files.push_back(compiled(settings, replacement.with, object, flags));
  }
  if (!first.empty())
    files.push_back(compiled(settings, settings.reference(kTrains), folder / "train.o", first));
  write_file_atomically(text_of(search),
                        with_edits(reference_text(course, kGreedyByBeamSearch.file), kGreedyByBeamSearch.file,
                                   "kGreedyByBeamSearch", {kGreedyByBeamSearch}));
  files.push_back(compiled(settings, search, folder / "decode_all.o", first));
  files.push_back(compiled(settings, settings.reference("app/main.cpp"), folder / "main.o", first));
  files.push_back(compiled(settings, settings.course_dir() / "support" / "not_written.cpp",
                           folder / "not_written.o", first));

  // Step 3. Link them before the libraries, which then leave these files out.
  for (const char* const library : {"plainformer_show", "plainformer_app", "plainformer"})
    files.push_back(settings.float_library(library));
  Flags link = {settings.compiler};
  for (const fs::path& file : files) link.push_back(text_of(file));
  link.insert(link.end(), {"-pthread", "-o", text_of(program)});
  link.insert(link.end(), settings.link_flags.begin(), settings.link_flags.end());
  run_or_throw(link, text_of(program));
}

std::vector<Replacement> files_of_student(const std::vector<Source>& sources, const fs::path& homework) {
  std::vector<Replacement> replacements;
  for (const Source& source : sources) {
    const fs::path file = homework / source.folder / source.file_name();
    if (!fs::exists(file))
      throw input_error(text_of(file), "it is missing", "begin with: course start " + source.folder);
    replacements.push_back({source.file, file});
    for (const std::string& name : cut_by_others(sources, source))
      replacements.back().flags.push_back("-D" + name + "=unused_" + name);
  }
  return replacements;
}

void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs) {
  const bool in_float = std::any_of(exercises.begin(), exercises.end(),
                                    [](const Exercise* exercise) { return exercise->in_float; });
  if (in_float) build_float_program(course);
  in_parallel(exercises.size(), jobs, [&](std::size_t i) {
    if (!exercises[i]->asks_for_tests()) course.tools.driver_objects(*exercises[i]);
  });
}

std::string reference_text(const Course& course, const std::string& source_file) {
  return without_the_fast_way(read_text(course.tools.settings().reference(source_file)));
}

}  // namespace plainformer::course
