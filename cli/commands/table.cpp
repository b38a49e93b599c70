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
    &config_show,
    &config_check,
    &config_schema,
    &config_example,
    &dev_command,
    &restart,
    &top,
    &db_new,
    &db_migrate,
    &db_status,
    &db_check,
    &db_rollback,
    &db_baseline,
    &db_repair,
    &db_reset,
    &db_seed,
    &db_shell,
    &db_dump,
    &db_backup,
    &jobs_list,
    &jobs_show,
    &jobs_retry,
    &jobs_cancel,
    &jobs_purge,
    &jobs_schema,
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
    &crash_report,
    &help,
    &manual,
    &completion,
    &upgrade,
    &uninstall,
};

constexpr option globals[] = {
    {.name = "help", .letter = 'h', .summary = "show the help of the command"},
    {.name = "version", .letter = 'V', .summary = "show the version"},
    {.name = "quiet", .letter = 'q', .summary = "print only errors and requested output"},
    {.name = "verbose", .letter = 'v', .summary = "print each program that the command starts"},
    {.name = "color", .value = "auto|always|never", .summary = "use colors (auto)"},
    {.name = "directory", .letter = 'C', .value = "DIR", .summary = "change to this folder first"},
};

struct other_word {
    std::string_view word, hint;
};

// Commands of other tools, with a hint that names the corresponding command of this tool.
constexpr other_word other_words[] = {
    {"compile", "`apus build` builds the project"},
    {"coverage", "`apus test --coverage` measures line coverage"},
    {"create", "`apus new NAME` creates a project, `apus module new NAME` a module"},
    {"debug", "`apus dev --gdb` starts the project under gdb"},
    {"deploy", "`apus package` builds packages: deb, rpm, tar or oci"},
    {"deps", "`apus tree` shows the dependencies"},
    {"docs", "`apus help` lists the commands; `apus openapi` prints the API description"},
    {"format", "`apus fmt` formats the sources"},
    {"generate", "`apus new NAME` creates a project, `apus module new NAME` a module"},
    {"install", "`apus add NAME` adds a dependency, `apus sdk install` installs an SDK"},
    {"lint", "`apus check lint` runs clang-tidy on the sources"},
    {"list", "`apus tree` lists the dependencies, `apus routes` the routes, `apus module list` the modules"},
    {"ls", "`apus tree` lists the dependencies, `apus routes` the routes, `apus module list` the modules"},
    {"rm", "`apus remove NAME` removes a dependency"},
    {"search", "`apus registry search PATTERN` searches for a package"},
    {"serve", "`apus dev` runs the project and restarts it on changes; `apus run` runs it once"},
    {"server", "`apus dev` runs the project and restarts it on changes; `apus run` runs it once"},
    {"start", "`apus dev` runs the project and restarts it on changes; `apus run` runs it once"},
    {"tidy", "`apus check lint` runs clang-tidy on the sources"},
    {"watch", "`apus dev` runs the project and restarts it on changes; `apus test --watch` runs the tests on changes"},
};

std::string_view first_word(std::string_view name) { return name.substr(0, name.find(' ')); }

// Throws E0101 for an unknown command, with a suggestion. `before` is the first word of the command, or empty.
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
    throw errors::usage("E0101", "unknown command `apus " + whole + "`",
                        meant.empty()
                            ? "`apus help" + (before.empty() ? "" : " " + std::string(before)) + "` lists the commands"
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
