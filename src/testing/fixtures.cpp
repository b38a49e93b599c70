// SPDX-License-Identifier: Apache-2.0
#include "testing/fixtures.hpp"

#include "base/ascii.hpp"
#include "migrations/history.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/sql/migrations.hpp>

#include <algorithm>

namespace apus::testing {
namespace {

using sql::migration_error;

[[noreturn]] void refuse(std::string why) {
    throw migration_error(migration_error::reason::files, "fixtures: " + std::move(why));
}

// Returns a name for use in a statement. Only letters, digits and '_' are allowed, since other characters could end a
// quoted name or a JSON path.
std::string quoted_name(std::string_view name) {
    const auto plain = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_'; };
    if (name.empty() || !std::ranges::all_of(name, plain))
        refuse("invalid name `" + std::string(name) + "`: use letters, digits and `_`");
    return "\"" + std::string(name) + "\"";
}

// Returns an INSERT statement. The engine converts each member to the type of its column.
std::string insertion(const std::string& table, const json_value& row, migrations::dialect language) {
    const bool postgres = language == migrations::dialect::postgres;
    std::string columns, values;
    for (const auto& [name, value] : row.members()) {
        const std::string column = quoted_name(name);
        columns.append(columns.empty() ? "" : ", ").append(column);
        values.append(values.empty() ? "" : ", ");
        if (postgres) values += column;
        else values.append("$1 ->> '$.").append(column).append("'");
    }
    if (columns.empty()) return "insert into " + table + " default values";
    std::string made = "insert into " + table + " (" + columns + ") select " + values;
    if (postgres) made += " from json_populate_record(null::" + table + ", $1::json)";
    return made;
}

// Advances identity columns beyond the inserted values.
void advance_sequences(migrations::connection& on, const std::string& table) {
    constexpr std::string_view find =
        "select attname, pg_get_serial_sequence($1, attname) from pg_attribute where attrelid = to_regclass($1) "
        "and attnum > 0 and not attisdropped and pg_get_serial_sequence($1, attname) is not null";
    for (const auto& row : migrations::must_run(on, find, {table})) {
        std::string statement = "with last as (select max(";
        statement.append(quoted_name(row[0])).append(") as value from ").append(table);
        statement.append(") select setval(cast($1 as text), value) from last where value > 0");
        migrations::must_run(on, statement, {row[1]});
    }
}

}  // namespace

void insert_fixtures(migrations::connection& on, std::string_view json) {
    const auto all = from_json<json_value>(json);
    if (!all) refuse(std::string(all.error().detail()));
    if (!all->is_object()) refuse("the JSON must be an object with a list of rows for each table");
    for (const auto& [name, rows] : all->members()) {
        const std::string table = quoted_name(name);
        if (!rows.is_list()) refuse("the rows of `" + std::string(name) + "` must be a list");
        for (const json_value& row : rows.items()) {
            if (!row.is_object()) refuse("a row of `" + std::string(name) + "` must be an object");
            const std::string statement = insertion(table, row, on.language());
            const auto done = row.size() ? on.run(statement, {to_json(row)}) : on.run(statement);
            if (!done)
                throw migration_error(migration_error::reason::statement,
                                      "fixtures: table `" + std::string(name) + "`: " + done.error().message);
            if (on.language() == migrations::dialect::postgres) advance_sequences(on, table);
        }
    }
}

}  // namespace apus::testing
