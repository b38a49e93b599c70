// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_baseline_detail {

constexpr operand operands[] = {{"VERSION", "the version of the latest migration that the database already has"}};
constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db baseline 3"};

int run(const arguments& given, context& in) {
    const std::string_view word = given.operand(0);
    std::uint64_t version = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), version);
    if (error != std::errc() || end != word.data() + word.size() || version == 0)
        misuse("`" + std::string(word) + "` is an invalid version", given.of());
    database::baseline(target_of(given), version, in.shell);
    return 0;
}

}  // namespace db_baseline_detail

constinit const command db_baseline = {
    .name = "db baseline",
    .group = "Database",
    .summary = "record migrations as applied without running them",
    .description =
        "For a database whose tables existed before its migrations were written. The database must not have\n"
        "applied migrations.",
    .operands = db_baseline_detail::operands,
    .options = db_baseline_detail::options,
    .examples = db_baseline_detail::examples,
    .run = db_baseline_detail::run,
};

}  // namespace apus::cli::commands
