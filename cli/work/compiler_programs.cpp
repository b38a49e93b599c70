// SPDX-License-Identifier: Apache-2.0
#include "cli/work/compiler_programs.hpp"

#include <cstdlib>

#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/package_of_program.hpp"
#include "cli/work/sanitizer_reports.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

// Parses a line like CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/clang++-19.
std::string compiler_of(const fs::path& build_folder) {
    const fs::path cache = build_folder / "CMakeCache.txt";
    if (!fs::exists(cache)) return "clang++-19";
    const std::string text = system::read_file(cache);
    for (const std::string_view line : text::split(text, '\n'))
        if (line.starts_with("CMAKE_CXX_COMPILER:")) return std::string(line.substr(line.find('=') + 1));
    return "clang++-19";
}

std::string first_line_of(std::vector<std::string> words) {
    if (!words.front().contains('/') && !system::has_program(words.front())) return {};
    const system::outcome ended = system::run({.words = std::move(words)});
    return ended.ok() ? ended.out.substr(0, ended.out.find('\n')) : std::string();
}

// Checks the version of a program. If the compiler has no such program of its own, -print-prog-name returns the bare
// name, which may be any version in PATH.
bool is_of_version(const std::string& program, const std::string& major) {
    std::error_code none;
    if (program.empty() || (program.contains('/') ? !fs::exists(program, none) : !system::has_program(program)))
        return false;
    return system::run({.words = {program, "--version"}}).out.contains("version " + major + ".");
}

}  // namespace

compiler_program program_of_compiler(const fs::path& build_folder, std::string_view name) {
    const std::string compiler = compiler_of(build_folder), version = first_line_of({compiler, "-dumpversion"}),
                      major = version.substr(0, version.find('.'));
    compiler_program found{.name = std::string(name) + "-" + (major.empty() ? "19" : major)};
    for (const std::string& candidate :
         {first_line_of({compiler, "-print-prog-name=" + std::string(name)}), found.name, std::string(name)})
        if (found.path.empty() && is_of_version(candidate, major)) found.path = candidate;
    return found;
}

void name_symbolizer(system::invocation& start, const fs::path& build_folder, terminal::shell& shell) {
    if (!has_sanitizer(build_folder.filename().string())) return;
    const compiler_program symbolizer = program_of_compiler(build_folder, "llvm-symbolizer");
    if (symbolizer.path.empty())
        shell.warning("sanitizer reports will have no source positions, because " + symbolizer.name +
                      " is missing: `apt-get install " + std::string(text::package_of_program(symbolizer.name)) + "`");
    for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
        const char* own = std::getenv(name);
        std::string options = own ? own : "";
        if (!symbolizer.path.empty() && !options.contains("external_symbolizer_path="))
            options += ":external_symbolizer_path=\"" + symbolizer.path + "\"";
        if (!options.contains("print_stacktrace=")) options += ":print_stacktrace=1";
        start.environment.emplace_back(name, std::move(options));
    }
}

}  // namespace apus::cli::work
