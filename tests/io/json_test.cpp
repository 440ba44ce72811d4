#include "io/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "temporary_folder.h"

namespace plainformer {
namespace {

using Limits = std::numeric_limits<double>;

TEST(Json, ReadsEveryKindOfValue) {
  const JsonValue json =
      parse_json(" {\"a\": [1, -2.5e1, true, false, null, \"x\"], \"b\": {}, \"c\": []}\n", "t");
  ASSERT_EQ(json.object()->size(), 3u);
  const JsonArray& a = *json.find("a")->array();
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0].size(), 1);
  EXPECT_EQ(a[1].number(), -25.0);
  EXPECT_TRUE(*a[2].boolean());
  EXPECT_FALSE(*a[3].boolean());
  EXPECT_TRUE(a[4].is_null());
  EXPECT_EQ(*a[5].string(), "x");
  EXPECT_TRUE(json.find("b")->object()->empty());
  EXPECT_TRUE(json.find("c")->array()->empty());
  EXPECT_EQ(json.find("d"), nullptr);
}

TEST(Json, SizesAreExactAndPlain) {
  const auto size_of = [](const std::string& text) { return parse_json(text, "t").size(); };
  EXPECT_EQ(size_of("0"), 0);
  constexpr Index kLargest = std::numeric_limits<Index>::max();  // with 64 bits, no double holds it
  EXPECT_EQ(size_of(std::to_string(kLargest)), kLargest);
  EXPECT_EQ(size_of(std::to_string(kLargest + std::uint64_t{1})), std::nullopt);
  for (const char* text : {"-1", "-0", "1.0", "1e3", "1E0", "9223372036854775808", "18446744073709551616"}) {
    EXPECT_EQ(size_of(text), std::nullopt) << text;
  }
}

TEST(Json, NumbersThatNoDoubleHoldsAreNoNumbers) {
  EXPECT_EQ(parse_json("1e308", "t").number(), 1e308);
  EXPECT_EQ(parse_json("1e309", "t").number(), std::nullopt);
}

TEST(Json, ReadsEscapesAndUnicode) {
  const auto text_of = [](const std::string& text) { return *parse_json("\"" + text + "\"", "t").string(); };
  EXPECT_EQ(text_of(R"(\" \\ \/ \b \f \n \r \t)"), "\" \\ / \b \f \n \r \t");
  EXPECT_EQ(text_of(R"(\u0041\u00e9\u732B)"), "A\u00e9\u732b");
  EXPECT_EQ(text_of(R"(\ud83d\ude00)"), "\U0001F600");
  EXPECT_EQ(text_of(R"(\u0000)"), std::string(1, '\0'));
  EXPECT_EQ(text_of("\u00e9\u732b\U0001F600"), "\u00e9\u732b\U0001F600");
}

struct MalformedJson {
  std::string text;
  std::string problem;  // with its place
};

TEST(Json, RejectsWhatTheGrammarDoesNotAllow) {
  const std::vector<MalformedJson> cases = {
      {"", "t: byte 0: the text ends where a value should be"},
      {"  ", "byte 2: the text ends"},
      {"1 2", "byte 2: expected the end of the text"},
      {std::string("1\0", 2), "byte 1: expected the end of the text"},
      {"nul", "byte 0: expected a value"},
      {"True", "byte 0: expected a value"},
      {"NaN", "byte 0: expected a value"},
      {"\xEF\xBB\xBF{}", "byte 0: expected a value"},
      {"'a'", "byte 0: expected a value"},
      {"[1,]", "byte 3: expected a value"},
      {"[1 2]", "byte 3: expected ]"},
      {"[1", "byte 2: the text ends where ] should be"},
      {"{\"a\":1,}", "byte 7: expected \""},
      {"{\"a\" 1}", "byte 5: expected :"},
      {"{a:1}", "byte 1: expected \""},
      {"{\"a\":1", "byte 6: the text ends where } should be"},
      {"{\"a\":1, \"b\":2, \"a\":3}", "a name occurs twice"},
      {"{\"a\":1, \"\\u0061\":3}", "a name occurs twice"},
      {"01", "byte 1: expected the end"},
      {"+1", "byte 0: expected a value"},
      {".5", "byte 0: expected a value"},
      {"-", "byte 1: the text ends where a digit"},
      {"1.", "byte 2: the text ends where a digit"},
      {"1.e5", "byte 2: expected a digit"},
      {"1e+", "byte 3: the text ends where a digit"},
      {"\"a", "byte 2: a string does not end"},
      {"\"a\\", "byte 3: unknown escape"},
      {"\"a\nb\"", "byte 2: a control character"},
      {"\"\\x41\"", "byte 2: unknown escape"},
      {"\"\\u12g4\"", "byte 3: expected four hex digits"},
      {"\"\\u12", "byte 3: expected four hex digits"},
      {"\"\\ud83d\"", "half a surrogate pair"},
      {"\"\\ud83d\\u0041\"", "half a surrogate pair"},
      {"\"\\ude00\"", "half a surrogate pair"},
      {"\"\\ude00\\ude00\"", "half a surrogate pair"},
      {"\"\xff\"", "byte 1: not valid UTF-8"},
  };
  for (const MalformedJson& bad : cases) {
    const std::string error = error_of([&] { parse_json(bad.text, "t"); });
    EXPECT_TRUE(contains(error, bad.problem)) << bad.text << "\n gives \"" << error << '"';
  }
}

TEST(Json, LimitsDepthAndNumberOfValues) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_NO_THROW(parse_json(nested(kMaxJsonDepth), "t"));
  EXPECT_TRUE(contains(error_of([&] { parse_json(nested(kMaxJsonDepth + 1), "t"); }), "nested more than 64"));
  EXPECT_NE(error_of([&] { parse_json(nested(100'000), "t"); }).find("nested more than 64"),
            std::string::npos);
  EXPECT_NO_THROW(parse_json("[1, 2]", "t", 3));
  EXPECT_TRUE(contains(error_of([&] { parse_json("[1, 2]", "t", 2); }), "too many values"));
}

TEST(Json, WritesEveryKindOfValue) {
  const JsonObject record = {{"step", 17},
                             {"loss", 3.25},
                             {"name", "a"},
                             {"nothing", JsonValue()},
                             {"flags", JsonArray{true, false}},
                             {"empty", JsonArray()},
                             {"none", JsonObject()},
                             {"one", JsonObject{{"k", "v"}}}};
  EXPECT_EQ(to_json(record),
            "{\"step\": 17, \"loss\": 3.25, \"name\": \"a\", \"nothing\": null, \"flags\": [true, false], "
            "\"empty\": [], \"none\": {}, \"one\": {\"k\": \"v\"}}");
}

TEST(Json, WritesTheShortestExactNumbers) {
  EXPECT_EQ(to_json(0.1), "0.1");
  EXPECT_EQ(to_json(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(to_json(-0.0), "-0");
  EXPECT_EQ(to_json(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(to_json(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  for (double value : {1.0 / 3, Limits::max(), Limits::denorm_min(), 1e22, -1.5e-7}) {
    EXPECT_EQ(parse_json(to_json(value), "t").number(), value);
  }
  for (double value : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    EXPECT_EQ(to_json(value), "null");
  }
}

TEST(Json, WritesEveryStringSoThatItReadsBack) {
  EXPECT_EQ(to_json("a\"b\\c\n\t\x01\x1f/\u00e9"), "\"a\\\"b\\\\c\\n\\t\\u0001\\u001f/\u00e9\"");
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\u00e9\u732b\U0001F600";
  EXPECT_EQ(*parse_json(to_json(all), "t").string(), all);
  EXPECT_EQ(to_json("a\xff\xe7\x8c"), "\"a\uFFFD\uFFFD\uFFFD\"");
}

}  // namespace
}  // namespace plainformer
