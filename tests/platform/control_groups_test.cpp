// The quotas of Linux's control groups, in files as the kernel shows them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "io/temporary_folder.h"
#include "platform/platform.h"

namespace plainformer {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_.path_of(file)).parent_path());
    root_.write(file, text);
  }
  double quota() const { return processor_quota(root_.path()); }
  double memory() const { return memory_quota(root_.path()); }

  const TemporaryFolder root_;
};

TEST_F(ControlGroups, WithoutThemThereIsNoLimit) {
  EXPECT_EQ(quota(), kNoLimit);
  write("proc/self/mountinfo",
        "22 1 0:20 / /proc rw - proc proc rw\n\n25 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(quota(), kNoLimit);
}

TEST_F(ControlGroups, OfVersion2CountWithAllGroupsAroundThem) {
  write("proc/self/mountinfo",
        "30 22 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  write("proc/self/cgroup", "0::/batch/job/step\n");
  write("sys/fs/cgroup/batch/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), kNoLimit);
  write("sys/fs/cgroup/batch/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/batch/job/step/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 1.5) << "eight processors within one and a half";
  write("sys/fs/cgroup/batch/job/step/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
  write("sys/fs/cgroup/cpu.max", "10000 100000\n");  // as a container sees its own limit
  EXPECT_EQ(quota(), 0.1);
}

TEST_F(ControlGroups, OfVersion1CountTogetherWithVersion2) {
  write("proc/self/mountinfo",
        "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write("proc/self/cgroup", "3:cpuset:/elsewhere\n2:cpu,cpuacct:/batch/7\n0::/\n");
  for (const std::string group : {"sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/cpu,cpuacct/batch/7"}) {
    write(group + "/cpu.cfs_quota_us", "-1\n");
    write(group + "/cpu.cfs_period_us", "100000\n");
  }
  EXPECT_EQ(quota(), kNoLimit);
  write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(quota(), 1);
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
  EXPECT_EQ(quota(), 0.5);
  write("sys/fs/cgroup/unified/cpu.max", "25000 100000\n");
  EXPECT_EQ(quota(), 0.25);
}

// Docker with version 1: the container sees its group's path outside, but only its own part of the hierarchy.
TEST_F(ControlGroups, AContainersOwnGroupStandsAtTheTop) {
  write("proc/self/mountinfo", "33 31 0:30 /docker/ab12 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
  write("proc/self/cgroup", "1:cpu:/docker/ab12/nested\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 2);
  write("sys/fs/cgroup/cpu/nested/cpu.cfs_quota_us", "25000\n");
  write("sys/fs/cgroup/cpu/nested/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(quota(), 0.5);
}

// Only a part of the hierarchy is mounted, and the process is in a group outside of it, whose name begins
// alike.
TEST_F(ControlGroups, AGroupWhoseNameBeginsLikeTheTopsIsAnother) {
  write("proc/self/mountinfo", "30 22 0:27 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
  write("proc/self/cgroup", "0::/docker/ab12\n");
  write("sys/fs/cgroup12/cpu.max", "10000 100000\n");
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

#ifdef __linux__
// A part of a processor is worth a thread.
TEST_F(ControlGroups, LimitTheProcessorsToTheQuotaRoundedUp) {
  const int all = usable_processors(root_.path());  // without a quota
  write("proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("proc/self/cgroup", "0::/batch/job\n");
  const auto processors = [&](const std::string& group, const std::string& limit) {
    write("sys/fs/cgroup/batch/" + group + "cpu.max", limit);
    return usable_processors(root_.path());
  };
  EXPECT_EQ(processors("job/", "100000000 100000\n"), all) << "a thousand processors";
  EXPECT_EQ(processors("job/", "150000 100000\n"), std::min(all, 2));
  EXPECT_EQ(processors("", "100000 100000\n"), 1) << "the group around it has one";
  EXPECT_EQ(processors("", "10000 100000\n"), 1) << "never none";
}
#endif

// In version 1 the memory has a hierarchy of its own, and a number near 2^63 means that there is no limit.
TEST_F(ControlGroups, OfBothVersionsLimitTheMemory) {
  EXPECT_EQ(memory(), kNoLimit);
  write("proc/self/mountinfo",
        "30 22 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "34 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("proc/self/cgroup", "3:memory:/batch/7\n2:cpu:/elsewhere\n0::/batch/job\n");
  write("sys/fs/cgroup/unified/batch/job/memory.max", "max\n");
  write("sys/fs/cgroup/memory/batch/7/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), kNoLimit);
  write("sys/fs/cgroup/unified/batch/memory.max", "8589934592\n");
  EXPECT_EQ(memory(), 8589934592.0);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
  EXPECT_EQ(memory(), 4294967296.0);
}

TEST(UsableMemory, IsKnownAndHoldsThisProgram) {
  EXPECT_GT(usable_memory_bytes(), 1e6 * peak_resident_megabytes());
  EXPECT_LT(usable_memory_bytes(), 1e15);
}

}  // namespace
}  // namespace plainformer
