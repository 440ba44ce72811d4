// The output that the pages show is what the commands print.
//
//   <!-- output: plainformer layers --only path -->       all of it
//   <!-- output: plainformer trace; "source" to "loss" -->  a part (promises/selector.h), or several
//   <!-- slow output: plainformer experiment gradient -->   of a command that takes more than a second
//   <!-- file: gold.trees -->                               a file that the page's commands may read
//
// The command may be the first line of the fence. PLAINFORMER_UPDATE_PAGES=1 in the environment writes the pages again.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "promises/marked_block.h"
#include "promises/page_command.h"
#include "promises/selector.h"

namespace plainformer {
namespace {

Lines lines_of_text(const std::string& text) {
  std::istringstream stream(text);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The first line from `begin` on that starts with these words.
std::size_t line_that_starts(const Lines& lines, const std::string& words, std::size_t begin) {
  while (begin < lines.size() && !lines[begin].starts_with(words)) ++begin;
  if (begin == lines.size()) throw std::runtime_error("no line starts with \"" + words + "\"");
  return begin;
}

Lines part_of_output(const Lines& output, const Selector& selector) {
  const std::size_t begin = line_that_starts(output, selector.at, 0);
  std::size_t end = begin;
  if (!selector.to.empty())
    end = line_that_starts(output, selector.to, begin) + 1;
  else if (!selector.until.empty())
    end = line_that_starts(output, selector.until, begin + 1);
  else
    while (end < output.size() && !output[end].empty()) ++end;
  Lines part(output.begin() + begin, output.begin() + end);
  if (selector.without.empty()) return part;
  const std::size_t column = part[0].find(selector.without);
  if (column == std::string::npos) throw std::runtime_error("no column \"" + selector.without + "\"");
  for (std::string& line : part)
    if (line.size() > column) line.erase(column, selector.without.size());
  return part;
}

Lines parts_of_output(const Lines& output, const std::string& selectors) {
  Lines parts;
  if (selectors.empty()) {
    parts = output;
    while (!parts.empty() && parts.back().empty()) parts.pop_back();
    return parts;
  }
  for (const Selector& selector : SelectorReader::read(selectors)) {
    if (!parts.empty()) parts.push_back("");
    for (const std::string& line : part_of_output(output, selector)) parts.push_back(line);
  }
  return parts;
}

// The lines above the output in which a fence shows the command; "\" continues one.
Lines shown_command(const Lines& content) {
  std::size_t count = content.empty() || !content[0].starts_with("plainformer ") ? 0 : 1;
  while (count > 0 && count < content.size() && content[count - 1].ends_with("\\")) ++count;
  return {content.begin(), content.begin() + count};
}

std::string in_one_line(const Lines& command) {
  std::string line;
  for (const std::string& part : command) {
    std::string text = part.substr(std::min(part.find_first_not_of(' '), part.size()));
    if (text.ends_with("\\")) text.pop_back();
    line += text;
  }
  return line;
}

using OutputOf = std::function<std::string(const std::string& command)>;

Lines output_for(const std::string& what, const Lines& content, const OutputOf& output_of) {
  const std::size_t semicolon = std::min(what.find("; "), what.size());
  const std::string command = what.substr(0, semicolon);
  const std::string selectors = semicolon < what.size() ? what.substr(semicolon + 2) : "";
  Lines wanted = shown_command(content);
  if (!wanted.empty() && in_one_line(wanted) != command) wanted = {command};
  for (const std::string& line : parts_of_output(lines_of_text(output_of(command)), selectors))
    wanted.push_back(line);
  return wanted;
}

// A reader runs the commands in the root of the checkout, where this model is.
constexpr const char* kPageModel = "docs/page-model";

// Runs the commands of a page, in a folder with its files and that model.
void expect_printed(const std::string& path, const std::string& kind) {
  const Lines page = lines_of(kRoot / path);
  const TemporaryFolder folder;
  for (const MarkedBlock& file : marked_blocks(page, "file")) {
    std::string text;
    for (const std::string& line : content_of(page, file)) text += line + '\n';
    folder.write(file.what, text);
  }
  fs::create_directory(fs::path(folder.path_of("docs")));
  fs::copy(kRoot / kPageModel, fs::path(folder.path_of(kPageModel)));
  std::map<std::string, std::string> outputs;
  const OutputOf output_of = [&](const std::string& command) {
    if (!outputs.contains(command)) outputs[command] = PageCommands(folder).output_of(command);
    return outputs[command];
  };
  expect_from_source(path, kind, [&](const std::string& what, const Lines& content) {
    return output_for(what, content, output_of);
  });
}

TEST(InPages, OutputIsWhatTheCommandsPrint) {
  for (const std::string& page : all_pages()) expect_printed(page, "output");
}

TEST(SlowInPages, OutputIsWhatTheCommandsPrint) {
  for (const std::string& page : all_pages()) expect_printed(page, "slow output");
}

// --- what a block is compared with

std::string three_paragraphs(const std::string& command) {
  return command == "plainformer x" ? "title\n\nname   a  bb\nfirst  1   2\nlast   3   4\n\nfirst\nend\n"
                                    : "other\n";
}

Lines wanted_for(const std::string& what, const Lines& content = {}) {
  return output_for(what, content, three_paragraphs);
}

TEST(PageOutput, IsSelected) {
  EXPECT_EQ(wanted_for("plainformer x").size(), 8u);
  EXPECT_EQ(wanted_for("plainformer x; \"name\""), (Lines{"name   a  bb", "first  1   2", "last   3   4"}));
  EXPECT_EQ(wanted_for("plainformer x; \"first\""), (Lines{"first  1   2", "last   3   4"}));
  EXPECT_EQ(wanted_for("plainformer x; \"first\" to \"first\""), Lines{"first  1   2"});
  EXPECT_EQ(wanted_for("plainformer x; \"last\" until \"end\""), (Lines{"last   3   4", "", "first"}));
  EXPECT_EQ(wanted_for("plainformer x; \"title\", \"end\""), (Lines{"title", "", "end"}));
  EXPECT_EQ(wanted_for("plainformer x; \"name\" without \"  a\""),
            (Lines{"name   bb", "first   2", "last    4"}));
  for (const char* what : {"plainformer x; \"none\"", "plainformer x; \"end\" to \"name\"",
                           "plainformer x; \"name\" without \"c\"", "plainformer x; \"name"})
    EXPECT_THROW(wanted_for(what), std::runtime_error) << what;
}

TEST(PageOutput, MayStandBelowItsCommand) {
  EXPECT_EQ(wanted_for("plainformer y", {"old"}), Lines{"other"});
  EXPECT_EQ(wanted_for("plainformer y", {"plainformer y", "old"}), (Lines{"plainformer y", "other"}));
  EXPECT_EQ(wanted_for("plainformer y", {"plainformer z", "old"}), (Lines{"plainformer y", "other"}));
  EXPECT_EQ(wanted_for("plainformer y --a b", {"plainformer y \\", "      --a b", "old"}),
            (Lines{"plainformer y \\", "      --a b", "other"}));
}

TEST(PageCommands, RunInAFolderOneAfterTheOther) {
  EXPECT_EQ(words_of_command("a \"b c\" 'd' \"\" e>f"), (Lines{"a", "b c", "d", "", "e>f"}));
  const TemporaryFolder folder;
  folder.write("text", "(S (NP a))\n");
  PageCommands commands(folder);
  EXPECT_EQ(commands.output_of("plainformer treebank sentences < text"), "a\n");
  EXPECT_EQ(
      commands.output_of("plainformer treebank sentences < text > out && plainformer f1 --help").substr(0, 6),
      "Prints");
  EXPECT_EQ(folder.read("out"), "a\n");
  EXPECT_TRUE(
      contains(commands.output_of("plainformer treebank sentences < text | plainformer bleu --reference out"),
               "BLEU"));
  EXPECT_THROW(commands.output_of("rm text"), std::runtime_error);
  EXPECT_THROW(commands.output_of("plainformer none"), std::runtime_error);
}

}  // namespace
}  // namespace plainformer
