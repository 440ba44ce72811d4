// examples/microgpt.cpp: each gradient of its model, and its draws at a temperature. trained_test.cpp runs it.
#include <gtest/gtest.h>
#include <plainformer/core/gradient_check.h>

#include <array>
#include <numeric>

// The file is a program, so its main gets another name here. The warnings are those that it does not promise.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main microgpt_main
#include "../../examples/microgpt.cpp"
#undef main
#pragma GCC diagnostic pop

namespace {

// A model of names with the letters a to e, whose weights are larger than the program's, so that each
// gradient counts.
MicroGpt small_model() {
  MicroGpt model = {.alphabet = U"abcde"};
  Random random(random_stream(/*seed=*/1, 0, 0));
  for (const NamedParameter& p : model.parameters())
    std::generate_n(p.parameter->value.mutable_data(), p.parameter->value.size(),
                    [&] { return static_cast<Real>(0.3 * random.normal()); });
  return model;
}

// In double (preset `double`) to the sixth digit. In float a small step is lost in rounding, and a large one
// moves hidden units across the kink of ReLU; so the check is coarse, of three tokens.
TEST(Microgpt, GradientsAgreeWithDifferencesOfTheLoss) {
  constexpr bool kIsDouble = sizeof(Real) == sizeof(double);
  MicroGpt model = small_model();
  const std::vector<int> inputs = {5, 0, 1}, targets = {0, 1, 5};
  Tensor grad = model.forward(inputs);
  projected_cross_entropy_forward_backward(1, grad, model.pre_softmax, targets, 0, grad);
  model.backward(grad, inputs);
  const auto loss = [&] {
    return projected_cross_entropy_forward(model.forward(inputs), model.pre_softmax, targets, 0).loss;
  };
  const GradientTolerance tolerance = kIsDouble ? kGradientTolerance : GradientTolerance{2e-3, 5e-2, 1e-2};
  EXPECT_EQ(gradient_errors(loss, checked_tensors(model.parameters()), tolerance), "");
}

TEST(Microgpt, SeesNoLaterToken) {
  MicroGpt model = small_model();
  const Tensor whole = model.forward(std::array{5, 0, 1, 4}), changed = model.forward(std::array{5, 0, 1, 2});
  for (Index i = 0; i < 3 * kModel; ++i)
    EXPECT_EQ(whole(i / kModel, i % kModel), changed(i / kModel, i % kModel));
  EXPECT_NE(whole(3, 0), changed(3, 0));
}

// The probabilities of the first letter at temperature T are proportional to exp(logit / T).
TEST(Microgpt, DrawsFromTheSoftmaxAtATemperature) {
  MicroGpt model = small_model();
  const Tensor logits = linear_transposed_forward(model.forward(std::array{5}), model.pre_softmax);
  for (const double temperature : {0.5, 2.0}) {
    std::vector<double> expected;
    for (Index i = 0; i < model.vocab; ++i) expected.push_back(std::exp(logits(0, i) / temperature));
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    std::vector<double> drawn(expected.size());  // the last is the empty name: the edge at once
    Random random(random_stream(1, 2, 3));
    for (int i = 0; i < 2000; ++i) {
      const std::string name = sample(model, Real(temperature), random);
      drawn[name.empty() ? 5 : std::size_t(name[0] - 'a')] += 1.0 / 2000;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(drawn[i], expected[i] / sum, 0.04);
  }
}

TEST(Microgpt, HasTheParametersOfTheExercise) {
  MicroGpt model = {.alphabet = U"abcdefghijklmnopqrstuvwxyz"};
  Index parameters = 0;
  for (const NamedParameter& p : model.parameters()) parameters += p.parameter->value.size();
  EXPECT_EQ(parameters, 4192);
}

}  // namespace
