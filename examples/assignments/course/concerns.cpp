#include "concerns.h"

#include <algorithm>

#include "source_cutter.h"
#include "source_text.h"
#include "text.h"

namespace plainformer::course {

namespace {

// The function to write in which a file has this text; empty if it is none.
std::string function_with(const Settings& settings, const Exercise& exercise, const Edit& edit) {
  for (const Source& source : exercise.sources) {
    if (source.file != edit.file) continue;
    const std::string text = read_text(settings.reference(source.file));
    for (const CutFunction& function : source.cut)
      if (function_text(text, function.name).body.find(edit.before) != std::string::npos)
        return function.name;
  }
  return "";
}

// The body of a test, "Softmax.Gradient", in its file; empty if it is not found.
std::string body_of_test(const std::string& file, const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return "";
  const std::size_t begin = file.find("(" + name.substr(0, dot) + ", " + name.substr(dot + 1) + ") {");
  return begin == std::string::npos ? "" : file.substr(begin, file.find("\n}", begin) - begin);
}

// "AttentionMask::visible_keys" -> "visible_keys"
std::string unqualified(const std::string& function) {
  const std::size_t colons = function.rfind("::");
  return colons == std::string::npos ? function : function.substr(colons + 2);
}

}  // namespace

std::vector<std::string> functions_to_write(const Exercise& exercise) {
  std::vector<std::string> names;
  for (const Source& source : exercise.sources)
    for (const CutFunction& function : source.cut) names.push_back(function.name);
  return names;
}

std::vector<std::string> functions_of_bug(const Settings& settings, const Exercise& exercise,
                                          const Bug& bug) {
  std::vector<std::string> functions;
  for (const Edit& edit : bug.edits) {
    const std::string function = function_with(settings, exercise, edit);
    if (function.empty()) return {};
    if (std::find(functions.begin(), functions.end(), function) == functions.end())
      functions.push_back(function);
  }
  return functions;
}

std::set<std::string> functions_of_test(const Toolchain& tools, const Exercise& exercise,
                                        const ScoredTest& test) {
  std::set<std::string> functions;
  for (const Bug& bug : exercise.bugs)
    if (bug.caught_by == test.name)
      for (const std::string& function : functions_of_bug(tools.settings(), exercise, bug))
        functions.insert(function);
  const std::vector<std::string> named =
      identifiers(body_of_test(read_text(tools.test_file(exercise, test.file)), test.name));
  for (const std::string& function : functions_to_write(exercise))
    if (std::find(named.begin(), named.end(), unqualified(function)) != named.end()) functions.insert(function);
  return functions;
}

}  // namespace plainformer::course
