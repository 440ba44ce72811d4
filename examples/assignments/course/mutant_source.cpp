#include "mutant_source.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "code_tokens.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

const std::string kMark = "//mutant ";

std::string mark(std::size_t number) {
  return "\n" + kMark + std::to_string(number) + "\n";
}

// What a mutation replaces in the body of the reference.
struct Change {
  std::size_t begin, end;
  std::string text;
};

Change change_of(const std::string& before, const std::string& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t begin = 0, behind = 0;
  while (begin < shorter && before[begin] == after[begin]) ++begin;
  while (behind < shorter - begin && before[before.size() - 1 - behind] == after[after.size() - 1 - behind])
    ++behind;
  return {begin, before.size() - behind, after.substr(begin, after.size() - behind - begin)};
}

// A part of the body that has variants: a statement, or the initializer of a variable of this type.
struct Region {
  std::size_t begin, end;
  std::string type = {};  // empty: a statement
  std::vector<std::pair<std::size_t, std::string>> variants = {};
  std::size_t number = 0;

  std::size_t length() const { return end - begin; }
  bool holds(const Change& change) const { return begin <= change.begin && change.end <= end; }
};

class MutatedFunction {
 public:
  MutatedFunction(const std::string& name, const FunctionText& function)
      : body_(function.body), code_(function.signature, function.body) {
    returned_ = function.signature.substr(0, function.signature.find(name + "("));
    if (returned_.find_first_not_of(' ') == std::string::npos) returned_ = "void";  // a constructor
    find_regions();
  }

  void add(const NumberedMutation& mutation) {
    const Change change = change_of(body_, mutation.mutation->body);
    Region* best = nullptr;
    for (Region& region : regions_)
      if (region.holds(change) && (!best || region.length() < best->length())) best = &region;
    if (!best) {
      whole_.push_back(mutation);
      return;
    }
    best->variants.emplace_back(mutation.number, body_.substr(best->begin, change.begin - best->begin) +
                                                     change.text +
                                                     body_.substr(change.end, best->end - change.end));
  }

  // Numbers the regions from `first` on, and says to which one each mutation belongs. Returns the next number.
  std::size_t number_regions(std::size_t first, std::map<std::size_t, std::size_t>& of_mutation) {
    std::erase_if(regions_, [](const Region& region) { return region.variants.empty(); });
    std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
      return std::tuple(a.begin, b.end) < std::tuple(b.begin, a.end);
    });
    for (Region& region : regions_) {
      region.number = first++;
      for (const auto& [number, text] : region.variants) of_mutation[number] = region.number;
    }
    return first;
  }

  std::string body() const {
    std::string text;
    const bool is_void = returned_.find("void") != std::string::npos;
    for (const auto& [number, mutation] : whole_)
      text += "  if (chosen_mutant == " + std::to_string(number) + ") {" + (is_void ? "" : "return ") +
              "[&]() -> " + returned_ + "{" + mark(number) + mutation->body + mark(0) + "}();" +
              (is_void ? "return;" : "") + "}\n";
    return text + rendered(0, body_.size(), nullptr);
  }

 private:
  void find_regions() {
    const auto& tokens = code_.tokens();
    for (const Statement& statement : code_.statements()) {
      if (statement.first >= statement.last || is(statement.first, "}")) continue;
      if (statement.kind == StatementKind::kDeclaration) {
        find_initializers(statement);
        continue;
      }
      const bool has_else = statement.kind == StatementKind::kIf && is(statement.last, "else");
      if (has_else) continue;
      regions_.push_back({tokens[statement.first].begin, tokens[statement.last - 1].end});
    }
  }

  void find_initializers(const Statement& statement) {
    static const std::set<std::string> kTypes = {"Index", "Real",   "double",
                                                 "int",   "Tensor", "WritableTensor"};
    const auto& tokens = code_.tokens();
    std::size_t at = statement.first;
    if (is(at, "const")) ++at;
    const std::string type = tokens[at].text;
    if (!kTypes.contains(type)) return;
    while (++at < statement.last && code_.is_name(at) && is(at + 1, "=")) {
      const std::size_t first = at + 2;
      for (at = first; at < statement.last && !is(at, ",") && !is(at, ";");)
        at = is(at, "(") || is(at, "{") || is(at, "[") || (is(at, "<") && !code_.is_binary(at))
                 ? code_.partner(at) + 1
                 : at + 1;
      if (at >= statement.last || at == first || is(first, "{")) return;
      regions_.push_back({tokens[first].begin, tokens[at - 1].end, type});
    }
  }

  // The body from `begin` to `end` with the regions within it, but `outer` itself.
  std::string rendered(std::size_t begin, std::size_t end, const Region* outer) const {
    std::string text;
    for (const Region& region : regions_) {
      if (&region == outer || region.begin < begin || region.end > end) continue;
      text += body_.substr(begin, region.begin - begin) + with_variants(region);
      begin = region.end;
    }
    return text + body_.substr(begin, end - begin);
  }

  // The reference's part comes first: it says what a lambda around it returns.
  std::string with_variants(const Region& region) const {
    const bool is_statement = region.type.empty();
    const std::string before = is_statement ? "" : "return ", behind = is_statement ? "" : ";";
    std::string text = is_statement ? "{" : "[&]() -> " + region.type + " {";
    text += " if (chosen_region != " + std::to_string(region.number) + ") {" + before +
            rendered(region.begin, region.end, &region) + behind + mark(0) + "}\n";
    for (const auto& [number, variant] : region.variants)
      text += "else if (chosen_mutant == " + std::to_string(number) + ") {" + mark(number) + before +
              variant + behind + mark(0) + "}\n";
    return text + (is_statement ? "}" : "std::abort(); }()");
  }

  bool is(std::size_t token, const char* text) const { return code_.is(token, text); }

  std::string body_, returned_;
  Code code_;
  std::vector<Region> regions_;
  std::vector<NumberedMutation> whole_;
};

// Clang captures the names of a structured binding only from version 16 on, and references to them in any:
// "auto [a, b] = E;" -> "auto [a_bound, b_bound] = E; auto& a = a_bound; auto& b = b_bound;"
std::string with_captured_names(const std::string& source) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t open = source.find('['); open != std::string::npos; open = source.find('[', open + 1)) {
    const std::string_view before = std::string_view(source).substr(0, open);
    const std::size_t close = source.find(']', open), end = source.find(';', open);
    if (!before.ends_with("auto ") && !before.ends_with("auto& ")) continue;
    if (end == std::string::npos || close > end || source.compare(close, 4, "] = ") != 0) continue;
    std::string names, references;
    for (std::size_t begin = open + 1; begin < close;) {
      const std::size_t behind = std::min(source.find(", ", begin), close);
      const std::string name = source.substr(begin, behind - begin);
      names += (names.empty() ? "" : ", ") + name + "_bound";
      references += " auto& " + name + " = " + name + "_bound;";
      begin = behind + 2;
    }
    result +=
        source.substr(done, open + 1 - done) + names + source.substr(close, end + 1 - close) + references;
    done = end + 1;
  }
  return result + source.substr(done);
}

// The choice of a mutation, and the region of each.
std::string choice(const std::map<std::size_t, std::size_t>& regions) {
  std::string cases;
  for (const auto& [number, region] : regions)
    cases += "case " + std::to_string(number) + ": return " + std::to_string(region) + ";\n";
  return "#include <cstdlib>\n"
         "static const int chosen_mutant = std::getenv(\"PLAINFORMER_MUTANT\") ? "
         "std::atoi(std::getenv(\"PLAINFORMER_MUTANT\")) : 0;\n"
         "static int region_of_mutant(int mutant) {\nswitch (mutant) {\n" +
         cases +
         "default: return 0;\n}\n}\nstatic const int chosen_region = region_of_mutant(chosen_mutant);\n";
}

}  // namespace

std::string source_with_mutants(const std::string& reference,
                                const std::vector<NumberedMutation>& mutations) {
  std::map<std::string, MutatedFunction> functions;
  for (const NumberedMutation& mutation : mutations) {
    const std::string& name = mutation.mutation->function;
    const auto found = functions.find(name);
    if (found != functions.end())
      found->second.add(mutation);
    else
      functions.emplace(name, MutatedFunction(name, function_text(reference, name)))
          .first->second.add(mutation);
  }
  std::string source = reference;
  std::map<std::size_t, std::size_t> regions;
  std::size_t next = 1;
  for (auto& [name, function] : functions) {
    next = function.number_regions(next, regions);
    source = with_body(source, name, function.body());
  }
  return choice(regions) + with_captured_names(source);
}

std::map<std::size_t, std::size_t> lines_of_mutants(const std::string& source) {
  std::map<std::size_t, std::size_t> first_lines;
  std::size_t line = 0;
  for (const std::string& text : lines_of(source))
    if (++line; text.starts_with(kMark)) first_lines[line] = std::stoul(text.substr(kMark.size()));
  return first_lines;
}

}  // namespace plainformer::course
