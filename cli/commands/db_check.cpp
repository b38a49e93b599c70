// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/build.hpp"
#include "cli/work/statements.hpp"

namespace apus::cli::commands {

namespace db_check_detail {

constexpr option options[] = {
    preset_flag,
    database_url_flag,
    migrations_flag,
    {.name = "offline", .summary = "use statements.json instead of a database"},
    {.name = "record", .summary = "write statements.json if there are no findings"},
};
constexpr std::string_view examples[] = {"apus db check", "apus db check --record", "apus db check --offline"};

int run(const arguments& given, context& in) {
    if (given.has("offline") && given.has("record"))
        throw errors::usage("E0102", "`--offline` and `--record` exclude each other",
                            "`--record` needs a database to describe the statements");
    const manifest::manifest project = manifest::find();
    work::build(project, {.preset = preset_of(given)}, in.shell);
    return work::check_statements(project,
                                  {.preset = preset_of(given),
                                   .url = given.value("url"),
                                   .folder = given.value("migrations"),
                                   .offline = given.has("offline"),
                                   .record = given.has("record")},
                                  in.shell)
               ? 0
               : 1;
}

}  // namespace db_check_detail

constinit const command db_check = {
    .name = "db check",
    .group = "Database",
    .summary = "check the SQL statements of the program against the migrations",
    .description =
        "Builds the program, and prepares each of its SQL statements without executing it, in a temporary\n"
        "database with all migrations. Prints file and line of unknown tables and columns, syntax errors,\n"
        "wrong numbers of parameters, and columns whose type or NULL does not fit the program's structs. The\n"
        "exit status is 1 if there are findings. The URL selects the engine and, for PostgreSQL, the server;\n"
        "if the server is unreachable, a temporary server is started. The data of the database is not used.\n"
        "--offline uses the file statements.json, which --record writes, instead of a database; commit this\n"
        "file.",
    .operands = {},
    .options = db_check_detail::options,
    .examples = db_check_detail::examples,
    .run = db_check_detail::run,
};

}  // namespace apus::cli::commands
