#include "lab/table_3/variation_record.h"

#include <filesystem>
#include <map>
#include <optional>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "platform/platform.h"
#include "runs/corpora.h"
#include "runs/run_record.h"

namespace plainformer {

namespace {

constexpr Index kMaxVariationBytes = 1 << 20;

std::string file_in(const std::string& folder) {
  return folder + "/variations.json";
}

Arguments common_options(TrainSettings settings) {
  for (std::string* name : {&settings.out, &settings.treebank, &settings.valid_treebank}) name->clear();
  settings.text = settings.valid_text = {};
  settings.threads = 0;
  settings.seed = TrainSettings().seed;
  return to_arguments(settings);
}

// "--steps" -> "500", "--plain" -> "attention", "--recompute" -> "on".
std::map<std::string, std::string> by_option(const Arguments& arguments) {
  std::map<std::string, std::string> values;
  std::string option;
  for (const std::string& argument : arguments) {
    if (argument.rfind("--", 0) != 0) {
      values[option] = argument;
      continue;
    }
    const std::size_t name_end = argument.find('=');
    option = argument.substr(0, name_end);
    values[option] = name_end == std::string::npos ? "on" : argument.substr(name_end + 1);
  }
  return values;
}

// The options of a record, and the present defaults of those that it does not know; nullopt if it is damaged.
std::optional<Arguments> options_of(const JsonValue& record) {
  const JsonValue* options = record.find("options");
  if (!options || !options->array()) return std::nullopt;
  Arguments arguments;
  for (const JsonValue& argument : *options->array()) {
    if (!argument.string()) return std::nullopt;
    arguments.push_back(*argument.string());
  }
  try {
    return common_options(parse_train_settings(arguments));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

// "other options: --d-ff 24, not 25", or nothing.
std::string difference_of_options(const Arguments& then, const Arguments& now) {
  auto before = by_option(then), present = by_option(now);
  for (const auto& [option, value] : before) present.try_emplace(option, "off");
  for (const auto& [option, value] : present) {
    const std::string old = before.try_emplace(option, "off").first->second;
    if (old != value) return "other options: " + option + " " + old + ", not " + value;
  }
  return "";
}

// "another train text", or nothing.
std::string difference_of_text(const JsonValue& then, const JsonValue& now) {
  const JsonValue *before = then.find("data"), *present = now.find("data");
  if (!present) return before ? "files, not with the built-in grammar" : "";
  for (const char* name : {"train", "valid"}) {
    const JsonValue *old = before ? before->find(name) : nullptr, *other = present->find(name);
    if (!old || !old->string() || *old->string() != *other->string())
      return std::string("another ") + name + " text";
  }
  return "";
}

}  // namespace

std::string variation_record(const TrainSettings& base) {
  JsonArray options;
  for (const std::string& argument : common_options(base)) options.push_back(argument);
  JsonObject record = {{"options", options}};
  if (!base.uses_toy_grammar()) record.emplace_back("data", data_checksums(load_corpora(base)));
  return to_json(record) + "\n";
}

void check_variation_record(const std::string& folder, const std::string& record, const std::string& option) {
  const std::string path = file_in(folder);
  if (!std::filesystem::exists(to_path(path)))
    throw input_error(folder, "holds no results of variations",
                      "give a folder that 'plainformer variations --out' wrote");
  const JsonValue then = parse_json(read_file(path, kMaxVariationBytes), path),
                  now = parse_json(record, "now");
  const std::optional<Arguments> options = options_of(then);
  if (!options) throw input_error(path, "is not a record of variations", "choose another " + option);
  std::string difference = difference_of_options(*options, *options_of(now));
  if (difference.empty()) difference = difference_of_text(then, now);
  if (difference.empty()) return;
  throw input_error(path, "was made with " + difference,
                    "give the same options and files as before, or choose another " + option);
}

void keep_variation_record(const std::string& folder, const std::string& record) {
  const std::string path = file_in(folder);
  if (std::filesystem::exists(to_path(path)))
    check_variation_record(folder, record, "--out");
  else
    write_file_atomically(path, record);
}

}  // namespace plainformer
