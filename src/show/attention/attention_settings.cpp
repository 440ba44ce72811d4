#include "show/attention/attention_settings.h"

#include <algorithm>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "core/split.h"
#include "show/attention/attention_links.h"

namespace plainformer {

namespace {

bool is_kind(const std::string& name) {
  return std::any_of(std::begin(kAttentionKinds), std::end(kAttentionKinds),
                     [&](AttentionKind kind) { return option_name(kind) == name; });
}

// "0,2" -> 0 and 2; nothing for "all" and for an empty text.
std::vector<Index> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<Index> numbers;
  if (text == "all" || text.empty()) return numbers;
  for (const std::string& part : split_at(',', text)) {
    const auto number = parse_number<Index>(part);
    if (!number || *number < 0)
      throw UsageError(option + " takes numbers from 0, such as 0,2, or 'all', not \"" + text + "\"");
    if (std::find(numbers.begin(), numbers.end(), *number) == numbers.end()) numbers.push_back(*number);
  }
  return numbers;
}

void require_known(const std::string& option, const std::vector<Index>& wanted, Index count) {
  for (const Index number : wanted) {
    if (number < count) continue;
    throw input_error(
        option, std::to_string(number) + " is out of range",
        "the model has 0 to " + std::to_string(count - 1) + ", counted as in the names of its weights");
  }
}

// The file has its own sentence and weights.
void check_frames_options(const AttentionSettings& s) {
  if (s.html.empty()) throw UsageError("--frames needs --html FILE, the page that plays them");
  if (!s.model.empty() || !s.source.empty() || !s.target.empty() || !s.find.empty() || !s.svg.empty() ||
      !s.json.empty() || !s.kind.empty() || !s.layer.empty() || !s.head.empty())
    throw UsageError("--frames takes --html alone: the frames have their sentence, layer and heads");
}

void check_text_options(const AttentionSettings& s) {
  if (s.source.size() > 1 || s.target.size() > 1)
    throw UsageError("--source and --target are one sentence each");
  if (!s.target.empty() && s.source.empty()) throw UsageError("--target needs --source");
  if (!s.target_file.empty() && s.source_file.empty()) throw UsageError("--target-file needs --source-file");
  if (!s.source_file.empty() && s.find.empty()) throw UsageError("--source-file needs --find");
  if (!s.source_file.empty() && !s.source.empty())
    throw UsageError("--source and --source-file exclude each other");
  if (s.source.empty() && s.find.empty()) throw UsageError("--source is required (or --find \"WORD->WORD\")");
}

}  // namespace

void AttentionSettings::check() const {
  if (!frames.empty()) return check_frames_options(*this);
  if (model.empty())
    throw UsageError("--model is required; 'plainformer train --preset toy --out DIR' makes a model");
  check_text_options(*this);
  if (!find.empty() && writes_files())
    throw UsageError("--find prints tables only: leave out --html, --svg and --json");
  if ((html == "-") + (svg == "-") + (json == "-") > 1)
    throw UsageError("only one of --html, --svg and --json can be standard output");
  if (!kind.empty() && kind != "all" && !is_kind(kind))
    throw UsageError("--kind takes encoder-self, decoder-self, encoder-decoder or all, not \"" + kind + "\"");
  if (style != "lines" && style != "map")
    throw UsageError("--style takes lines or map, not \"" + style + "\"");
  if (style == "map" && svg.empty()) throw UsageError("--style applies to --svg");
  if (decoder_rows != "output" && decoder_rows != "input")
    throw UsageError("--decoder-rows takes output or input, not \"" + decoder_rows + "\"");
  if (!word.empty() && (svg.empty() || style != "lines"))
    throw UsageError("--word needs --svg and the style lines");
  if (!svg.empty() && (kind == "all" || layer == "all" || parse_numbers("--layer", layer).size() > 1))
    throw UsageError("--svg draws one layer of one kind; --html draws them all");
  parse_numbers("--layer", layer);
  parse_numbers("--head", head);
  if (!find.empty()) WordLink::parse(find);
}

CommandLine bind(AttentionSettings& s) {
  CommandLine line(
      "plainformer attention --model DIR --source TEXT [--target TEXT] [--html FILE] [--svg FILE]\n"
      "       plainformer attention --model DIR --find \"WORD->WORD\"\n"
      "       plainformer attention --frames DIR --html FILE",
      "Shows where each head of the model looks: on the terminal, as a page, as a picture or as numbers; or\n"
      "counts over many sentences which head links two words.");
  line.option("--model", "DIR", &s.model, "the model folder");
  line.option("--source", "TEXT", &s.source, "the sentence");
  line.option("--target", "TEXT", &s.target, "its translation; without it, the model's own greedy one");
  line.section("Output");
  line.option("--html", "FILE", &s.html, "write one self-contained page; '-' is standard output");
  line.option("--svg", "FILE", &s.svg, "draw the heads of one layer as one picture");
  line.option("--style", "NAME", &s.style,
              "the style of that picture: lines, as in the paper's figures 3 to 5, or map");
  line.option("--word", "TEXT", &s.word, "draw only the lines of this word, as in figure 3");
  line.option("--json", "FILE", &s.json, "write the numbers, in the form that BertViz reads");
  line.section("Selection (default: all; on the terminal and for --svg the last encoder-decoder layer)");
  line.option("--kind", "NAME", &s.kind, "encoder-self, decoder-self, encoder-decoder or all");
  line.option("--layer", "N", &s.layer,
              "one, several (0,1) or all; counted from 0, as in the names of the weights");
  line.option("--head", "N", &s.head, "likewise");
  line.option("--decoder-rows", "NAME", &s.decoder_rows,
              "name a decoder row after its output, the token that it writes, or after its input");
  line.section("Counting");
  line.option("--find", "A->B", &s.find,
              "count for each head: in how many rows of the word A is the largest weight on the word B?");
  line.option("--source-file", "FILE", &s.source_file,
              "count in these sentences; without it, in --source or the toy's held-out pairs");
  line.option("--target-file", "FILE", &s.target_file,
              "their translations; without it, the model's own greedy ones");
  line.section("Learning");
  line.option("--frames", "DIR", &s.frames,
              "play what 'train --frames N' has kept in this folder: where the decoder looks, step by step");
  line.section("Computation");
  add_threads_option(line, &s.threads);
  add_plain_option(line, &s.plain);
  return line;
}

std::vector<AttentionOfKind> select(const std::vector<AttentionOfKind>& all,
                                    const AttentionSettings& settings, DefaultSelection otherwise) {
  const bool one = otherwise == DefaultSelection::kLastLayer;
  const std::string kind =
      settings.kind.empty() && one ? option_name(AttentionKind::kEncoderDecoder) : settings.kind;
  std::vector<AttentionOfKind> selected;
  for (const AttentionOfKind& attention : all) {
    if (!kind.empty() && kind != "all" && kind != option_name(attention.kind)) continue;
    std::vector<Index> layers = parse_numbers("--layer", settings.layer);
    const std::vector<Index> heads = parse_numbers("--head", settings.head);
    require_known("--layer", layers, std::ssize(attention.layers));
    require_known("--head", heads, std::ssize(attention.heads));
    if (settings.layer.empty() && one) layers = {attention.layers.back()};
    selected.push_back(select(attention, layers, heads));
  }
  return selected;
}

}  // namespace plainformer
