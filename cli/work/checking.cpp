// SPDX-License-Identifier: Apache-2.0
#include "cli/work/checking.hpp"

#include "cli/system/process.hpp"
#include "cli/work/asking.hpp"
#include "cli/work/build.hpp"
#include "cli/work/formatting.hpp"
#include "cli/work/presets.hpp"
#include "cli/work/sources.hpp"

namespace apus::cli::work {

namespace {

bool read_by_clang_tidy(const manifest::manifest& project, const check_options& options, terminal::shell& shell) {
    std::vector<std::string> words{first_program({"clang-tidy-19", "clang-tidy"}), "--quiet", "-p", build_folder(project, options.preset).string()};
    if (!std::filesystem::exists(project.folder / ".clang-tidy")) words.emplace_back("--checks=-*,bugprone-*,-bugprone-easily-swappable-parameters,performance-*,clang-analyzer-*");
    words.emplace_back("--warnings-as-errors=*");
    std::size_t count = 0;
    for (const std::string& file : options.all ? sources_of(project) : changed_sources_of(project))
        if (file.ends_with(".cpp")) words.push_back(file), ++count;
    const system::outcome ended = count ? system::run({.words = words, .folder = project.folder}) : system::outcome();
    if (!ended.ok()) shell.pass_on(ended.out);
    shell.event(ended.ok() ? "Checked" : "Objected", std::to_string(count) + (count == 1 ? " source" : " sources") + " by clang-tidy");
    return ended.ok();
}

}  // namespace

bool check(const check_options& options, terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    bool well = format(true, shell);
    build(project, {.preset = options.preset}, shell);
    well &= read_by_clang_tidy(project, options, shell);
    if (has_program(project, options.preset)) shell.event("Checked", "that the app can be made, with routes: " + std::to_string(routes_of(project, options.preset).size()));
    return well;
}

}  // namespace apus::cli::work
