// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a library; `fmt@9` wants a version that begins with 9"}};
constexpr option options[] = {
    {.name = "from", .value = "system|conan|git", .summary = "look only there"},
    {.name = "git", .value = "URL", .summary = "take it from this repository"},
    {.name = "rev", .value = "REV", .summary = "the commit, tag or branch of it"},
    {.name = "target", .value = "TARGET", .summary = "what CMake links, where that cannot be found out"},
    offline_flag,
    packages_flag,
};
constexpr std::string_view examples[] = {"apus add fmt", "apus add fmt@10 --from conan",
                                         "apus add tiny --git https://example.com/tiny.git --rev v1.0"};

int run(const arguments& given, context& in) {
    const std::string_view word = given.operand(0);
    const std::size_t at = word.find('@');
    manifest::dependency wanted{.name = std::string(word.substr(0, at))};
    if (at != word.npos) wanted.version = word.substr(at + 1);
    wanted.from = given.value("from").value_or("");
    wanted.git = given.value("git").value_or("");
    if (std::error_code none; std::filesystem::is_directory(wanted.git, none))
        wanted.git = std::filesystem::absolute(wanted.git).lexically_normal().string();
    wanted.rev = given.value("rev").value_or("");
    wanted.target = given.value("target").value_or("");
    if (!wanted.git.empty() && wanted.from.empty()) wanted.from = "git";
    if (!manifest::is_dependency_name(wanted.name)) misuse("`" + wanted.name + "` is no name of a library", given.of());
    if (wanted.from == "git" ? wanted.git.empty() || wanted.rev.empty() : !(wanted.git + wanted.rev).empty())
        misuse("`--git URL` and `--rev REV` go together", given.of());
    // What is written must be what apus.toml may say.
    const std::string line = "[dependencies]\n\"" + wanted.name + "\" = " + manifest::toml_of(wanted) + "\n";
    manifest::read_dependencies(*manifest::document(line, "what would be written").root().inner("dependencies"));
    dependencies::add(manifest::find(), std::move(wanted), modes_of(given), in.shell);
    return 0;
}

}  // namespace

constinit const command add = {
    .name = "add",
    .group = "Dependencies",
    .summary = "add a dependency to the project",
    .description =
        "Looks for it in the distribution first, since what is installed needs no download; then in the\n"
        "project's registries and ConanCenter, with Conan 2; --git names a repository instead. Says what it\n"
        "took and why, and writes apus.toml, apus.lock and cmake/dependencies.cmake.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
