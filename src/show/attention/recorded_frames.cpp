#include "show/attention/attention_pages.h"

#include <limits>

#include "core/input_error.h"
#include "data/text.h"
#include "io/json.h"

namespace plainformer {

namespace {

constexpr std::uintmax_t kMaxFramesBytes = 1 << 30;
constexpr Index kMostTokens = 1000, kMostHeads = 1000;
constexpr const char* kFramesHint = "this must be the frames.jsonl of 'plainformer train --frames N'";

// The members of a line, each checked. Errors name the place.
class FramesLine {
 public:
  FramesLine(const std::string& line, std::string where)
      : where_(std::move(where)), json_(parse_json(line, where_)) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw input_error(where_, problem, kFramesHint);
  }

  const JsonValue& member(const char* name) const {
    const JsonValue* value = json_.find(name);
    if (!value) fail(std::string("has no \"") + name + "\"");
    return *value;
  }
  Index size(const char* name) const {
    const auto number = member(name).size();
    if (!number) fail(std::string("\"") + name + "\" is not a number from 0");
    return *number;
  }
  double number(const char* name) const {
    const JsonValue& value = member(name);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.number()) fail(std::string("\"") + name + "\" is not a number");
    return *value.number();
  }
  std::string text(const char* name) const {
    if (!member(name).string()) fail(std::string("\"") + name + "\" is not text");
    return *member(name).string();
  }
  std::vector<std::string> tokens(const char* name) const {
    std::vector<std::string> tokens;
    for (const JsonValue& token : array_of(member(name), name)) {
      if (!token.string()) fail(std::string("\"") + name + "\" has a token that is not text");
      tokens.push_back(*token.string());
    }
    if (tokens.empty() || std::ssize(tokens) > kMostTokens)
      fail(std::string("\"") + name + "\" has no token, or too many");
    return tokens;
  }
  const JsonArray& array_of(const JsonValue& value, const std::string& name) const {
    if (!value.array()) fail("\"" + name + "\" is not an array");
    return *value.array();
  }

 private:
  const std::string where_;
  const JsonValue json_;
};

std::vector<int> weights_in(const FramesLine& line, const RecordedFrames& of) {
  const auto rows = of.target.size(), columns = of.source.size();
  const JsonArray& heads = line.array_of(line.member("attention"), "attention");
  if (std::ssize(heads) != of.heads)
    line.fail("\"attention\" has another number of heads than the first line");
  std::vector<int> weights;
  for (const JsonValue& head : heads) {
    const JsonArray& of_head = line.array_of(head, "attention");
    if (of_head.size() != rows) line.fail("\"attention\" has not one row for each target token");
    for (const JsonValue& row : of_head) {
      const JsonArray& of_row = line.array_of(row, "attention");
      if (of_row.size() != columns) line.fail("\"attention\" has not one weight for each source token");
      for (const JsonValue& weight : of_row) {
        if (!weight.size() || *weight.size() > 1000) line.fail("a weight is not a number of 0 to 1000");
        weights.push_back(static_cast<int>(*weight.size()));
      }
    }
  }
  return weights;
}

}  // namespace

RecordedFrames read_frames(const std::string& path) {
  std::ifstream file = open_text_file(path, kMaxFramesBytes);
  LineReader reader(file, path);
  RecordedFrames recorded;
  for (std::string line; reader.next(line) && !file.eof();) {
    const FramesLine read(line, reader.where());
    if (recorded.heads == 0) {
      recorded.source_text = read.text("source_text");
      recorded.target_text = read.text("target_text");
      recorded.source = read.tokens("source");
      recorded.target = read.tokens("target");
      recorded.layer = read.size("layer");
      recorded.heads = read.size("heads");
      if (recorded.heads < 1 || recorded.heads > kMostHeads) read.fail("\"heads\" is out of range");
      continue;
    }
    const Index step = read.size("step");
    if (!recorded.frames.empty() && step <= recorded.frames.back().step)
      read.fail("its step does not follow");
    recorded.frames.push_back({.step = step,
                               .loss = read.number("loss"),
                               .sentence_loss = read.number("sentence_loss"),
                               .translation = read.text("translation"),
                               .attention = weights_in(read, recorded)});
  }
  if (recorded.frames.empty()) throw input_error(path, "holds no frame yet", kFramesHint);
  return recorded;
}

}  // namespace plainformer
