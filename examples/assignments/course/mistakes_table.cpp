#include "mistakes_table.h"

#include <map>

namespace plainformer::course {

namespace {

// One cell of a table in Markdown.
std::string cell(const std::string& text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  while (line.ends_with(' ')) line.pop_back();
  for (std::size_t at = line.find('|'); at != std::string::npos; at = line.find('|', at + 2))
    line.insert(at, "\\");
  return line;
}

// Of each exercise: how many were made, caught and named.
std::string summary_of(const std::vector<MistakeOutcome>& outcomes) {
  struct Counts {
    int made = 0, caught = 0, named = 0;
  };
  std::map<std::string, Counts> exercises;
  for (const MistakeOutcome& outcome : outcomes)
    if (!outcome.is_sound)
      for (const std::string& row : {outcome.file.substr(0, outcome.file.find('/')), std::string("all")}) {
        Counts& counts = exercises[row];
        ++counts.made;
        if (outcome.caught) ++counts.caught;
        if (outcome.caught && !outcome.said.empty()) ++counts.named;
      }
  std::string table = "| exercise | made | caught | named |\n|---|---|---|---|\n";
  for (const auto& [name, counts] : exercises)
    table += "| " + name + " | " + std::to_string(counts.made) + " | " + std::to_string(counts.caught) +
             " | " + std::to_string(counts.named) + " |\n";
  return table;
}

}  // namespace

std::string what_the_grader_says(const MistakeOutcome& outcome) {
  if (!outcome.problem.empty()) return "not tried: " + outcome.problem.substr(0, 300);
  if (!outcome.caught) return "not caught";
  return outcome.said.empty() ? "caught, not named" : outcome.said;
}

std::string table_of_mistakes(const std::vector<MistakeOutcome>& outcomes) {
  std::string table =
      "# Mistakes made by hand\n\nWhat `course mistakes` says to each. `course mistakes --write` writes this "
      "page.\n\n" +
      summary_of(outcomes) + "\n| mistake | what is wrong | what the grader says |\n|---|---|---|\n";
  std::string sound;
  for (const MistakeOutcome& outcome : outcomes) {
    const std::string begin = "| " + outcome.file + " | " + cell(outcome.comment) + " | ";
    if (!outcome.is_sound) {
      table += begin + cell(what_the_grader_says(outcome)) + " |\n";
      continue;
    }
    std::string said = outcome.caught ? "it does not get all points" : "all points, and no name";
    if (!outcome.said.empty()) said = "it is called a mistake: " + outcome.said;
    if (!outcome.problem.empty()) said = what_the_grader_says(outcome);
    sound += begin + cell(said) + " |\n";
  }
  if (sound.empty()) return table;
  return table +
         "\nRight answers, each written in another way than the library's. None may be called a "
         "mistake.\n\n" +
         "| answer | how it is written | what the grader says |\n|---|---|---|\n" + sound;
}

}  // namespace plainformer::course
