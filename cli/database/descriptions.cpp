// SPDX-License-Identifier: Apache-2.0
#include "cli/database/descriptions.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include <apus/test/database.hpp>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/text/fingerprint.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::database {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t(16) << 20U;

// Returns a fingerprint of all files that `apus db migrate` applies.
std::string fingerprint_of(const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (const auto& each : fs::directory_iterator(folder, failed))
        if (each.path().filename().string().ends_with(".up.sql")) files.push_back(each.path());
    std::ranges::sort(files);
    text::fingerprint made;
    for (const fs::path& file : files) {
        std::string content = system::read_file(file, most_bytes);
        std::erase(content, '\r');  // a checkout with CRLF has the same fingerprint
        made.add_whole(file.filename().string()).add_whole(content);
    }
    return made.digits();
}

errors::failure unusable(const fs::path& file, const std::string& why) {
    return {"E0908", "`" + file.filename().string() + "` " + why, "`apus db check --record` writes the file"};
}

bool is_unreachable(const sql::migration_error& why) {
    return why.why() == sql::migration_error::reason::database && std::string_view(why.what()).contains("connect");
}

std::unique_ptr<sql::statement_inspector> inspect(const target& at, terminal::shell& shell) {
    try {
        return std::make_unique<sql::statement_inspector>(at.url, at.folder);
    } catch (const sql::migration_error& why) {
        if (!at.url.starts_with("postgres") || !is_unreachable(why)) throw;
        const std::exception_ptr unreachable = std::current_exception();
        try {
            // All callers in this process share the server, which ends with the process.
            const std::string url = test::postgres::shared().url();
            shell.event("Started", "a temporary PostgreSQL server, because `" + shown_url(at.url) + "` is unreachable");
            return std::make_unique<sql::statement_inspector>(url, at.folder);
        } catch (const sql::migration_error&) {
            throw;
        } catch (const std::runtime_error&) {  // PostgreSQL is not installed
            std::rethrow_exception(unreachable);
        }
    }
}

// Returns the unknown name in an error of SQLite ("no such column: n.nme") or PostgreSQL ("relation "nte" does not
// exist").
std::string_view unknown_name(std::string_view message) {
    std::string_view name;
    if (message.starts_with("no such ")) name = message.substr(message.rfind(": ") + 2);
    if (message.ends_with("\" does not exist")) {
        name = message.substr(0, message.rfind('"'));
        name = name.substr(name.rfind('"') + 1);
    }
    return name.substr(name.rfind('.') + 1);
}

}  // namespace

descriptions::descriptions() = default;
descriptions::descriptions(descriptions&&) noexcept = default;
descriptions::~descriptions() = default;

descriptions descriptions::of_database(const target& at, terminal::shell& shell) {
    descriptions made;
    made.engine_ = at.url.starts_with("sqlite:") ? "sqlite" : "postgres";
    made.database_ = explaining([&] { return inspect(at, shell); });
    return made;
}

descriptions descriptions::of_file(const fs::path& file, const std::string& folder) {
    if (!fs::exists(file)) throw unusable(file, "is missing");
    recorded_statements read = read_recorded(system::read_file(file, most_bytes), file.filename().string());
    if (read.migrations != fingerprint_of(folder)) throw unusable(file, "was recorded with different migrations");
    descriptions made;
    made.engine_ = std::move(read.engine);
    made.known_ = std::move(read.statements);
    return made;
}

std::string descriptions::refusal(const sql::refused_statement& why) {
    if (!why.hint.empty()) return why.message + " (" + why.hint + ")";
    if (names_.empty()) names_ = explaining([&] { return database_->names(); });
    const std::vector<std::string_view> names(names_.begin(), names_.end());
    const std::string meant = text::did_you_mean(unknown_name(why.message), names);
    return why.message + (meant.empty() ? "" : "; " + meant);
}

std::expected<sql::described_statement, std::string> descriptions::describe(const std::string& sql) {
    const auto at = std::ranges::lower_bound(known_, sql, {}, &recorded_statement::text);
    if (at != known_.end() && at->text == sql) return at->is;
    if (!database_) return std::unexpected("not in the recorded description; run `apus db check --record`");
    auto made = database_->describe(sql);
    if (!made) return std::unexpected(refusal(made.error()));
    known_.insert(at, {sql, *made});
    return *std::move(made);
}

void descriptions::record(const fs::path& file, const std::string& folder) const {
    system::replace_file(file,
                         text_of({.engine = engine_, .migrations = fingerprint_of(folder), .statements = known_}));
}

}  // namespace apus::cli::database
