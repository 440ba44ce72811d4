#include "data/sentence_key.h"

#include "data/text.h"

namespace plainformer {

namespace {

std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t sentence_key(std::string_view sentence) {
  std::uint64_t key = 0xcbf29ce484222325u;
  const auto add = [&](char c) { key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3u; };
  for (const std::string_view word : split_words(sentence)) {
    for (const char c : word) add(c);
    add('\n');  // ends a word; no word holds it
  }
  return spread(key);
}

std::uint64_t pair_key(std::uint64_t source, std::uint64_t target) {
  return spread(spread(source) + target);
}

}  // namespace plainformer
