#include "mutants.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "io/atomic_file.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kSeconds = 2;   // for a mutation, which may never end
constexpr int kMostRounds = 12;  // of leaving out what does not compile

constexpr const char* kChoice =
    "#include <cstdlib>\n"
    "static const int chosen_mutant = std::getenv(\"PLAINFORMER_MUTANT\") ? "
    "std::atoi(std::getenv(\"PLAINFORMER_MUTANT\")) : 0;\n";

// The file of a source with its mutations, and the lines of each: line -> mutation.
struct MutantFile {
  std::string text;
  std::map<std::size_t, std::size_t> first_lines;
};

struct Numbered {
  std::size_t number;  // from 1
  const Mutation* mutation;
};

// "if (chosen_mutant == 7) return [&]() -> Tensor {", the body, "}();" for each, and the reference's body behind them. Each
// is a function of its own: the time and memory of a compiler grow faster than the length of one function.
std::string body_of_all(const FunctionText& function, const std::vector<Numbered>& mutations) {
  const std::string type =
      function.signature.substr(0, function.signature.find(mutations.front().mutation->function + "("));
  std::string body;
  for (const auto& [number, mutation] : mutations)
    body += "  if (chosen_mutant == " + std::to_string(number) + ")\n  return [&]() -> " + type + "{\n" +
            mutation->body + "  }();\n";
  return body + function.body;
}

MutantFile file_of(const std::string& reference, const std::vector<Numbered>& mutations) {
  std::map<std::string, std::vector<Numbered>> of_function;
  for (const Numbered& numbered : mutations) of_function[numbered.mutation->function].push_back(numbered);
  MutantFile file = {.text = reference, .first_lines = {}};
  for (const auto& [name, numbered] : of_function)
    file.text = with_body(file.text, name, body_of_all(function_text(reference, name), numbered));
  file.text = kChoice + file.text;
  const std::string mark = "  if (chosen_mutant == ";
  std::size_t line = 0;
  for (const std::string& text : lines_of(file.text)) {
    ++line;
    if (text.starts_with(mark)) file.first_lines[line] = std::stoul(text.substr(mark.size()));
    if (text == "}") file.first_lines[line] = 0;  // behind a function
  }
  return file;
}

// The mutations on whose lines the compiler found errors: "mutants.cpp:120:14: error: ...". An error in a header says
// for which line it was read: "mutants.cpp:120:14: required from here". Notes may speak of other lines.
std::set<std::size_t> refused(const std::string& output, const std::string& name, const MutantFile& file) {
  std::set<std::size_t> numbers;
  for (const std::string& line : lines_of(output)) {
    const std::size_t at = line.find(name + ":"), digits = at + name.size() + 1;
    if (at == std::string::npos || digits >= line.size() ||
        !std::isdigit(static_cast<unsigned char>(line[digits])))
      continue;
    if (line.find(": error: ") == std::string::npos && line.find("requ", digits) == std::string::npos &&
        line.find("in expansion of macro") == std::string::npos)
      continue;
    const auto next = file.first_lines.upper_bound(std::stoul(line.substr(digits, 9)));
    if (next != file.first_lines.begin() && std::prev(next)->second > 0)
      numbers.insert(std::prev(next)->second);
  }
  return numbers;
}

}  // namespace

MutantProgram::MutantProgram(const Course& course, const Exercise& exercise, const fs::path& work)
    : tools_(course.tools), exercise_(exercise), work_(work) {
  exercise_.seconds = kSeconds;
  fs::create_directories(work_);
  for (const Source& source : exercise_.sources) write_and_compile(course, source);
  const ProcessResult linked =
      tools_.link(exercise_, objects_, tools_.probe_objects(exercise_), work_ / program_name("probe"));
  if (!linked.succeeded())
    throw std::runtime_error("the mutants do not link:\n" + linked.output.substr(0, 2'000));
}

void MutantProgram::write_and_compile(const Course& course, const Source& source) {
  const std::string reference = reference_text(course, source.file);
  std::vector<Mutation> candidates = mutations_of(reference, source);
  const std::size_t before = mutations_.size();
  std::set<std::size_t> left_out;
  const fs::path path = work_ / ("mutants_" + source.file_name());
  const fs::path object = work_ / (source.file_name() + ".o");
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Numbered> numbered;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (!left_out.contains(i)) numbered.push_back({before + numbered.size() + 1, &candidates[i]});
    const MutantFile file = file_of(reference, numbered);
    write_file_atomically(text_of(path), file.text);
    const ProcessResult compiled = tools_.compile_generated(exercise_, path, object);
    if (compiled.succeeded()) {
      for (const Numbered& compiling : numbered) mutations_.push_back(*compiling.mutation);
      objects_.push_back(object);
      return;
    }
    const std::set<std::size_t> numbers = refused(compiled.output, text_of(path.filename()), file);
    if (numbers.empty())
      throw std::runtime_error(text_of(path) + " does not compile:\n" + compiled.output.substr(0, 2'000));
    for (const std::size_t number : numbers)
      left_out.insert(static_cast<std::size_t>(numbered[number - before - 1].mutation - candidates.data()));
  }
  throw std::runtime_error(text_of(path) + " does not compile, whatever is left out");
}

ProbeLines MutantProgram::probe(std::size_t mutation) const {
  const GradingOptions options = {.work = work_,
                                  .environment = {"PLAINFORMER_MUTANT=" + std::to_string(mutation + 1)}};
  return probe_lines_of(tools_, exercise_, work_ / program_name("probe"), options);
}

KnownNumbers numbers_of_mutants(const Course& course, const Exercise& exercise, const fs::path& work,
                                int jobs) {
  KnownNumbers known(load_probes(text_of(exercise.folder / "probe.txt")), exercise.bugs);
  const MutantProgram program(course, exercise, work);
  std::vector<std::vector<Fingerprint>> numbers(program.mutations().size());
  const auto same = [](const std::vector<Fingerprint>& a, const std::vector<Fingerprint>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Fingerprint& one, const Fingerprint& other) { return same_fingerprint(one, other); });
  };
  in_parallel(numbers.size(), jobs, [&](std::size_t i) {
    numbers[i] = known.aligned(program.probe(i));
    const bool can_be_told = std::any_of(numbers[i].begin(), numbers[i].end(), [&](const Fingerprint& line) {
      return line.count >= 0 && !same_fingerprint(line, known.reference()[&line - numbers[i].data()]);
    });
    if (!can_be_told) numbers[i].clear();
  });
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto has_these = [&](const KnownMistake& mistake) { return same(numbers[i], mistake.numbers); };
    if (numbers[i].empty() || std::any_of(known.mistakes().begin(), known.mistakes().end(), has_these))
      continue;
    known.add({.numbers_of = program.mutations()[i].what, .read = exercise.chapter, .numbers = numbers[i]});
  }
  return known;
}

}  // namespace plainformer::course
