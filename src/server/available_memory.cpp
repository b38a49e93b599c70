// SPDX-License-Identifier: Apache-2.0
#include "server/available_memory.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <malloc.h>

namespace apus::server {
namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};

// Returns the number at the beginning of a file, or `unlimited` if the file contains `max` or is missing.
std::uint64_t number_in(const std::string& path) {
    std::string text;
    std::getline(std::ifstream(path), text);
    std::uint64_t n = 0;
    return std::from_chars(text.data(), text.data() + text.size(), n).ec == std::errc() ? n : unlimited;
}

std::uint64_t machine_memory(const std::string& root) {
    constexpr std::string_view name = "MemTotal:";
    std::ifstream file(root + "/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name)) continue;
        const char* at = line.data() + std::min(line.find_first_of("0123456789"), line.size());
        std::uint64_t kibibytes = 0;
        if (std::from_chars(at, line.data() + line.size(), kibibytes).ec == std::errc()) return kibibytes * 1024;
    }
    return unlimited;
}

// Limits of parent groups apply too. In a container, the path may not exist; the root of the mount is then the
// container's own group.
std::uint64_t group_memory(const std::string& mount, std::string path, const char* limit) {
    std::uint64_t least = number_in(mount + "/" + limit);
    while (!path.empty() && path != "/") {
        least = std::min(least, number_in(mount + path + "/" + limit));
        path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
    }
    return least;
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
    std::uint64_t least = machine_memory(root);
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        // "0::/path" in version 2; "4:memory:/path", possibly with more controllers, in version 1.
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string path = line.substr(second + 1);
        if (controllers == ",,") least = std::min(least, group_memory(root + "/sys/fs/cgroup", path, "memory.max"));
        else if (controllers.find(",memory,") != controllers.npos)
            least = std::min(least, group_memory(root + "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
    }
    return least;
}

void limit_heap_fragmentation(std::uint64_t budget) noexcept {
    constexpr std::uint64_t least = 128 * 1024, most = 32 * 1024 * 1024;  // limits of glibc's dynamic threshold
    if (std::getenv("MALLOC_MMAP_THRESHOLD_") || std::getenv("GLIBC_TUNABLES")) return;
    const auto size = static_cast<int>(std::clamp(budget / 1024, least, most));
    mallopt(M_MMAP_THRESHOLD, size);
    mallopt(M_TRIM_THRESHOLD, 2 * size);
}

}  // namespace apus::server
