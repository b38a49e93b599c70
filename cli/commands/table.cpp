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
    {.name = "quiet", .letter = 'q', .summary = "print only errors and requested output"},
    {.name = "verbose", .letter = 'v', .summary = "show each program that is started"},
    {.name = "color", .value = "auto|always|never", .summary = "use colors (auto)"},
    {.name = "directory", .letter = 'C', .value = "DIR", .summary = "run in this folder"},
};

struct other_word {
    std::string_view word, hint;
};

// What other tools call their commands.
constexpr other_word other_words[] = {
    {"compile", "`apus build` builds the project"},
    {"coverage", "`apus test --coverage` tells which lines ran"},
    {"create", "`apus new NAME` makes a project, `apus module new NAME` a module of one"},
    {"debug", "`apus dev --gdb` starts the project in gdb"},
    {"deploy", "`apus package` makes what is deployed: deb, rpm, tar or oci"},
    {"deps", "`apus tree` shows the dependencies"},
    {"docs", "`apus help` lists the commands; `apus openapi` prints the description of the app"},
    {"format", "`apus fmt` lays out the sources"},
    {"generate", "`apus new NAME` makes a project, `apus module new NAME` a module of one"},
    {"install", "`apus add NAME` adds a library to the project, `apus sdk install` installs an SDK"},
    {"lint", "`apus check lint` reads the sources by clang-tidy"},
    {"list", "`apus tree` lists the dependencies, `apus routes` the routes, `apus module list` the modules"},
    {"ls", "`apus tree` lists the dependencies, `apus routes` the routes, `apus module list` the modules"},
    {"rm", "`apus remove NAME` takes a library out of the project"},
    {"search", "`apus registry search PATTERN` looks for a library"},
    {"serve", "`apus dev` serves the project and follows changes; `apus run` starts it as it is"},
    {"server", "`apus dev` serves the project and follows changes; `apus run` starts it as it is"},
    {"start", "`apus dev` serves the project and follows changes; `apus run` starts it as it is"},
    {"tidy", "`apus check lint` reads the sources by clang-tidy"},
    {"watch", "`apus dev` serves the project and follows changes; `apus test --watch` tests it after each"},
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
    const auto other = std::ranges::find(other_words, word, &other_word::word);
    const std::string meant =
        before.empty() && other != std::end(other_words) ? std::string(other->hint) : text::did_you_mean(word, names);
    const std::string whole = (before.empty() ? "" : std::string(before) + " ") + std::string(word);
    throw errors::usage("E0101", "there is no command `apus " + whole + "`",
                        meant.empty()
                            ? "`apus help" + (before.empty() ? "" : " " + std::string(before)) + "` lists what there is"
                            : meant);
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
