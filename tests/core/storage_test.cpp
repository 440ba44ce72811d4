#include "core/storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/tensor.h"
#include "core/thread_pool.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

TEST(Storage, BlocksAreAlignedToACacheLineAndDoNotOverlap) {
  std::vector<Storage> storages;
  for (std::size_t count = 0; count < 500; ++count) {
    storages.emplace_back(count * sizeof(Real));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storages.back().data()) % 64, 0u) << count;
    std::fill_n(storages.back().data(), count, static_cast<Real>(count));
  }
  for (std::size_t count = 0; count < 500; ++count)
    ASSERT_EQ(std::count(storages[count].data(), storages[count].data() + count, static_cast<Real>(count)),
              std::ptrdiff_t(count));
}

TEST(Storage, IsRecycledAndElseAskedOfTheSystem) {
  { const Storage warm_up(123'456); }
  const StorageStatistics before = storage_statistics();
  for (int i = 0; i < 100; ++i) EXPECT_NE(Storage(123'456).data(), nullptr);
  EXPECT_EQ(storage_statistics().system_allocations, before.system_allocations);
  const Storage first(234'567), second(234'567), third(234'567);
  // At least two: one block may have been left over by another test.
  EXPECT_GE(storage_statistics().system_allocations, before.system_allocations + 2);
  EXPECT_GE(storage_statistics().system_bytes, before.system_bytes + 2 * 234'567);
}

TEST(Storage, WastesAnEighthAtMost) {
  for (std::size_t bytes : {64u, 65u, 1000u, 100'000u, 1'048'576u, 1'048'577u, 9'999'999u}) {
    const StorageStatistics before = storage_statistics();
    std::vector<Storage> storages;
    while (storage_statistics().system_allocations == before.system_allocations) storages.emplace_back(bytes);
    const std::uint64_t asked = storage_statistics().system_bytes - before.system_bytes;
    EXPECT_GE(asked, bytes);
    EXPECT_LE(asked, bytes + bytes / 8 + 2 * 64) << bytes;  // and a header, and the alignment
  }
}

TEST(Storage, ReturnsWhatIsFreeBeforeMemoryRunsOut) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer stops the program instead";
  { const Storage free_block(3'456'789); }
  const StorageStatistics before = storage_statistics();
  constexpr std::size_t kTooMuch = std::size_t{1} << (sizeof(std::size_t) == 8 ? 58 : 30);
  EXPECT_THROW(Storage{kTooMuch}, std::bad_alloc);
  EXPECT_LE(storage_statistics().system_bytes, before.system_bytes - 3'456'789);
  EXPECT_EQ(storage_statistics().used_bytes, before.used_bytes);
}

TEST(Storage, CountsTheBytesInUseAndTheirPeak) {
  const std::uint64_t before = storage_statistics().used_bytes;
  restart_storage_peak();
  EXPECT_EQ(storage_statistics().peak_used_bytes, before);
  {
    const Storage odd(1001), shared = odd;
    EXPECT_EQ(storage_statistics().used_bytes, before + 1001);
    { const Storage large(1'000'003); }
    EXPECT_EQ(storage_statistics().used_bytes, before + 1001);
    const Storage recycled(999'997);  // in the block of the large one
    EXPECT_EQ(storage_statistics().used_bytes, before + 1001 + 999'997);
    EXPECT_EQ(storage_statistics().peak_used_bytes, before + 1001 + 1'000'003);
    restart_storage_peak();
    EXPECT_EQ(storage_statistics().peak_used_bytes, before + 1001 + 999'997);
  }
  EXPECT_EQ(storage_statistics().used_bytes, before);
}

TEST(Storage, MayBeTakenAndReturnedByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const Tensor mine = Tensor::filled({5, 7}, static_cast<Real>(t));
      for (int i = 0; i < 2000; ++i) {
        Tensor copy = mine;
        copy.mutable_data()[0] = -1;
        const Tensor other = Tensor::filled({i % 50 + 1}, static_cast<Real>(-2));
        ASSERT_EQ(mine.at({0, 0}), t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// --- working memory ---

constexpr Index kMoreThanAChunk = (Index{1} << 22) + 1;

std::uint64_t system_allocations() {
  return storage_statistics().system_allocations;
}

TEST(Scratch, PiecesAreAlignedToACacheLineAndDoNotOverlap) {
  Scratch scratch;
  std::vector<std::pair<Real*, Index>> pieces;
  for (Index count : {Index{5}, Index{16}, kMoreThanAChunk, Index{1}, kMoreThanAChunk, Index{33}}) {
    pieces.emplace_back(scratch.take(count), count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces.back().first) % 64, 0u) << count;
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
