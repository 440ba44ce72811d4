// An exercise: the functions that a student writes, what grades them, and the known bugs.
//
// examples/assignments/exercises/NN-name/ holds exercise.json, driver.cpp and bugs.json.
// TEACHING.md describes these files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace plainformer::course {

// A function to write, by its name as the definition spells it: "softmax_forward", "Beam::advance".
struct CutFunction {
  std::string name = {};
  std::string zeros = {};  // a body that compiles and computes nothing: "return Tensor::zeros(x.shape());"
};

// A file of src/, and what is cut from it.
struct Source {
  std::string file = {};               // "ops/softmax.cpp", relative to src/
  std::vector<CutFunction> cut = {};   // the body is replaced
  std::vector<std::string> drop = {};  // helper functions that are removed entirely
  bool drop_unnamed = false;           // removes all unnamed namespaces

  std::string file_name() const;                           // "softmax.cpp": the name of the student's file
  bool is_header() const { return file.ends_with(".h"); }  // of templates: the driver is compiled with it
};

// A row of the table of points: a result that the driver shows, "softmax_forward: y", or all those of a stage,
// "softmax_forward".
struct ScoredResult {
  std::string name = {};
  double points = 0;
};

// A test of GoogleTest: where a driver cannot serve.
struct ScoredTest {
  std::string file = {};  // relative to tests/, or to the exercise's folder if it begins with "./"
  std::string name = {};  // "Softmax.DoesNotOverflow"; a pattern of GoogleTest: all that match must pass
  double points = 0;
};

// A replacement of text that occurs exactly once in a file of src/.
struct Edit {
  std::string file, before, after;
};

struct Bug {
  std::string name = {};  // unique in the course: "attention-no-scale"
  std::vector<Edit> edits = {};
  std::string numbers_of =
      {};                 // completes "Your numbers are exactly those of": "scores not divided by sqrt(d_k)"
  std::string read = {};  // "docs/3.2.1-scaled-dot-product-attention.md#common-mistakes"
  std::string caught_by = {};  // a test that fails with it, of a bug of the whole program
  std::string caught_in = {};  // its file
  std::string plain = {};      // the plain operations of `course run --bug`; empty: the exercise's
};

enum class Kind { kFunctions, kTests };  // the student writes functions, or tests

struct Exercise {
  std::filesystem::path folder = {};  // .../exercises/03-attention
  int number = 0;                     // 3
  std::string name = {};              // "attention"
  std::string variant = {};           // the variant's name, "soft-cap"; empty: the exercise itself
  std::string title, paper, chapter;
  std::string task = {};  // what to write, in a few sentences
  double hours = 0;
  Kind kind = Kind::kFunctions;
  int tests_of = 0;  // kTests: the number of the exercise whose functions are tested
  std::vector<Source> sources = {};
  std::vector<ScoredResult> results = {};  // of the driver
  std::vector<ScoredTest> tests = {};      // and of tests; of kTests: the bugs to reject
  std::vector<std::string> proof = {};     // kTests: files below tests/ that reject all of them
  std::string gate = {};                   // if this test fails, the others count nothing; may be empty
  std::vector<std::string> forbid = {};    // the functions that may not be called: "plainformer::fast::"
  std::string plain = {};  // the operations whose plain way the whole program takes: "attention,decoding"
  std::string sanitizers = "address,undefined";  // or "thread", or "" for none
  bool in_float = false;                         // built against the float library; otherwise double
  std::vector<std::string> flags = {};           // more of the compiler, for a submission
  double seconds = 5;                            // the time limit of a test
  bool elective = false;                         // its points are not among the hundred of the course
  int after = -1;  // the number of the exercise after which it is done; negative: in the order of numbers
  std::vector<Edit> hide = {};  // replaces results to derive, in the files that a student begins with
  std::vector<Bug> bugs = {};

  std::string label() const;        // "03 attention", "03 attention (soft-cap)"
  std::string folder_name() const;  // "03-attention", "03-attention-soft-cap": of the student's files
  double points() const;
};

// Reads exercises/*/exercise.json and their bugs and variants, in the order of their numbers, the variant
// after its exercise.    std::runtime_error naming the file and the member for anything malformed
std::vector<Exercise> load_exercises(const std::filesystem::path& folder);

// Gives exercises the variants of another folder, which holds folders like 03-attention with an exercise.json and its
// test. They replace those that the exercises have.    std::runtime_error if a folder is no exercise's
std::vector<Exercise> with_variants(const std::vector<Exercise>& exercises,
                                    const std::filesystem::path& folder);

// The .cpp files of a folder, sorted; none if there is no such folder.
std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder);

// A member like "edits": {"FILE in src/": [["before", "after"], ...], ...}.
class JsonReader;
std::vector<Edit> edits_of(JsonReader& reader, const std::string& where, const std::string& member = "edits");

// The bugs of a file like bugs.json.
std::vector<Bug> load_bugs(const std::filesystem::path& file);

// The exercises, without variants, in the order in which a student does them: that of their numbers, except where
// `after` names an earlier place.
std::vector<const Exercise*> in_order_of_work(const std::vector<Exercise>& exercises);

// By number or name: "3", "03", "attention", "03-attention".
const Exercise& find_exercise(const std::vector<Exercise>& exercises, const std::string& text, bool variant);

}  // namespace plainformer::course
