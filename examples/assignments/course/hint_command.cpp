#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "json_reader.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::string hint_text(const Exercise& exercise, const std::string& program, std::size_t number) {
  const std::vector<std::string> hints = hints_of(exercise);
  if (hints.empty())
    return "There are no hints for " + exercise.label() + ". Read " + exercise.chapter + ".\n";
  if (number < 1 || number > hints.size())
    throw UsageError(exercise.label() + " has hints 1 to " + std::to_string(hints.size()));
  const std::string text = exercise.label() + ", hint " + std::to_string(number) + " of " +
                           std::to_string(hints.size()) + ":\n\n" + wrapped(hints[number - 1], 0, 0, 100) +
                           "\n\n";
  if (number == hints.size()) return text + "That was the last one. Read " + exercise.chapter + ".\n";
  return text + "Try it first. The next one says more: " + program + " hint " + exercise.number + " " +
         std::to_string(number + 1) + "\n";
}

}  // namespace

std::vector<std::string> hints_of(const Exercise& exercise) {
  const fs::path file = exercise.folder / "hints.json";
  if (!fs::exists(file)) return {};
  const JsonValue value = read_json_file(file);
  const auto* const values = value.array();
  if (!values)
    throw input_error(text_of(file), "it is not an array of hints", "write [\"...\", \"...\", \"...\"]");
  std::vector<std::string> hints;
  for (const JsonValue& hint : *values) hints.push_back(text_of(hint, text_of(file)));
  return hints;
}

std::string next_step(const Course& course, const Exercise& done) {
  if (!done.variant.empty()) return "";
  std::string text;
  if (!done.plain.empty())
    text += "Try yours in the whole model: " + course.program + " run --mine " + done.number +
            " -- train --preset toy --out my-model\n";
  for (const Exercise& milestone : course.milestones)
    if (!milestone.sources.empty() && milestone.sources.back().folder == done.folder_name())
      text += "With your files up to here, see " + milestone.title + ": " + course.program + " milestone " +
              milestone.number + "\n";
  bool is_next = false;
  for (const Exercise& exercise : course.exercises) {
    if (is_next && exercise.variant.empty())
      return text + exercise.label() + " comes next: " + course.program + " start " + exercise.number + "\n";
    is_next = is_next || exercise.name == done.name;
  }
  return text + "That was the last exercise.\n";
}

int hint_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course hint EXERCISE [NUMBER]",
      "Prints one hint: the first asks a question, the second says where to look, and the third says\n"
      "nearly what to write. Without a number: the first.");
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  if (names.empty() || names.size() > 2) throw UsageError("name one exercise, for example: course hint 03");
  const Exercise& exercise = find_exercise(course.exercises, names[0], false);
  const auto number = names.size() < 2 ? std::optional<std::size_t>(1) : parse_number<std::size_t>(names[1]);
  if (!number) throw UsageError("\"" + names[1] + "\" is no number of a hint, for example: course hint 03 2");
  std::cout << hint_text(exercise, course.program, *number);
  return 0;
}

}  // namespace plainformer::course
