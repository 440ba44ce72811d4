// Section 5.1: the learned merges that make pieces of two words, as trees.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_text.h"

namespace plainformer {

namespace merges_picture {

constexpr double kWidth = 480, kLeft = 40, kStep = 52, kRow = 46, kBetween = 44;

// A piece of a word, and where it is drawn.
struct Piece {
  std::string text;
  double x;       // the middle
  int level = 0;  // 0: a character
};

// The number of each merge, from 1, by its two symbols, "K ö".
std::map<std::string, int> numbers_of(const std::string& codes) {
  std::map<std::string, int> numbers;
  std::istringstream lines(codes);
  std::string line;
  std::getline(lines, line);  // the version
  while (std::getline(lines, line)) numbers.emplace(line, static_cast<int>(numbers.size()) + 1);
  return numbers;
}

// The characters of a word; the last one ends in </w>.
std::vector<Piece> characters_of(const std::string& word) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t bytes = decode_utf8(word, at).bytes;
    pieces.push_back({word.substr(at, bytes), kLeft + kStep * static_cast<double>(pieces.size())});
    at += bytes;
  }
  pieces.back().text += "</w>";
  return pieces;
}

ChartPoint place(const Piece& piece, double top) {
  return {piece.x, top + kRow * piece.level};
}

std::string draw_piece(const Piece& piece, double top) {
  return svg::text("ink code", {piece.x, place(piece, top).y + 4}, "middle", piece.text);
}

// Performs the merges, the earliest learned first, and draws each below its two parts. Moves `top` below the tree.
std::string draw_word(const std::string& word, const std::map<std::string, int>& numbers, double& top) {
  std::vector<Piece> pieces = characters_of(word);
  std::string lines, texts;
  for (const Piece& piece : pieces) texts += draw_piece(piece, top);
  int levels = 0;
  while (true) {
    std::size_t best = pieces.size();
    int best_number = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = numbers.find(pieces[i].text + " " + pieces[i + 1].text);
      if (found == numbers.end() || (best < pieces.size() && found->second >= best_number)) continue;
      best = i;
      best_number = found->second;
    }
    if (best == pieces.size()) break;
    const Piece first = pieces[best], second = pieces[best + 1];
    const Piece joined = {first.text + second.text, (first.x + second.x) / 2,
                          std::max(first.level, second.level) + 1};
    levels = std::max(levels, joined.level);
    for (const Piece& part : {first, second})
      lines += svg::command('M', {part.x, place(part, top).y + (part.level == 0 ? 9 : 21)}) +
               svg::command('L', {joined.x, place(joined, top).y - 10});
    texts += draw_piece(joined, top) + svg::text("soft small", {joined.x, place(joined, top).y + 16},
                                                 "middle", std::to_string(best_number));
    pieces[best] = joined;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  std::string result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool is_last = i + 1 == pieces.size();
    result += (i == 0 ? "" : " ") +
              (is_last ? pieces[i].text.substr(0, pieces[i].text.size() - 4) : pieces[i].text + "@@");
  }
  const std::string heading = svg::text("ink heading", {16, top - 24}, "start", word + ": " + result);
  top += kRow * levels + kBetween + 34;
  return heading + svg::path("arrow c6", lines) + texts;
}

}  // namespace merges_picture

std::string draw_merges() {
  using namespace merges_picture;
  const std::map<std::string, int> numbers = numbers_of(toy_text(5000).codes);
  double top = 104;
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Below each piece: the number of its merge, in the order of learning");
  svg += draw_word("Königin", numbers, top);
  svg += draw_word("Königs", numbers, top);
  return framed(
      {.title = "Merges make pieces of characters",
       .description =
           "Two trees with the merges that the built-in grammar teaches. The characters of Königin, "
           "a word of the text, are joined two at a time, until one piece is left. Königs is not in "
           "the text: the same merges join what they can, and some pieces remain.",
       .width = kWidth,
       .height = top - 40},
      svg);
}

}  // namespace plainformer
