// Section 5, Training: what the page in a browser's tab can ask for.
//
// One training run at a time, with all that `plainformer train --preset toy` keeps in memory: the same
// settings, data, model and steps. Each function of the last section answers with JSON.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "answers.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "decoding/decode_all.h"
#include "decoding/given_translation.h"
#include "kernels/kernels.h"
#include "model_folder/translator.h"
#include "parcel.h"
#include "train/corpora.h"
#include "train/settings.h"
#include "training/training_loop.h"

namespace plainformer {
namespace {

constexpr std::size_t kMostWords = 10;  // of a sentence that the page shows, so that its map fits on a phone
constexpr std::size_t kHeldOutSize = 100;  // the held-out sentences that are counted

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Held-out sentences that differ in their grammar: the first short one for each piece of German.
std::vector<ToyPair> sentences_to_show(const std::vector<ToyPair>& held_out) {
  std::vector<ToyPair> shown;
  for (const std::string german : {" , dass ", "wenn ", " mache", " nicht ", " will ", " weil "}) {
    const auto fits = [&](const ToyPair& pair) {
      const bool is_new = std::none_of(shown.begin(), shown.end(),
                                       [&](const ToyPair& other) { return other.source == pair.source; });
      return is_new && (pair.target + " ").find(german) != std::string::npos &&
             words_of(pair.source).size() <= kMostWords && words_of(pair.target).size() <= kMostWords;
    };
    const auto found = std::find_if(held_out.begin(), held_out.end(), fits);
    if (found != held_out.end()) shown.push_back(*found);
  }
  return shown;
}

Settings toy_settings(int seed) {
  Settings settings = parse_settings({"--preset", "toy", "--seed", std::to_string(seed)});
  settings.training.validate_every = 0;
  return settings;
}

ModelConfig with_vocabulary(ModelConfig config, const Vocabulary& vocabulary) {
  config.vocab = vocabulary.size();
  return config;
}

class Training {
 public:
  explicit Training(int seed)
      : settings_(toy_settings(seed)),
        corpora_(load_corpora(settings_)),
        encoded_(encode_corpora(settings_, ModelFolder(""), corpora_)),
        shown_(sentences_to_show(corpora_.test)),
        model_(with_vocabulary(settings_.model, encoded_.vocabulary), settings_.training.seed),
        adam_(model_.parameters(), settings_.training.adam) {
    for (const ParallelCorpus::LinePair& pair : corpora_.train.pairs())
      for (const std::string& word : words_of(pair.source)) english_.insert(word);
  }

  JsonObject describe() {
    JsonArray sentences;
    for (const ToyPair& pair : shown_)
      sentences.push_back(JsonObject{{"source", pair.source}, {"reference", pair.target}});
    Index parameters = 0;
    for (const NamedParameter& p : model_.parameters()) parameters += p.parameter->value.size();
    return {{"steps", settings_.training.steps},
            {"pairs", corpora_.train.pairs().size()},
            {"parameters", parameters},
            {"vocabulary", encoded_.vocabulary.size()},
            {"lowest_loss", lowest_loss()},
            {"kernels", kernels().name},
            {"sentences", sentences},
            {"words", Words(english_.begin(), english_.end())}};
  }

  // One batch: forward, backward, update.
  JsonObject step() {
    std::optional<StepReport> report;
    TrainingOptions options = settings_.training;
    options.steps = adam_.steps() + 1;
    train(
        model_, adam_, progress_, options, batches(),
        {.stop = [&] { return report.has_value(); }, .after_step = [&](const StepReport& r) { report = r; }});
    return {{"step", adam_.steps()},
            {"loss", report->loss},
            {"tokens", report->source_tokens + report->target_tokens}};
  }

  // The translations of the sentences that the page shows.
  JsonArray look() {
    Words sources;
    for (const ToyPair& pair : shown_) sources.push_back(pair.source);
    const Words translations = translations_of(sources);
    return JsonArray(translations.begin(), translations.end());
  }

  // How many held-out sentences are translated exactly as the grammar does.
  JsonObject measure() {
    const std::size_t count = std::min(kHeldOutSize, corpora_.test.size());
    Words sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(corpora_.test[i].source);
    const Words translations = translations_of(sources);
    int right = 0;
    for (std::size_t i = 0; i < count; ++i) right += translations[i] == corpora_.test[i].target;
    return {{"step", adam_.steps()}, {"right", right}, {"of", count}};
  }

  // Where the last layer of the decoder looks while it writes the right translation of a sentence of the
  // page.
  JsonObject attend(std::size_t sentence) {
    const ToyPair& pair = shown_.at(sentence);
    return map(encode(pair.source), encode(pair.target));
  }

  // What the model makes of a sentence that somebody typed, read as `plainformer translate` reads it, and
  // where it looks.
  JsonObject translate(const std::string& text) {
    Words unknown, spelled, suggested;
    for (const std::string& word : words_of(text)) {
      const std::vector<int> pieces = encode(word);
      if (std::count(pieces.begin(), pieces.end(), kUnknownId) > 0)
        unknown.push_back(word);
      else if (!english_.count(word))
        spelled.push_back(word);
    }
    for (const std::string& word : words_of(with_spaces_around_commas(text)))
      suggested.push_back(as_the_grammar_writes(word));
    const std::string source = join(" ", words_of(text));
    const std::vector<int> ids = encode(source);
    if (ids.empty()) return {{"source", ""}};
    const Hypothesis best = decode_all(model_, {ids}, kGreedy).front().front();
    JsonObject answer = map(ids, best.tokens);
    answer.emplace_back("source", source);
    answer.emplace_back("translation", text_of(best.tokens));
    answer.emplace_back("unknown", unknown);
    answer.emplace_back("spelled", spelled);
    if (join(" ", suggested) != source) answer.emplace_back("suggestion", join(" ", suggested));
    return answer;
  }

  // The run as it stands: with `restore` it goes on in another visit, and live.cpp takes its model apart.
  std::string packed(const std::string& source) {
    return pack({{"source", source},
                 {"codes", encoded_.byte_pairs.to_text()},
                 {"vocabulary", encoded_.vocabulary.to_text()},
                 {"steps", adam_.steps()},
                 {"epoch", progress_.epoch},
                 {"batch", progress_.batch},
                 {"attempts", progress_.attempts}},
                model_.parameters(), adam_);
  }

  // Goes on with a run of the same seed.
  JsonObject restore(const Parcel& parcel) {
    unpack(parcel, model_.parameters(), adam_, parcel.size("steps"));
    progress_ = {
        .epoch = parcel.size("epoch"), .batch = parcel.size("batch"), .attempts = parcel.size("attempts")};
    return {{"step", adam_.steps()}};
  }

  // A held-out sentence, to try.
  JsonObject suggest(int number) {
    return {{"source", corpora_.test[static_cast<std::size_t>(number) % corpora_.test.size()].source}};
  }

 private:
  std::vector<int> encode(const std::string& text) {
    return encoded_.vocabulary.encode(encoded_.byte_pairs.apply(text));
  }

  std::string text_of(const std::vector<int>& ids) const {
    return BytePairEncoding::join(encoded_.vocabulary.decode(ids));
  }

  Words translations_of(const Words& texts) {
    std::vector<std::vector<int>> sources;
    for (const std::string& text : texts) sources.push_back(encode(text));
    Words translations;
    for (const Hypotheses& best : decode_all(model_, sources, kGreedy))
      translations.push_back(text_of(best.front().tokens));
    return translations;
  }

  // The weights of each head, in thousandths, row by row.
  JsonObject map(const std::vector<int>& source, const std::vector<int>& target) {
    const Tensor weights = capture_attention(model_, source, target).encoder_decoder.back();
    const Index matrix = weights.dim(1) * weights.dim(2);
    JsonArray heads;
    for (Index head = 0; head < weights.dim(0); ++head) {
      JsonArray numbers;
      for (Index i = 0; i < matrix; ++i)
        numbers.push_back(static_cast<int>(std::lround(1000 * weights.data()[head * matrix + i])));
      heads.push_back(numbers);
    }
    return {{"columns", with_end(encoded_.vocabulary.decode(source))},
            {"rows", with_end(encoded_.vocabulary.decode(target))},
            {"heads", heads}};
  }

  static std::string with_spaces_around_commas(const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == ',')
        result += " , ";
      else if (c != '.' && c != '!' && c != '?')
        result += c;
    }
    return result;
  }

  // The grammar starts a sentence in lower case, but writes "I" and "Sunday".
  std::string as_the_grammar_writes(const std::string& word) const {
    std::string lower = word, upper = word;
    lower[0] = static_cast<char>(lower[0] >= 'A' && lower[0] <= 'Z' ? lower[0] + 32 : lower[0]);
    upper[0] = static_cast<char>(upper[0] >= 'a' && upper[0] <= 'z' ? upper[0] - 32 : upper[0]);
    for (const std::string& choice : {word, lower, upper})
      if (english_.count(choice)) return choice;
    return word;
  }

  // The entropy of the smoothed target: no model can have a lower loss (cross_entropy.h).
  double lowest_loss() const {
    const double smoothing = settings_.training.label_smoothing;
    const auto classes = static_cast<double>(encoded_.vocabulary.size());
    const double other = smoothing / classes, right = 1 - smoothing + other;
    return -right * std::log(right) - (classes - 1) * other * std::log(other);
  }

  BatchSource batches() {
    return {.begin_epoch =
                [this](Index epoch) {
                  if (epoch != epoch_ || batches_.empty())
                    batches_ = make_batches(encoded_.train, settings_.batch_tokens, settings_.training.seed,
                                            static_cast<std::uint64_t>(epoch));
                  epoch_ = epoch;
                  return std::ssize(batches_);
                },
            .batch = [this](Index index) { return batch_of(encoded_.train, batches_[index]); }};
  }

  const Settings settings_;
  const Corpora corpora_;
  EncodedCorpora encoded_;
  const std::vector<ToyPair> shown_;
  std::set<std::string> english_;  // the words of the grammar
  Transformer model_;
  Adam adam_;
  TrainingProgress progress_;
  std::vector<std::vector<Index>> batches_;  // of this epoch
  Index epoch_ = 0;
};

std::unique_ptr<Training> training;

}  // namespace
}  // namespace plainformer

// ---- what engine.js calls

using namespace plainformer;

extern "C" {

const char* create(int seed) {
  return answer_to([=] {
    training.reset();
    set_threads(1);  // a tab without special headers has no other
    training = std::make_unique<Training>(seed);
    return training->describe();
  });
}

const char* step() {
  return answer_to([] { return training->step(); });
}

const char* look() {
  return answer_to([] { return training->look(); });
}

const char* measure() {
  return answer_to([] { return training->measure(); });
}

const char* attend(int sentence) {
  return answer_to([=] { return training->attend(static_cast<std::size_t>(sentence)); });
}

const char* suggest(int number) {
  return answer_to([=] { return training->suggest(number); });
}

// Room for the text or the bytes that the next function reads.
char* text_of_length(int bytes) {
  typed.assign(static_cast<std::size_t>(bytes), ' ');
  return typed.data();
}

const char* translate() {
  return answer_to([] { return training->translate(typed); });
}

// The run as bytes, for a sentence to take apart.
const char* keep() {
  return answer_to([] { return place_of_parcel(training->packed(typed)); });
}

// Goes on with the run of the parcel that engine.js wrote.
const char* restore() {
  return answer_to([] { return training->restore(open_parcel(typed)); });
}

}  // extern "C"
