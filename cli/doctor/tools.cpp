// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "cli/doctor/examine.hpp"

namespace apus::cli::doctor {
namespace {

struct library {
    std::string_view name, package, use;
};

// Libraries that components of Apus link. `use` names the features that need the library.
constexpr library libraries[] = {
    {"liburing", "liburing-dev", "every program"},
    {"libsodium", "libsodium-dev", "sessions, tokens and passwords"},
    {"openssl", "libssl-dev", "TLS"},
    {"zlib", "zlib1g-dev", "compression"},
    {"libdeflate", "libdeflate-dev", "compression"},
    {"libbrotlienc", "libbrotli-dev", "compression"},
    {"libzstd", "libzstd-dev", "compression"},
};

std::string with_version(std::string_view name, const std::string& version) {
    return std::string(name) + (version.empty() ? "" : " " + version);
}

std::string version_or_presence(const machine& on, std::string_view program) {
    const std::string version = on.version(program);
    return version.empty() ? "installed" : version;
}

// Returns the first of these programs that is installed in a sufficient version.
std::string_view first_of(const machine& on, std::initializer_list<std::string_view> names, std::string_view least) {
    for (std::string_view name : names) {
        if (on.has_program(name) && at_least(on.version(name), least)) return name;
    }
    return {};
}

void examine_compilers(const machine& on, findings& to) {
    const std::string_view clang = first_of(on, {"clang++-19", "clang++-20", "clang++-21", "clang++"}, "19");
    const std::string_view gcc = first_of(on, {"g++"}, "12");
    const auto is_sound = [&](std::string_view compiler) {
        return !compiler.empty() && !(on.running && on.running->miscompiling.contains(compiler));
    };
    for (const std::string_view compiler : {clang, gcc}) {
        if (compiler.empty()) continue;
        const std::string says = with_version(compiler, on.version(compiler));
        if (is_sound(compiler)) to.push_back({.about = "compiler", .says = says});
        else if (is_sound(clang))
            to.push_back({.about = "compiler", .says = says + " miscompiles coroutines, so it is not used"});
        else
            to.push_back(of_package("compiler", state::broken, says + " miscompiles coroutines (docs/compilers.md)",
                                    "clang-19"));
    }
    if (clang.empty() && gcc.empty())
        to.push_back(of_package("compiler", state::broken, "clang 19 is not installed", "clang-19"));
    else if (clang.empty() && is_sound(gcc))
        to.push_back(of_package("compiler", state::warning,
                                "clang 19, the default compiler of projects, is not installed", "clang-19"));
    for (int release = 12; release <= 20; ++release) {
        if (on.has("usr/include/c++/" + std::to_string(release) + "/expected")) {
            to.push_back({.about = "C++ library", .says = "libstdc++ of g++ " + std::to_string(release)});
            return;
        }
    }
    to.push_back(of_package("C++ library", state::broken, "libstdc++ 12 or newer, which clang uses, is not installed",
                            "libstdc++-12-dev"));
}

void examine_program(const machine& on, findings& to, std::string_view name, std::string_view least,
                     std::string_view package) {
    if (!on.has_program(name)) to.push_back(of_package(name, state::broken, "not installed", package));
    else if (!at_least(on.version(name), least))
        to.push_back(
            of_package(name, state::broken, on.version(name) + " is older than " + std::string(least), package));
    else to.push_back({.about = name, .says = version_or_presence(on, name)});
}

void examine_libraries(const machine& on, findings& to) {
    std::string present;
    for (const library& each : libraries) {
        if (const auto version = on.library(each.name)) {
            present += (present.empty() ? "" : ", ") + with_version(each.name, *version);
            continue;
        }
        const bool always = each.name == "liburing";
        to.push_back(of_package("libraries", always ? state::broken : state::warning,
                                std::string(each.name) + " is not installed; required for " + std::string(each.use),
                                each.package));
    }
    if (!present.empty()) to.push_back({.about = "libraries", .says = present});
}

void examine_help(const machine& on, findings& to, std::string_view name, std::string_view use) {
    if (on.has_program(name)) to.push_back({.about = name, .says = version_or_presence(on, name)});
    else to.push_back(of_package(name, state::warning, "not installed; it " + std::string(use), name));
}

// Programs that a command needs in addition to the build tools.
struct needed_by {
    std::string_view command, package;
    std::array<std::string_view, 2> programs{};  // one of these programs, of version 19, is sufficient
    std::string_view file{};                     // or this file is sufficient
};

constexpr needed_by commands[] = {
    {"`apus test`", "doctest-dev", {}, "usr/include/doctest/doctest.h"},
    {"`apus fmt` and `apus check format`", "clang-format-19", {"clang-format-19", "clang-format"}},
    {"`apus check lint`", "clang-tidy-19", {"clang-tidy-19", "clang-tidy"}},
    {"`apus check lifetimes`", "clang-tools-19", {"clang-query-19", "clang-query"}},
    {"`--sanitize` and `apus test --coverage`", "libclang-rt-19-dev", {}, "usr/lib/llvm-19/lib/clang/19/lib/linux"},
    {"`apus test --coverage`, and by `--sanitize` for source positions", "llvm-19", {"llvm-profdata-19"}},
};

// Other versions format differently and print other warnings. An empty version is unknown.
bool is_version_19(std::string_view version) {
    return version.empty() || version == "19" || version.starts_with("19.");
}

void examine_commands(const machine& on, findings& to) {
    std::string present;
    for (const needed_by& each : commands) {
        const auto has = [&](std::string_view program) { return !program.empty() && on.has_program(program); };
        const auto fits = [&](std::string_view program) { return has(program) && is_version_19(on.version(program)); };
        if (std::ranges::any_of(each.programs, fits) || (!each.file.empty() && on.has(each.file))) {
            present.append(present.empty() ? "" : ", ").append(each.package);
            continue;
        }
        const auto other = std::ranges::find_if(each.programs, has);
        const std::string found =
            other == each.programs.end() ? "" : " (" + with_version(*other, on.version(*other)) + " does not suffice)";
        to.push_back(
            of_package("commands", state::warning,
                       std::string(each.package) + " is not installed; needed by " + std::string(each.command) + found,
                       each.package));
    }
    if (!present.empty()) to.push_back({.about = "commands", .says = present});
}

}  // namespace

void examine_tools(const machine& on, findings& to) {
    examine_compilers(on, to);
    examine_program(on, to, "cmake", "3.25", "cmake");
    examine_program(on, to, "ninja", "1.10", "ninja-build");
    examine_program(on, to, "pkg-config", "0.29", "pkg-config");
    examine_libraries(on, to);
    examine_commands(on, to);
    examine_help(on, to, "mold", "links several times faster");
    examine_help(on, to, "ccache", "caches compiler output");
}

}  // namespace apus::cli::doctor
