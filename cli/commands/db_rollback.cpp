// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_rollback_detail {

constexpr operand operands[] = {{"COUNT", "number of migrations (1)", operand_count::optional}};
constexpr option options[] = {
    database_url_flag,
    migrations_flag,
    {.name = "dry-run", .summary = "print the statements without executing them"},
};
constexpr std::string_view examples[] = {"apus db rollback", "apus db rollback 2"};

int run(const arguments& given, context& in) {
    std::uint64_t count = 1;
    if (const std::string_view word = given.operand(0); !word.empty()) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
        if (error != std::errc() || end != word.data() + word.size() || count == 0)
            misuse("`" + std::string(word) + "` is an invalid number of migrations", given.of());
    }
    database::roll_back(target_of(given), count, given.has("dry-run"), in.shell);
    return 0;
}

}  // namespace db_rollback_detail

constinit const command db_rollback = {
    .name = "db rollback",
    .group = "Database",
    .summary = "revert the latest migrations",
    .description =
        "Executes the .down.sql files of the migrations, the latest migration first. If one of these files is\n"
        "missing, does not revert any migration.",
    .operands = db_rollback_detail::operands,
    .options = db_rollback_detail::options,
    .examples = db_rollback_detail::examples,
    .run = db_rollback_detail::run,
};

}  // namespace apus::cli::commands
