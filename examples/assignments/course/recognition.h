// Recognizes mistakes by their numbers, stage by stage.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

// The lines that a probe printed: "softmax_forward: y 0.25 0.75". The stage is before the colon.
using ProbeLines = std::vector<std::string>;

// By the bug's name; the reference's under "reference".
using Probes = std::map<std::string, ProbeLines>;

ProbeLines probe_lines(const std::string& report);  // complete lines only

// probe.txt: "[name]" and the lines of each.
Probes load_probes(const std::string& path);
std::string to_text(const Probes& probes);

// Are two lines the same to 1e-9 of their numbers (and at least 1e-12)?
bool same_numbers(const std::string& line, const std::string& other);

// The numbers of one line, as two sums with fixed weights.
struct Fingerprint {
  long count = kNoLine;
  double sum = 0, other_sum = 0;
  double scale = 0;  // of a line that was found: the sum of the absolute values. It is not kept

  static constexpr long kNoLine = -1;  // the program ended before it printed the line
  bool is_missing() const { return count == kNoLine; }
};

Fingerprint fingerprint_of(const std::vector<double>& numbers);
Fingerprint fingerprint_of(const std::string& line);
bool is_all_nan(const Fingerprint& line);  // many mistakes end so: it names none of them
bool same_fingerprint(const Fingerprint& found, const Fingerprint& known);

// A mistake whose numbers are known.
struct KnownMistake {
  std::string numbers_of;                   // "scores not divided by sqrt(d_k)"
  std::string read;                         // where to read about it
  std::string name = {};                    // of a bug in bugs.json; empty if it is generated
  std::vector<Fingerprint> numbers = {};    // of each line of the reference
  std::vector<std::string> functions = {};  // that it changes: "softmax_forward"; empty if that is not known
};

// What an exercise's probe prints for the reference and for its mistakes.
class KnownNumbers {
 public:
  // Of probe.txt.    std::runtime_error if it is malformed
  explicit KnownNumbers(const Exercise& exercise);
  KnownNumbers(const Probes& probes, const std::vector<Bug>& bugs);

  const std::vector<KnownMistake>& mistakes() const { return mistakes_; }
  void add(KnownMistake mistake) { mistakes_.push_back(std::move(mistake)); }
  void set_functions(const std::string& bug, const std::vector<std::string>& functions);

  // The names of the stages, and the lines of each, in their order.
  struct Stage {
    std::string name;
    std::size_t first, last;  // lines first to last - 1
  };
  const std::vector<Stage>& stages() const { return stages_; }
  const std::vector<Fingerprint>& reference() const { return reference_; }
  const std::string& quantity(std::size_t line) const { return quantities_[line]; }  // "y"

  // A fingerprint for each line of the reference. A stage with lines that the reference does not print has none.
  std::vector<Fingerprint> aligned(const ProbeLines& lines) const;

 private:
  std::vector<Stage> stages_;
  std::vector<std::string> quantities_;
  std::vector<Fingerprint> reference_;
  std::vector<KnownMistake> mistakes_;
};

// Of some stages: the mistakes that have exactly these numbers there.
struct Finding {
  std::vector<std::string> stages;
  std::vector<const KnownMistake*> mistakes;  // more than one: it is one of these
  std::string until =
      {};  // the last quantity that is a mistake's, if those behind it are nobody's; else empty
  std::vector<std::string> alone = {};  // the quantities that are a mistake's, if those before them are not
};

// The functions to write, and for each test that failed those that it tries; an empty set: any of them.
struct Suspicion {
  std::vector<std::string> functions = {};
  std::vector<std::set<std::string>> failed = {};
};

struct Recognition {
  std::vector<Finding> findings;
  std::vector<std::string> right;  // stages that may be called right
  bool explains_all = false;       // each stage is right, or found with all its lines
};

// A mistake is found in a stage if all lines of the stage are the mistake's, and not all are the reference's. Lines that
// are missing, because the program ended, may be anything. A mistake that explains more stages comes before others.
// Where no mistake explains a stage, one counts that explains its first lines, of which one differs from the reference;
// and where there is none, one that has some of its wrong lines, each gradient by itself.
//
// A stage with the reference's numbers is right if all stages of its function are, unless a test failed that tries only
// functions whose numbers are right, this one among them: then the probe does not see what is wrong. No mistake is found
// that changes nothing but functions which are right where it would have changed them.
Recognition recognize(const ProbeLines& found, const KnownNumbers& known,
                      const Suspicion& suspicion = {});  // points into `known`
Recognition recognize(const ProbeLines& found, KnownNumbers&& known,
                      const Suspicion& suspicion = {}) = delete;

// What a student is told: the mistakes, and what is right. Empty if there is nothing to say.
std::string to_text(const Recognition& recognition);
std::string right_text(const Recognition& recognition);

}  // namespace plainformer::course
