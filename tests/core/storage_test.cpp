#include "core/storage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "core/tensor.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

TEST(Storage, IsAlignedToACacheLine) {
  std::vector<Storage> storages;
  for (std::size_t bytes = 0; bytes < 2000; bytes += 4) {
    storages.emplace_back(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storages.back().data()) % 64, 0u) << bytes;
  }
}

TEST(Storage, KnowsWhetherItIsShared) {
  EXPECT_FALSE(Storage().is_shared());
  const Storage storage(100);
  EXPECT_FALSE(storage.is_shared());
  {
    const Storage other = storage;
    EXPECT_TRUE(storage.is_shared());
    EXPECT_EQ(other.data(), storage.data());
  }
  EXPECT_FALSE(storage.is_shared());
}

TEST(Storage, BlocksThatAreInUseDoNotOverlap) {
  constexpr std::size_t kReals = 40;
  std::vector<Storage> storages;
  for (int i = 0; i < 50; ++i) {
    storages.emplace_back(kReals * sizeof(Real));
    for (std::size_t j = 0; j < kReals; ++j) storages.back().data()[j] = static_cast<Real>(i);
  }
  for (int i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < kReals; ++j) ASSERT_EQ(storages[i].data()[j], i);
}

TEST(Storage, IsRecycled) {
  { const Storage warm_up(123'456); }
  const std::uint64_t before = storage_statistics().system_allocations;
  for (int i = 0; i < 100; ++i) {
    const Storage same_size(123'456);
    EXPECT_NE(same_size.data(), nullptr);
  }
  EXPECT_EQ(storage_statistics().system_allocations, before);
}

TEST(Storage, AsksTheSystemWhenNoFreeBlockFits) {
  const StorageStatistics before = storage_statistics();
  const Storage first(234'567), second(234'567), third(234'567);
  // At least two: one block may have been left over by somebody else.
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

// What a training step does, in small: shapes that differ within a step and recur in the next.
TEST(Storage, ASteadyLoopOfTensorsAllocatesNothing) {
  const auto step = [] {
    std::vector<Tensor> cache;
    for (Index len : {3, 17, 256, 1000}) {
      Tensor x = Tensor::zeros({len, 64});
      cache.push_back(x);       // shared,
      x.mutable_data()[0] = 1;  // then copied by the writer
      cache.push_back(std::move(x));
      cache.push_back(Tensor({len, 7}));
    }
  };
  step();
  const std::uint64_t before = storage_statistics().system_allocations;
  for (int i = 0; i < 20; ++i) step();
  EXPECT_EQ(storage_statistics().system_allocations, before);
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

}  // namespace
}  // namespace plainformer
