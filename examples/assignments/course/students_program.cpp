#include "students_program.h"

#include "core/input_error.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// The union of two lists of operations, "attention,decoding".
std::string union_of(const std::string& operations, const std::string& more) {
  if (operations.empty() || more.empty()) return operations + more;
  return operations + "," + more;
}

std::vector<const Exercise*> started_exercises(const Course& course, const fs::path& homework) {
  std::vector<const Exercise*> started;
  for (const Exercise* const exercise : in_order_of_work(course.exercises))
    if (exercise->kind == Kind::kFunctions && fs::exists(homework / exercise->folder_name()))
      started.push_back(exercise);
  if (started.empty())
    throw input_error(text_of(homework), "no exercise has been started there", "begin with: course start 00");
  return started;
}

}  // namespace

std::vector<const Exercise*> exercises_with_files(const Course& course, const std::string& names,
                                                  const fs::path& homework) {
  if (names == "all") return started_exercises(course, homework);
  std::vector<const Exercise*> exercises;
  for (const std::string& name : split_at_commas(names)) {
    exercises.push_back(&find_exercise(course.exercises, name, false));
    if (exercises.back()->kind == Kind::kTests)
      throw UsageError("exercise " + exercises.back()->label() +
                       " asks for tests, and the program runs none");
  }
  return exercises;
}

StudentsProgram students_program(const std::vector<const Exercise*>& exercises, const fs::path& homework) {
  StudentsProgram program;
  for (const Exercise* const exercise : exercises) {
    for (const Source& source : exercise->sources) {
      const fs::path file = homework / exercise->folder_name() / source.file_name();
      if (!fs::exists(file))
        throw input_error(text_of(file), "it is missing",
                          "begin with: course start " + exercise->label().substr(0, 2));
      program.replacements.push_back({source.file, file});
    }
    program.plain = union_of(program.plain, exercise->plain);
  }
  return program;
}

}  // namespace plainformer::course
