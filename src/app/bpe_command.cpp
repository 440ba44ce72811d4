// plainformer bpe: byte pair encoding by itself, in subword-nmt's format.
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "data/byte_pair_encoding.h"
#include "data/text.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

int learn(const Arguments& arguments) {
  Index merges = 10000;
  std::string out;
  CommandLine line("plainformer bpe learn FILE... --out CODES [--merges N]",
                   "Learns byte pair encoding from one or more text files together, as subword-nmt does.");
  line.option("--out", "CODES", &out, "the file to write; '-' is standard output");
  line.option("--merges", "N", &merges, "number of merges to learn");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  const Arguments files = line.parse(arguments);
  require_option("--out", out);
  if (files.empty()) throw UsageError("name at least one text file");
  if (merges < 0 || merges > BytePairEncoding::kMaxMerges) {
    throw UsageError("--merges takes 0 to " + std::to_string(BytePairEncoding::kMaxMerges) + ", not " +
                     std::to_string(merges));
  }

  require_writable(out);
  WordCounts counts;
  for (const std::string& file : files) {
    for (const std::string& text : read_lines(file)) count_words(text, counts);
  }
  ProgressBar bar(std::cerr, understands_escapes(2), merges, {.unit = "merge", .color = color_allowed(2)});
  const auto codes = BytePairEncoding::learn(counts, merges, [&](Index done, Index) { bar.update(done); });
  bar.finish();
  write_output(out, codes.to_text());
  return 0;
}

int apply(const Arguments& arguments) {
  std::string codes;
  CommandLine line("plainformer bpe apply --codes CODES < in > out",
                   "Cuts the words of standard input into pieces, as subword-nmt does.");
  line.option("--codes", "CODES", &codes, "the file that 'bpe learn' wrote");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--codes", codes);
  BytePairEncoding encoding = BytePairEncoding::load(codes);
  bool is_first = true;
  for (std::string text; std::getline(std::cin, text); is_first = false)
    std::cout << encoding.apply_to_text(sanitize_line(text, is_first)) << "\n";
  check_input();
  return finish_output();
}

}  // namespace

int bpe_command(const Arguments& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  const Arguments rest(arguments.empty() ? arguments.begin() : arguments.begin() + 1, arguments.end());
  if (verb == "learn") return learn(rest);
  if (verb == "apply") return apply(rest);
  if (verb == "--help" || verb == "-h") {
    std::cout << "Byte pair encoding (5.1; Sennrich, Haddow, Birch 2016), in subword-nmt's format.\n\n"
                 "Usage: plainformer bpe learn FILE... --out CODES [--merges N]\n"
                 "       plainformer bpe apply --codes CODES < in > out\n";
    return finish_output();
  }
  throw UsageError(verb.empty() ? "choose 'learn' or 'apply'"
                                : "'" + verb + "' is neither 'learn' nor 'apply'");
}

}  // namespace plainformer
