// Excerpts of a source file, by the names of its functions and classes and by the comments of their steps.
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "promises/function_finder.h"
#include "promises/selector.h"

namespace plainformer {

struct LineRange {
  std::size_t begin = 0, end = 0;  // from 0, the end excluded
};

inline std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

inline bool is_comment(const std::string& line) {
  return line.compare(indent_of(line), 2, "//") == 0;
}

class SourceExcerpt {
 public:
  // The lines that the selectors select, with an empty line between two of them. Throws std::runtime_error where one
  // selects nothing, or more than one thing.
  static Lines of(const Lines& source, const std::vector<Selector>& selectors) {
    Lines excerpt;
    for (const Selector& selector : selectors) {
      if (!excerpt.empty()) excerpt.push_back("");
      const SourceExcerpt one(source, selector);
      const LineRange range = one.part_of(one.whole());
      excerpt.insert(excerpt.end(), source.begin() + range.begin, source.begin() + range.end);
    }
    return excerpt;
  }

 private:
  SourceExcerpt(const Lines& source, const Selector& selector) : source_(source), selector_(selector) {}

  LineRange whole() const {
    Functions found = FunctionFinder::types_in(source_);
    std::erase_if(found, [&](const Function& type) { return !is_named(type); });
    if (found.empty()) {
      found = FunctionFinder::in(source_);
      std::erase_if(found, [&](const Function& function) { return !is_named(function); });
    }
    const auto is_definition = [](const Function& function) { return function.is_definition; };
    if (std::any_of(found.begin(), found.end(), is_definition))
      std::erase_if(found, std::not_fn(is_definition));
    if (found.empty()) throw std::runtime_error("nothing is named " + selector_.name);
    if (found.size() > 1) throw std::runtime_error(names(found));

    LineRange range = {found[0].first_line - 1, found[0].last_line};
    while (range.begin > 0 && is_comment(source_[range.begin - 1])) --range.begin;
    return range;
  }

  static std::string names(const Functions& found) {
    std::string text = std::to_string(found.size()) + " are named so:";
    for (const Function& f : found)
      text +=
          " " + (f.scope.empty() ? "" : f.scope + "::") + f.name + " in line " + std::to_string(f.first_line);
    return text + "; say Class::name, or name(words of the parameters)";
  }

  bool is_named(const Function& function) const {
    const std::string full = function.scope.empty() ? function.name : function.scope + "::" + function.name;
    const bool is_it = full == selector_.name || full.ends_with("::" + selector_.name);
    return is_it && function.text.find(selector_.parameters, function.name.size()) != std::string::npos;
  }

  LineRange part_of(LineRange range) const {
    const LineRange function = range;
    if (!selector_.at.empty()) range = step(function, selector_.at);
    if (!selector_.from.empty()) range.begin = step(function, selector_.from).begin;
    if (!selector_.to.empty()) range.end = step(function, selector_.to).end;
    if (!selector_.until.empty()) range.end = step(function, selector_.until).begin;
    while (range.end > range.begin && source_[range.end - 1].empty()) --range.end;
    if (range.end <= range.begin) throw std::runtime_error("the end stands before the beginning");
    return range;
  }

  // From a comment that starts with these words to the next comment of the same depth, or to the end of its block.
  LineRange step(LineRange function, const std::string& words) const {
    LineRange step = {0, 0};
    for (std::size_t i = function.begin; i < function.end; ++i) {
      if (!is_comment(source_[i]) || source_[i].compare(indent_of(source_[i]) + 3, words.size(), words) != 0)
        continue;
      if (step.begin != 0) throw std::runtime_error("two comments start with \"" + words + "\"");
      step.begin = i;
    }
    if (step.begin == 0) throw std::runtime_error("no comment starts with \"" + words + "\"");
    const std::size_t depth = indent_of(source_[step.begin]);
    const auto is_of_its_depth = [&](std::size_t i) {
      return is_comment(source_[i]) && indent_of(source_[i]) == depth;
    };
    step.end = step.begin;
    while (step.begin > function.begin && is_of_its_depth(step.begin - 1)) --step.begin;
    while (step.end < function.end && is_of_its_depth(step.end)) ++step.end;
    while (step.end < function.end && !is_of_its_depth(step.end) &&
           (source_[step.end].empty() || indent_of(source_[step.end]) >= depth))
      ++step.end;
    return step;
  }

  const Lines& source_;
  const Selector& selector_;
};

}  // namespace plainformer
