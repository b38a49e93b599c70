// SPDX-License-Identifier: Apache-2.0
#include "server/available_memory.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct machine {
    const char* name;
    std::vector<std::pair<const char*, const char*>> files;
    std::uint64_t available;
};

constexpr std::uint64_t mebi = 1024 * 1024;
constexpr auto total = "MemTotal:        1048576 kB\nMemFree:  1 kB\n";

const machine machines[] = {
    {"no group", {{"proc/meminfo", total}}, 1024 * mebi},
    {"version 2",
     {{"proc/meminfo", total}, {"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/memory.max", "268435456\n"}},
     256 * mebi},
    {"version 2, no limit",
     {{"proc/meminfo", total}, {"proc/self/cgroup", "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "max\n"}},
     1024 * mebi},
    {"a group above has less",
     {{"proc/meminfo", total},
      {"proc/self/cgroup", "0::/a/b\n"},
      {"sys/fs/cgroup/a/b/memory.max", "max\n"},
      {"sys/fs/cgroup/a/memory.max", "134217728\n"}},
     128 * mebi},
    {"a container, which sees its own group at the top",
     {{"proc/meminfo", total}, {"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/memory.max", "67108864\n"}},
     64 * mebi},
    {"version 1",
     {{"proc/meminfo", total},
      {"proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n0::/\n"},
      {"sys/fs/cgroup/memory/x/memory.limit_in_bytes", "536870912\n"}},
     512 * mebi},
    {"version 1, no limit",
     {{"proc/meminfo", total},
      {"proc/self/cgroup", "4:memory:/x\n"},
      {"sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n"}},
     1024 * mebi},
    {"lines that are not understood", {{"proc/meminfo", total}, {"proc/self/cgroup", "\n:\nx\n0:"}}, 1024 * mebi},
};

}  // namespace

TEST_CASE("memory share: the least of the machine's memory and all group limits") {
    namespace fs = std::filesystem;
    for (const auto& m : machines) {
        CAPTURE(m.name);
        std::string root = (fs::temp_directory_path() / "apus-memory-XXXXXX").string();
        REQUIRE(mkdtemp(root.data()));
        for (const auto& [path, text] : m.files) {
            fs::create_directories((fs::path(root) / path).parent_path());
            std::ofstream(fs::path(root) / path) << text;
        }
        CHECK(apus::server::available_memory(root) == m.available);
        fs::remove_all(root);
    }
}

TEST_CASE("memory share: the default is half of this machine's") {
    CHECK(apus::server::available_memory() > 16 * mebi);
    CHECK(apus::server::default_memory() == apus::server::available_memory() / 2);
}
