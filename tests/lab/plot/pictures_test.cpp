// The pictures of the pages are those that the program draws, and they name only what the code has.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/number_text.h"
#include "io/temporary_folder.h"
#include "lab/pictures/well_formed.h"
#include "lab/plot/plots.h"
#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

using WordSet = std::set<std::string>;

// Pictures that other commands draw.
const WordSet kOtherPictures = {"multi30k",
                                "layers",
                                "experiment-scores",
                                "experiment-gradient",
                                "experiment-recall",
                                "experiment-length",
                                "experiment-warm-up",
                                "experiment-rates",
                                "experiment-norms",
                                "experiment-positions",
                                "experiment-ablation",
                                "experiment-mask",
                                "variations-toy",
                                "variations-little",
                                "variations-multi30k"};

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The numbers within tags, and all the rest with "#" in their places.
struct Parts {
  std::vector<double> numbers;
  std::string rest;
};

Parts parts_of(const std::string& svg) {
  static const Pattern number("-?[0-9]+(\\.[0-9]+)?");
  Parts parts;
  for (std::size_t at = 0; at < svg.size();) {
    const std::size_t open = std::min(svg.find('<', at), svg.size());
    const std::size_t close = std::min(svg.find('>', open), svg.size());
    parts.rest += svg.substr(at, open - at);
    const std::string tag = svg.substr(open, close - open);
    for (const Match& match : number.all_in(tag))
      parts.numbers.push_back(*parse_number<double>(match.groups[0]));
    parts.rest += number.replaced_in(tag, "#");
    at = close;
  }
  return parts;
}

// The largest difference of two numbers within tags; 1e9 if anything else differs. Two ways, or two
// instruction sets, may round a coordinate to neighboring tenths.
double difference(const std::string& a, const std::string& b) {
  const Parts x = parts_of(a), y = parts_of(b);
  if (x.rest != y.rest || x.numbers.size() != y.numbers.size()) return 1e9;
  double largest = 0;
  for (std::size_t i = 0; i < x.numbers.size(); ++i)
    largest = std::max(largest, std::abs(x.numbers[i] - y.numbers[i]));
  return largest;
}

// The names in the text elements of a picture: every word of code, and elsewhere words_like_this or LikeThis.
WordSet names_in(const std::string& svg) {
  static const Pattern element("<text class=\"([^\"]*)\"[^>]*>([^<]*)<"), word("[A-Za-z_]\\w+"),
      name("[a-z]\\w*_\\w+|[A-Z][a-z]+[A-Z]\\w*");
  WordSet names;
  for (const Match& text : element.all_in(svg)) {
    const bool code = text.groups[1].find("code") != std::string::npos;
    for (const Match& match : (code ? word : name).all_in(text.groups[2])) names.insert(match.groups[0]);
  }
  return names;
}

// All words of the sources, except those of the pictures.
WordSet words_of_code() {
  static const Pattern word("[A-Za-z_]\\w*");
  WordSet words;
  for (const std::string& path : files_under("src", ".*\\.(h|cpp)")) {
    if (path.find("src/lab/plot/") == 0) continue;
    const std::string code = text_of(kRoot / path);
    for (const Match& match : word.all_in(code)) words.insert(match.groups[0]);
  }
  return words;
}

TEST(Pictures, AreThoseThatTheProgramDraws) {
  for (const Plot& plot : plots()) {
    const std::string drawn = plot.draw(PLAINFORMER_SOURCE_DIR "/docs/pictures");
    const std::string committed = text_of(kRoot / "docs/pictures" / (std::string(plot.name) + ".svg"));
    EXPECT_LE(difference(drawn, committed), 0.15)
        << plot.name << ": if the change is meant, run plainformer plot all --out docs/pictures";
    EXPECT_TRUE(is_well_formed(drawn)) << plot.name;
    EXPECT_EQ(drawn.find("nan"), std::string::npos) << plot.name;
    EXPECT_TRUE(Pattern("<title>[^<]{10,60}</title>\n<desc>[^<]{60,}\\.</desc>").is_in(drawn))
        << plot.name << " has no title, or no description";
  }
}

TEST(Pictures, OfTheFiguresNameOnlyWhatTheCodeHas) {
  const WordSet code = words_of_code();
  for (const std::string& svg :
       {draw_architecture(), draw_multi_head_attention(), draw_scaled_dot_product_attention()}) {
    const WordSet names = names_in(svg);
    EXPECT_GT(names.size(), 10u);
    for (const std::string& name : names) EXPECT_TRUE(code.count(name)) << name;
  }
}

TEST(Pictures, StandInAPageWithTheCommandThatDrawsThem) {
  static const Pattern picture("!\\[[^\\]]{10,}\\]\\(pictures/([\\w-]+)\\.svg\\)");
  WordSet drawn, shown;
  for (const Plot& plot : plots()) drawn.insert(plot.name);
  for (const std::string& path : files_under("docs", "docs/[^/]*\\.md")) {
    const std::string page = text_of(kRoot / path);
    for (const std::string& name : all_matches(page, picture)) {
      shown.insert(name);
      EXPECT_TRUE(drawn.count(name) || kOtherPictures.count(name)) << path << ": " << name;
      const bool named = page.find("`plainformer plot " + name + "`") != std::string::npos;
      EXPECT_TRUE(named || kOtherPictures.count(name)) << path << ": " << name;
    }
  }
  for (const std::string& name : drawn) EXPECT_TRUE(shown.count(name)) << name << " is in no page";
}

TEST(Pictures, InTheFolderAreAllDrawnByACommand) {
  WordSet names = kOtherPictures, files;
  for (const Plot& plot : plots()) names.insert(plot.name);
  for (const std::string& path : files_under("docs/pictures", ".*\\.svg"))
    files.insert(fs::path(path).stem().string());
  EXPECT_EQ(files, names);
}

// What the description of paths and chapter 4 say. The program finds the numbers by backward passes.
TEST(Pictures, OfThePathsCountTheStepsOfTheLayers) {
  const std::string svg = draw_paths();
  std::vector<int> from_they, from_buys;
  for (const std::string& steps : all_matches(svg, Pattern("from they: (\\d+)<")))
    from_they.push_back(std::stoi(steps));
  for (const std::string& steps : all_matches(svg, Pattern("from buys: (\\d+)<")))
    from_buys.push_back(std::stoi(steps));
  EXPECT_EQ(from_they, (std::vector<int>{10, 5, 3, 1}));
  EXPECT_EQ(from_buys, (std::vector<int>{4, 2, 2, 1}));
}

// Greedy search follows the most probable first word to a sentence that is less probable than the beam's.
TEST(Pictures, OfTheBeamTreeShowsASentenceThatGreedySearchMisses) {
  const std::string svg = draw_beam_tree(PLAINFORMER_SOURCE_DIR "/docs/pictures");
  std::vector<double> probabilities;
  for (const std::string& number : all_matches(svg, Pattern("class=\"ink\"[^>]*>[^<]*log P (-[0-9.]+)<")))
    probabilities.push_back(std::stod(number));
  ASSERT_EQ(probabilities.size(), 2u);
  EXPECT_LT(probabilities[0], probabilities[1] - 0.5);
}

// The interval of docs/appendix-bleu.md.
TEST(Pictures, OfTheBootstrapHasTheIntervalThatItsPagePrints) {
  const std::string svg = draw_bootstrap(PLAINFORMER_SOURCE_DIR "/docs/pictures"),
                    page = text_of(kRoot / "docs/appendix-bleu.md");
  const auto marks = all_matches(svg, Pattern("class=\"fill c1\"[^>]*>([0-9.]+)<"));
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_NE(page.find("95 % interval: " + marks[0] + " to " + marks[1]), page.npos);
}

// The shares that docs/6.1-results.md gives.
TEST(Pictures, OfTheGpuHoursHaveTheSharesOfTheirPage) {
  const std::string svg = draw_gpu_hours(), page = text_of(kRoot / "docs/6.1-results.md");
  const auto shares = all_matches(svg, Pattern(">([0-9]+) % products<"));
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_NE(page.find("| " + shares[0] + " % | " + shares[1] + " % |"), page.npos);
}

// The rates stand in one place, the table of the page, and the picture says so if it is gone.
TEST(Pictures, OfTheLadderAreDrawnFromTheTablesOfItsPage) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path_of("pictures"));
  const std::string tile = "| | registers | lanes | tile |\n|---|\n| AVX-512 | 32 | 4 | 3 × 2 vectors |\n\n";
  folder.write("appendix-matmul.md",
               tile + "| step | what changed | threads |\n|---|\n| naive | x | 1 | 7.5 | 6 % |\n");
  const std::string svg = draw_matmul_ladder(folder.path_of("pictures"));
  EXPECT_NE(svg.find(">7.5 (6 %)<"), svg.npos);
  EXPECT_NE(svg.find(">3 rows, 2 vectors of 4 floats: "), svg.npos);
  folder.write("appendix-matmul.md", tile);
  EXPECT_THROW(draw_matmul_ladder(folder.path_of("pictures")), std::runtime_error);
}

// --- the rules reject

TEST(PictureRules, ANumberThatMovedAndATextThatChanged) {
  const std::string picture = "<path d=\"M1.0 2.0h-3\"/><text class=\"c0\">0.91</text>";
  EXPECT_EQ(difference(picture, picture), 0);
  EXPECT_NEAR(difference(picture, "<path d=\"M1.0 2.1h-3\"/><text class=\"c0\">0.91</text>"), 0.1, 1e-9);
  EXPECT_NEAR(difference(picture, "<path d=\"M1.0 2.0h-4\"/><text class=\"c0\">0.91</text>"), 1, 1e-9);
  EXPECT_NEAR(difference(picture, "<path d=\"M1.0 2.0h-3\"/><text class=\"c1\">0.91</text>"), 1, 1e-9);
  EXPECT_EQ(difference(picture, "<path d=\"M1.0 2.0h-3\"/><text class=\"c0\">0.92</text>"), 1e9);
  EXPECT_EQ(difference(picture, "<path d=\"M1.0h-3\"/><text class=\"c0\">0.91</text>"), 1e9);
}

TEST(PictureRules, NamesAreFoundInCodeAndInRemarks) {
  EXPECT_EQ(names_in("<text class=\"ink code\" x=\"1\">scores / w_q K</text>\n"
                     "<text class=\"soft small\" x=\"1\">of a FeedForward, d_model wide</text>"),
            (WordSet{"scores", "w_q", "FeedForward", "d_model"}));
}

}  // namespace
}  // namespace plainformer
