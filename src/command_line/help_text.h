// The layout of --help: lines of a limited width, broken between words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// The columns of a line of help on standard output: 100, or those of its terminal if that is narrower.
int help_width();

// "a  b\nc" as {"a", "b", "c"}: what white space separates.
std::vector<std::string> words_of(std::string_view text);

// The parts of a usage that a line should not break: an option with its placeholder, and what stands in brackets,
// as {"plainformer train", "--out DIR", "[--beam N]", "< in"}.
std::vector<std::string> parts_of_usage(std::string_view usage);

// The words in lines of at most `width` columns. The first line goes on at `column`, behind text that stands there
// already; further lines begin with `indent` spaces. A word that is too long gets a line of its own.
std::string wrapped(const std::vector<std::string>& words, int column, int indent, int width);

// A row of a table, "  NAME  text\n": the text begins behind `name_width` columns for the name, and is wrapped there.
// It keeps at least 24 columns, so a row may be longer than a very narrow terminal.
std::string help_row(const std::string& name, std::string_view text, int name_width, int width);

}  // namespace plainformer
