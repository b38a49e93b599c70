// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <utility>

#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/database/switching.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace add_detail {

constexpr operand operands[] = {{"NAME", "the library; `fmt@9` requires version 9 or 9.x"}};
constexpr option options[] = {
    {.name = "from", .value = "system|conan|git", .summary = "use only this source"},
    {.name = "git", .value = "URL", .summary = "fetch the library from this git repository"},
    {.name = "rev", .value = "REV", .summary = "commit, tag or branch of the repository"},
    {.name = "target", .value = "TARGET", .summary = "the CMake target to link, if detection fails"},
    offline_flag,
    packages_flag,
};
constexpr std::string_view examples[] = {"apus add fmt", "apus add fmt@10 --from conan",
                                         "apus add tiny --git https://example.com/tiny.git --rev v1.0"};

// Throws usage errors that name the option, since apus.toml does not contain the dependency yet.
void check_values(const manifest::dependency& wanted, const command& of) {
    const std::pair<std::string_view, const std::string&> values[] = {
        {"git", wanted.git}, {"rev", wanted.rev}, {"target", wanted.target}};
    for (const auto& [field, value] : values)
        if (const std::string why = manifest::dependency_objection(field, value); !value.empty() && !why.empty())
            misuse("`--" + std::string(field) + "` " + why, of);
    if (const std::string why = manifest::dependency_objection("version", wanted.version); !why.empty())
        misuse("the version of " + wanted.name + " " + why, of);
}

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
    if (!manifest::is_dependency_name(wanted.name))
        misuse("`" + wanted.name + "` is not a valid library name", given.of());
    if (wanted.from == "git" ? wanted.git.empty() || wanted.rev.empty() : !(wanted.git + wanted.rev).empty())
        misuse("`--git URL` and `--rev REV` must be given together", given.of());
    check_values(wanted, given.of());
    const bool names_engine = wanted.name == "postgres" || wanted.name == "postgresql";
    const auto project = manifest::find();
    if (names_engine && wanted.from.empty() && !project.database.url.empty()) {
        database::use_postgres(project, in.shell);
        return 0;
    }
    dependencies::add(project, std::move(wanted), modes_of(given), in.shell);
    return 0;
}

}  // namespace add_detail

constinit const command add = {
    .name = "add",
    .group = "Dependencies",
    .summary = "add a dependency to the project",
    .description =
        "Searches the distribution first, since installed packages need no download, then the project's\n"
        "registries, then ConanCenter. The registries and ConanCenter need Conan 2. With --git, fetches a\n"
        "git repository instead. Prints the chosen package and the reason, and updates apus.toml, apus.lock\n"
        "and cmake/dependencies.cmake. In a project with a SQLite database, `apus add postgres` switches\n"
        "the project to PostgreSQL.",
    .operands = add_detail::operands,
    .options = add_detail::options,
    .examples = add_detail::examples,
    .run = add_detail::run,
};

}  // namespace apus::cli::commands
