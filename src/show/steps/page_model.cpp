#include "show/steps/page_model.h"

#include "core/check.h"
#include "training/presets.h"

namespace plainformer {

namespace {

constexpr char kPageCodes[] = R"(#version: 0.2
i n</w>
t h
y s</w>
u ys</w>
u f
uf t</w>
k a
ka uft</w>
b uys</w>
ö n
ön i
öni g
önig in</w>
u e
ue e
uee n</w>
u c
uc h</w>
th e</w>
q ueen</w>
o o
oo k</w>
i e</w>
e in</w>
d ie</w>
b ook</w>
K önigin</w>
B uch</w>
th a
tha t</w>
s s</w>
d a
da ss</w>
)";

constexpr char kPageVocabulary[] = R"(<pad>
<s>
</s>
<unk>
buys
kauft
Buch
Königin
a
book
die
ein
queen
the
dass
that
)";

// In hundredths, row by row, in the order of Transformer::parameters().
constexpr int kPageWeights[] = {
    // embedding [16, 4]
    18, 64, 38, 32, -31, -34, -4, -45, -50, 3, -37, 143, 18, 64, 38, 32, -7, 4, -12, -36, 5, -146, 113, 97,
    123, -7, 49, -34, -6, 22, 160, -29, -21, -34, -12, -38, -1, -15, -24, -52, 30, 145, -55, -157, 55, 63,
    -165, -24, -19, -8, -58, -92, -17, 5, -9, -31, -44, 145, 37, 38, -20, -64, -19, -52,
    // encoder.0.self_attention.w_q [4, 4]
    59, 1, -16, 76, -5, -20, -53, -17, 15, 58, -3, -33, -6, -38, -56, -19,
    // encoder.0.self_attention.w_k [4, 4]
    9, -1, -52, -26, 51, 17, -39, -38, 1, 40, -28, 3, -36, -50, -55, 32,
    // encoder.0.self_attention.w_v [4, 4]
    -45, -3, 34, -41, 32, 62, -1, -4, -7, 4, 30, -11, -27, 41, -4, 28,
    // encoder.0.self_attention.w_o [4, 4]
    19, 36, 45, 49, 17, -37, -22, -52, 32, 37, 6, 51, -31, -32, 11, -3,
    // encoder.0.self_attention_norm.gain [4]
    99, 106, 97, 100,
    // encoder.0.self_attention_norm.bias [4]
    8, -8, 0, -16,
    // encoder.0.feed_forward.w_1 [4, 8]
    -89, 56, 29, 23, 73, -4, 23, -4, 85, -40, -24, -32, -60, -75, 51, -58, 34, -25, -24, 4, -19, 31, -59, -15,
    -55, -8, -6, 42, -10, 0, 27, 31,
    // encoder.0.feed_forward.b_1 [8]
    36, 29, 3, 9, 20, 6, 22, 25,
    // encoder.0.feed_forward.w_2 [8, 4]
    61, -68, -18, 63, -1, 22, 56, -39, -30, 16, 37, -15, 18, 47, -3, -33, -40, -19, 52, -54, -49, 5, 0, -50,
    21, -29, -9, 42, 20, 50, 34, -49,
    // encoder.0.feed_forward.b_2 [4]
    1, 1, 9, -17,
    // encoder.0.feed_forward_norm.gain [4]
    142, 154, 126, 121,
    // encoder.0.feed_forward_norm.bias [4]
    -11, -3, 1, -12,
    // decoder.0.self_attention.w_q [4, 4]
    -21, -53, 53, -5, 3, 32, -48, -100, -16, 19, 1, -5, -50, 3, 33, -20,
    // decoder.0.self_attention.w_k [4, 4]
    -10, -12, 12, 106, -25, -48, -61, 19, -43, 29, 46, 21, -13, -14, 44, 26,
    // decoder.0.self_attention.w_v [4, 4]
    11, -25, -84, -21, -33, -5, 20, -74, -22, -38, -2, 71, -46, -55, -55, -29,
    // decoder.0.self_attention.w_o [4, 4]
    17, 15, 21, -30, -12, 2, 61, -62, 78, -4, -28, 16, -32, -24, -45, 25,
    // decoder.0.self_attention_norm.gain [4]
    92, 90, 97, 145,
    // decoder.0.self_attention_norm.bias [4]
    -5, -7, -13, 4,
    // decoder.0.encoder_decoder_attention.w_q [4, 4]
    21, -45, 7, -13, -57, 65, 9, 72, 60, 14, -2, 48, -57, -6, -68, -87,
    // decoder.0.encoder_decoder_attention.w_k [4, 4]
    -53, -25, 43, 47, -71, 13, -56, -15, -2, 26, -52, -117, 37, -88, 34, 58,
    // decoder.0.encoder_decoder_attention.w_v [4, 4]
    81, 25, 9, 26, -44, -27, -71, -6, 44, 27, 11, 60, 9, 43, -40, -61,
    // decoder.0.encoder_decoder_attention.w_o [4, 4]
    14, -99, 13, 16, -9, 2, 41, 72, 63, -6, -54, -69, 63, -9, -35, 7,
    // decoder.0.encoder_decoder_attention_norm.gain [4]
    109, 88, 62, 123,
    // decoder.0.encoder_decoder_attention_norm.bias [4]
    -11, 24, 28, -26,
    // decoder.0.feed_forward.w_1 [4, 8]
    70, -125, -94, -41, -120, -65, -31, 22, 4, -4, 34, -100, -43, 74, -95, -9, 3, 88, 92, 120, 72, -44, 53,
    107, -2, -86, 83, 81, 21, -84, 47, -116,
    // decoder.0.feed_forward.b_1 [8]
    13, -20, 19, -21, 50, 9, -31, 0,
    // decoder.0.feed_forward.w_2 [8, 4]
    3, -16, 17, 19, 73, -21, 70, -106, 3, -98, -111, 142, -24, 61, -33, -54, 48, -103, -23, 56, -5, 1, 52,
    -70, -47, 98, -53, -78, -31, -24, -71, 149,
    // decoder.0.feed_forward.b_2 [4]
    -24, -34, 71, -19,
    // decoder.0.feed_forward_norm.gain [4]
    321, 125, 181, 132,
    // decoder.0.feed_forward_norm.bias [4]
    -161, 30, 49, 4};

}  // namespace

LoadedModel page_model() {
  LoadedModel model = {.transformer = nullptr,
                       .byte_pairs = BytePairEncoding::parse(kPageCodes, "bpe.codes"),
                       .vocabulary = Vocabulary::parse(kPageVocabulary, "vocabulary.txt")};
  ModelConfig config = preset_recipe("page")->model;
  config.vocab = model.vocabulary.size();
  model.transformer = std::make_unique<Transformer>(config, /*seed=*/0);
  const int* weight = std::begin(kPageWeights);
  for (const NamedParameter& each : model.transformer->parameters()) {
    Tensor& value = each.parameter->value;
    CHECK(std::end(kPageWeights) - weight >= value.size(), "too few weights for ", each.name);
    for (Index i = 0; i < value.size(); ++i)
      value.mutable_data()[i] = static_cast<Real>(*weight++) / Real{100};
  }
  CHECK(weight == std::end(kPageWeights), "too many weights");
  return model;
}

}  // namespace plainformer
