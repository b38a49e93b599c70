// SPDX-License-Identifier: Apache-2.0
#include "cli/database/database.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include <apus/sql/migrations.hpp>
#include <unistd.h>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "codec/url/percent.hpp"

namespace apus::cli::database {

namespace {

namespace fs = std::filesystem;

void report(std::string_view done, const std::vector<sql::migration_step>& steps, terminal::shell& shell) {
    for (const auto& step : steps) shell.event(done, step.file + " (" + std::to_string(step.took) + " ms)");
    if (steps.empty()) shell.event("Unchanged", "the database is up to date");
}

void print_statements(const std::vector<sql::migration_step>& steps, terminal::shell& shell) {
    std::string text;
    for (const auto& step : steps) {
        text.append("-- ").append(step.file).append("\n").append(step.text);
        if (!text.ends_with('\n')) text += '\n';
    }
    shell.print(text);
}

std::string_view name_of(sql::migration_state state) {
    switch (state) {
        case sql::migration_state::pending: return "pending";
        case sql::migration_state::applied: return "applied";
        case sql::migration_state::changed: return "changed";
        case sql::migration_state::renamed: return "renamed";
        case sql::migration_state::unfinished: return "unfinished";
        case sql::migration_state::unknown: return "no file";
    }
    return "";
}

// Returns the version of the next migration, padded to at least four digits: "0004". Ignores .down.sql files: a killed
// process may leave a .down.sql without its .up.sql, and the version of this file can be reused.
std::string next_version(const fs::path& folder) {
    std::uint64_t last = 0;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder, none))
        if (!each.path().filename().string().ends_with(".down.sql"))
            last = std::max<std::uint64_t>(last, std::strtoull(each.path().filename().c_str(), nullptr, 10));
    std::string made = std::to_string(last + 1);
    return made.size() < 4 ? std::string(4 - made.size(), '0') + made : made;
}

bool agreed(std::string_view question) {
    if (!isatty(STDIN_FILENO)) return false;
    const std::string text = std::string(question) + " [y/N] ";
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) return false;
    char answer[16];
    const ssize_t got = read(STDIN_FILENO, answer, sizeof answer);
    return got > 0 && (answer[0] == 'y' || answer[0] == 'Y');
}

bool is_sqlite(const target& at) { return at.url.starts_with("sqlite:"); }

std::string file_of(const target& at) {
    std::string file = at.url.substr(7, at.url.find('?') == at.url.npos ? at.url.npos : at.url.find('?') - 7);
    if (file.starts_with("//")) file.erase(0, 2);
    return file.starts_with('/') ? file : "./" + file;
}

// Returns true for a SQLite database or an empty file. For all other files, sqlite3 prints only a comment and exits
// with status 0, so its exit status does not show the error.
bool begins_as_sqlite(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    char begin[16] = {};
    in.read(begin, sizeof begin);
    return in.gcount() == 0 || std::string_view(begin, sizeof begin) == std::string_view("SQLite format 3\0", 16);
}

// Decodes a password: libpq decodes percent-encoding in a URL, but not in PGPASSWORD.
std::string decoded(std::string_view text) {
    std::string made(text.size(), '\0');
    const auto result = codec::url::decode_percent(text, made.data());
    return std::string(result.state == codec::outcome::done ? result.value : text);
}

// Removes the password from a PostgreSQL URL and returns it.
std::optional<std::string> take_password(std::string& url) {
    const auto begin = url.find("://");
    if (begin == url.npos) return std::nullopt;
    const auto colon = url.find(':', begin + 3);
    const auto at_sign = url.substr(0, url.find('/', begin + 3)).rfind('@');
    if (at_sign == url.npos || colon >= at_sign) return std::nullopt;
    std::string password = decoded(std::string_view(url).substr(colon + 1, at_sign - colon - 1));
    url.erase(colon, at_sign - colon);
    return password;
}

// Passes the password in the environment, since command lines are visible to all users of the machine.
system::invocation client_of(std::string program, const target& at, const std::vector<std::string>& more) {
    system::invocation what{.words = {std::move(program)}};
    if (is_sqlite(at)) {
        what.words.push_back(file_of(at));
    } else {
        std::string url = at.url;
        if (auto password = take_password(url)) what.environment.emplace_back("PGPASSWORD", *std::move(password));
        what.words.push_back(url);
    }
    what.words.insert(what.words.end(), more.begin(), more.end());
    return what;
}

}  // namespace

errors::failure explained(const sql::migration_error& why) {
    using reason = sql::migration_error::reason;
    constexpr std::string_view codes[] = {"E0902", "E0901", "E0903", "E0904", "E0905"};
    static_assert(static_cast<int>(reason::statement) == 4);
    const std::string_view said = why.what();  // error message of SQLite
    if (said.contains("database or disk is full")) return {"E0104", why.what(), why.hint()};
    if (said.contains("No space left")) return {"E0104", why.what(), why.hint()};
    if (said.contains("readonly database") || said.contains("Permission denied") || said.contains("Read-only file"))
        return {"E0105", why.what(), why.hint()};
    return {codes[static_cast<int>(why.why())], why.what(), why.hint()};
}

void create(const std::string& folder, std::string_view name, terminal::shell& shell) {
    const auto of_name = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-'; };
    if (name.empty() || name.size() > 128 || !std::ranges::all_of(name, of_name))
        throw errors::usage("E0102",
                            "`" + std::string(name) + "` is an invalid name: up to 128 letters, digits, `_` and `-`",
                            "example: apus db new create_notes");
    const fs::path stem = fs::path(folder) / (next_version(folder) + "_" + std::string(name));
    system::replacements files;
    files.add(stem.string() + ".down.sql", "-- Executed by `apus db rollback`.\n");
    files.add(stem.string() + ".up.sql", "-- Applied by `apus db migrate`, in one transaction.\n");
    files.commit();
    shell.event("Created", stem.string() + ".up.sql");
    shell.event("Created", stem.string() + ".down.sql");
}

void migrate(const target& at, std::optional<std::uint64_t> to, bool dry_run, terminal::shell& shell) {
    const auto steps =
        explaining([&] { return sql::migrator(at.url, at.folder).migrate({.to = to, .dry_run = dry_run}); });
    if (dry_run) print_statements(steps, shell);
    else report("Applied", steps, shell);
}

void roll_back(const target& at, std::uint64_t count, bool dry_run, terminal::shell& shell) {
    const auto steps =
        explaining([&] { return sql::migrator(at.url, at.folder).rollback(count, {.dry_run = dry_run}); });
    if (dry_run) print_statements(steps, shell);
    else report("Reverted", steps, shell);
}

bool print_status(const target& at, terminal::shell& shell) {
    const auto all = explaining([&] { return sql::migrator(at.url, at.folder).status(); });
    std::string text;
    bool complete = true;
    for (const auto& each : all) {
        std::string line = std::to_string(each.version);
        line.insert(0, line.size() < 4 ? 4 - line.size() : 0, '0');
        const std::string state(name_of(each.state));
        line += "  " + state + std::string(12 - state.size(), ' ') + each.name;
        if (!each.applied_at.empty()) line += "  " + each.applied_at;
        if (each.took == -1) line += "  baseline";
        else if (!each.applied_at.empty()) line += "  " + std::to_string(each.took) + " ms";
        text += line + "\n";
        complete =
            complete && (each.state == sql::migration_state::applied || each.state == sql::migration_state::unknown);
    }
    shell.print(text);
    return complete;
}

void baseline(const target& at, std::uint64_t version, terminal::shell& shell) {
    for (const auto& step : explaining([&] { return sql::migrator(at.url, at.folder).baseline(version); }))
        shell.event("Recorded", step.file + " as applied");
}

void repair(const target& at, terminal::shell& shell) {
    const auto changes = explaining([&] { return sql::migrator(at.url, at.folder).repair(); });
    for (const std::string& each : changes) shell.event("Repaired", each);
    if (changes.empty()) shell.event("Unchanged", "the history matches the files");
}

void reset(const target& at, bool yes, terminal::shell& shell) {
    auto files = explaining([&] { return sql::migrator(at.url, at.folder).status(); });  // validates first
    if (!yes && !agreed("Remove all data of `" + shown_url(at.url) + "`?"))
        throw errors::failure("E0906", "the database was not reset", "`apus db reset --yes` skips the question");
    explaining([&] { sql::clear_database(at.url); });
    shell.event("Cleared", shown_url(at.url));
    migrate(at, std::nullopt, false, shell);
}

void seed(const target& at, std::optional<std::string_view> file, terminal::shell& shell) {
    const std::string path = file ? std::string(*file) : (fs::path(at.folder) / "seed.sql").string();
    const std::string text = system::read_file(path, std::size_t(64) << 20U);
    explaining([&] { sql::execute_script(at.url, text, path); });
    shell.event("Executed", path);
}

void open_shell(const target& at) {
    system::exec(client_of(is_sqlite(at) ? "sqlite3" : "psql", at, {}));
    std::abort();
}

void dump(const target& at, terminal::shell& shell) {
    // sqlite3 would create a missing file. It also does not report a failed write of its output, so a last line marks a
    // complete dump.
    if (is_sqlite(at) && !fs::exists(file_of(at)))
        throw errors::failure("E0903", "the database `" + file_of(at) + "` does not exist",
                              "`apus db migrate` creates it");
    if (is_sqlite(at) && !begins_as_sqlite(file_of(at)))
        throw errors::failure("E0903", "`" + file_of(at) + "` is not a SQLite database");
    shell.print("-- by `apus db dump`\n");
    const auto client = is_sqlite(at) ? client_of("sqlite3", at, {".dump"}) : client_of("pg_dump", at, {});
    if (const int status = system::run_in_terminal(client); status != 0)
        throw errors::failure("E0903", client.words.front() + " ended with " + system::name_of_status(status),
                              "the error of the program is above");
    shell.print("-- end of the dump\n");
}

void back_up(const target& at, const std::string& file, terminal::shell& shell) {
    explaining([&] { sql::back_up_sqlite(at.url, file); });
    shell.event("Copied", shown_url(at.url) + " to " + file);
}

}  // namespace apus::cli::database
