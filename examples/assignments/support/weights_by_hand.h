// Paper: 3.2.3 Applications of Attention in our Model ("encoder-decoder attention")
//
// Weights set by hand: a Transformer in which nothing is trained. It has one layer in each stack and one head. All
// its parts pass on what they get, but for the encoder-decoder attention, whose four matrices you set.
//
// A vector has kWidth = 25 components. At position p of the source, the word w is the vector with two ones, in
// component w and in component position(p); all others are 0. That is what keys and values are made of. At
// position p of the target, the vector has the word that was written last (<s> at p = 0) and position(p). Queries
// are made of it. What your head returns is added to this vector, and the word whose component is then the largest
// is written next.
//
// A row vector is multiplied from the left: w_q.value(i, j) says how much of component i goes to component j of the
// query. The scores are divided by sqrt(d_k) = 5.
#pragma once

#include "transformer/multi_head_attention.h"

namespace plainformer::course {

constexpr Index kEnd = 2;                       // </s>, behind the last word of each sentence; <s> is 1
constexpr Index kFirstVerb = 4, kLastVerb = 7;  // buys, sees, reads, sleeps
constexpr Index kWords = 15;                    // the queen, the king, a book, old, red, and so on: 8 to 14
constexpr Index kPositions = 10;                // a sentence has at most nine words
constexpr Index kWidth = kWords + kPositions;   // d_model = d_k = d_v

constexpr Index position(Index p) { return kWords + p; }

// "the queen buys a book </s>" -> the same.
void set_to_copy(MultiHeadAttention& attention);

// "the queen buys a book </s>" -> "book a buys queen the </s>". All sentences have this number of words.
void set_to_reverse(MultiHeadAttention& attention, Index length);

// The verb is the third word of each sentence, and no other word is a verb. Sentences have three words or more.
// "the queen buys a red book </s>" -> "the queen a red book buys </s>", the order after a German "dass".
void set_to_move_the_verb(MultiHeadAttention& attention);

}  // namespace plainformer::course
