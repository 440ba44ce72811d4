// plainformer attention: where each head looks.
#include <algorithm>
#include <iostream>
#include <optional>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/terminal.h"
#include "show/attention/attention_pages.h"
#include "show/commands.h"
#include "train/settings.h"

namespace plainformer {

namespace {

// Writes a page of HTML, and says on standard error how large it is, unless it went to standard output.
void write_page(const std::string& path, const std::string& html) {
  write_output(path, html);
  if (path == "-") return;
  std::cerr << path << ": one page of " << (html.size() + 999) / 1000
            << " kB. Open it in a browser; it needs no network.\n";
}

// A page takes 3 to 6 bytes for each weight.
constexpr Index kMostWeights = 4'000'000;

struct AttentionSettings {
  std::string model;
  std::optional<std::string> source, target;
  std::string html;               // a file; "-" is standard output
  std::string kind, layer, head;  // "all", a name, numbers; empty: the default of what is written
  std::string frames;             // a folder with frames.jsonl, which a page plays
  ComputeSettings compute;
};

CommandLine bind(AttentionSettings& s) {
  CommandLine line(
      "plainformer attention --model DIR --source TEXT [--target TEXT] [--html FILE]\n"
      "       plainformer attention --frames DIR --html FILE",
      "Shows where each head of the model looks: on the terminal or as a page.");
  line.option("--model", "DIR", &s.model, "the model folder");
  line.option("--source", "TEXT", &s.source, "the sentence");
  line.option("--target", "TEXT", &s.target, "its translation; without it, the model's own greedy one");
  line.section("Output");
  line.option("--html", "FILE", &s.html, "write one self-contained page; '-' is standard output");
  line.section("Selection (default: all; on the terminal the last encoder-decoder layer)");
  line.option("--kind", "NAME", &s.kind, "encoder-self, decoder-self, encoder-decoder or all");
  line.option("--layer", "N", &s.layer,
              "one, several (0,1) or all; counted from 0, as in the names of the weights");
  line.option("--head", "N", &s.head, "one, several or all, counted from 0");
  line.section("Learning");
  line.option("--frames", "DIR", &s.frames,
              "play what 'train --frames N' has kept in this folder: where the decoder looks, step by step");
  line.section("Computation");
  add_float_options(line, &s.compute);
  return line;
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

// Throws UsageError for options that are missing, wrong, or do not fit each other.
void check(const AttentionSettings& s) {
  if (!s.frames.empty()) {
    if (s.html.empty()) throw UsageError("--frames needs --html FILE, the page that plays them");
    if (!s.model.empty() || s.source || s.target || !s.kind.empty() || !s.layer.empty() || !s.head.empty())
      throw UsageError("--frames takes --html alone: the frames have their sentence, layer and heads");
    return;
  }
  if (s.model.empty())
    throw UsageError("--model is required; 'plainformer train --preset toy --out DIR' makes a model");
  if (!s.source) throw UsageError(s.target ? "--target needs --source" : "--source is required");
  if (!s.kind.empty())
    index_of_name("--kind", s.kind, {kAttentionKinds[0], kAttentionKinds[1], kAttentionKinds[2], "all"});
  parse_numbers("--layer", s.layer);
  parse_numbers("--head", s.head);
}

void require_known(const std::string& option, const std::vector<Index>& wanted, Index count) {
  for (const Index number : wanted) require_between(option, number, 0, count - 1);
}

// The attention that --kind, --layer and --head choose. Without them it is all, or the last layer of the
// encoder-decoder attention. input_error for a layer or a head that the model does not have.
std::vector<AttentionOfKind> chosen_attention(std::vector<AttentionOfKind> kinds, const AttentionSettings& s,
                                              bool one_layer) {
  const std::string kind = s.kind.empty() && one_layer ? "encoder-decoder" : s.kind;
  std::erase_if(kinds, [&](const auto& each) { return !kind.empty() && kind != "all" && kind != each.name; });
  for (AttentionOfKind& attention : kinds) {
    const std::vector<Index> layers = parse_numbers("--layer", s.layer);
    const std::vector<Index> heads = parse_numbers("--head", s.head);
    require_known("--layer of " + attention.name, layers, std::ssize(attention.layers));
    require_known("--head of " + attention.name, heads, std::ssize(attention.heads));
    if (s.layer.empty() && one_layer) attention.layers = {attention.layers.back()};
    if (!layers.empty()) attention.layers = layers;
    if (!heads.empty()) attention.heads = heads;
  }
  return kinds;
}

void check_size(const std::vector<AttentionOfKind>& kinds) {
  const Index count = weights_to_show(kinds);
  if (count <= kMostWeights) return;
  throw input_error(
      "--html",
      "would hold " + std::to_string(count) + " weights; the limit is " + std::to_string(kMostWeights),
      "choose a part with --kind, --layer and --head, or a shorter sentence");
}

void show_attention(const AttentionSettings& s, LoadedModel& model) {
  const auto warn = warnings_of("attention");
  const bool is_own = !s.target;
  const Sentence source = read_sentence(model, *s.source, "--source", warn);
  const Sentence target = is_own ? translations_of(model, {source}).front()
                                 : read_sentence(model, *s.target, "--target", warn, Side::kTarget);
  const auto chosen = chosen_attention(attention_of_pair(*model.transformer, source, target), s,
                                       /*one_layer=*/s.html.empty());
  if (!s.html.empty()) {
    check_size(chosen);
    write_page(s.html, attention_page(chosen, {source.text(), target.text(), is_own}));
    return;
  }
  std::cout << "source  " << printable(source.text()) << "\n"
            << "target  " << printable(target.text()) << (is_own ? "   (by the model)" : "") << "\n\n"
            << attention_text(chosen, {.width = terminal_width(1)});
  std::cerr << "(--kind, --layer and --head choose others; --html FILE draws all of them)\n";
}

}  // namespace

int attention_command(const Arguments& arguments) {
  AttentionSettings settings;
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  check(settings);
  settings.compute.use();
  if (!settings.frames.empty()) {
    const ModelFolder folder(settings.frames);
    require_no_input(settings.html, {folder.frames()});
    write_page(settings.html, film_page(read_frames(folder.frames())));
    return finish_output();
  }
  require_no_input(settings.html, ModelFolder(settings.model).model_files());
  LoadedModel model = load_model(ModelFolder(settings.model));
  show_attention(settings, model);
  return finish_output();
}

}  // namespace plainformer
