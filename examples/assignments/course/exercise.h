// An exercise: what a student writes, what grades it, and the known mistakes.
//
// examples/assignments/exercises/NN-name/ holds exercise.json, driver.cpp and bugs.json. A variant and a
// milestone are exercises too. TEACHING.md describes the files.
#pragma once

#include <string>
#include <vector>

#include "files.h"

namespace plainformer::course {

// A file of src/, and what is cut from it.
struct Source {
  std::string file = {};  // "ops/softmax.cpp", relative to src/
  // The functions to write, as their definitions spell them, "softmax_forward" or "Beam::advance"; and for
  // each a body that compiles and computes nothing: "return Tensor::zeros(x.shape());"
  Members<std::string> cut = {};
  Texts drop = {};          // helper functions that are removed; "namespace {": all unnamed namespaces
  std::string folder = {};  // of the student's file: "01-softmax"

  std::string file_name() const;                           // "softmax.cpp": the name of the student's file
  bool is_header() const { return file.ends_with(".h"); }  // of templates: the driver is compiled with it
};

// Where several exercises cut one file, the student has a copy of it for each. The compiler's flags that
// rename in it the functions that the others cut: these are taken from their copies.
Texts flags_of_copy(const std::vector<Source>& sources, const Source& source);

// A row of the table of points: a result that the driver shows, "softmax_forward: y", or all those of a
// stage, "softmax_forward". Where tests are written, a bug that they must reject.
struct Row {
  std::string name = {};
  double points = 0;
  double share = 1;  // of its results that must be right
};

// A replacement of text that occurs exactly once in a file of src/.
struct Edit {
  std::string file, before, after;
};

// A known mistake.
struct Bug {
  std::string name = {};  // unique in the course: "attention-no-scale"
  std::vector<Edit> edits = {};
  std::string numbers_of = {};  // "scores not divided by sqrt(d_k)": whose numbers are "exactly those of" it
  std::string read = {};        // "docs/3.2.1-scaled-dot-product-attention.md#three-mistakes"
  std::string plain = {};       // the plain operations of `course run --bug`
};

struct Exercise {
  fs::path folder = {};      // .../exercises/03-attention
  std::string number = {};   // "03"; of a milestone "1"
  std::string name = {};     // "attention"
  std::string variant = {};  // the variant's name, "soft-cap"; empty: the exercise itself
  std::string title, paper, chapter;
  std::string task = {};  // what to write, in a few sentences
  double hours = 0;
  std::vector<Source> sources = {};
  std::vector<Row> rows = {};
  Texts forbid = {};       // words that may not stand in the code: "plainformer::fast::"
  std::string plain = {};  // the operations whose plain way the whole program takes: "attention,decoding"
  std::string sanitizers = "address,undefined";  // or "thread", or "" for none
  bool in_float = false;                         // built against the float library; otherwise double
  double tolerance = 1e-9;                       // of a number, relative to the largest one of its result
  double seconds = 5;                            // the time limit of the driver
  bool elective = false;                         // its points are not among the hundred of the course
  Texts hints = {};             // the first asks a question, the last says nearly what to write
  std::vector<Edit> hide = {};  // replaces results to derive, in the files that a student begins with
  std::vector<Bug> bugs = {};

  // Where the student writes tests instead of functions.
  std::string tests = {};     // the student's file
  std::string tests_of = {};  // the name of the exercise whose functions are tested
  Texts proof = {};           // files below tests/ that reject all bugs together

  // The members of a milestone.
  std::string files_of = {};     // the name of the last of the exercises whose files it needs
  std::vector<Texts> show = {};  // commands of the program with the student's files

  bool asks_for_tests() const { return !tests.empty(); }
  bool is_milestone() const { return !files_of.empty(); }
  std::string label() const;        // "03 attention", "03 attention (soft-cap)"
  std::string folder_name() const;  // "03-attention", "03-attention-soft-cap": of the student's files
  double points() const;
};

// Reads the exercises of a folder with their bugs and variants, in the order of work, which is that of their
// names; the variant comes after its exercise.    std::runtime_error naming the file and the member for
// anything malformed
std::vector<Exercise> load_exercises(const fs::path& folder);

// Reads the milestones of a folder. A milestone has no sources of its own but those of the exercises up to
// `files_of`, electives and tests aside.
std::vector<Exercise> load_milestones(const fs::path& folder, const std::vector<Exercise>& exercises);

// The .cpp files of a folder, sorted; none if there is no such folder.
std::vector<fs::path> sources_in(const fs::path& folder);

// The bugs of a file like bugs.json.
std::vector<Bug> load_bugs(const fs::path& file);

// By number or name: "3", "03", "attention", "03-attention".
const Exercise& find_exercise(const std::vector<Exercise>& exercises, const std::string& text, bool variant);

// From {"FILE in src/": [["before", "after"], ...], ...}
void set(std::vector<Edit>& edits, const JsonValue& value, const std::string& where);

}  // namespace plainformer::course
