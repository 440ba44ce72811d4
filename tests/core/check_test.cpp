#include "core/check.h"

#include <gtest/gtest.h>

#include "core/tensor.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// The message of the logic_error that `call` throws, after "file:line: ", which differs from machine to
// machine.
template <typename Call>
std::string complaint(Call call) {
  const std::string message = thrown_message<std::logic_error>(call);
  const std::string file = "check_test.cpp:";
  const std::size_t line = message.find(file);
  EXPECT_NE(line, std::string::npos) << message;
  const std::size_t text = message.find(": ", line);
  const std::string number = message.substr(line + file.size(), text - line - file.size());
  EXPECT_FALSE(number.empty());
  EXPECT_EQ(number.find_first_not_of("0123456789"), std::string::npos) << message;
  return message.substr(text + 2);
}

TEST(Check, ThrowsALogicErrorWithTheConditionAndTheValues) {
  const int heads = 3, d_model = 8;
  EXPECT_NO_THROW(CHECK(heads < d_model, "arithmetic"));
  EXPECT_EQ(complaint([&] { CHECK(d_model % heads == 0, heads, " heads do not divide d_model ", d_model); }),
            "check failed: d_model % heads == 0: 3 heads do not divide d_model 8");
  EXPECT_EQ(complaint([] { CHECK(1 > 2); }), "check failed: 1 > 2");
}

TEST(CheckShape, NamesEveryExtentAndTheShapeThatItGot) {
  const Tensor scores({2, 8, 9, 7}), x({6});
  const Index batch = 2, heads = 8, query_len = 7, key_len = 9, d_model = 6;
  EXPECT_NO_THROW(CHECK_SHAPE(scores, batch, heads, key_len, 7));
  EXPECT_EQ(complaint([&] { CHECK_SHAPE(scores, batch, heads, query_len, key_len); }),
            "scores: expected [batch=2, heads=8, query_len=7, key_len=9], got [2, 8, 9, 7]");
  EXPECT_EQ(complaint([&] { CHECK_SHAPE(x, batch, d_model / batch, 5); }),
            "x: expected [batch=2, d_model / batch=3, 5], got [6]");
  EXPECT_EQ(complaint([&] { CHECK_SHAPE(x, std::max(Index{2}, Index{3}), x.dim(0)); }),
            "x: expected [std::max(Index{2}, Index{3})=3, x.dim(0)=6], got [6]");
}

}  // namespace
}  // namespace plainformer
