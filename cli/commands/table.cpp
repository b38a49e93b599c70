// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/table.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/text/nearest.hpp"

namespace apus::cli::commands {

namespace {

constexpr const command* all[] = {
    &new_project,
    &init,
    &eject,
    &run_command,
    &build,
    &test,
    &bench_command,
    &format,
    &check,
    &clean,
    &routes,
    &openapi,
    &dev_command,
    &module_new,
    &module_list,
    &module_check,
    &module_graph,
    &add,
    &remove,
    &update,
    &lock,
    &tree,
    &outdated,
    &cache,
    &cache_gc,
    &licenses,
    &sbom,
    &registry_add,
    &registry_list,
    &registry_remove,
    &registry_search,
    &registry_publish,
    &sdk_list,
    &sdk_info,
    &sdk_install,
    &sdk_use,
    &sdk_upgrade,
    &sdk_verify,
    &sdk_pack,
    &sdk_remove,
    &package,
    &package_verify,
    &examination,
    &production,
    &info,
    &explain,
    &help,
    &manual,
    &completion,
    &upgrade,
    &uninstall,
};

constexpr option globals[] = {
    {.name = "help", .letter = 'h', .summary = "show help of the command"},
    {.name = "version", .letter = 'V', .summary = "show the tool's version"},
    {.name = "quiet", .letter = 'q', .summary = "say nothing but errors and what was asked for"},
    {.name = "verbose", .letter = 'v', .summary = "show each program that is started"},
    {.name = "color", .value = "auto|always|never", .summary = "whether to use colors (auto)"},
    {.name = "directory", .letter = 'C', .value = "DIR", .summary = "work in this folder"},
};

std::string_view first_word(std::string_view name) { return name.substr(0, name.find(' ')); }

// What a word was meant to be, of the commands that begin with `before`.
[[noreturn]] void unknown(std::string_view word, std::string_view before) {
    std::vector<std::string_view> names;
    for (const command* c : all) {
        const std::string_view name = c->name;
        if (before.empty()) names.push_back(first_word(name));
        else if (first_word(name) == before && name != before) names.push_back(name.substr(before.size() + 1));
    }
    const std::string meant = text::did_you_mean(word, names);
    const std::string whole = (before.empty() ? "" : std::string(before) + " ") + std::string(word);
    throw errors::usage("E0101", "there is no command `apus " + whole + "`",
                        meant.empty() ? "`apus help" + (before.empty() ? "" : " " + std::string(before)) + "` lists what there is" : meant);
}

}  // namespace

std::span<const command* const> table() noexcept { return all; }

std::span<const option> global_options() noexcept { return globals; }

const command* find_command(std::string_view name) noexcept {
    const auto at = std::ranges::find(all, name, [](const command* c) { return c->name; });
    return at == std::end(all) ? nullptr : *at;
}

named find_command(std::span<char* const> words) {
    const std::string_view first = words[0];
    if (words.size() > 1)
        if (const command* two = find_command(std::string(first) + " " + words[1])) return {two, 2};
    if (const command* one = find_command(first)) return {one, 1};
    const bool group = std::ranges::any_of(all, [&](const command* c) { return first_word(c->name) == first; });
    if (!group) unknown(first, "");
    if (words.size() == 1 || words[1][0] == '-') unknown("", first);
    unknown(words[1], first);
}

}  // namespace apus::cli::commands
