#include "data/toy/toy_grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/strings.h"

namespace plainformer {
namespace {

// 64-bit FNV-1a over all pairs.
std::uint64_t fingerprint(const ToyCorpus& corpus) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const std::string& text) {
    for (const char c : text + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  };
  for (const auto* part : {&corpus.train, &corpus.valid, &corpus.test}) {
    for (const ToyPair& pair : *part) {
      add(pair.source);
      add(pair.target);
    }
  }
  return hash;
}

TEST(ToyGrammar, IsAFunctionWithMoreThan100000Sentences) {
  Random random(random_stream(7, 0, 0));
  std::unordered_map<std::string, std::string> translation;
  for (int draw = 0; draw < 200000; ++draw) {
    const ToyPair pair = random_toy_pair(random);
    const auto [known, is_new] = translation.emplace(pair.source, pair.target);
    ASSERT_EQ(known->second, pair.target) << pair.source;
  }
  EXPECT_GT(translation.size(), 150000u);
}

TEST(ToyGrammar, SentencesHave3To14WordsAndSingleSpaces) {
  Random random(random_stream(8, 0, 0));
  std::map<std::size_t, int> english_lengths, german_lengths;
  for (int draw = 0; draw < 20000; ++draw) {
    const ToyPair pair = random_toy_pair(random);
    for (const std::string& sentence : {pair.source, pair.target})
      for (const std::string& word : split_at(' ', sentence)) ASSERT_NE(word, "") << sentence;
    ++english_lengths[split_at(' ', pair.source).size()];
    ++german_lengths[split_at(' ', pair.target).size()];
  }
  for (const auto& lengths : {english_lengths, german_lengths}) {
    EXPECT_EQ(lengths.begin()->first, 3u);
    EXPECT_EQ(lengths.rbegin()->first, 14u);
    EXPECT_EQ(lengths.size(), 12u);
  }
}

// What would make two translations right.
TEST(ToyGrammar, AvoidsAmbiguousSentences) {
  Random random(random_stream(9, 0, 0));
  for (int draw = 0; draw < 50000; ++draw) {
    const std::string english = " " + random_toy_pair(random).source + " ";
    const auto contains = [&](const char* text) { return english.find(text) != std::string::npos; };
    EXPECT_FALSE(contains(" you ") || contains(" it ")) << english;
    EXPECT_FALSE(contains(" must not ")) << english;  // nicht müssen or nicht dürfen
    if (contains(" because ") || contains(" when ")) {
      EXPECT_FALSE(contains(" he ") || contains(" she ")) << english;  // the girl: sie or es
    }
    if (contains(" not ") || contains(" cannot ")) {
      EXPECT_FALSE(contains(" not sleep in a ") || contains(" not dance behind a ")) << english;  // in keinem
    }
  }
}

TEST(ToyCorpus, PartsAreDistinctAndDisjoint) {
  const ToyCorpus corpus = generate_toy_corpus(3, 20000, 500, 1000);
  EXPECT_EQ(corpus.train.size(), 20000u);
  EXPECT_EQ(corpus.valid.size(), 500u);
  EXPECT_EQ(corpus.test.size(), 1000u);
  std::unordered_set<std::string> sources;
  for (const auto* part : {&corpus.train, &corpus.valid, &corpus.test}) {
    for (const ToyPair& pair : *part) EXPECT_TRUE(sources.insert(pair.source).second) << pair.source;
  }
}

TEST(ToyCorpus, HeldOutSentencesHaveOnlyWordsOfTrain) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    const ToyCorpus corpus = generate_toy_corpus(seed, 5000, 500, 1000);
    for (std::string ToyPair::*const side : {&ToyPair::source, &ToyPair::target}) {
      std::unordered_set<std::string> words;
      for (const ToyPair& pair : corpus.train)
        for (const std::string& word : split_at(' ', pair.*side)) words.insert(word);
      for (const auto* part : {&corpus.valid, &corpus.test})
        for (const ToyPair& pair : *part)
          for (const std::string& word : split_at(' ', pair.*side)) EXPECT_TRUE(words.contains(word)) << word;
    }
  }
}

// Short sentences soon repeat: without the shuffle they would be in the first part, mostly.
TEST(ToyCorpus, ShortSentencesAreInEachPartAlike) {
  const ToyCorpus corpus = generate_toy_corpus(2, 50000, 0, 50000);
  const auto short_sentences = [](const std::vector<ToyPair>& pairs) {
    return static_cast<double>(std::count_if(pairs.begin(), pairs.end(), [](const ToyPair& pair) {
      return split_at(' ', pair.target).size() <= 4;
    }));
  };
  EXPECT_NEAR(short_sentences(corpus.test) / short_sentences(corpus.train), 1.0, 0.1);
}

TEST(ToyCorpus, IsAFunctionOfTheSeed) {
  const ToyCorpus corpus = generate_toy_corpus(1, 1000, 100, 100);
  EXPECT_EQ(fingerprint(corpus), 6115327558960447962u);
  EXPECT_EQ(corpus.train[0].source, "now these big men with apples do not write a novel");
  EXPECT_EQ(corpus.train[0].target, "jetzt schreiben diese großen Männer mit Äpfeln keinen Roman");
  EXPECT_EQ(corpus.train[1].source, "today they write red books");
  EXPECT_EQ(corpus.train[1].target, "heute schreiben sie rote Bücher");
  EXPECT_NE(fingerprint(generate_toy_corpus(2, 1000, 100, 100)), fingerprint(corpus));
}

TEST(ToyCorpus, RefusesImpossibleSizes) {
  EXPECT_THROW(generate_toy_corpus(1, -1, 0, 0), std::logic_error);
  EXPECT_THROW(generate_toy_corpus(1, kMaxToyPairs, 1, 0), std::logic_error);
  EXPECT_TRUE(generate_toy_corpus(1, 0, 0, 0).train.empty());
}

}  // namespace
}  // namespace plainformer
