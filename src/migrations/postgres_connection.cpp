// SPDX-License-Identifier: Apache-2.0
#include "migrations/connection.hpp"
#include "migrations/shared_object.hpp"

#include <apus/sql/migrations.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include <libpq-fe.h>

namespace apus::migrations {

namespace {

using sql::migration_error;

struct pq_library {
    decltype(PQconninfoParse)* parse_url;
    decltype(PQconninfoFree)* free_options;
    decltype(PQfreemem)* free_memory;
    decltype(PQconnectdbParams)* connect;
    decltype(PQfinish)* finish;
    decltype(PQstatus)* status;
    decltype(PQerrorMessage)* error_message;
    decltype(PQsetNoticeProcessor)* set_notice_processor;
    decltype(PQexec)* exec;
    decltype(PQexecParams)* exec_params;
    decltype(PQprepare)* prepare;
    decltype(PQdescribePrepared)* describe_prepared;
    decltype(PQnparams)* parameters;
    decltype(PQparamtype)* parameter_type;
    decltype(PQfname)* column_name;
    decltype(PQftype)* column_type;
    decltype(PQftable)* column_table;
    decltype(PQftablecol)* column_of_table;
    decltype(PQresultStatus)* result_status;
    decltype(PQresultErrorField)* error_field;
    decltype(PQntuples)* rows;
    decltype(PQnfields)* columns;
    decltype(PQgetvalue)* cell;
    decltype(PQgetlength)* length;
    decltype(PQclear)* clear;
    decltype(PQtransactionStatus)* transaction_status;

    static const pq_library& get();
};

const pq_library& pq_library::get() {
    static const pq_library loaded = [] {
        const shared_object from("libpq.so.5", "libpq5");
        pq_library made{};
        from.find(made.parse_url, "PQconninfoParse");
        from.find(made.free_options, "PQconninfoFree");
        from.find(made.free_memory, "PQfreemem");
        from.find(made.connect, "PQconnectdbParams");
        from.find(made.finish, "PQfinish");
        from.find(made.status, "PQstatus");
        from.find(made.error_message, "PQerrorMessage");
        from.find(made.set_notice_processor, "PQsetNoticeProcessor");
        from.find(made.exec, "PQexec");
        from.find(made.exec_params, "PQexecParams");
        from.find(made.prepare, "PQprepare");
        from.find(made.describe_prepared, "PQdescribePrepared");
        from.find(made.parameters, "PQnparams");
        from.find(made.parameter_type, "PQparamtype");
        from.find(made.column_name, "PQfname");
        from.find(made.column_type, "PQftype");
        from.find(made.column_table, "PQftable");
        from.find(made.column_of_table, "PQftablecol");
        from.find(made.result_status, "PQresultStatus");
        from.find(made.error_field, "PQresultErrorField");
        from.find(made.rows, "PQntuples");
        from.find(made.columns, "PQnfields");
        from.find(made.cell, "PQgetvalue");
        from.find(made.length, "PQgetlength");
        from.find(made.clear, "PQclear");
        from.find(made.transaction_status, "PQtransactionStatus");
        return made;
    }();
    return loaded;
}

std::string one_line(std::string_view text) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    std::string made(text);
    std::ranges::replace(made, '\n', ' ');
    return made;
}

class postgres_connection final : public connection {
public:
    postgres_connection(const pq_library& with, PGconn* server) : with_(with), server_(server) {}
    postgres_connection(const postgres_connection&) = delete;
    postgres_connection& operator=(const postgres_connection&) = delete;
    ~postgres_connection() override { with_.finish(server_); }

    dialect language() const noexcept override { return dialect::postgres; }
    std::string_view begin() const noexcept override { return "begin"; }
    std::string_view find_history() const noexcept override {
        return "select 1 where to_regclass('apus_migrations') is not null";
    }
    std::expected<table, statement_failure> run(std::string_view, std::initializer_list<std::string>) override;
    std::expected<sql::described_statement, statement_failure> describe(std::string_view) override;
    bool in_transaction() override { return with_.transaction_status(server_) == PQTRANS_INTRANS; }
    bool try_lock() override;

private:
    statement_failure failure(const PGresult*, std::string_view sql) const;
    table read(const PGresult*) const;
    const std::string& look_up(const std::string& query);
    std::optional<bool> may_be_null(Oid table, int column);

    const pq_library& with_;
    PGconn* server_;
    std::map<std::string, std::string> looked_up_{};  // results of queries that return one cell
};

using owned_result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

statement_failure postgres_connection::failure(const PGresult* answer, std::string_view sql) const {
    const char* const primary = with_.error_field(answer, PG_DIAG_MESSAGE_PRIMARY);
    const char* const detail = with_.error_field(answer, PG_DIAG_MESSAGE_DETAIL);
    statement_failure made{.message = one_line(primary ? primary : with_.error_message(server_))};
    if (detail) made.message += ": " + one_line(detail);
    if (const char* const state = with_.error_field(answer, PG_DIAG_SQLSTATE)) made.state = state;
    if (const char* const hint = with_.error_field(answer, PG_DIAG_MESSAGE_HINT)) made.hint = one_line(hint);
    if (const char* const position = with_.error_field(answer, PG_DIAG_STATEMENT_POSITION)) {
        std::size_t characters = 0, at = 0;  // PostgreSQL counts characters, not bytes
        std::from_chars(position, position + std::strlen(position), characters);
        for (; at < sql.size() && characters > 0; ++at)
            if ((static_cast<unsigned char>(sql[at]) & 0xC0U) != 0x80U) --characters;
        made.line = 1 + static_cast<std::size_t>(std::ranges::count(sql.substr(0, at > 0 ? at - 1 : 0), '\n'));
    }
    return made;
}

table postgres_connection::read(const PGresult* answer) const {
    table found;
    for (int row = 0; row < with_.rows(answer); ++row) {
        auto& cells = found.emplace_back();
        for (int column = 0; column < with_.columns(answer); ++column)
            cells.emplace_back(with_.cell(answer, row, column),
                               static_cast<std::size_t>(with_.length(answer, row, column)));
    }
    return found;
}

std::expected<table, statement_failure> postgres_connection::run(std::string_view sql,
                                                                 std::initializer_list<std::string> values) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    const std::string text(sql);
    const owned_result answer(texts.empty() ? with_.exec(server_, text.c_str())
                                            : with_.exec_params(server_, text.c_str(), static_cast<int>(texts.size()),
                                                                nullptr, texts.data(), nullptr, nullptr, 0),
                              with_.clear);
    switch (with_.result_status(answer.get())) {
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
        case PGRES_EMPTY_QUERY: return read(answer.get());
        case PGRES_COPY_IN:
        case PGRES_COPY_OUT:
        case PGRES_COPY_BOTH:
            return std::unexpected(
                statement_failure{.message = "COPY from or to the client is not possible in a migration"});
        default: return std::unexpected(failure(answer.get(), sql));
    }
}

const std::string& postgres_connection::look_up(const std::string& query) {
    const auto [at, is_new] = looked_up_.try_emplace(query);
    if (!is_new) return at->second;
    const auto found = run(query, {});
    if (found && !found->empty()) at->second = found->front().front();
    return at->second;
}

// Returns nullopt for columns of views, since the catalog does not record whether these may be NULL.
std::optional<bool> postgres_connection::may_be_null(Oid table, int column) {
    if (table == 0 || column <= 0) return std::nullopt;
    const std::string& found = look_up(
        "select not a.attnotnull from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in "
        "('r', 'p') and c.oid = " +
        std::to_string(table) + " and a.attnum = " + std::to_string(column));
    return found.empty() ? std::nullopt : std::optional(found == "t");
}

std::expected<sql::described_statement, statement_failure> postgres_connection::describe(std::string_view sql) {
    const std::string text(sql);
    const owned_result prepared(with_.prepare(server_, "", text.c_str(), 0, nullptr), with_.clear);
    if (with_.result_status(prepared.get()) != PGRES_COMMAND_OK) return std::unexpected(failure(prepared.get(), sql));
    const owned_result found(with_.describe_prepared(server_, ""), with_.clear);
    if (with_.result_status(found.get()) != PGRES_COMMAND_OK) return std::unexpected(failure(found.get(), sql));
    // Composite types are described with their fields: `place (street text, number integer)`, `place (...)[]`.
    const auto name_of = [&](Oid type) {
        return look_up(
            "select case when c.oid is null then format_type(t.oid, null) else format_type(c.oid, null) || ' (' || "
            "(select string_agg(quote_ident(attname) || ' ' || format_type(atttypid, null), ', ' order by attnum) from "
            "pg_attribute where attrelid = c.typrelid and attnum > 0 and not attisdropped) || ')' || case when c.oid = "
            "coalesce(nullif(t.typbasetype, 0), t.oid) then '' else '[]' end end from pg_type t left join pg_type c on "
            "c.typtype = 'c' and c.oid in (t.oid, t.typbasetype, t.typelem) where t.oid = " +
            std::to_string(type));
    };
    sql::described_statement made;
    for (int i = 0; i < with_.parameters(found.get()); ++i)
        made.parameters.push_back(name_of(with_.parameter_type(found.get(), i)));
    for (int i = 0; i < with_.columns(found.get()); ++i)
        made.columns.push_back(
            {.name = with_.column_name(found.get(), i),
             .type = name_of(with_.column_type(found.get(), i)),
             .nullable = may_be_null(with_.column_table(found.get(), i), with_.column_of_table(found.get(), i))});
    return made;
}

// Does not use pg_advisory_lock, which keeps a snapshot while it waits. CREATE INDEX CONCURRENTLY in the process that
// owns the lock would wait until this snapshot is released.
bool postgres_connection::try_lock() {
    const auto answer = run("select pg_try_advisory_lock(7021944610923107)", {});  // an arbitrary constant key
    if (!answer)
        throw migration_error(migration_error::reason::database, "cannot lock the database: " + answer.error().message);
    return !answer->empty() && answer->front().front() == "t";
}

}  // namespace

std::unique_ptr<connection> connect_postgres(std::string_view url) {
    const pq_library& with = pq_library::get();
    const std::string text(url);
    char* why = nullptr;  // not shown, as it may contain the password
    PQconninfoOption* const parsed = url.contains('\0') ? nullptr : with.parse_url(text.c_str(), &why);
    if (why) with.free_memory(why);
    if (!parsed)
        throw migration_error(migration_error::reason::url, "invalid PostgreSQL URL",
                              "write postgres://USER:PASSWORD@HOST:PORT/NAME, with %40 for @ in the password");
    with.free_options(parsed);
    const char* const names[] = {"connect_timeout", "application_name", "dbname", "client_encoding", nullptr};
    const char* const values[] = {"10", "apus migrations", text.c_str(), "UTF8", nullptr};
    PGconn* const server = with.connect(names, values, 1);
    auto made = std::make_unique<postgres_connection>(with, server);
    if (with.status(server) != CONNECTION_OK)
        throw migration_error(migration_error::reason::database,
                              "cannot connect to PostgreSQL: " + one_line(with.error_message(server)),
                              "check that the server runs, and the host, user and database of the URL");
    with.set_notice_processor(server, [](void*, const char*) {}, nullptr);
    return made;
}

}  // namespace apus::migrations
