#include "whole_program.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "source_cutter.h"
#include "test_grading.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr const char* kTrains = "train/training_run.cpp";  // the program's only use of the template train

void run_or_throw(const std::vector<std::string>& command, const std::string& what) {
  const ProcessResult result = run_process(command);
  if (!result.succeeded()) throw std::runtime_error(what + " failed:\n" + error_of_log(result.output));
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
  if (!fs::exists(float_program(course)))
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

fs::path float_program(const Course& course) {
  return course.tools.settings().float_build / program_name("plainformer");
}

namespace {

// Compiles sources of the whole program.
class FloatCompiler {
 public:
  FloatCompiler(const Settings& settings, fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    command_ = {settings.compiler,
                "-std=c++20",
                "-O3",
                "-DNDEBUG",
                "-ffp-contract=off",
                "-I",
                text_of(settings.source_dir / "src"),
                "-I",
                text_of(settings.course_dir() / "support"),
                "-DPLAINFORMER_VERSION=\"course\"",
                "-c"};
    command_.insert(command_.end(), settings.compile_flags.begin(), settings.compile_flags.end());
  }

  void find_first(const std::vector<std::string>& flags) {
    command_.insert(command_.end(), flags.begin(), flags.end());
  }

  // The object.    std::runtime_error with the compiler's output if it does not compile
  fs::path compile(const fs::path& source, const std::string& name) const {
    std::vector<std::string> command = command_;
    const fs::path object = folder_ / (name + ".o");
    command.insert(command.end(), {text_of(source), "-o", text_of(object)});
    run_or_throw(command, text_of(source));
    return object;
  }

 private:
  const fs::path folder_;
  std::vector<std::string> command_;
};

}  // namespace

void build_program_with(const Course& course, const std::vector<Replacement>& replacements,
                        const fs::path& program) {
  const fs::path include = program.parent_path() / "include";
  fs::remove_all(include);
  FloatCompiler compiler(course.tools.settings(), program.parent_path());
  std::vector<fs::path> objects;
  for (const Replacement& replacement : replacements) {
    if (!replacement.file.ends_with(".h")) continue;
    fs::create_directories((include / replacement.file).parent_path());
    fs::copy_file(replacement.with, include / replacement.file);
    compiler.find_first({"-iquote", text_of(include)});
  }
  for (std::size_t i = 0; i < replacements.size(); ++i)
    if (!replacements[i].file.ends_with(".h"))
      objects.push_back(compiler.compile(replacements[i].with, "replacement" + std::to_string(i)));
  if (fs::exists(include))
    objects.push_back(compiler.compile(course.tools.settings().reference(kTrains), "train"));
  link_program_with(course, objects, program);
}

// The program's own objects stand first: what a student's object defines, too, does not replace theirs. (Where objects are
// not ELF, a student's inline functions win: Toolchain::link.)
void link_program_with(const Course& course, const std::vector<fs::path>& objects, const fs::path& program) {
  build_float_program(course);
  const Settings& settings = course.tools.settings();
  const fs::path folder = program.parent_path();
  const FloatCompiler compiler(settings, folder);
  const fs::path search = folder / "decode_all.cpp";
  write_file_atomically(text_of(search),
                        with_edits(reference_text(course, kGreedyByBeamSearch.file), kGreedyByBeamSearch.file,
                                   "kGreedyByBeamSearch", {kGreedyByBeamSearch}));
  std::vector<fs::path> files = {
      compiler.compile(search, "decode_all"),
      compiler.compile(settings.source_dir / "src" / "app" / "main.cpp", "main"),
      compiler.compile(settings.course_dir() / "support" / "not_written.cpp", "not_written")};
  files.insert(files.end(), objects.begin(), objects.end());
  const fs::path libraries = settings.float_build / "src";
  files.insert(files.end(),
               {libraries / "libplainformer_show.a", settings.float_app_library(), settings.float_library()});
  std::vector<std::string> link = {settings.compiler};
  for (const fs::path& file : files) link.push_back(text_of(file));
  link.insert(link.end(), {"-pthread", "-o", text_of(program)});
  link.insert(link.end(), settings.link_flags.begin(), settings.link_flags.end());
  run_or_throw(link, text_of(program));
}

void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs) {
  const bool in_float = std::any_of(exercises.begin(), exercises.end(),
                                    [](const Exercise* exercise) { return exercise->in_float; });
  if (in_float) build_float_program(course);
  course.tools.prepare(exercises, jobs);
  for (const Exercise* const exercise : exercises)
    if (exercise->kind == Kind::kTests)
      prepare_tested(course.tools, *exercise,
                     find_exercise(course.exercises, std::to_string(exercise->tests_of), false), jobs);
}

std::vector<Replacement> files_of_bug(const Course& course, const Bug& bug, const fs::path& folder) {
  fs::create_directories(folder);
  std::vector<Replacement> replacements;
  std::set<std::string> files;
  for (const Edit& edit : bug.edits) {
    if (!files.insert(edit.file).second) continue;
    const fs::path path =
        folder / (std::to_string(files.size()) + "-" + text_of(fs::path(edit.file).filename()));
    write_file_atomically(text_of(path), with_bug(reference_text(course, edit.file), edit.file, bug));
    replacements.push_back({edit.file, path});
  }
  return replacements;
}

Bug find_bug(const Course& course, const std::string& name) {
  std::vector<std::string> names;
  for (const Exercise& exercise : course.exercises)
    for (const Bug& bug : exercise.bugs) {
      names.push_back(bug.name);
      if (bug.name != name) continue;
      Bug found = bug;
      if (found.plain.empty()) found.plain = exercise.plain;
      return found;
    }
  for (const Bug& bug : course.whole_program_bugs) {
    names.push_back(bug.name);
    if (bug.name == name) return bug;
  }
  throw input_error("--bug " + name, "there is no such bug" + did_you_mean(name, names),
                    "`course bugs` lists them");
}

}  // namespace plainformer::course
