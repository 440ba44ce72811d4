#include "core/storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/storage.h"
#include "core/thread_pool.h"

namespace plainformer {
namespace {

constexpr Index kMoreThanAChunk = (Index{1} << 22) + 1;

std::uint64_t system_allocations() {
  return storage_statistics().system_allocations;
}

TEST(Scratch, PiecesAreAlignedToACacheLine) {
  Scratch scratch;
  for (Index count : {1, 3, 16, 17, 1000})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.take(count)) % 64, 0u) << count;
}

TEST(Scratch, PiecesDoNotOverlap) {
  Scratch scratch;
  std::vector<std::pair<Real*, Index>> pieces;
  for (Index count : {Index{5}, Index{16}, kMoreThanAChunk, Index{1}, kMoreThanAChunk, Index{33}}) {
    pieces.emplace_back(scratch.take(count), count);
    std::fill_n(pieces.back().first, count, static_cast<Real>(pieces.size()));
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto [piece, count] = pieces[i];
    EXPECT_EQ(std::count(piece, piece + count, static_cast<Real>(i + 1)), count) << "piece " << i;
  }
}

TEST(Scratch, GivesBackWhatItTookAndNothingElse) {
  Scratch outer;
  Real* const kept = outer.take(7);
  std::fill_n(kept, 7, Real(1));
  Real* given_back = nullptr;
  {
    Scratch inner;
    given_back = inner.take(100);
    std::fill_n(given_back, 100, Real(2));
  }
  EXPECT_EQ(Scratch().take(100), given_back);
  EXPECT_EQ(outer.take(1), given_back);
  EXPECT_EQ(std::count(kept, kept + 7, Real(1)), 7);
}

// The large piece lies in another chunk; behind it, the memory goes on where it was.
TEST(Scratch, GivesBackMoreThanAChunk) {
  Scratch outer;
  Real* const next = [&] {
    Scratch inner;
    return inner.take(1);
  }();
  {
    Scratch inner;
    inner.take(kMoreThanAChunk);
    inner.take(1);
  }
  EXPECT_EQ(outer.take(1), next);
}

TEST(Scratch, ASteadyStateAllocatesNothing) {
  const auto step = [] {
    Scratch scratch;
    scratch.take(1000);
    scratch.take(kMoreThanAChunk);
    Scratch nested;
    nested.take(3 * kMoreThanAChunk);
  };
  step();
  const std::uint64_t before = system_allocations();
  for (int i = 0; i < 20; ++i) step();
  EXPECT_EQ(system_allocations(), before);
}

TEST(Scratch, IsOfOneThread) {
  Scratch scratch;
  Real* const mine = scratch.take(100);
  std::fill_n(mine, 100, Real(1));
  std::thread([] {
    Scratch other;
    std::fill_n(other.take(100), 100, Real(2));
  }).join();
  EXPECT_EQ(std::count(mine, mine + 100, Real(1)), 100);
}

TEST(Scratch, IsReservedOnce) {
  std::thread([] {
    reserve_scratch();
    const std::uint64_t before = system_allocations();
    reserve_scratch();
    Scratch().take(kMoreThanAChunk - 1);
    EXPECT_EQ(system_allocations(), before);
  }).join();
}

// Each index waits for the others, so that each thread has one.
TEST(Scratch, ThePoolsThreadsHaveTheirsFromTheStart) {
  constexpr int kThreads = 3;
  const int threads_before = threads();
  set_threads(kThreads);
  const std::uint64_t before = system_allocations();
  std::mutex mutex;
  std::set<Real*> pieces;
  std::atomic<int> arrived = 0;
  parallel_for(kThreads, 1, [&](Index, Index) {
    Scratch scratch;
    Real* const piece = scratch.take(1000);
    {
      std::lock_guard<std::mutex> lock(mutex);
      pieces.insert(piece);
    }
    ++arrived;
    while (arrived < kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(system_allocations(), before);
  EXPECT_EQ(pieces.size(), std::size_t{kThreads});
  set_threads(threads_before);
}

}  // namespace
}  // namespace plainformer
