#include "weights_by_hand.h"

#include "core/writable_tensor.h"

namespace plainformer::course {

namespace {

constexpr Real kSharp = 100;  // a score; less, and the head looks at all words a little
constexpr Real kLoud = 10;    // what the head adds; 1, and the word written last is as loud

// Key and value are the vector itself. What is returned is the word without its position, and loud.
void read_words(MultiHeadAttention& attention) {
  WritableTensor same = Tensor::zeros({kWidth, kWidth}), words = Tensor::zeros({kWidth, kWidth});
  for (Index i = 0; i < kWidth; ++i) same(i, i) = 1;
  for (Index w = 0; w < kWords; ++w) words(w, w) = kLoud;
  attention.w_k.value = same;
  attention.w_v.value = same;
  attention.w_o.value = words;
}

}  // namespace

void set_to_copy(MultiHeadAttention& attention) {
  // Step 1. Read words.
  read_words(attention);

  // Step 2. Position p looks at position p.
  WritableTensor query = Tensor::zeros({kWidth, kWidth});
  for (Index p = 0; p < kPositions; ++p) query(position(p), position(p)) = kSharp;
  attention.w_q.value = query;
}

void set_to_reverse(MultiHeadAttention& attention, Index length) {
  // Step 1. Read words.
  read_words(attention);

  // Step 2. Position p looks at the p-th word from the end; the last position looks at </s>, which stays.
  WritableTensor query = Tensor::zeros({kWidth, kWidth});
  for (Index p = 0; p < length; ++p) query(position(p), position(length - 1 - p)) = kSharp;
  query(position(length), position(length)) = kSharp;
  attention.w_q.value = query;
}

void set_to_move_the_verb(MultiHeadAttention& attention) {
  // Step 1. Read words.
  read_words(attention);

  // Step 2. The subject stays: two words. Every later position looks one to the right, past the verb.
  WritableTensor query = Tensor::zeros({kWidth, kWidth});
  for (Index p = 0; p < kPositions - 1; ++p) query(position(p), position(p < 2 ? p : p + 1)) = kSharp;

  // Step 3. Where </s> is all that is left, the verb wins.
  for (Index p = 0; p < kPositions; ++p) {
    query(position(p), kEnd) = -2 * kSharp;
    for (Index verb = kFirstVerb; verb <= kLastVerb; ++verb) query(position(p), verb) = kSharp / 2;
  }

  // Step 4. After the verb comes </s>.
  for (Index verb = kFirstVerb; verb <= kLastVerb; ++verb) query(verb, kEnd) = 4 * kSharp;
  attention.w_q.value = query;
}

}  // namespace plainformer::course
