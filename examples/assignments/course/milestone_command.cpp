#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>

#include "commands.h"
#include "core/number_text.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "milestone.h"
#include "milestone_grading.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "text.h"
#include "toy_milestone.h"
#include "whole_program.h"

namespace plainformer::course {

namespace {

constexpr const char* kModel = "docs/page-model";
constexpr const char* kSource = "that the queen buys a book";
constexpr const char* kTarget = "dass die Königin ein Buch kauft";
// These programs write the files that they show, so a file has a limit, and is not forbidden.
constexpr long kMemoryMb = 4096, kFileMb = 256;
constexpr Limits kShortLimits = {.seconds = 120,
                                 .memory_mb = kMemoryMb,
                                 .file_mb = kFileMb,
                                 .no_children = true},
                 kTrainingLimits = {
                     .seconds = 3600, .memory_mb = kMemoryMb, .file_mb = kFileMb, .no_children = true};

// The student's program, the library's, and where pictures go.
struct TwoPrograms {
  fs::path mine, reference, model, folder;
  std::vector<std::string> plain;  // the environment in which both take the plain way
};

// What a program prints.    std::runtime_error with it if the program fails
std::string output_of(const fs::path& program, std::vector<std::string> arguments,
                      const std::vector<std::string>& environment, const Limits& limits = kShortLimits) {
  arguments.insert(arguments.begin(), text_of(program));
  const ProcessResult result = run_process(arguments, "", limits, environment);
  if (!result.succeeded())
    throw std::runtime_error("your program ended early (" + result.ending() + "):\n" + result.output);
  return result.output;
}

TwoPrograms build_programs(const Course& course, const Milestone& milestone, const fs::path& homework) {
  const Settings& settings = course.tools.settings();
  const fs::path folder = settings.binary_dir / "milestone" / std::to_string(milestone.number);
  fs::create_directories(folder);
  std::cerr << "Building the program with your files.\n";
  const GuardedObjects mine = guarded_objects(course, exercises_of(milestone, course.exercises), homework,
                                              {.work = folder, .jobs = default_threads()});
  if (!mine.problems.empty()) {
    std::string all;
    for (const std::string& problem : mine.problems) all += "\n  " + problem;
    throw std::runtime_error("your files do not make a program:" + all);
  }
  const fs::path program = folder / program_name("plainformer");
  link_program_with(course, mine.objects, program);
  return {.mine = program,
          .reference = float_program(course),
          .model = settings.source_dir / kModel,
          .folder = folder,
          .plain = {"PLAINFORMER_PLAIN=all"}};
}

// --- a head that looks ---

TraceComparison compare_traces_of(const TwoPrograms& programs, const std::string& source,
                                  const std::string& target) {
  std::string traces[2];
  const fs::path both[2] = {programs.mine, programs.reference};
  for (int i = 0; i < 2; ++i) {
    const fs::path file = programs.folder / (i == 0 ? "yours.json" : "reference.json");
    const std::vector<std::string> arguments = {"trace",    "--model",    text_of(programs.model),
                                                "--source", source,       "--target",
                                                target,     "--values",   "0",
                                                "--json",   text_of(file)};
    output_of(both[i], arguments, programs.plain);
    traces[i] = read_text(file);
  }
  return compare_traces(traces[0], traces[1]);
}

// With the digits of a float.
std::string shortest_text_of(double number) {
  return shortest_text(static_cast<float>(number));
}

void print_difference(const TensorDifference& first) {
  std::cout << "The first that differs is " << first.name << " (" << first.equation << "), in its element "
            << first.element << ":\n  yours          " << shortest_text_of(first.mine[first.element])
            << "\n  the reference  " << shortest_text_of(first.theirs[first.element])
            << "\nWhat is computed before it is right. Where is this one computed?\n";
}

// Whether the tensors are right.
bool print_verdict(const TraceComparison& comparison, const std::string& what) {
  if (!comparison.first) {
    std::cout << what << ": the same as the reference's, to the last bit.\n";
  } else if (!comparison.first_wrong) {
    std::cout << what << ": the reference's, up to rounding. From " << comparison.first->name
              << " on, the last digits differ: yours adds in another order.\n";
  } else {
    std::cout << what << ": not those of the reference.\n";
    print_difference(*comparison.first_wrong);
  }
  return !comparison.first_wrong;
}

bool a_head_that_looks(const TwoPrograms& programs) {
  const std::vector<std::string> attention = {
      "attention", "--model", text_of(programs.model), "--source", kSource, "--target", kTarget};
  std::string maps[2];
  const fs::path both[2] = {programs.mine, programs.reference};
  for (int i = 0; i < 2; ++i) {
    maps[i] = output_of(both[i], attention, programs.plain);
    maps[i] = maps[i].substr(std::min(maps[i].find("Encoder-decoder"), maps[i].size()));
    maps[i] = maps[i].substr(0, maps[i].find("(--kind"));  // the command's own advice
    std::vector<std::string> page = attention;
    page.insert(page.end(),
                {"--html", text_of(programs.folder / (i == 0 ? "yours.html" : "reference.html"))});
    output_of(both[i], page, programs.plain);
  }
  std::cout << side_by_side("yours", maps[0], "the reference's", maps[1]) << '\n';
  const TraceComparison tensors = compare_traces_of(programs, kSource, kTarget);
  const bool right =
      print_verdict(tensors, "The " + std::to_string(tensors.tensors) + " tensors of the forward pass");
  std::cout << "The pages: " << text_of(fs::proximate(programs.folder / "yours.html")) << ", "
            << text_of(fs::proximate(programs.folder / "reference.html")) << '\n';
  return right;
}

// --- the model is yours ---

// A translation of the model's text, as a program makes it.
struct Clause {
  std::string source, target;
};

std::vector<Clause> clauses_of(const TwoPrograms& programs) {
  std::vector<Clause> clauses;
  for (const std::string& line : lines_of(read_text(programs.model / "clauses.tsv"))) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) clauses.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return clauses;
}

std::vector<std::string> translations_of(const fs::path& program, const TwoPrograms& programs,
                                         const std::vector<Clause>& clauses) {
  std::string sources;
  for (const Clause& clause : clauses) sources += clause.source + '\n';
  const ProcessResult result =
      run_process({text_of(program), "translate", "--model", text_of(programs.model)}, sources, kShortLimits,
                  programs.plain);
  if (!result.succeeded())
    throw std::runtime_error("your program ended early (" + result.ending() + "):\n" + result.output);
  return lines_of(result.output);
}

bool the_model_is_yours(const TwoPrograms& programs) {
  const std::vector<Clause> clauses = clauses_of(programs);
  const std::vector<std::string> mine = translations_of(programs.mine, programs, clauses),
                                 theirs = translations_of(programs.reference, programs, clauses);
  std::size_t same = 0;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const std::string translation = i < mine.size() ? mine[i] : "";
    const bool is_same = i < theirs.size() && translation == theirs[i];
    same += is_same;
    std::cout << "  " << clauses[i].source << "\n    "
              << colored(is_same ? "=" : "!", is_same ? Color::kGreen : Color::kRed, color_allowed(1)) << ' '
              << printable(translation) << '\n';
  }
  std::cout << same << " of " << clauses.size() << " translations are those of the reference.\n";

  TraceComparison all;
  for (const Clause& clause : clauses) {
    const TraceComparison one = compare_traces_of(programs, clause.source, clause.target);
    all.tensors += one.tensors;
    all.largest = std::max(all.largest, one.largest);
    if (!all.first) all.first = one.first;
    if (!all.first_wrong) all.first_wrong = one.first_wrong;
    if (all.first_wrong) break;
  }
  const bool right =
      print_verdict(all, "The " + std::to_string(all.tensors) + " tensors of your forward passes") &&
      same == clauses.size();
  const fs::path steps = programs.folder / "steps.html";
  output_of(programs.mine, {"trace", "--model", text_of(programs.model), "--steps", text_of(steps)},
            programs.plain);
  std::cout << "Each number of this page was computed by your code: " << text_of(fs::proximate(steps))
            << '\n';
  return right;
}

// --- the toy ---

// Tells the steps made, from the last line of the log, until the training has ended.
void follow_training(const std::future<ProcessResult>& training, const fs::path& log) {
  ProgressBar progress(std::cerr, is_terminal(2), kToySteps, {});
  while (training.wait_for(std::chrono::seconds(1)) != std::future_status::ready) {
    const std::vector<std::string> lines = lines_of(read_text(log));
    const auto steps = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("{\"step\"") && line.find("\"grad_norm\"") != std::string::npos;
    });
    progress.update(static_cast<Index>(steps));
  }
  progress.finish();
}

bool the_toy(const TwoPrograms& programs) {
  const fs::path model = programs.folder / "toy";
  const std::vector<std::string> command = {text_of(programs.mine),
                                            "train",
                                            "--preset",
                                            "toy",
                                            "--d-model",
                                            std::to_string(kToyWidth),
                                            "--batch-tokens",
                                            std::to_string(kToyBatchTokens),
                                            "--steps",
                                            std::to_string(kToySteps),
                                            "--valid-bleu",
                                            "0",
                                            "--seed",
                                            "1",
                                            "--frames",
                                            "50",
                                            "--out",
                                            text_of(model),
                                            "--overwrite"};
  fs::remove(model / "log.jsonl");
  std::future<ProcessResult> training = std::async(
      std::launch::async, [&] { return run_process(command, "", kTrainingLimits, programs.plain); });
  follow_training(training, model / "log.jsonl");
  const ProcessResult result = training.get();
  if (!result.succeeded())
    throw std::runtime_error("the training ended early (" + result.ending() + "):\n" + result.output);
  const std::size_t begin = result.output.find("Ten held-out sentences:");
  const std::size_t end = result.output.find("to translate with it:");
  if (begin != std::string::npos && begin < end) std::cout << result.output.substr(begin, end - begin);
  const double percent = exact_match_of(result.output).value_or(0);
  const bool right = percent >= kAskedToyPercent;

  const fs::path curve = programs.folder / "curve.svg", learning = programs.folder / "learning.html";
  write_file_atomically(text_of(curve), output_of(programs.mine, {"curve", "--model", text_of(model)}, {}));
  output_of(programs.mine, {"attention", "--frames", text_of(model), "--html", text_of(learning)}, {});
  std::cout << "The curve: " << text_of(fs::proximate(curve))
            << "\nHow the last layer learned to look: " << text_of(fs::proximate(learning)) << '\n'
            << "Asked: " << kAskedToyPercent << " %. Reached: " << format_fixed(percent, 1) << " %. "
            << (right ? kMilestonePoints : 0) << " of " << kMilestonePoints << " points, in "
            << format_fixed(result.seconds, 0) << " s.\n";
  return right;
}

const Milestone& milestone_of(const std::string& text) {
  for (const Milestone& milestone : kMilestones)
    if (text == std::to_string(milestone.number)) return milestone;
  throw UsageError("there is no milestone \"" + text + "\": choose 1, 2 or 3");
}

}  // namespace

int milestone_command(const Course& course, const Arguments& arguments) {
  std::string homework = text_of(course.homework());
  CommandLine line(
      "course milestone 1|2|3 [options]",
      "Runs your files together, in the plain way, and shows what they do.\n"
      "1: your attention in a trained model, its map beside the reference's (exercises 00 to 03).\n"
      "2: the translations of that model through your forward passes (up to 10).\n"
      "3: the toy, trained by nothing but your code (all but the electives and the tests).");
  line.option("--folder", "DIR", &homework, "your folder");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  if (names.size() != 1) throw UsageError("name one milestone, for example: course milestone 1");
  const Milestone& milestone = milestone_of(names[0]);
  const TwoPrograms programs = build_programs(course, milestone, path_of(homework));
  const bool right = milestone.number == 1   ? a_head_that_looks(programs)
                     : milestone.number == 2 ? the_model_is_yours(programs)
                                             : the_toy(programs);
  std::cout << colored("Milestone " + names[0] + ", " + milestone.title + ": " +
                           (right ? "reached." : "not yet."),
                       right ? Color::kGreen : Color::kRed, color_allowed(1))
            << '\n';
  return right ? 0 : 1;
}

}  // namespace plainformer::course
