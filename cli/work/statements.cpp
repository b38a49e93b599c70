// SPDX-License-Identifier: Apache-2.0
#include "cli/work/statements.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "cli/database/database.hpp"
#include "cli/database/descriptions.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/build.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;
using database::program_statement;

constexpr std::string_view file_name = "statements.json";

// Returns a statement for messages, on one line and shortened.
std::string quoted(const std::string& sql) {
    constexpr std::size_t most = 72;
    std::string made;
    for (const char c : sql) {
        const bool blank = static_cast<unsigned char>(c) <= ' ';
        if (!blank || (!made.empty() && made.back() != ' ')) made += blank ? ' ' : c;
    }
    if (made.size() > most) {
        std::size_t end = most;
        while (end > 0 && (static_cast<unsigned char>(made[end]) & 0xC0U) == 0x80U) --end;  // keeps UTF-8 valid
        made.replace(end, made.npos, "...");
    }
    return "\"" + made + "\"";
}

std::string place_of(const program_statement& of, const fs::path& project) {
    const fs::path file = fs::path(of.file).lexically_relative(project);
    const bool outside = file.empty() || *file.begin() == "..";
    return (outside ? of.file : file.string()) + ":" + std::to_string(of.line) + ": ";
}

std::vector<std::string> findings_in(const program_statement& of, database::descriptions& from) {
    const auto is = from.describe(database::sql_of(of));
    if (!is) return {is.error()};
    return database::mismatches(of, *is, from.engine());
}

// Sorts by position, since the order in the program's data is arbitrary.
void sort_by_place(std::vector<program_statement>& all) {
    const auto key = [](const program_statement& of) { return std::tie(of.file, of.line, of.text, of.row); };
    std::ranges::sort(all, {}, key);
}

bool check_listed(database::program_statements listed, const manifest::manifest& project,
                  const statement_options& options, terminal::shell& shell) {
    if (listed.databases && listed.statements.empty())
        shell.warning(
            "the program uses databases, but lists no SQL statements: only programs that `apus_application` "
            "compiles with clang list them");
    const std::string folder = database::find_folder(options.folder);
    auto from = options.offline
                    ? database::descriptions::of_file(project.folder / file_name, folder)
                    : database::descriptions::of_database(database::find_target(options.url, options.folder), shell);
    sort_by_place(listed.statements);
    std::set<std::string> places, found;
    std::string text;
    for (const program_statement& each : listed.statements) {
        const std::string place = place_of(each, project.folder);
        places.insert(place + each.text);
        for (const std::string& finding : findings_in(each, from))
            if (const std::string line = place + finding + " in " + quoted(each.text); found.insert(line).second)
                text += line + "\n";
    }
    shell.print(text);
    const std::string what =
        text::counted(places.size(), "SQL statement") + " for " + (from.engine() == "sqlite" ? "SQLite" : "PostgreSQL");
    shell.event(found.empty() ? "Checked" : "Rejected",
                what + (found.empty() ? "" : ": " + text::counted(found.size(), "finding")));
    if (!found.empty() || !options.record) return found.empty();
    from.record(project.folder / file_name, folder);
    shell.event("Wrote", file_name);
    return true;
}

}  // namespace

database::program_statements statements_of(const manifest::manifest& project, const std::string& preset) {
    // `timeout` also ends a program that ignores SIGTERM.
    const system::outcome ended = system::run(
        {.words = {"timeout", "--kill-after=1", "10", program_of(project, preset).string(), "--sql-statements"},
         .folder = project.folder,
         .environment = {{"APUS_PREPARE", "0"}}});
    if (ended.status == 124 || ended.status == 137)
        throw errors::failure("E0907", "the program did not list its SQL statements within 10 s",
                              "`main` must call `apus::serve` with the command line before it waits for anything");
    if (!ended.ok())
        throw errors::failure("E0907",
                              "the program did not list its SQL statements: it ended with " +
                                  system::name_of_status(ended.status) + (ended.error.empty() ? "" : ": ") +
                                  ended.error.substr(0, ended.error.find('\n')),
                              "`apus run` reproduces the error");
    return database::read_statements(ended.out);
}

bool check_statements(const manifest::manifest& project, const statement_options& options, terminal::shell& shell) {
    return check_listed(statements_of(project, options.preset), project, options, shell);
}

bool check_statements_if_any(const manifest::manifest& project, const std::string& preset, terminal::shell& shell) {
    auto listed = statements_of(project, preset);
    if (listed.statements.empty()) return true;
    if (!fs::is_directory(database::find_folder(std::nullopt))) {
        shell.event("Skipped", "the SQL statements: the project has no migrations");
        return true;
    }
    return check_listed(std::move(listed), project,
                        {.preset = preset, .offline = fs::exists(project.folder / file_name)}, shell);
}

}  // namespace apus::cli::work
