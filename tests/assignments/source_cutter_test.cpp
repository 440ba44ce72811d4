#include "source_cutter.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/thrown_message.h"

namespace plainformer::course {
namespace {

const char* const kSourceToCut = R"(#include "ops/half.h"

#include <cmath>

namespace plainformer {

namespace {

// Halves it.
Real half_of(Real x) {
  return x / 2;
}

}  // namespace

Tensor half_forward(const Tensor& x,
                    Index rows) {
  const Index columns = x.dim(1),
              all = rows * columns;  // elements
  CHECK(rows > 0, rows,
        " rows");
  CHECK_SHAPE(x, rows, columns);
  Tensor y(x.shape());
  for (Index i = 0; i < all; ++i) {
    // Step 1. Halve:
    // y = x / 2.
    y(i) = half_of(x(i));
  }

  // Step 2. Return.
  return y;
}

struct Counter {
  void count() {
    // Step 1. Count.
    ++n;
  }
  int n = 0;
};

}  // namespace plainformer
)";

Source cut(const std::string& name) {
  return {.file = "ops/half.cpp", .cut = {{name, "return x;"}}, .drop = {}};
}

TEST(SourceCutter, TheFastWayIsLeftOut) {
  const std::string source = R"(#include "ops/half.h"

#include "ops/fast/fast.h"
#include "ops/ways.h"

Tensor half(const Tensor& x, Index rows) {
  CHECK_SHAPE(x, rows);
  if (ways.half == Way::kFast) return fast::half(x, rows);
  if (ways.half == Way::kFast)
    return fast::half(x,
                      rows);

  return x;
}
)";
  EXPECT_EQ(without_the_fast_way(source), R"(#include "ops/half.h"


Tensor half(const Tensor& x, Index rows) {
  CHECK_SHAPE(x, rows);

  return x;
}
)");
  EXPECT_EQ(without_the_fast_way(kSourceToCut), kSourceToCut);
}

TEST(SourceCutter, TheStubKeepsSignatureExtentsChecksAndComments) {
  const std::string stub = stub_of(kSourceToCut, cut("half_forward"));
  EXPECT_NE(stub.find(R"(Tensor half_forward(const Tensor& x,
                    Index rows) {
  const Index columns = x.dim(1),
              all = rows * columns;  // elements
  CHECK(rows > 0, rows,
        " rows");
  CHECK_SHAPE(x, rows, columns);

  // Step 1. Halve:
  // y = x / 2.

  // Step 2. Return.

  not_written("half_forward");
}

struct Counter {)"),
            std::string::npos)
      << stub;
}

TEST(SourceCutter, TheStubIncludesWhatItCalls) {
  EXPECT_NE(stub_of(kSourceToCut, cut("half_forward"))
                .find("#include \"ops/half.h\"\n#include \"not_written.h\"\n"),
            std::string::npos);
}

TEST(SourceCutter, CutsAFunctionWithinAClass) {
  const std::string stub = stub_of(kSourceToCut, cut("count"));
  EXPECT_NE(
      stub.find("  void count() {\n    // Step 1. Count.\n\n    not_written(\"count\");\n  }\n  int n = 0;"),
      std::string::npos)
      << stub;
}

TEST(SourceCutter, DropsAFunctionWithItsComment) {
  Source source = cut("half_forward");
  source.drop = {"half_of"};
  const std::string stub = stub_of(kSourceToCut, source);
  EXPECT_EQ(stub.find("half_of"), std::string::npos) << stub;
  EXPECT_EQ(stub.find("Halves it"), std::string::npos);
  EXPECT_EQ(stub.find("namespace {"), std::string::npos) << "the unnamed namespace is empty now";
}

TEST(SourceCutter, DropsUnnamedNamespaces) {
  Source source = cut("half_forward");
  source.drop = {"namespace {"};
  const std::string stub = stub_of(kSourceToCut, source);
  EXPECT_EQ(stub.find("half_of"), std::string::npos) << stub;
  EXPECT_NE(stub.find("Tensor half_forward("), std::string::npos);
}

TEST(SourceCutter, ReplacesABodyByZeros) {
  const std::string zeros = zeros_of(kSourceToCut, cut("half_forward"));
  EXPECT_NE(zeros.find("Index rows) {\n  return x;\n}\n"), std::string::npos) << zeros;
  EXPECT_EQ(zeros.find("Step"), zeros.find("Step 1. Count"));
}

TEST(SourceCutter, NamesAFunctionThatIsNotThere) {
  EXPECT_EQ(
      thrown_message<std::runtime_error>([] { stub_of(kSourceToCut, cut("half_backward")); }),
      "ops/half.cpp: it defines no function \"half_backward\" (hint: spell the name in exercise.json as the "
      "definition does)");
}

TEST(SourceCutter, ACallIsNoDefinition) {
  EXPECT_THROW(stub_of("int g() {\n  return f();\n}\n", cut("f")), std::runtime_error);
}

std::string edited(const std::string& before, const std::string& after) {
  return with_edits(kSourceToCut, "ops/half.cpp", "half-double",
                    {{"ops/half.cpp", before, after}, {"ops/other.cpp", "nowhere", ""}});
}

TEST(Edits, ReplaceTheirTextInTheirFile) {
  EXPECT_NE(edited("x / 2;\n}", "x * 2;\n}").find("return x * 2;"), std::string::npos);
}

TEST(Edits, WhoseTextIsNotThereOnceAreRefused) {
  const auto message = [](const std::string& before) {
    return thrown_message<std::runtime_error>([&] { edited(before, ""); });
  };
  EXPECT_EQ(message("x / 3"),
            "bug half-double: its text occurs nowhere in src/ops/half.cpp: x / 3 (hint: the source has "
            "changed: adapt the edit)");
  EXPECT_EQ(message("x / 2"),
            "bug half-double: its text occurs more than once in src/ops/half.cpp: x / 2 (hint: the source "
            "has changed: adapt the edit)");
}

TEST(WithFunctions, TakesTheirDefinitionsFromAnotherText) {
  const Source cuts = {.file = "half.cpp", .cut = {{"half_forward", ""}}};
  const std::string text = with_functions(kSourceToCut, cuts,
                                          "// Wrong.\n#include <map>\nint helper() {\n  return 1;\n}\nTensor "
                                          "half_forward(Index n) {\n  return n;\n}\n");
  EXPECT_TRUE(text.starts_with("#include <map>\n"));
  EXPECT_NE(text.find("namespace {\n\n// Wrong.\nint helper() {"), std::string::npos);
  EXPECT_NE(text.find("Tensor half_forward(Index n) {\n  return n;\n}\n"), std::string::npos);
  EXPECT_EQ(text.find("y(i) = half_of"), std::string::npos) << "the reference's body is gone";
}

}  // namespace
}  // namespace plainformer::course
