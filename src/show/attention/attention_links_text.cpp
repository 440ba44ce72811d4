#include "show/attention/attention_links_text.h"

#include "report/number_format.h"
#include "report/table.h"

namespace plainformer {

namespace {

std::string percent(double share) {
  return format_fixed(100 * share, 0) + " %";
}

// "the word 2 places before", in the other sentence or in the same.
std::string place_at(Index distance) {
  if (distance == 0) return "the word at the same place";
  return "the word " + count_of(std::abs(distance), "place") + (distance < 0 ? " before" : " after");
}

std::string table_of(const LinksOfKind& links, bool with_bars) {
  using ColumnKind = TableColumn::Kind;
  Table table = {.columns = {{"layer", "layer", ColumnKind::kNumber},
                             {"head", "head", ColumnKind::kNumber},
                             {"weight", "mean weight", ColumnKind::kNumber, 3},
                             {"largest", "largest", ColumnKind::kNumber},
                             {"share", "of cases", ColumnKind::kShare}},
                 .rows = {}};
  const auto cases = static_cast<double>(links.cases);
  for (const LinksOfHead& head : links.heads) {
    const auto largest = static_cast<double>(head.largest);
    table.rows.push_back({static_cast<double>(head.layer), static_cast<double>(head.head),
                          head.weight_sum / cases, largest, largest / cases});
  }
  return render_table(table, with_bars);
}

// Says whether the best head is better than the distance, which counts only above half of the cases.
std::string outcome_of(const LinksOfKind& links) {
  const LinksOfHead& best = links.heads.front();
  const auto [distance, at_distance] = links.commonest_distance();
  const std::string name = "layer " + std::to_string(best.layer) + ", head " + std::to_string(best.head);
  if (best.largest <= at_distance) return "No head in this table links the words more often than that.";
  if (2 * best.largest <= links.cases)
    return "No head in this table links the words in more than half of the cases; the best is " + name + ".";
  return "The best is " + name + ": " +
         percent(static_cast<double>(best.largest) / static_cast<double>(links.cases)) + " of the cases.";
}

std::string text_of(const LinksOfKind& links, bool with_bars) {
  const auto cases = static_cast<double>(links.cases);
  const auto [distance, at_distance] = links.commonest_distance();
  std::string text = title_of(links.kind) + ": " + count_of(links.cases, "case") + " in " +
                     count_of(links.pairs, "pair") + "\n";
  if (links.hidden > 0)
    text += "(and " + count_of(links.hidden, "case") +
            " in which the second word comes later and cannot be seen)\n";
  text += table_of(links, with_bars);
  text += "Equal weights: " + format_fixed(links.equal_weights / cases, 3) +
          " on the word; a word at random: " + percent(links.words_share / cases) + " of the cases.\n";
  text += "A head that always looks at " + place_at(distance) + ": " + std::to_string(at_distance) + " of " +
          count_of(links.cases, "case") + " (" + percent(static_cast<double>(at_distance) / cases) + ").\n";
  return text + outcome_of(links) + "\n";
}

}  // namespace

std::string links_text(const std::vector<LinksOfKind>& kinds, bool with_bars) {
  std::string text;
  for (const LinksOfKind& links : kinds) {
    if (links.cases > 0) text += (text.empty() ? "" : "\n") + text_of(links, with_bars);
  }
  return text;
}

}  // namespace plainformer
