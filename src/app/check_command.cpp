// plainformer check: what is seldom meant in a text, before a model learns from it.
#include <algorithm>
#include <iostream>

#include "app/commands.h"
#include "data/odd_pairs.h"
#include "io/atomic_file.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "train/corpora.h"

namespace plainformer {

int check_command(const Arguments& arguments) {
  Settings settings;
  settings.hold_out = 0;
  CommandLine line(
      "plainformer check --pairs FILE\n       plainformer check --source FILE --target FILE",
      "Looks through a text for pairs that are seldom meant, as 'plainformer train' does when it begins. "
      "Names up to fifty lines of each kind that one pair in a thousand has, and shows the first. The exit "
      "status is 0 for a sound text, and 1 if something is found. Pairs with an empty side are named, too, "
      "but are no finding.");
  add_text_options(line, settings);
  if (!line.read(arguments)) return finish_output();
  settings.valid_text.columns = settings.text.columns;
  if (settings.text.empty()) throw UsageError("a text is required: --pairs, or --source and --target");
  check_text(settings);

  Corpora text = load_corpora(settings);
  const Index pairs = std::ssize(text.train.pairs());
  report_empty_pairs(std::cout, "text", text.train);
  report_empty_pairs(std::cout, "validation text", text.valid);
  Index found = report_findings(std::cout, "text", findings_in(text.train), /*in_full=*/true);
  if (settings.valid_text.empty())
    text.valid = text.train.hold_out(usual_held_out_pairs(pairs));  // as train does
  else
    found += report_findings(std::cout, "validation text", findings_in(text.valid), true);
  found +=
      report_findings(std::cout, "validation text", findings_in_validation(text.valid, text.train), true);
  std::cout << count_of(pairs, "pair") << ", " << (found == 0 ? "nothing odd" : count_of(found, "finding"))
            << "\n";
  return std::max(finish_output(), found == 0 ? 0 : 1);
}

}  // namespace plainformer
