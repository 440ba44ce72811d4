#include "command_line/command_support.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/split.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "kernels/kernels.h"
#include "ops/precision.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer {

void use_threads(Index count) {
  if (count < 0 || count > 1024) {
    throw input_error("--threads", std::to_string(count) + " is out of range",
                      "choose 1 to 1024, or 0 for the default");
  }
  if (count > 0) set_threads(static_cast<int>(count));
}

void add_threads_option(CommandLine& line, Index* count) {
  line.option("--threads", "N", count,
              "number of threads; 0: PLAINFORMER_THREADS, or else all processors that the process may use");
}

void add_plain_option(CommandLine& line, std::string* plain) {
  line.optional_value(
      "--plain", "NAMES", plain, "all",
      "compute the plain way, the one to read; or only the operations named, as attention,linear");
}

void use_ways(const std::string& plain) {
  if (!plain.empty()) ways = plain_ways(plain, "--plain");
}

void add_precision_option(CommandLine& line, std::string* precision) {
  line.option(
      "--precision", "NAME", precision,
      "of matrix products: float, or bf16, whose factors are rounded to bfloat16 and added up in float");
}

void check_precision(const std::string& name) {
  if (find_precision(name, "--precision") == Precision::kFloat || ways.linear == Way::kFast) return;
  throw input_error("--precision", "the plain way of linear computes in float only",
                    "leave linear to the fast way: give --plain=none, or other operations");
}

void add_compute_options(CommandLine& line, ComputeSettings* settings) {
  add_threads_option(line, &settings->threads);
  add_plain_option(line, &settings->plain);
  add_precision_option(line, &settings->precision);
}

void ComputeSettings::use() const {
  use_threads(threads);
  use_ways(plain);
  use_precision(precision);
}

void use_precision(const std::string& name) {
  check_precision(name);
  product_precision = find_precision(name, "--precision");
}

std::vector<std::string> chosen_names(const std::string& option, const std::string& names,
                                      const std::vector<std::string>& known) {
  std::vector<std::string> chosen;
  for (const std::string& name : split_at(',', names)) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(option + " takes names from " + join(", ", known) + ", separated by commas; not \"" +
                       name + "\"");
    chosen.push_back(name);
  }
  return chosen;
}

std::vector<Index> ascending_numbers(const std::string& option, const std::string& text, Index largest) {
  std::vector<Index> values;
  for (const std::string& part : split_at(',', text)) {
    const std::optional<Index> value = parse_number<Index>(part);
    if (!value || *value < 1 || *value > largest || (!values.empty() && *value <= values.back()))
      throw UsageError(option + " takes ascending whole numbers from 1 to " + std::to_string(largest) +
                       ", separated by commas; not \"" + text + "\"");
    values.push_back(*value);
  }
  return values;
}

void check_input() {
  if (!std::cin.bad() && std::ferror(stdin) == 0) return;
  throw input_error("standard input", "cannot be read to its end", "is it a folder?");
}

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const AtomicFile not_committed(path);  // nothing stays of it
}

void require_no_input(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  for (const std::string& input : inputs) {
    for (const std::string& written : {path, temporary_path_of(path)}) {
      std::error_code error;  // set if one of them does not exist; then they are not the same
      if (!std::filesystem::equivalent(to_path(written), to_path(input), error)) continue;
      throw input_error(path, "would replace " + input + ", which is read", "write to another file");
    }
  }
}

void write_output(const std::string& path, const std::string& text) {
  if (path == "-")
    std::cout << text;
  else
    write_file_atomically(path, text);
}

namespace {

// "file:///home/a%20page.html": an address that a browser opens.
std::string file_address(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const std::string absolute = to_text(std::filesystem::absolute(to_path(path)).lexically_normal());
  std::string address = absolute.starts_with('/') ? "file://" : "file:///";
  for (const char c : absolute) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const auto byte = static_cast<unsigned char>(c);
    if (is_letter || std::string("/.-_~:").find(c) != std::string::npos)
      address += c;
    else
      address += std::string("%") + kDigits[byte / 16] + kDigits[byte % 16];
  }
  return address;
}

}  // namespace

void write_page(const std::string& path, const std::string& html) {
  write_output(path, html);
  if (path == "-") return;
  std::cerr << path << ": one page of " << (html.size() + 999) / 1000
            << " kB, which needs no network. Open it in a browser: " << file_address(path) << "\n";
}

int finish_output() {
  std::cout.flush();
  if (!std::cout)
    throw input_error("standard output", "not everything could be written", "is the disk full?");
  return 0;
}

std::function<void(const std::string&)> warnings_of(const std::string& command) {
  return [command](const std::string& text) {
    std::cerr << "plainformer " << command << ": " << printable(text) << "\n";
  };
}

}  // namespace plainformer
