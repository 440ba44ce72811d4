#include "mutants.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "io/atomic_file.h"
#include "mutant_source.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kSeconds = 1;  // for a mutation, which may never end: others take some hundredths
constexpr std::size_t kMostOfOtherAnswers = 3'000;

// Whatever ends a mutation, nobody reads where. What nobody wrote is NaN, as in a student's program.
constexpr const char* kEndAtOnce =
    "ASAN_OPTIONS=detect_leaks=0:handle_abort=0:handle_segv=0:symbolize=0:max_malloc_fill_size=1000000:"
    "malloc_fill_byte="
    "255";
constexpr int kMostRounds = 100;  // of leaving out what does not compile: Clang may name one in a round
constexpr std::size_t kMostInAPart =
    400;  // of mutations: the time of a compiler grows faster than the length of a file

// The mutations on whose lines the compiler found errors: "mutants.cpp:120:14: error: ...". An error in a header says
// for which line it was read: "mutants.cpp:120:14: required from here". Notes may speak of other lines.
std::set<std::size_t> refused(const std::string& output, const std::string& name,
                              const std::map<std::size_t, std::size_t>& first_lines) {
  std::set<std::size_t> numbers;
  for (const std::string& line : lines_of(output)) {
    const std::size_t at = line.find(name + ":"), digits = at + name.size() + 1;
    if (at == std::string::npos || digits >= line.size() ||
        !std::isdigit(static_cast<unsigned char>(line[digits])))
      continue;
    if (line.find(": error: ") == std::string::npos && line.find("requ", digits) == std::string::npos &&
        line.find("in expansion of macro") == std::string::npos)
      continue;
    const auto next = first_lines.upper_bound(std::stoul(line.substr(digits, 9)));
    if (next != first_lines.begin() && std::prev(next)->second > 0) numbers.insert(std::prev(next)->second);
  }
  return numbers;
}

}  // namespace

MutantProgram::MutantProgram(const Course& course, const Exercise& exercise, const fs::path& work, int jobs)
    : tools_(course.tools), exercise_(exercise) {
  exercise_.seconds = kSeconds;
  std::vector<Part> parts = parts_of(course, work);
  in_parallel(parts.size(), jobs, [&](std::size_t i) { build(parts[i]); });
  for (Part& part : parts)
    for (std::size_t i = 0; i < part.mutations.size(); ++i) {
      places_.push_back({part.folder / program_name("probe"), i + 1});
      mutations_.push_back(std::move(part.mutations[i]));
    }
}

// The reference's mutations, and those of other sound answers while they are few: who writes in another way makes other
// mistakes.
std::vector<MutantProgram::Part> MutantProgram::parts_of(const Course& course, const fs::path& work) const {
  std::vector<Part> parts;
  std::size_t count = 0;
  const auto add = [&](const Source& source, const std::string& text, std::size_t most) {
    std::vector<Mutation> all = mutations_of(text, source);
    if (all.size() > most) return;
    count += all.size();
    for (std::size_t i = 0; i < all.size(); i += kMostInAPart) {
      parts.push_back({.source = &source, .text = text, .folder = work / std::to_string(parts.size())});
      const std::size_t end = std::min(i + kMostInAPart, all.size());
      parts.back().mutations.assign(std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(i)),
                                    std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  };
  for (const Source& source : exercise_.sources)
    add(source, without_the_fast_way(reference_text(course, source.file)), std::string::npos);
  for (const fs::path& answer : sound_answers(exercise_))
    for (const Source& source : exercise_.sources) {
      const std::string reference = without_the_fast_way(reference_text(course, source.file));
      const std::string functions = read_text(answer), text = with_functions(reference, source, functions);
      if (defines_some(functions, source))
        add(source, text, kMostOfOtherAnswers - std::min(count, kMostOfOtherAnswers));
    }
  return parts;
}

// Leaves out what does not compile, and links the rest with the reference's other files.
void MutantProgram::build(Part& part) const {
  fs::create_directories(part.folder);
  const fs::path path = part.folder / ("mutants_" + part.source->file_name()),
                 object = part.folder / (part.source->file_name() + ".o");
  for (int round = 0; !compile(part, path, object); ++round)
    if (round == kMostRounds)
      throw std::runtime_error(text_of(path) + " does not compile, whatever is left out");
  std::vector<fs::path> objects = {object};
  for (const Source& other : exercise_.sources)
    if (other.file != part.source->file)
      objects.push_back(tools_.kept_object(exercise_, tools_.settings().reference(other.file)));
  const ProcessResult linked =
      tools_.link(exercise_, objects, tools_.probe_objects(exercise_), part.folder / program_name("probe"));
  if (!linked.succeeded())
    throw std::runtime_error("the mutants do not link:\n" + linked.output.substr(0, 2'000));
}

// False if some of its mutations do not compile: they are left out.
bool MutantProgram::compile(Part& part, const fs::path& path, const fs::path& object) const {
  std::vector<NumberedMutation> numbered;
  for (const Mutation& mutation : part.mutations) numbered.push_back({numbered.size() + 1, &mutation});
  const std::string text = source_with_mutants(part.text, numbered);
  write_file_atomically(text_of(path), text);
  const ProcessResult compiled = tools_.compile_generated(exercise_, path, object);
  if (compiled.succeeded()) return true;
  const std::set<std::size_t> numbers =
      refused(compiled.output, text_of(path.filename()), lines_of_mutants(text));
  if (numbers.empty())
    throw std::runtime_error(text_of(path) + " does not compile:\n" + compiled.output.substr(0, 2'000));
  std::vector<Mutation> kept;
  for (std::size_t i = 0; i < part.mutations.size(); ++i)
    if (!numbers.contains(i + 1)) kept.push_back(std::move(part.mutations[i]));
  part.mutations = std::move(kept);
  return false;
}

ProbeLines MutantProgram::probe(std::size_t mutation) const {
  const Place& place = places_[mutation];
  const GradingOptions options = {
      .work = place.program.parent_path(),
      .environment = {"PLAINFORMER_MUTANT=" + std::to_string(place.number), kEndAtOnce}};
  return probe_lines_of(tools_, exercise_, place.program, options);
}

KnownNumbers numbers_of_mutants(const Course& course, const Exercise& exercise, const fs::path& work,
                                int jobs) {
  KnownNumbers known(load_probes(text_of(exercise.folder / "probe.txt")), exercise.bugs);
  const MutantProgram program(course, exercise, work, jobs);
  std::vector<std::vector<Fingerprint>> numbers(program.mutations().size());
  const auto same = [](const std::vector<Fingerprint>& a, const std::vector<Fingerprint>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Fingerprint& one, const Fingerprint& other) { return same_fingerprint(one, other); });
  };
  in_parallel(numbers.size(), jobs, [&](std::size_t i) {
    numbers[i] = known.aligned(program.probe(i));
    const bool can_be_told = std::any_of(numbers[i].begin(), numbers[i].end(), [&](const Fingerprint& line) {
      const Fingerprint& right = known.reference()[&line - numbers[i].data()];
      return line.count >= 0 && !same_fingerprint(line, right) && !is_all_nan(line);
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
