// Two counts of one piece of work.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "core/multiply_adds.h"
#include "core/real.h"

namespace plainformer {

struct Counts {
  std::int64_t made;      // by the loops, as their numbers count them
  std::int64_t reported;  // to count_multiply_adds, by the operations
};

inline Counts counts_of(const std::function<void()>& work) {
  const std::int64_t made = loop_multiply_adds, reported = multiply_adds();
  work();
  return {.made = loop_multiply_adds - made, .reported = multiply_adds() - reported};
}

// Do the loops make as many multiply-adds as are expected, and do the operations report as many?
inline testing::AssertionResult makes(std::int64_t expected, const std::function<void()>& work) {
  const Counts counts = counts_of(work);
  if (counts.made == expected && counts.reported == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << counts.made << " multiply-adds made, " << counts.reported
                                     << " reported, " << expected << " expected";
}

// Do the operations report what their loops make?
inline testing::AssertionResult reports_what_it_makes(const std::function<void()>& work) {
  const Counts counts = counts_of(work);
  if (counts.made == counts.reported && counts.made > 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << counts.made << " multiply-adds made, " << counts.reported
                                     << " reported";
}

}  // namespace plainformer
