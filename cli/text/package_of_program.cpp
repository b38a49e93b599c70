// SPDX-License-Identifier: Apache-2.0
#include "cli/text/package_of_program.hpp"

#include <algorithm>
#include <iterator>

namespace apus::cli::text {
namespace {

struct known_program {
    std::string_view name, package;
};

constexpr known_program programs[] = {
    {"c++", "g++"},
    {"ccache", "ccache"},
    {"clang", "clang-19"},
    {"clang++", "clang-19"},
    {"clang-format", "clang-format-19"},
    {"clang-query", "clang-tools-19"},
    {"clang-tidy", "clang-tidy-19"},
    {"cmake", "cmake"},
    {"conan", "python3-venv"},
    {"cpack", "cmake"},
    {"ctest", "cmake"},
    {"curl", "curl"},
    {"dpkg-deb", "dpkg"},
    {"dpkg-shlibdeps", "dpkg-dev"},
    {"g++", "g++"},
    {"gcc", "gcc"},
    {"git", "git"},
    {"gzip", "gzip"},
    {"ld.lld", "lld-19"},
    {"llvm-cov", "llvm-19"},
    {"llvm-profdata", "llvm-19"},
    {"llvm-symbolizer", "llvm-19"},
    {"make", "make"},
    {"minisign", "minisign"},
    {"mold", "mold"},
    {"ninja", "ninja-build"},
    {"objcopy", "binutils"},
    {"objdump", "binutils"},
    {"openssl", "openssl"},
    {"pg_dump", "postgresql-client"},
    {"pkg-config", "pkg-config"},
    {"psql", "postgresql-client"},
    {"python3", "python3"},
    {"readelf", "binutils"},
    {"rpmbuild", "rpm"},
    {"sha256sum", "coreutils"},
    {"sqlite3", "sqlite3"},
    {"ssh-keygen", "openssh-client"},
    {"strip", "binutils"},
    {"tar", "tar"},
    {"wrk", "wrk"},
};

// Removes a version: clang-tidy-19 becomes clang-tidy.
std::string_view without_version(std::string_view program) {
    const std::size_t last = program.find_last_not_of("0123456789");
    return last != program.npos && last + 1 < program.size() && program[last] == '-' ? program.substr(0, last)
                                                                                     : program;
}

}  // namespace

std::string_view package_of_program(std::string_view program) {
    const auto found = std::ranges::find(programs, without_version(program), &known_program::name);
    return found == std::end(programs) ? std::string_view() : found->package;
}

}  // namespace apus::cli::text
