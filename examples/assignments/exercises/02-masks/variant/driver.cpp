// A mask of blocks: if it is causal, a query sees only the keys of earlier blocks of three.
#include "ops/attention_mask.h"
#include "variant.h"

namespace plainformer::course {

namespace {

#ifdef COURSE_ORACLE

Index visible_keys(const AttentionMask& mask, Index element, Index query) {
  constexpr Index kBlock = 3;
  Index count = 0;
  for (Index key = 0; key < mask.key_lengths[element]; ++key)
    count += !mask.causal || key / kBlock < query / kBlock;
  return count;
}

#else

Index visible_keys(const AttentionMask& mask, Index element, Index query) {
  return mask.visible_keys(element, query);
}

#endif

// The visible keys of each query, [batch, query_len].
void counts() {
  for (const bool causal : {true, false}) {
    Draw draw(1);
    const std::vector<Index> extents = draw.extents(3, 4, 9);  // batch, query_len, key_len
    AttentionMask mask = {.key_lengths = {}, .causal = causal};
    while (mask.batch() < extents[0]) mask.key_lengths.push_back(draw.whole(1, extents[2]));
    Values counts;
    for (Index element = 0; element < mask.batch(); ++element)
      for (Index query = 0; query < extents[1]; ++query)
        counts.push_back(double(visible_keys(mask, element, query)));
    show("visible keys", counts);
  }
}

}  // namespace

std::vector<Stage> stages() {
  return {{"AttentionMask::visible_keys", counts}};
}

}  // namespace plainformer::course
