// The options of `plainformer attention`.
#pragma once

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "show/attention/attended_pair.h"

namespace plainformer {

struct AttentionSettings {
  std::string model;
  std::vector<std::string> source, target;  // at most one of each; a given line may be empty
  std::string html, svg, json;              // files; "-" is standard output
  std::string kind, layer, head;            // "all", a name, numbers; empty: the default of what is written
  std::string word;                         // --svg draws only this word's lines
  std::string style = "lines", decoder_rows = "output";
  std::string frames;  // a folder with frames.jsonl, which a page plays
  std::string find, source_file, target_file;
  Index threads = 0;
  std::string plain;

  bool writes_files() const { return !html.empty() || !svg.empty() || !json.empty(); }
  DecoderRows rows() const { return decoder_rows == "input" ? DecoderRows::kInput : DecoderRows::kOutput; }

  // Throws UsageError for options that are missing, wrong, or do not fit each other.
  void check() const;
};

CommandLine bind(AttentionSettings& settings);

// The defaults of --kind, --layer and --head.
enum class DefaultSelection {
  kLastLayer,  // the last layer of the encoder-decoder attention: for the terminal and for one picture
  kAll
};

// The attention that --kind, --layer and --head choose, each of the three either given or a default.
// std::runtime_error, which names the option, for a layer or a head that the model does not have.
std::vector<AttentionOfKind> select(const std::vector<AttentionOfKind>& all,
                                    const AttentionSettings& settings, DefaultSelection otherwise);

}  // namespace plainformer
