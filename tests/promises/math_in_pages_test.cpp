// The pages' math is shown right by code hosts: in fences, ```math, and between $` and `$ within a line. Between
// dollars alone, hosts run Markdown first. Then \\ (a new row) is left only at the end of a line, \, \| \{ lose their
// backslash, _ can become emphasis, and a line break ends the formula.
#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "promises/marked_block.h"

namespace plainformer {
namespace {

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t i = text.find(part); i != text.npos; i = text.find(part, i + part.size())) ++count;
  return count;
}

// Why a host would not set this formula, or "".
std::string fault_of(const std::string& math) {
  for (const char* macro : {"\\operatorname", "\\newcommand", "\\def", "\\require"})
    if (count_of(macro, math) > 0) return std::string(macro) + " is refused by hosts";
  if (math.find_first_not_of(" \n") == math.npos) return "nothing in it";
  if (count_of("$", math) > 0) return "a dollar in it";
  if (count_of("\\begin{", math) != count_of("\\end{", math)) return "\\begin without \\end";
  const std::size_t arrows = count_of("\\leftarrow", math), right_arrows = count_of("\\rightarrow", math);
  if (count_of("\\left", math) - arrows != count_of("\\right", math) - right_arrows)
    return "\\left without \\right";
  int depth = 0;
  for (std::size_t i = 0; i < math.size() && depth >= 0; ++i) {
    if (math[i] == '\\')
      ++i;
    else
      depth += math[i] == '{' ? 1 : math[i] == '}' ? -1 : 0;
  }
  return depth != 0 ? "braces do not match" : "";
}

// The faults of the formulas in a paragraph, a row of a table, or another piece of text without an empty line.
class InlineMath {
 public:
  static Lines faults(const std::string& text) {
    InlineMath math(text);
    while (math.at_ < text.size()) math.step();
    return math.faults_;
  }

 private:
  explicit InlineMath(const std::string& text) : text_(text) {}

  void step() {
    if (text_[at_] == '`') {
      const std::string ticks(text_.find_first_not_of('`', at_) - at_, '`');
      const std::size_t end = text_.find(ticks, at_ + ticks.size());
      at_ = (end == text_.npos ? at_ : end) + ticks.size();
    } else if (text_[at_] != '$') {
      ++at_;
    } else if (text_.compare(at_, 2, "$`") == 0) {
      const std::size_t end = text_.find("`$", at_ + 2);
      if (end != text_.npos) return formula(end);
      add("no `$ ends it");
      at_ = text_.size();
    } else {
      add("a dollar; write $`...`$, or a fence ```math");
      ++at_;
    }
  }

  void formula(std::size_t end) {
    const std::string math = text_.substr(at_ + 2, end - at_ - 2);
    if (const std::string fault = fault_of(math); !fault.empty()) add(fault);
    if (math.find('\n') != math.npos) add("a line break in it");
    const std::size_t line = text_.rfind('\n', at_) + 1;  // 0 in the first one
    const bool is_table = text_.compare(text_.find_first_not_of(' ', line), 1, "|") == 0;
    if (is_table && math.find('|') != math.npos)
      add("a bar in a table ends the cell; write \\lvert, \\mid or \\Vert");
    const bool touches =
        (at_ > 0 && is_word(text_[at_ - 1])) || (end + 2 < text_.size() && is_word(text_[end + 2]));
    if (touches) add("it touches a word");
    at_ = end + 2;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '$'; }
  void add(const std::string& fault) { faults_.push_back(text_.substr(at_, 50) + ": " + fault); }

  const std::string& text_;
  std::size_t at_ = 0;
  Lines faults_;
};

Lines faults_of_math(const Lines& page) {
  Lines faults;
  std::string text;
  const auto finish = [&] {
    for (const std::string& fault : InlineMath::faults(text)) faults.push_back(fault);
    text.clear();
  };
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (!is_fence(page[i])) {
      if (page[i].find_first_not_of(' ') == std::string::npos)
        finish();
      else
        text += page[i] + '\n';
      continue;
    }
    finish();
    const bool is_math = page[i].ends_with("```math");
    std::string content;
    while (++i < page.size() && !is_fence(page[i])) content += page[i] + '\n';
    if (const std::string fault = is_math ? fault_of(content) : ""; !fault.empty())
      faults.push_back(content.substr(0, 50) + ": " + fault);
  }
  finish();
  return faults;
}

TEST(Pages, MathIsShownRightByCodeHosts) {
  for (const std::string& page : all_pages()) {
    for (const std::string& fault : faults_of_math(lines_of(kRoot / page)))
      ADD_FAILURE() << page << ": " << fault;
  }
}

TEST(PageRules, MathThatHostsWouldBreak) {
  const auto count = [](const Lines& page) { return faults_of_math(page).size(); };
  EXPECT_EQ(
      count({"With $`\\{x_i\\} \\| y`$, $`k`$-th, `$HOME` and ``a ` $ b``", "", "```sh", "$ ls", "```"}), 0u);
  EXPECT_EQ(count({"```math", "\\begin{cases} 0 \\\\ 1 \\end{cases}", "", "x", "```"}), 0u);
  EXPECT_EQ(count({"| $`\\lvert x \\rvert`$ | `a|b` |", "- `a code span", "  of $two lines`"}), 0u);

  EXPECT_EQ(count({"With $x$"}), 2u) << "one for each dollar";
  EXPECT_EQ(count({"$$x$$"}), 4u);
  EXPECT_EQ(count({"With $`x", "+ y`$"}), 1u) << "a line break";
  EXPECT_EQ(count({"With $`x", "", "y`$"}), 2u);
  EXPECT_EQ(count({"text", "| $`|x| = 1`$ |"}), 1u) << "bars in a table";
  EXPECT_EQ(count({"text $`|x| = 1`$"}), 0u);
  EXPECT_EQ(count({"keys$`^T`$"}), 1u);
  EXPECT_EQ(count({"$`d`$s"}), 1u);
  EXPECT_EQ(count({"$`x`$$`y`$"}), 2u);
  for (const char* math :
       {"{x", "x}", "\\{x}", "\\operatorname{lse}", "\\left(x)", "\\begin{matrix} x", " "}) {
    EXPECT_EQ(count({"a $`" + std::string(math) + "`$"}), 1u) << math;
    EXPECT_EQ(count({"```math", math, "```"}), 1u) << math;
  }
  EXPECT_EQ(count({"```math", "$x$", "```"}), 1u);
  EXPECT_EQ(count({"$`x \\leftarrow y`$"}), 0u);
}

}  // namespace
}  // namespace plainformer
