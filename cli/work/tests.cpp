// SPDX-License-Identifier: Apache-2.0
#include "cli/work/tests.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include "cli/diagnosis/explanation.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/layout.hpp"
#include "cli/work/build.hpp"
#include "cli/work/compiler_programs.hpp"
#include "cli/work/coverage.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

// Returns the number after `word` in CTest's summary, such as "100% tests passed, 0 tests failed out of 12".
long number_after(std::string_view text, std::string_view word) {
    long number = -1;
    const std::size_t at = text.rfind(word);
    if (at != text.npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

// Returns true for CTest's lines about the start or success of a test.
bool is_quiet(std::string_view line) {
    return line.find("Start ") != line.npos || line.ends_with("sec") || line.starts_with("Internal ctest") ||
           line.starts_with("Test project") || line.empty();
}

std::string failed_tests(std::string_view said) {
    std::string text;
    for (const std::string_view line : text::split(said, '\n')) {
        if (line.contains("% tests passed")) break;
        if (!is_quiet(line) || line.contains("***")) text.append(line).append("\n");
    }
    return text;
}

}  // namespace

bool test(const manifest::manifest& project, const test_options& options, terminal::shell& shell) {
    build(project, {.preset = options.preset}, shell);
    const fs::path folder = build_folder(project, options.preset);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    system::invocation ctest{.words = {"ctest", "--output-on-failure", "--no-tests=error", "-j", std::to_string(cores)},
                             .folder = folder};
    if (!options.filter.empty()) ctest.words.insert(ctest.words.end(), {"-R", options.filter});
    if (!options.junit.empty())
        ctest.words.insert(ctest.words.end(), {"--output-junit", fs::absolute(options.junit).string()});
    if (options.coverage) {
        system::remove_tree(folder / "profiles");
        ctest.environment.emplace_back("LLVM_PROFILE_FILE", (folder / "profiles/%p.profraw").string());
    }
    name_symbolizer(ctest, folder, shell);
    const auto begin = std::chrono::steady_clock::now();
    const system::outcome ended = system::run(ctest);
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
    const long failed = number_after(ended.out, "% tests passed, "), all = number_after(ended.out, "failed out of ");
    if (all < 0) {
        if (!options.filter.empty())
            throw errors::failure("E0305", "no test name matches `" + options.filter + "`",
                                  "`ctest --test-dir build/" + options.preset + " -N` lists the tests");
        throw errors::failure("E0305", "no tests found",
                              "write tests/*_test.cpp; tests require doctest (Debian: doctest-dev)");
    }
    if (!ended.ok()) {
        const std::string said = text::with_short_paths(failed_tests(ended.out), project.folder);
        for (const auto& known : diagnosis::explain(said)) shell.copy_error(diagnosis::text_of(known) + "\n");
        shell.copy_error(said);
    }
    shell.event(ended.ok() ? "Passed" : "Failed", std::to_string(ended.ok() ? all : failed) + " of " +
                                                      std::to_string(all) + " tests in " + std::to_string(took) +
                                                      " ms");
    if (options.coverage) report_coverage(project, folder, shell);
    return ended.ok();
}

int run_test_program(const manifest::manifest& project, const std::string& preset,
                     const std::vector<std::string>& words, terminal::shell& shell) {
    build(project, {.preset = preset}, shell);
    const fs::path program = build_folder(project, preset) / (project.project.name + "_tests");
    if (!fs::exists(program))
        throw errors::failure("E0305", "no test program found",
                              "write tests/*_test.cpp; tests require doctest (Debian: doctest-dev)");
    system::invocation start{.words = {program.string()}, .folder = project.folder};
    start.words.insert(start.words.end(), words.begin(), words.end());
    name_symbolizer(start, build_folder(project, preset), shell);
    return system::run_in_terminal(start);
}

}  // namespace apus::cli::work
