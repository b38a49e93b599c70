// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include "cli/doctor/probe.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 18> probed_programs = {
    "clang-format-19", "clang-format", "clang-tidy-19", "clang-tidy",
    "clang-query-19",  "clang-query",  "clang++-19",    "llvm-profdata-19",
    "clang++-20",      "clang++-21",   "clang++",       "g++",
    "cmake",           "ninja",        "mold",          "ccache",
    "pkg-config",      "openssl"};

int try_uring() {
    io_uring_params parameters{};
    const long fd = syscall(__NR_io_uring_setup, 1U, &parameters);
    if (fd < 0) return errno;
    close(static_cast<int>(fd));
    return 0;
}

bool is_clock_synchronized() {
    timex state{};
    return adjtimex(&state) != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

std::string locale_in_use() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (value && *value) return value;
    }
    return "";
}

bool is_compiler(std::string_view program) { return program.contains("++"); }

std::string version_of_program(const std::string& program) {
    const char* question = is_compiler(program)   ? (program == "g++" ? "-dumpfullversion" : "-dumpversion")
                           : program == "openssl" ? "version"
                                                  : "--version";
    try {
        const auto said = system::run({.words = {program, question}});
        return said.ok() ? version_in(said.out) : "";
    } catch (const errors::failure&) {  // the program cannot be executed
        return "";
    }
}

std::uint64_t free_space(const fs::path& at) {
    std::error_code none;
    const auto space = fs::space(at, none);
    return none ? 0 : space.available;
}

// Returns the folders that Debian's pkg-config searches, including those in /usr/local.
std::vector<fs::path> pkg_config_folders(const machine& of) {
    std::vector<fs::path> folders;
    const char* own = of.running ? std::getenv("PKG_CONFIG_PATH") : nullptr;
    std::istringstream list(own ? own : "");
    for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
    for (std::string_view folder :
         {"usr/local/lib/pkgconfig", "usr/local/share/pkgconfig", "usr/lib/x86_64-linux-gnu/pkgconfig",
          "usr/lib/aarch64-linux-gnu/pkgconfig", "usr/lib64/pkgconfig", "usr/lib/pkgconfig", "usr/share/pkgconfig"}) {
        folders.push_back(of.root / folder);
    }
    return folders;
}

std::optional<std::string> read(const fs::path& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return std::nullopt;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

std::uint64_t number_of_limit(const std::string& word) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() ? number : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

std::optional<std::string> machine::text(std::string_view path) const { return read(root / path); }

std::optional<std::uint64_t> machine::number(std::string_view path) const {
    const auto found = text(path);
    std::uint64_t number = 0;
    if (!found || std::from_chars(found->data(), found->data() + found->size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

std::optional<std::uint64_t> machine::setting(std::string_view name) const {
    std::string path = "proc/sys/" + std::string(name);
    std::ranges::replace(path, '.', '/');
    return number(path);
}

bool machine::has(std::string_view path) const {
    std::error_code none;
    return fs::exists(root / path, none);
}

bool machine::has_program(std::string_view name) const {
    if (running) return running->versions.contains(name);
    return has("usr/bin/" + std::string(name)) || has("usr/local/bin/" + std::string(name)) ||
           has("bin/" + std::string(name));
}

std::string machine::version(std::string_view program) const {
    if (!running) return "";
    const auto found = running->versions.find(program);
    return found == running->versions.end() ? "" : found->second;
}

std::optional<std::string> machine::library(std::string_view name) const {
    for (const fs::path& folder : pkg_config_folders(*this)) {
        const auto text = read(folder / (std::string(name) + ".pc"));
        if (!text) continue;
        const std::size_t at = text->find("\nVersion:");
        return at == text->npos ? "" : version_in(std::string_view(*text).substr(at, text->find('\n', at + 1) - at));
    }
    return std::nullopt;
}

std::optional<machine::limit> machine::limit_of(std::string_view row) const {
    const auto limits = text("proc/self/limits");
    if (!limits) return std::nullopt;
    const std::size_t at = limits->find("\n" + std::string(row) + " ");
    if (at == limits->npos) return std::nullopt;
    std::istringstream rest(limits->substr(at + 1 + row.size()));
    std::string soft, hard;
    rest >> soft >> hard;
    return limit{number_of_limit(soft), number_of_limit(hard)};
}

machine this_machine() {
    machine made{.root = "/",
                 .running = running_facts{.uring_error = try_uring(),
                                          .clock_synchronized = is_clock_synchronized(),
                                          .superuser = geteuid() == 0,
                                          .locale = locale_in_use()},
                 .free_bytes = free_space(".")};
    for (std::string_view name : probed_programs) {
        const std::string program(name);
        if (!system::has_program(program)) continue;
        made.running->versions.emplace(program, version_of_program(program));
        if (is_compiler(name) && miscompiles_coroutines(program)) made.running->miscompiling.insert(program);
    }
    return made;
}

machine machine_at(const fs::path& root) {
    std::error_code none;
    if (!fs::is_directory(root, none))
        throw errors::failure("E0103", "cannot examine `" + root.string() + "`: no such folder");
    return {.root = root, .running = {}, .free_bytes = free_space(root)};
}

std::string version_in(std::string_view text) {
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin == text.npos) return "";
    const std::string_view found =
        text.substr(begin, std::min(text.find_first_not_of("0123456789.", begin), text.size()) - begin);
    return std::string(found.substr(0, found.find_last_not_of('.') + 1));
}

bool at_least(std::string_view version, std::string_view least) {
    if (version.empty()) return true;
    while (!least.empty()) {
        unsigned have = 0, want = 0;
        std::from_chars(version.data(), version.data() + version.size(), have);
        std::from_chars(least.data(), least.data() + least.size(), want);
        if (have != want) return have > want;
        version.remove_prefix(std::min(version.find('.'), version.size() - 1) + 1);
        least.remove_prefix(std::min(least.find('.'), least.size() - 1) + 1);
        if (version.empty()) return least.empty();
    }
    return true;
}

}  // namespace apus::cli::doctor
