// Chapters 1 and 2: a recorded run of `plainformer experiment translators`.
#include <algorithm>

#include "lab/experiments/translator_charts.h"
#include "lab/plot/plots.h"
#include "lab/plot/recorded_json.h"

namespace plainformer {

namespace translators_picture {

// The record of docs/measurements, found from docs/pictures.
class TranslatorRecord {
 public:
  explicit TranslatorRecord(const std::string& folder)
      : file_(folder + "/../measurements/translators/translators.json") {}

  std::vector<LearningPoint> learning() const {
    std::vector<LearningPoint> points;
    for (const JsonValue& row : rows(0)) {
      const std::string model = file_.text(file_.member(row, "model"), "model");
      std::size_t kind = 0;
      while (kind < kTranslatorKinds.size() && model != name_of(kTranslatorKinds[kind])) ++kind;
      file_.require(kind < kTranslatorKinds.size(), "names the model \"" + model + "\"");
      points.push_back({.kind = kind,
                        .steps = number(row, "steps"),
                        .exact = {.mean = number(row, "exact"),
                                  .lowest = number(row, "exact_lowest"),
                                  .highest = number(row, "exact_highest")},
                        .bleu = number(row, "bleu"),
                        .seconds = number(row, "seconds")});
    }
    return points;
  }

  template <typename Ranges>
  std::vector<RangePoint> shares(std::size_t table, const Ranges& ranges) const {
    const JsonArray& all = rows(table);
    file_.require(all.size() == ranges.size(), "has another number of rows in a table");
    std::vector<RangePoint> points;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      std::size_t kind = 0;
      for (const char* key : {"transformer_right", "recurrent_right", "chain_right"})
        points.push_back({kind++, ranges[i], 100 * number(all[i], key)});
    }
    return points;
  }

 private:
  const JsonArray& rows(std::size_t table) const {
    const JsonArray& tables = file_.array(file_.member(file_.root(), "tables"), "tables");
    file_.require(table < tables.size(), "lacks a table");
    return file_.array(file_.member(tables[table], "rows"), "rows");
  }

  double number(const JsonValue& row, const char* key) const {
    return file_.number(file_.member(row, key), key);
  }

  RecordedJson file_;
};

}  // namespace translators_picture

std::string draw_translators(const std::string& folder) {
  using namespace translators_picture;
  return to_svg(learning_charts(TranslatorRecord(folder).learning()));
}

std::string draw_verb_distance(const std::string& folder) {
  using namespace translators_picture;
  const TranslatorRecord record(folder);
  return to_svg(distance_charts(record.shares(1, kWordRanges), record.shares(2, kPlaceRanges)));
}

}  // namespace plainformer
