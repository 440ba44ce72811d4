#include "app/inspect_nearest.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"
#include "core/special_symbols.h"
#include "report/table.h"

namespace plainformer {

namespace {

double dot(const Tensor& embedding, int a, int b) {
  double sum = 0;
  for (Index j = 0; j < embedding.dim(1); ++j) sum += double{embedding(a, j)} * double{embedding(b, j)};
  return sum;
}

}  // namespace

std::vector<NearToken> nearest_tokens(const Tensor& embedding, int id, Index count) {
  CHECK(id >= 0 && id < embedding.dim(0), "id=", id);
  std::vector<NearToken> tokens;
  for (int other = kSpecialSymbols; other < embedding.dim(0); ++other) {
    const double lengths = std::sqrt(dot(embedding, id, id) * dot(embedding, other, other));
    if (other != id) tokens.push_back({other, lengths > 0 ? dot(embedding, id, other) / lengths : 0});
  }
  std::stable_sort(tokens.begin(), tokens.end(),
                   [](const NearToken& a, const NearToken& b) { return a.cosine > b.cosine; });
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(count)));
  return tokens;
}

std::string nearest_text(const LoadedModel& model, const std::vector<std::string>& words, Index count) {
  using Kind = TableColumn::Kind;
  Table table = {.columns = {{"word", "word"}}, .rows = {}};
  for (Index rank = 1; rank <= count; ++rank) {
    const std::string number = std::to_string(rank);
    table.columns.push_back({"token_" + number, number});
    table.columns.push_back({"cosine_" + number, "cosine", Kind::kNumber, 2});
  }
  for (const std::string& word : words) {
    const int id = model.vocabulary.id(word);
    if (id == kUnknownId)
      throw input_error("--nearest", "\"" + word + "\" is no token of the model",
                        "vocabulary.txt in its folder lists them");
    std::vector<TableCell> row = {word};
    for (const NearToken& token : nearest_tokens(model.transformer->embedding.value, id, count)) {
      row.emplace_back(model.vocabulary.token(token.id));
      row.emplace_back(token.cosine);
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return render_table(table, /*with_bars=*/false);
}

}  // namespace plainformer
