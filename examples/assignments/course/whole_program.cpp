// The whole program `plainformer`, in single precision, with a student's files or a bug instead of the
// library's: `run`, `bugs` and `milestone`. And `prepare`, which builds what the other commands need.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>

#include "commands.h"
#include "core/input_error.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "reports.h"
#include "source_cutter.h"

namespace plainformer::course {

namespace {

// A file that takes the place of src/FILE; empty: of none.
struct Replacement {
  std::string file;  // "ops/softmax.cpp"
  fs::path with;
  Flags flags = {};
};
using Replacements = std::vector<Replacement>;

// In our own group of processes, so that Ctrl-C ends all compilers, too.
void build_with_cmake(const Flags& command, const fs::path& folder) {
  const fs::path log_file = folder / "course.log";
  std::string line;
  for (const std::string& word : command) line += quoted_for_shell(word) + " ";
  if (std::system((line + "> " + quoted_for_shell(to_text(log_file)) + " 2>&1").c_str()) == 0) return;
  constexpr std::size_t kShown = 3'000;  // a log is long: its end tells
  const std::string log = read_text(log_file);
  throw std::runtime_error(command[0] + " failed:\n" + log.substr(log.size() - std::min(log.size(), kShown)));
}

// Locks a folder until the result is closed: another `course` may be building there.
int lock_when_free(const fs::path& folder) {
  fs::create_directories(folder);
  int lock = lock_folder(to_text(folder));
  for (; lock < 0 && errno == EWOULDBLOCK; lock = lock_folder(to_text(folder)))
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return lock;
}

// Builds the library and the program in single precision: build/toy.
void build_float_program(const Settings& settings) {
  const fs::path folder = settings.float_build();
  const std::string build = to_text(folder);
  const FileDescriptor lock(lock_when_free(folder));
  if (!fs::exists(folder / "plainformer"))
    std::cerr << "Building the program in single precision, once. This takes some minutes.\n";
  if (!fs::exists(folder / "cmake_install.cmake"))
    build_with_cmake({settings.cmake, "-G", settings.generator, "-S", to_text(settings.source_dir), "-B",
                      build, "-DCMAKE_BUILD_TYPE=Release", "-DPLAINFORMER_TESTS=OFF",
                      "-DCMAKE_CXX_COMPILER=" + settings.compiler},
                     folder);
  build_with_cmake(
      {settings.cmake, "--build", build, "--target", "plainformer", "-j", std::to_string(default_threads())},
      folder);
}

// Compiles the replacements, and links them with the rest of the program.
fs::path program_with(const Course& course, const Replacements& replacements, const fs::path& folder) {
  const Settings& settings = course.tools.settings();
  build_float_program(settings);
  Exercise whole;  // an exercise without sources: the library stays whole
  whole.in_float = true;
  whole.sanitizers.clear();

  // Step 1. Collect the sources. A header goes where the compiler finds it first, and training_run.cpp, which
  // runs it for `train`, is compiled with it.
  const fs::path search = folder / "decode_all.cpp", include = folder / "include";
  write_if_changed(
      search, with_edits(read_text(settings.reference(kGreedyByBeamSearch.file)), kGreedyByBeamSearch.file,
                         "kGreedyByBeamSearch", {kGreedyByBeamSearch}));
  Flags flags = {"-O3", "-DNDEBUG", "-DPLAINFORMER_VERSION=\"course\""};
  Replacements sources = {{"", settings.reference("app/main.cpp")},
                          {"", settings.course_dir() / "support" / "not_written.cpp"},
                          {"", search}};
  fs::remove_all(include);
  for (const Replacement& replacement : replacements) {
    if (!replacement.file.ends_with(".h")) {
      // A copy is newer than its object if it has changed, even to an older file.
      const fs::path copy = folder / "replaced" / replacement.file;
      write_if_changed(copy, line_directive(replacement.with) + text_of_submission(replacement.with));
      sources.push_back({replacement.file, copy, replacement.flags});
      continue;
    }
    write_if_changed(include / replacement.file, text_of_submission(replacement.with));
    flags.insert(flags.end(), {"-iquote", to_text(include)});
    sources.push_back({"", settings.reference("train/training_run.cpp")});
  }

  // Step 2. Compile them.
  std::vector<fs::path> objects;
  for (const Replacement& source : sources) {
    Flags its_flags = flags;
    its_flags.insert(its_flags.end(), source.flags.begin(), source.flags.end());
    objects.push_back(course.tools.kept_object(whole, source.with, its_flags));
  }

  // Step 3. Link them before the libraries, which then leave these files out.
  const fs::path program = folder / "plainformer";
  course.tools.link_kept(whole, {}, objects, program);
  return program;
}

// A student's files of these sources.
Replacements files_of_student(const std::vector<Source>& sources, const fs::path& homework) {
  Replacements replacements;
  for (const Source& source : sources) {
    const fs::path file = homework / source.folder / source.file_name();
    if (!fs::exists(file))
      throw input_error(to_text(file), "it is missing", "begin with: course start " + source.folder);
    replacements.push_back({source.file, file, flags_of_copy(sources, source)});
  }
  return replacements;
}

// The student's files of the exercises that "03,04" names, or with "all" of each that has been started. Adds
// the operations whose plain way they are to `plain`.
Replacements files_of_exercises(const Course& course, const std::string& names, const fs::path& homework,
                                Texts& plain) {
  std::vector<Source> sources;
  const Texts named = names == "all" ? Texts() : split_at(',', names);
  for (const Exercise* const exercise : chosen_exercises(course, named, false, homework)) {
    if (!exercise->variant.empty()) continue;
    sources.insert(sources.end(), exercise->sources.begin(), exercise->sources.end());
    if (!exercise->plain.empty()) plain.push_back(exercise->plain);
  }
  return files_of_student(sources, homework);
}

// All known mistakes: those of the exercises, and those of break-it/.
std::vector<Bug> bugs_to_run(const Course& course) {
  std::vector<Bug> bugs;
  for (const Exercise& exercise : course.exercises)
    bugs.insert(bugs.end(), exercise.bugs.begin(), exercise.bugs.end());
  for (const Bug& bug : load_bugs(course.tools.settings().course_dir() / "break-it" / "bugs.json"))
    bugs.push_back(bug);
  return bugs;
}

// The files of a bug, written into `folder`.
Replacements files_of_bug(const Course& course, const std::string& name, const fs::path& folder,
                          Texts& plain) {
  const std::vector<Bug> bugs = bugs_to_run(course);
  const auto place = std::find_if(bugs.begin(), bugs.end(), [&](const Bug& bug) { return bug.name == name; });
  if (place == bugs.end()) {
    Texts names;
    for (const Bug& bug : bugs) names.push_back(bug.name);
    throw input_error("--bug " + name, "there is no such bug" + did_you_mean(name, names),
                      "`course bugs` lists them");
  }
  const Bug& bug = *place;
  if (!bug.plain.empty()) plain.push_back(bug.plain);
  Replacements replacements;
  std::set<std::string> files;
  for (const Edit& edit : bug.edits) {
    if (!files.insert(edit.file).second) continue;
    const fs::path path = folder / "bug" / edit.file;
    write_if_changed(path, with_edits(reference_text(course, edit.file), edit.file, name, bug.edits));
    replacements.push_back({edit.file, path});
  }
  return replacements;
}

// Shows what the student's files do in the whole program: pages, a map, a training.
void show_milestone(const Course& course, const Exercise& milestone, const fs::path& homework,
                    const fs::path& folder) {
  if (milestone.show.empty()) return;
  std::cerr << "Building the program with your files.\n";
  const fs::path program = program_with(course, files_of_student(milestone.sources, homework), folder);
  for (const Texts& words : milestone.show) {
    Flags command = {to_text(program)};
    for (std::string word : words) {
      const std::size_t at = word.find("FOLDER");
      if (at != std::string::npos) word.replace(at, 6, to_text(fs::proximate(folder)));
      if (word == "MODEL") word = to_text(course.tools.settings().source_dir / "docs" / "page-model");
      command.push_back(word);
    }
    const ProcessResult result =
        run_process(command, {.seconds = 3600, .memory_mb = 4096, .file_mb = 256}, {"PLAINFORMER_PLAIN=all"});
    std::cout << result.output;
    if (!result.succeeded()) throw std::runtime_error("your program ended early (" + result.ending() + ")");
  }
}

}  // namespace

std::string reference_text(const Course& course, const std::string& source_file) {
  return without_the_fast_way(read_text(course.tools.settings().reference(source_file)));
}

void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs) {
  if (std::any_of(exercises.begin(), exercises.end(), [](const Exercise* one) { return one->in_float; }))
    build_float_program(course.tools.settings());
  in_parallel(exercises.size(), jobs, [&](std::size_t i) {
    if (!exercises[i]->asks_for_tests()) course.tools.driver_objects(*exercises[i]);
  });
}

int prepare_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course prepare",
                   "Compiles the drivers of the exercises, so that the first check is fast.");
  if (!line.read(arguments)) return 0;
  std::vector<const Exercise*> exercises;
  for (const Exercise& exercise : course.exercises)
    if (!exercise.in_float) exercises.push_back(&exercise);
  prepare(course, exercises, default_threads());
  return 0;
}

int bugs_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course bugs", "Lists the known bugs, for `course run --bug NAME`.");
  if (!line.read(arguments)) return 0;
  Table table = {{{"bug"}, {"the program's numbers are those of"}, {"read"}}, {}};
  for (const Bug& bug : bugs_to_run(course)) table.rows.push_back({bug.name, bug.numbers_of, bug.read});
  std::cout << render_table(table, false);
  return 0;
}

int run_command(const Course& course, const Arguments& arguments) {
  std::string bug, mine, homework = to_text(course.homework());
  CommandLine line(
      "course run (--mine EXERCISE[,...] | --bug NAME) -- COMMAND [options of plainformer]\n"
      "Example: course run --mine 03,04 -- train --preset toy --out my-model",
      "Runs the whole program, in float, with your files, or with a bug, instead of the library's files.");
  line.option("--mine", "EXERCISE,...", &mine,
              "your files of these exercises; all: of each that you have started");
  line.option("--bug", "NAME", &bug, "a known bug; `course bugs` lists them");
  line.option("--folder", "DIR", &homework, "your folder");
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (!line.read(Arguments(arguments.begin(), dashes))) return 0;
  if (bug.empty() == mine.empty()) throw UsageError("give either --mine or --bug");
  if (dashes == arguments.end())
    throw UsageError("give the program's command after --, for example: -- train --help");

  const fs::path folder = course.tools.settings().binary_dir / "run" / (bug.empty() ? "mine" : bug);
  Texts plain;
  const Replacements files = bug.empty() ? files_of_exercises(course, mine, to_path(homework), plain)
                                         : files_of_bug(course, bug, folder, plain);
  Flags command = {to_text(program_with(course, files, folder))}, environment;
  command.insert(command.end(), dashes + 1, arguments.end());
  if (!plain.empty() && !std::getenv("PLAINFORMER_PLAIN"))
    environment.push_back("PLAINFORMER_PLAIN=" + join(",", plain));
  std::cout.flush();
  become_process(command, environment);
}

int milestone_command(const Course& course, const Arguments& arguments) {
  std::string homework = to_text(course.homework());
  std::string usage = "course milestone NUMBER [options]\n\nMilestones:";
  for (const Exercise& milestone : course.milestones)
    usage += "\n  " + milestone.number + "  " + wrapped(milestone.task, 5, 5, help_width());
  CommandLine line(usage, "Runs your files together, in the plain way, and shows what they do.");
  GradingOptions options = {.jobs = default_threads()};
  line.option("--folder", "DIR", &homework, "your folder");
  add_seconds_factor(line, options.seconds_factor);
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  const auto found = std::find_if(course.milestones.begin(), course.milestones.end(),
                                  [&](const Exercise& each) { return names == Arguments{each.number}; });
  if (found == course.milestones.end())
    throw UsageError("name one milestone of 1 to " + std::to_string(course.milestones.size()) +
                     ", for example: course milestone 1");
  const Exercise& milestone = *found;
  options.work = course.tools.settings().binary_dir / "milestone" / milestone.folder_name();
  prepare(course, {&milestone}, options.jobs);
  const Grade grade = grade_exercise(course, milestone, {.path = to_path(homework)}, options);
  std::cout << terminal_report(grade, color_allowed(1), true);
  const bool reached = grade.score == grade.points;
  if (reached) show_milestone(course, milestone, to_path(homework), options.work);
  std::cout << colored("Milestone " + milestone.number + ", " + milestone.title + ": " +
                           (reached ? "reached." : "not yet."),
                       reached ? Color::kGreen : Color::kRed, color_allowed(1))
            << '\n';
  return reached ? 0 : 1;
}

}  // namespace plainformer::course
