#include "inspection.h"

#include <algorithm>
#include <set>

#include "allowed_functions.h"
#include "object_file.h"
#include "source_text.h"
#include "text.h"
#include "text_inspection.h"

namespace plainformer::course {

namespace {

using Problems = std::vector<std::string>;

// Does the readable symbol contain the name, not as the end of a longer one?
bool mentions(const Symbol& symbol, std::string_view name) {
  const std::string& text = symbol.readable;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if (at == 0 || (!is_word(text[at - 1]) && text[at - 1] != ':')) return true;
  return false;
}

std::string last_name(const std::string& qualified) {
  return qualified.substr(qualified.rfind(':') + 1);  // npos + 1 is 0
}

// --- the files that it includes ---

Problems problems_of_included_files(const Toolchain& tools, const Exercise& exercise, const fs::path& source,
                                    const fs::path& object) {
  Problems problems;
  for (const fs::path& name : dependencies(object)) {
    const fs::path file = fs::weakly_canonical(name);
    if (file == fs::weakly_canonical(source)) continue;
    if (is_header_of_ours(tools, exercise, file)) continue;
    problems.push_back(
        "it includes " + text_of(name) +
        ": include only headers from src/ and the standard library, and put your own helpers into "
        "this file");
  }
  return problems;
}

// --- the functions that it defines ---

// "the library", "the tests", "C": who has a function that a student's object defines too.
class Owners {
 public:
  Owners(const Toolchain& tools, const Exercise& exercise)
      : writes_tests_(exercise.kind == Kind::kTests),
        library_(global_symbols_of(exercise.in_float ? tools.settings().float_library()
                                                     : tools.settings().library)) {
    if (writes_tests_) return;
    for (const fs::path& object : tools.test_objects(exercise)) tests_.push_back(global_symbols_of(object));
    for (const auto& entry : fs::directory_iterator(tools.settings().source_dir / "tests" / "support"))
      if (entry.path().extension() == ".h") names_of_tests_.merge(outer_names(read_text(entry.path())));
    for (const ScoredTest& test : exercise.tests)
      names_of_tests_.merge(outer_names(read_text(tools.test_file(exercise, test.file))));
  }

  std::string owner_of(const Symbol& symbol) const {
    if (!writes_tests_ && mentions(symbol, "testing::")) return "the tests";
    if (symbol.is_c()) return "C";
    const bool is_std = symbol.name.starts_with("_ZNSt") || symbol.name.starts_with("_ZSt") ||
                        symbol.name.starts_with("_ZNKSt") || symbol.readable.starts_with("operator ");
    if (is_std && !symbol.is_weak()) return "the standard library";
    if (const Symbol* const other = found_in(*library_, symbol.name))
      if (!symbol.is_weak() || !other->is_weak()) return "the library";
    // Both may have an inline function of a header in src/. An inline function of the tests is theirs alone.
    const bool has_name_of_tests = names_of_tests_.contains(outer_name(symbol));
    for (const auto& symbols : tests_)
      if (const Symbol* const other = found_in(*symbols, symbol.name))
        if (!symbol.is_weak() || !other->is_weak() || has_name_of_tests) return "the tests";
    return "";
  }

 private:
  static const Symbol* found_in(const Symbols& symbols, const std::string& name) {
    const auto found = symbols.find(name);
    return found == symbols.end() || found->second.is_undefined() ? nullptr : &found->second;
  }

  // "plainformer::gradients_agree(...)" -> "gradients_agree"
  static std::string outer_name(const Symbol& symbol) {
    const std::string name_space = "plainformer::";
    const std::size_t found = symbol.readable.find(name_space);
    if (found == std::string::npos) return "";
    const auto begin = symbol.readable.begin() + static_cast<std::ptrdiff_t>(found + name_space.size());
    return std::string(begin, std::find_if_not(begin, symbol.readable.end(), is_word));
  }

  const bool writes_tests_;
  const std::shared_ptr<const Symbols> library_;
  std::vector<std::shared_ptr<const Symbols>> tests_;
  std::set<std::string> names_of_tests_;
};

std::string why_missing(const Symbol& wanted, const Symbols& own) {
  const std::string function = wanted.function();
  for (const auto& [name, symbol] : own) {
    if (symbol.is_undefined() || last_name(symbol.function()) != last_name(function)) continue;
    if (symbol.function() == function && !symbol.is_local())
      return ": yours does not have the header's parameters";
    if (symbol.is_local())
      return ": yours is static or in an unnamed namespace, so no other file can call it";
    return ": yours is outside namespace plainformer or its class";
  }
  return "";
}

struct Definitions {
  Problems problems;
  int wanted = 0, found = 0;  // functions of the exercise; none in a file for another processor
};

Definitions check_definitions(const Owners& owners, const Symbols& own, const Symbols& reference) {
  Definitions result;
  for (const auto& [name, wanted] : reference) {
    if (wanted.is_undefined() || wanted.is_weak()) continue;
    const auto found = own.find(name);
    const bool has_it = found != own.end() && !found->second.is_undefined() && !found->second.is_local();
    ++result.wanted;
    result.found += has_it ? 1 : 0;
    if (!has_it) result.problems.push_back(wanted.function() + " is missing" + why_missing(wanted, own));
  }
  for (const auto& [name, symbol] : own) {
    const auto found = reference.find(name);
    const bool is_wanted = found != reference.end() && !found->second.is_undefined();
    if (symbol.is_undefined() || symbol.is_local() || is_wanted || is_made_by_compilers(symbol.name))
      continue;
    if (symbol.is_weak() && symbol.name.starts_with("_ZT")) continue;  // the tables of a class
    const std::string owner = owners.owner_of(symbol);
    if (owner.empty()) continue;
    result.problems.push_back("it defines " + symbol.function() + ", which belongs to " + owner +
                              ": rename yours, or put it into an unnamed namespace");
  }
  return result;
}

// --- the functions that it calls ---

// What it uses, and the rule that this breaks.
struct Misuse {
  std::string name, rule;
};

bool is_forbidden(const Symbol& symbol, const Exercise& exercise) {
  return std::any_of(exercise.forbid.begin(), exercise.forbid.end(),
                     [&](const std::string& name) { return mentions(symbol, name); });
}

Misuse misuse_of(const Symbol& symbol, const Exercise& exercise,
                 const std::set<std::string_view>& unguarded) {
  if (symbol.is_c()) return {symbol.name, std::string(rule_against_c_function(symbol.name))};
  if (is_forbidden(symbol, exercise))
    return {symbol.function(), "this exercise asks you to write that yourself"};
  for (const GuardedName& guarded : kGuardedNames)
    if (mentions(symbol, guarded.name) && !unguarded.contains(guarded.name))
      return {std::string(guarded.name.substr(0, guarded.name.find_last_not_of(":<") + 1)),
              std::string(guarded.rule)};
  return {};
}

std::set<std::string_view> guarded_names_in(const Symbols& reference) {
  std::set<std::string_view> names;
  for (const auto& [name, symbol] : reference)
    for (const GuardedName& guarded : kGuardedNames)
      if (mentions(symbol, guarded.name)) names.insert(guarded.name);
  return names;
}

Problems problems_of_calls(const Exercise& exercise, const Symbols& own, const Symbols& reference) {
  constexpr std::size_t kMostNames = 4;
  std::set<std::string_view> unguarded = guarded_names_in(reference);
  if (exercise.kind == Kind::kTests)
    unguarded.insert({"testing::", "plainformer::Differentiated", "plainformer::gradient_errors",
                      "plainformer::ways", "plainformer::plain_ways",
                      "plainformer::WaysInScope::", "std::ios_base::Init::", "std::cout", "std::cerr"});
  std::map<std::string, std::set<std::string>> names_by_rule;
  for (const auto& [name, symbol] : own) {
    // What the library's file calls may be called, but for what the exercise forbids: the file leaves for the fast way.
    if (reference.contains(name) && !is_forbidden(symbol, exercise)) continue;
    // A forbidden inline function is defined here, a C function is not.
    if (symbol.is_c() && !symbol.is_undefined()) continue;
    const Misuse misuse = misuse_of(symbol, exercise, unguarded);
    if (!misuse.rule.empty()) names_by_rule[misuse.rule].insert(misuse.name);
  }
  Problems problems;
  for (const auto& [rule, names] : names_by_rule) {
    std::string list;
    std::size_t count = 0;
    for (const std::string& name : names)
      if (++count <= kMostNames) list += (list.empty() ? "" : ", ") + name;
    problems.push_back("it uses " + list + (count > kMostNames ? ", ..." : "") + ": " + rule);
  }
  return problems;
}

// --- the functions that run before main ---

bool is_sanitizers(const std::string& section) {
  return section == ".init_array.00099" || section == ".init_array.1" || section == ".init_array.0";
}

Problems problems_of_initializers(const Symbols& own, const fs::path& object, const fs::path& reference) {
  const auto is_of_sanitizer = [](const auto& entry) {
    const std::string& name = entry.first;
    return name.ends_with("san.module_ctor") || name.starts_with("_sub_I_00099_");
  };
  const auto is_resolver = [](const auto& entry) { return entry.second.is_resolver; };
  const bool has_sanitizer = std::any_of(own.begin(), own.end(), is_of_sanitizer);
  bool runs = std::any_of(own.begin(), own.end(), is_resolver);
  std::map<std::string, long> allowed = initializer_sections(reference);
  for (const auto& [section, bytes] : initializer_sections(object)) {
    if (has_sanitizer && is_sanitizers(section)) allowed[section] += static_cast<long>(sizeof(void*));
    runs |= bytes > allowed[section];
  }
  if (!runs) return {};
  return {
      "it runs code before main: a global variable has a constructor, or a value that is computed. Make it "
      "constexpr, or move it into a function"};
}

}  // namespace

std::vector<std::string> inspect(const Toolchain& tools, const Exercise& exercise, const fs::path& source,
                                 const fs::path& object, const fs::path& reference) {
  Problems problems;
  const auto add = [&](const Problems& more) { problems.insert(problems.end(), more.begin(), more.end()); };
  const Symbols own = symbols_of(object);
  const bool writes_functions = exercise.kind == Kind::kFunctions;
  const auto wanted = writes_functions ? global_symbols_of(reference) : std::make_shared<const Symbols>();

  const Definitions definitions = check_definitions(Owners(tools, exercise), own, *wanted);
  if (definitions.wanted > 0 && definitions.found == 0)
    return {"it defines none of the functions of this exercise: is this the right file?"};
  add(definitions.problems);
  if (writes_functions) add(problems_of_initializers(own, object, reference));
  add(problems_of_included_files(tools, exercise, source, object));
  add(problems_of_calls(exercise, own, *wanted));
  return problems;
}

}  // namespace plainformer::course
