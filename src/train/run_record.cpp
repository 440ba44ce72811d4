#include "train/run_record.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "core/utf8.h"
#include "io/atomic_file.h"
#include "io/checksum.h"
#include "io/json.h"
#include "kernels/kernels.h"
#include "model_folder/metadata.h"
#include "ops/ways.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr Index kMaxRecordBytes = 1 << 20;

std::string checksum_of(const ParallelCorpus& corpus) {
  Checksum checksum;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    checksum.add(pair.source);
    checksum.add("\n");
    checksum.add(pair.target);
    checksum.add("\n");
  }
  return checksum.hex();
}

JsonValue read_record(const ModelFolder& folder) {
  if (!std::filesystem::exists(to_path(folder.run()))) {
    throw input_error(folder.run(), "no such file", "there is nothing to resume; train without --resume");
  }
  return parse_json(read_file(folder.run(), kMaxRecordBytes), folder.run());
}

// JSON is UTF-8, but a path may be any bytes.
JsonValue to_json_value(const std::string& argument) {
  if (is_valid_utf8(argument)) return argument;
  JsonArray bytes;
  for (char c : argument) bytes.push_back(int{static_cast<unsigned char>(c)});
  return bytes;
}

// The inverse of to_json_value; nullopt for any other value.
std::optional<std::string> to_argument(const JsonValue& value) {
  if (value.string()) return *value.string();
  if (!value.array()) return std::nullopt;
  std::string argument;
  for (const JsonValue& byte : *value.array()) {
    if (byte.size().value_or(256) > 255) return std::nullopt;
    argument += static_cast<char>(*byte.size());
  }
  return argument;
}

std::runtime_error damaged(const ModelFolder& folder) {
  return input_error(folder.run(), "is not the record of a run",
                     "it was altered; train again without --resume");
}

// The options of an older version that trained in a way that is gone. Without that way, each is 0.
constexpr const char* kRemovedOptions[] = {"--attention-dropout", "--head-dropout", "--attention-penalty",
                                           "--bpe-dropout",       "--word-dropout", "--layer-drop"};

void remove_removed_options(const ModelFolder& folder, Arguments& arguments) {
  for (const char* option : kRemovedOptions) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    if (found == arguments.end()) continue;
    if (found + 1 == arguments.end()) throw damaged(folder);
    if (found[1] != "0")
      throw input_error(folder.run(),
                        std::string("this run trains with ") + option + " " + found[1] + ", which is gone",
                        "train again without it");
    arguments.erase(found, found + 2);
  }
}

// The kernels with which the run in the folder began.
std::string recorded_kernels(const ModelFolder& folder) {
  const JsonValue record = read_record(folder);
  const JsonValue* name = record.find("kernels");
  if (!name || !name->string()) throw damaged(folder);
  return *name->string();
}

// The plain operations with which it began. The record of an older version, which had no choice, names none.
std::string recorded_ways(const ModelFolder& folder) {
  const JsonValue record = read_record(folder);
  const JsonValue* names = record.find("plain");
  if (!names) return "none";
  if (!names->string()) throw damaged(folder);
  return *names->string();
}

// The model from which the run in the folder went on, as it was then.
JsonValue recorded_start(const ModelFolder& folder) {
  const JsonValue record = read_record(folder);
  const JsonValue* start = record.find("from");
  if (!start) throw damaged(folder);
  return *start;
}

}  // namespace

JsonObject data_checksums(const Corpora& corpora) {
  return {{"train", checksum_of(corpora.train)}, {"valid", checksum_of(corpora.valid)}};
}

void write_run_record(const ModelFolder& folder, const TrainSettings& settings, const Corpora& corpora,
                      const std::string& start_checksum) {
  JsonArray arguments;
  for (const std::string& argument : to_arguments(settings)) arguments.push_back(to_json_value(argument));
  JsonObject model;
  for (const auto& [key, value] : metadata_of(settings.model)) {
    if (key != "vocab") model.emplace_back(key, value);
  }
  JsonObject record = {{"version", PLAINFORMER_VERSION},
                       {"arguments", arguments},
                       {"preset", settings.preset},
                       {"seed", settings.seed},
                       {"kernels", settings.resume ? recorded_kernels(folder) : kernels().name},
                       {"plain", settings.resume ? recorded_ways(folder) : plain_names(ways)},
                       {"threads", threads()},
                       {"model", model},
                       {"data", data_checksums(corpora)}};
  if (!settings.from.empty()) {
    const std::string path = to_text(std::filesystem::absolute(to_path(settings.from)));
    const JsonObject start = {{"model", to_json_value(path)}, {"checksum", start_checksum}};
    record.emplace_back("from", settings.resume ? recorded_start(folder) : JsonValue(start));
  }
  write_file_atomically(folder.run(), to_json(record) + "\n");
}

bool holds_run_record(const ModelFolder& folder) {
  if (!std::filesystem::exists(to_path(folder.run()))) return false;
  try {
    read_run_arguments(folder);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

Arguments read_run_arguments(const ModelFolder& folder) {
  const JsonValue record = read_record(folder);
  const JsonValue* recorded = record.find("arguments");
  if (!recorded || !recorded->array()) throw damaged(folder);
  Arguments arguments;
  for (const JsonValue& value : *recorded->array()) {
    const std::optional<std::string> argument = to_argument(value);
    if (!argument) throw damaged(folder);
    arguments.push_back(*argument);
  }
  remove_removed_options(folder, arguments);
  // The record of an older version, which held no pairs out, does not say so.
  if (std::find(arguments.begin(), arguments.end(), "--hold-out") == arguments.end())
    arguments.insert(arguments.begin(), {"--hold-out", "0"});
  // The record of an older version, which cut no words, does not say so either.
  if (std::find(arguments.begin(), arguments.end(), "--words") == arguments.end())
    arguments.insert(arguments.begin(), {"--words", "spaces"});
  // Nor does that of an older version, which cut no unknown pieces.
  if (std::find(arguments.begin(), arguments.end(), "--unknown-pieces") == arguments.end())
    arguments.insert(arguments.begin(), {"--unknown-pieces", "unk"});
  return arguments;
}

void warn_of_other_kernels(const ModelFolder& folder) {
  const std::string before = recorded_kernels(folder);
  if (before == kernels().name) return;
  std::cerr << folder.run() << ": this run began with the kernels " << before << " and continues with "
            << kernels().name
            << ", which round differently (hint: for the same bits, set PLAINFORMER_KERNELS=" << before
            << ")\n";
}

void warn_of_other_ways(const ModelFolder& folder) {
  const std::string before = recorded_ways(folder), now = plain_names(ways);
  if (before == now) return;
  std::cerr << folder.run() << ": this run began with the plain operations " << before
            << " and continues with " << now
            << ", which round differently (hint: for the same bits, give --plain=" << before << ")\n";
}

void check_same_data(const ModelFolder& folder, const Corpora& corpora) {
  const JsonValue record = read_record(folder);
  const JsonValue* data = record.find("data");
  if (!data) throw damaged(folder);
  for (const auto& [name, checksum] : data_checksums(corpora)) {
    const JsonValue* before = data->find(name);
    if (!before || !before->string()) throw damaged(folder);
    if (*before->string() == *checksum.string()) continue;
    throw input_error(folder.run(), "the " + name + " text is not the one that this run began with",
                      "resume with the same files, or train anew with --overwrite");
  }
}

}  // namespace plainformer
