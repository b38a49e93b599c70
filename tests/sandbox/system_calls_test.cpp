// SPDX-License-Identifier: Apache-2.0
#include "sandbox/system_calls.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <sys/syscall.h>

using namespace apus::sandbox;

namespace {

// Reads the numbers from a header of the kernel: "#define __NR_read 63".
std::map<std::string, int> numbers_in(const char* header) {
    std::map<std::string, int> all;
    std::ifstream in(header);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string define, name;
        int number = -1;
        if (!(words >> define >> name >> number) || define != "#define") continue;
        for (const std::string prefix : {"__NR_", "__NR3264_"})
            if (name.starts_with(prefix)) all[name.substr(prefix.size())] = number;
    }
    return all;
}

}  // namespace

TEST_CASE("sandbox: each call is in one group, and has a number") {
    std::set<std::string_view> names;
    for (const auto& group : system_call_table())
        for (const auto& call : group.calls) {
            INFO(call.name);
            CHECK(names.insert(call.name).second);
            CHECK((call.x86_64 >= 0 || call.aarch64 >= 0));
        }
    CHECK(names.size() > 230);
}

TEST_CASE("sandbox: the numbers are those of the kernel's headers") {
    const auto x86 = numbers_in("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
    const auto generic = numbers_in("/usr/include/asm-generic/unistd.h");
    // Names that the generic header defines as aliases of other names.
    const std::map<std::string, std::string> renamed = {{"newfstatat", "fstatat"}};
    unsigned compared = 0;
    for (const auto& group : system_call_table())
        for (const auto& call : group.calls) {
            const std::string name(call.name);
            INFO(name);
            if (const auto found = x86.find(name); found != x86.end()) {
                CHECK(call.x86_64 == found->second);
                ++compared;
            }
            const auto other = renamed.find(name);
            const auto found = generic.find(other == renamed.end() ? name : other->second);
            if (found == generic.end()) continue;
            CHECK(call.aarch64 == found->second);
            ++compared;
        }
    CHECK((compared > 450 || x86.empty() || generic.empty()));
}

TEST_CASE("sandbox: calls have names") {
    CHECK(name_of_system_call(SYS_mount) == "mount");
    CHECK(name_of_system_call(SYS_ptrace) == "ptrace");
    CHECK(name_of_system_call(99999) == "?");
    CHECK(name_of_system_call(-1) == "?");
}
