// plainformer bpe learn and bpe apply: byte pair encoding (5.1; Sennrich, Haddow, Birch 2016) by itself, in
// subword-nmt's format.
#include <iostream>

#include "app/commands.h"
#include "app/source_lines.h"
#include "core/input_error.h"
#include "data/byte_pair_encoding.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "report/command_line.h"
#include "train/corpora.h"

namespace plainformer {

int bpe_learn_command(const Arguments& arguments) {
  Index merges = 10000;
  std::string out;
  CommandLine line("plainformer bpe learn FILE... --out CODES [--merges N]",
                   "Learns byte pair encoding from one or more text files together.");
  line.required("--out", "CODES", &out, "the file to write; '-' is standard output");
  line.option("--merges", "N", &merges, "number of merges to learn");
  Arguments files;
  if (!line.read(arguments, &files)) return finish_output();
  if (files.empty()) throw UsageError("name at least one text file");
  require_between("--merges", merges, 0, BytePairEncoding::kMaxMerges);

  require_no_input(out, files);
  require_writable(out);
  WordCounts counts;
  for (const std::string& file : files)
    for (const std::string& text : read_lines(file, /*may_be_pipe=*/true)) count_words(text, counts);
  write_output(out, learn_byte_pairs(counts, merges).to_text());
  return finish_output();
}

int bpe_apply_command(const Arguments& arguments) {
  std::string codes;
  CommandLine line("plainformer bpe apply --codes CODES < in > out",
                   "Cuts the words of standard input into pieces, as subword-nmt does.");
  line.required("--codes", "CODES", &codes, "the file that 'bpe learn' wrote");
  if (!line.read(arguments)) return finish_output();
  BytePairEncoding encoding = BytePairEncoding::load(codes);
  InputSanitizer sanitize(warnings_of("bpe apply"));
  for (std::string text; std::getline(std::cin, text);)
    std::cout << encoding.apply_to_text(sanitize(text)) << "\n";
  check_input();
  return finish_output();
}

}  // namespace plainformer
