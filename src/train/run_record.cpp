#include "train/run_record.h"

#include <filesystem>
#include <iostream>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "io/checksum.h"
#include "io/json.h"
#include "kernels/kernels.h"
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

std::runtime_error damaged(const ModelFolder& folder) {
  return input_error(folder.run(), "is not the record of a run",
                     "it was altered; train a new model without --resume");
}

// A text in the record, at this path of names: {"kernels"}, {"data", "train"}.
std::string recorded(const ModelFolder& folder, const std::vector<std::string>& path) {
  const JsonValue record = read_record(folder);
  const JsonValue* value = &record;
  for (const std::string& name : path) {
    value = value->find(name);
    if (!value) throw damaged(folder);
  }
  if (!value->string()) throw damaged(folder);
  return *value->string();
}

void warn_of_other(const ModelFolder& folder, const std::string& what, const std::string& before,
                   const std::string& now, const std::string& remedy) {
  if (before == now) return;
  std::cerr << folder.run() << ": this run began with the " << what << " " << before << " and continues with "
            << now << ", which round differently (hint: for the same bits, " << remedy << before << ")\n";
}

}  // namespace

void write_run_record(const ModelFolder& folder, const Settings& settings, const Corpora& corpora) {
  const JsonObject record = {
      {"version", PLAINFORMER_VERSION},
      {"arguments", to_arguments(settings)},
      {"kernels", settings.resume ? recorded(folder, {"kernels"}) : kernels().name},
      {"plain", settings.resume ? recorded(folder, {"plain"}) : plain_names(ways)},
      {"threads", threads()},
      {"data", JsonObject{{"train", checksum_of(corpora.train)}, {"valid", checksum_of(corpora.valid)}}}};
  write_file_atomically(folder.run(), to_json(record) + "\n");
}

Settings read_run_settings(const ModelFolder& folder) {
  const JsonValue record = read_record(folder);
  const JsonValue* recorded = record.find("arguments");
  if (!recorded || !recorded->array()) throw damaged(folder);
  Arguments arguments;
  for (const JsonValue& value : *recorded->array()) {
    if (!value.string()) throw damaged(folder);
    arguments.push_back(*value.string());
  }
  try {
    return parse_settings(arguments);
  } catch (const UsageError& error) {
    throw input_error(folder.run(), error.what(),
                      "another version began this run: resume it with that one, or train a new model");
  }
}

void warn_of_other_bits(const ModelFolder& folder) {
  warn_of_other(folder, "kernels", recorded(folder, {"kernels"}), kernels().name, "set PLAINFORMER_KERNELS=");
  warn_of_other(folder, "plain operations", recorded(folder, {"plain"}), plain_names(ways), "give --plain=");
}

void check_same_data(const ModelFolder& folder, const Corpora& corpora) {
  for (const auto& [name, corpus] :
       {std::pair("train", &corpora.train), std::pair("valid", &corpora.valid)}) {
    if (recorded(folder, {"data", name}) == checksum_of(*corpus)) continue;
    throw input_error(folder.run(),
                      "the " + std::string(name) + " text is not the one that this run began with",
                      "resume with the same files, --columns, --hold-out, --toy-pairs and --seed, or train a "
                      "new model with --overwrite");
  }
}

}  // namespace plainformer
