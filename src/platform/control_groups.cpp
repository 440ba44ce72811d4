// Linux's control groups, by which containers and batch systems limit the time on the processors and the
// memory.
#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

enum class Version { kNone, k1, k2 };

// The folder of the groups of one version.
struct Hierarchy {
  Version version = Version::kNone;
  std::string top, folder;  // the folder of the group `top`
};

// In version 1, a hierarchy limits the resources of some controllers: "cpu", "memory".
bool names(const std::string& controllers, const std::string& controller) {
  return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

// A line of /proc/self/mountinfo: "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu". Version 1 has
// a hierarchy for each resource.
Hierarchy hierarchy_of_mount(const std::string& line, const std::string& controller) {
  const std::size_t dash = line.find(" - ");
  if (dash == std::string::npos) return {};
  std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
  std::string number, parent, device, top, folder, type, source, options;
  before >> number >> parent >> device >> top >> folder;
  after >> type >> source >> options;
  const bool is_version_1 = type == "cgroup" && names(options, controller);
  return {type == "cgroup2" ? Version::k2 : is_version_1 ? Version::k1 : Version::kNone, top, folder};
}

// Whether the group is `top` or below it.
bool is_within(const std::string& group, const std::string& top) {
  return group == top || group.starts_with(top + "/");
}

// The group of this process in the hierarchy, by a line of /proc/self/cgroup: "1:cpu,cpuacct:/batch/7", or
// "0::/user".
std::string own_group(const std::string& root, Version version, const std::string& controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = version == Version::k2 ? controllers.empty() : names(controllers, controller);
    if (is_it) return line.substr(second + 1);
  }
  return "/";
}

// Quota / period of one group, both in microseconds.
double quota_of(const std::string& folder, Version version) {
  double quota = 0, period = 0;
  if (version == Version::k2) {
    std::ifstream limit(folder + "/cpu.max");  // "50000 100000", or "max 100000"
    limit >> quota >> period;
  } else {
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
    quota_file >> quota;  // -1: no limit
    period_file >> period;
  }
  return quota > 0 && period > 0 ? quota / period : kNoLimit;
}

// Bytes that one group may use.
double memory_limit_of(const std::string& folder, Version version) {
  double bytes = 0;
  // "1073741824", or "max"; version 1 has a number near 2^63 for no limit.
  std::ifstream limit(folder + (version == Version::k2 ? "/memory.max" : "/memory.limit_in_bytes"));
  limit >> bytes;
  constexpr double kMost = 1e18;
  return bytes > 0 && bytes < kMost ? bytes : kNoLimit;
}

// The least limit of the groups around this process. Each group has its own. Groups outside the container
// cannot be seen.
double least_limit(const std::string& root, const std::string& controller,
                   double (*limit_of)(const std::string& folder, Version version)) {
  double least = kNoLimit;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const Hierarchy hierarchy = hierarchy_of_mount(line, controller);
    if (hierarchy.version == Version::kNone) continue;

    std::string group = own_group(root, hierarchy.version, controller);
    if (hierarchy.top != "/" && is_within(group, hierarchy.top)) group.erase(0, hierarchy.top.size());
    while (true) {
      least = std::min(least, limit_of(root + hierarchy.folder + group, hierarchy.version));
      if (group.empty()) break;
      group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return least;
}

}  // namespace

double processor_quota(const std::string& root) {
  return least_limit(root, "cpu", quota_of);
}

double memory_quota(const std::string& root) {
  return least_limit(root, "memory", memory_limit_of);
}

}  // namespace plainformer
