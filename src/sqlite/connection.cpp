// SPDX-License-Identifier: Apache-2.0
#include "sqlite/connection.hpp"

#include "sql/failure.hpp"
#include "sql/parameters.hpp"
#include "sqlite/binding.hpp"
#include "sqlite/result.hpp"

#include <charconv>
#include <ctime>

#include <sqlite3.h>

namespace apus::sqlite {
namespace {

constexpr std::size_t most_prepared = 512;

std::unique_ptr<result> describe(sqlite3_stmt* s) {
    auto made = std::make_unique<result>();
    for (int i = 0; i < sqlite3_column_count(s); ++i) {
        const char* type = sqlite3_column_decltype(s, i);
        made->add_column(sqlite3_column_name(s, i), type ? type : "expression");
    }
    return made;
}

void copy_row(sqlite3_stmt* s, result& to) {
    for (int i = 0; i < sqlite3_column_count(s); ++i) {
        switch (sqlite3_column_type(s, i)) {
            case SQLITE_INTEGER: to.add(sql::value::of(sqlite3_column_int64(s, i))); break;
            case SQLITE_FLOAT: to.add({.kind = sql::value_kind::number, .number = sqlite3_column_double(s, i)}); break;
            case SQLITE_NULL: to.add({}); break;
            case SQLITE_TEXT: {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(s, i));
                to.add_text(sql::value_kind::text, {text, static_cast<std::size_t>(sqlite3_column_bytes(s, i))});
                break;
            }
            default: {
                const auto* bytes = static_cast<const char*>(sqlite3_column_blob(s, i));
                const auto size = static_cast<std::size_t>(sqlite3_column_bytes(s, i));
                to.add_text(sql::value_kind::bytes, size ? std::string_view(bytes, size) : std::string_view());
            }
        }
    }
}

std::string_view state_of(int code) noexcept {
    switch (code) {
        case SQLITE_CONSTRAINT_UNIQUE:
        case SQLITE_CONSTRAINT_PRIMARYKEY:
        case SQLITE_CONSTRAINT_ROWID: return "23505";
        case SQLITE_CONSTRAINT_FOREIGNKEY: return "23503";
        case SQLITE_CONSTRAINT_CHECK:
        case SQLITE_CONSTRAINT_TRIGGER: return "23514";
        case SQLITE_CONSTRAINT_NOTNULL: return "23502";
        default: break;
    }
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return "55P03";
        case SQLITE_INTERRUPT: return "57014";
        case SQLITE_FULL: return "53100";
        case SQLITE_NOMEM: return "53200";
        case SQLITE_TOOBIG: return "54000";
        case SQLITE_READONLY: return "25006";
        case SQLITE_IOERR: return "58030";
        case SQLITE_CANTOPEN: return "08001";
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB: return "XX001";
        case SQLITE_CONSTRAINT: return "23000";
        default: return "42601";
    }
}

// Called by SQLite after every thousand virtual machine instructions.
int check(void* by) { return static_cast<const control*>(by)->ended() ? 1 : 0; }

class watched {
public:
    watched(sqlite3* db, const control& by) noexcept : db_(db) {
        sqlite3_progress_handler(db, 1000, check, const_cast<control*>(&by));
    }
    watched(const watched&) = delete;
    watched& operator=(const watched&) = delete;
    ~watched() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }

private:
    sqlite3* db_;
};

std::uint64_t milliseconds_now() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

}  // namespace

bool control::ended() const noexcept {
    if (cancelled.load(std::memory_order_relaxed)) return true;
    return deadline != UINT64_MAX && milliseconds_now() >= deadline;
}

connection::~connection() {
    forget_statements();
    sqlite3_close_v2(db_);
}

void connection::forget_statements() noexcept {
    for (const auto& [text, s] : prepared_) sqlite3_finalize(s);
    prepared_.clear();
    sqlite3_finalize(fetched_);
    fetched_ = nullptr;
}

error connection::failure(std::string_view sql) const {
    const int code = db_ ? sqlite3_extended_errcode(db_) : SQLITE_CANTOPEN;
    const std::string_view message = db_ ? sqlite3_errmsg(db_) : "out of memory";
    const auto colon = message.find("failed: ");
    const bool of_constraint = (code & 0xff) == SQLITE_CONSTRAINT && colon != message.npos;
    const std::string_view constraint = of_constraint ? message.substr(colon + 8) : std::string_view();
    // The text after "failed: " is "table.column", except for checks (a name or an expression) and for constraints on
    // several columns.
    const bool of_column = code != SQLITE_CONSTRAINT_CHECK && constraint.find(", ") == constraint.npos;
    const auto dot = of_column ? constraint.find('.') : constraint.npos;
    const bool has_column = dot != constraint.npos;
    return sql::make_error({.state = state_of(code),
                            .message = message,
                            .constraint = constraint,
                            .table = has_column ? constraint.substr(0, dot) : std::string_view(),
                            .column = has_column ? constraint.substr(dot + 1) : std::string_view(),
                            .statement = sql});
}

apus::result<void> connection::open(const std::string& path, bool writes) {
    const int mode = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    const int status = sqlite3_open_v2(path.c_str(), &db_, mode | SQLITE_OPEN_NOMUTEX, nullptr);
    const auto fail_open = [&] {
        error why = failure("(open)");
        sqlite3_close_v2(std::exchange(db_, nullptr));
        return std::unexpected(std::move(why));
    };
    if (status != SQLITE_OK) return fail_open();
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, static_cast<int>(options_.connect_timeout.milliseconds()));
    sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, static_cast<int>(options_.value_size));
    std::string sql = "pragma foreign_keys=on;pragma trusted_schema=off;";
    if (writes) {
        sql += "pragma journal_mode=wal;pragma synchronous=";
        sql += options_.durable == sql::durability::full ? "full" : "normal";
    } else {
        sql += "pragma query_only=on";
    }
    // Processes that create the file concurrently block each other, in some cases without waiting for the busy timeout
    // set above.
    int prepared = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
    for (int tries = 0; (prepared & 0xff) == SQLITE_BUSY && tries < 100; ++tries) {
        sqlite3_sleep(20);
        prepared = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
    }
    if (prepared != SQLITE_OK) return fail_open();
    return {};
}

apus::result<sqlite3_stmt*> connection::prepare(const sql::statement_text& text) {
    if (const auto known = prepared_.find(text.sql); known != prepared_.end()) return known->second;
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    const int size = static_cast<int>(text.sql.size());
    if (sqlite3_prepare_v3(db_, text.sql.data(), size, SQLITE_PREPARE_PERSISTENT, &made, &rest) != SQLITE_OK)
        return std::unexpected(failure(text.sql));
    const std::string_view behind(rest, static_cast<std::size_t>(text.sql.data() + text.sql.size() - rest));
    if (!made || behind.find_first_not_of(" \t\r\n;") != behind.npos) {
        sqlite3_finalize(made);
        return std::unexpected(sql::make_error(
            {.state = "42601", .message = "the text must be exactly one statement", .statement = text.sql}));
    }
    if (prepared_.size() >= most_prepared) {
        for (const auto& [old, s] : prepared_) sqlite3_finalize(s);
        prepared_.clear();
    }
    prepared_.emplace(text.sql, made);
    return made;
}

void connection::release(sqlite3_stmt* s) noexcept {
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
}

apus::result<void> connection::bind(sqlite3_stmt* s, const sql::statement& of) {
    const auto values = of.values ? of.values->values() : std::span<const sql::value>();
    const int count = sqlite3_bind_parameter_count(s);
    for (int i = 1; i <= count; ++i) {
        const char* name = sqlite3_bind_parameter_name(s, i);
        const std::string_view number = name ? std::string_view(name) : std::string_view();
        unsigned n = 0;
        if (number.starts_with('$')) std::from_chars(number.data() + 1, number.data() + number.size(), n);
        if (n == 0 || n > values.size())
            return std::unexpected(sql::make_error({.state = "42P02",
                                                    .message = "placeholders must be $1 to $n, one for each parameter",
                                                    .statement = of.text.sql}));
        const int status = bind_value(s, i, values[n - 1]);
        if (status == SQLITE_RANGE)
            return std::unexpected(sql::make_error({.state = "22003",
                                                    .message = "SQLite does not support integers over 2^63 - 1 or "
                                                               "times outside of the years 0 to 9999",
                                                    .statement = of.text.sql}));
        if (status != SQLITE_OK) return std::unexpected(failure(of.text.sql));
    }
    return {};
}

apus::result<sql::outcome> connection::execute(const sql::statement& of, const control& by, bool only_reads,
                                               bool& writes) {
    const watched limited(db_, by);
    const std::uint64_t started = milliseconds_now();
    auto prepared = prepare(of.text);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    sqlite3_stmt* s = *prepared;
    struct guard {
        connection* of;
        sqlite3_stmt* s;
        ~guard() { of->release(s); }
    } const at_end{this, s};
    writes = !sqlite3_stmt_readonly(s);
    if (writes && only_reads) return sql::outcome();
    if (auto bound = bind(s, of); !bound) return std::unexpected(std::move(bound.error()));
    auto found = sqlite3_column_count(s) ? describe(s) : nullptr;
    const std::int64_t before = sqlite3_total_changes64(db_);
    int status = sqlite3_step(s);
    for (; status == SQLITE_ROW; status = sqlite3_step(s)) {
        if (found) copy_row(s, *found);
        if (found && found->memory() > of.result_size) return std::unexpected(sql::too_large(of.text.sql));
    }
    if (status != SQLITE_DONE) return std::unexpected(failure(of.text.sql));
    const std::int64_t changed = writes && sqlite3_total_changes64(db_) != before ? sqlite3_changes64(db_) : 0;
    return sql::outcome{.found = std::move(found), .changed = changed, .started = started};
}

apus::result<void> connection::execute_script(const std::string& sql, const control* by) {
    static const control endless;
    const watched limited(db_, by ? *by : endless);
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return std::unexpected(failure(sql));
    return {};
}

apus::result<void> connection::start(const sql::statement& of) {
    auto prepared = prepare(of.text);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    if (!sqlite3_stmt_readonly(*prepared))
        return std::unexpected(sql::make_error(
            {.state = "25006", .message = "a stream may only read: use `all`", .statement = of.text.sql}));
    if (auto bound = bind(*prepared, of); !bound) return bound;
    fetched_ = *prepared;
    prepared_.erase(prepared_.find(of.text.sql));
    fetched_from_ = of;
    return {};
}

apus::result<std::unique_ptr<sql::rows>> connection::fetch(std::size_t count, const control& by) {
    const watched limited(db_, by);
    if (!fetched_) return std::unique_ptr<sql::rows>();
    auto found = describe(fetched_);
    while (found->size() < count && found->memory() < fetched_from_.result_size) {
        const int status = sqlite3_step(fetched_);
        if (status == SQLITE_ROW) {
            copy_row(fetched_, *found);
            continue;
        }
        const bool failed = status != SQLITE_DONE;
        error why = failed ? failure(fetched_from_.text.sql) : error(500, {});
        sqlite3_finalize(std::exchange(fetched_, nullptr));
        if (failed) return std::unexpected(std::move(why));
        break;
    }
    return std::unique_ptr<sql::rows>(std::move(found));
}

bool connection::in_transaction() const noexcept { return db_ && !sqlite3_get_autocommit(db_); }

bool connection::has_open_references() const noexcept {
    int now = 0, highest = 0;
    return sqlite3_db_status(db_, SQLITE_DBSTATUS_DEFERRED_FKS, &now, &highest, 0) == SQLITE_OK && now != 0;
}

}  // namespace apus::sqlite
