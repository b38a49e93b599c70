// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_builder.hpp"
#include "sql/statement_list.hpp"

#include "crypto/base64.hpp"

#include <apus/detail/json_text.hpp>
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/sql/table.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace apus::sql::detail {

namespace {

using moment = std::chrono::sys_time<std::chrono::microseconds>;

moment now() { return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()); }

template <class T>
argument one(const T& value) {
    return {&apus::detail::schema_table<T>, &value};
}

std::string checked(text name, const char* what, bool may_be_empty) {
    if (!is_name(name.view()) && !(may_be_empty && name.view().empty()))
        throw std::invalid_argument(std::string("sql::table: invalid name of ") + what);
    return name.view().empty() ? std::string() : quoted_name(name.view());
}

std::string columns_of(const schema::type& row) {
    std::string made;
    for (unsigned i = 0; i < row.field_count; ++i) made.append(i ? ", " : "").append(quoted_name(row.fields[i].name));
    return made;
}

argument value_of(const schema::field& f, const void* row) { return {f.of, static_cast<const char*>(row) + f.offset}; }

bool is_column(const schema::field& f, std::string_view quoted) {
    return quoted.size() == f.name.size() + 2 && quoted.substr(1, f.name.size()) == f.name;
}

bool has(const schema::type& row, std::string_view quoted) {
    for (unsigned i = 0; i < row.field_count; ++i)
        if (is_column(row.fields[i], quoted)) return true;
    return false;
}

}  // namespace

struct table_names {
    const schema::type* row;
    std::string name;  // all names are quoted; empty: no such column
    std::string key, version, deleted, created, updated;
    std::string columns;
};

struct table_parts : table_names {
    std::atomic<std::size_t> users = 1;
    shared_session in;

    table_parts(table_names names, shared_session s) : table_names(std::move(names)), in(std::move(s)) {}

    void add_conditions(statement_builder& to, const condition_parts* where) const {
        if (!deleted.empty()) to << " and " << deleted << " is null";
        if (where) to << " and " << *where;
    }
    void begin_insert(statement_builder& to, const schema::type& of) const {
        to << "insert into " << name << " (" << columns_of(of);
        for (const std::string* each : {&created, &updated, &version})
            if (!each->empty() && !has(of, *each)) to << ", " << *each;
        to << ") values ";
    }
    void add_row(statement_builder& to, argument row_value, const moment& when) const {
        to << "(";
        for (unsigned i = 0; i < row_value.of->field_count; ++i)
            to << (i ? ", " : "") << value_of(row_value.of->fields[i], row_value.at);
        for (const std::string* each : {&created, &updated})
            if (!each->empty() && !has(*row_value.of, *each)) to << ", " << one(when);
        if (!version.empty() && !has(*row_value.of, version)) to << ", 1";
        to << ")";
    }
    // Appends the assignments that each update has: the time of the change, and the version.
    void add_marks(statement_builder& to, const schema::type& change, const moment& when) const {
        if (!updated.empty() && !has(change, updated)) to << ", " << updated << " = " << one(when);
        if (!version.empty()) to << ", " << version << " = " << name << "." << version << " + 1";
    }
    std::vector<sort_key> with_key(std::vector<sort_key> keys) const {
        for (unsigned i = 0; i < row->field_count; ++i)
            if (is_column(row->fields[i], key) && is_sortable(*row->fields[i].of)) {
                for (std::size_t k = 0; k < keys.size(); ++k)
                    if (keys[k].field == i) {
                        keys.resize(k + 1);  // the key is unique, so later fields have no effect
                        return keys;
                    }
                keys.push_back({.field = i, .descending = !keys.empty() && keys.back().descending});
                return keys;
            }
        throw std::logic_error("sql::table: for pages, the key must be a field of the row");
    }
    // Returns the order in the format of `parse_order`. A page cursor contains it, so that a cursor for another order
    // is rejected.
    std::string order_text(const std::vector<sort_key>& keys) const {
        std::string made;
        for (const sort_key& each : keys)
            made.append(made.empty() ? "" : ",")
                .append(each.descending ? "-" : "")
                .append(row->fields[each.field].name);
        return made;
    }
    // Writes the condition for rows after `last`: (a > x) or (a = x and b < y) or ...
    void add_place(statement_builder& to, const std::vector<sort_key>& keys, const void* last) const {
        to << " and (";
        for (std::size_t i = 0; i < keys.size(); ++i) {
            to << (i ? " or (" : "(");
            for (std::size_t k = 0; k <= i; ++k) {
                const schema::field& f = row->fields[keys[k].field];
                to << (k ? " and " : "") << quoted_name(f.name)
                   << (k < i                ? " = "
                       : keys[k].descending ? " < "
                                            : " > ")
                   << value_of(f, last);
            }
            to << ")";
        }
        to << ")";
    }
};

void table_owner::keep(table_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }
void table_owner::let_go(table_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

table_core::table_core(const shared_session& in, const schema::type& row, text name, const table_options& options)
    : parts_(new table_parts({.row = &row,
                              .name = checked(name, "the table", false),
                              .key = checked(options.key, "the key", false),
                              .version = checked(options.version, "the version", true),
                              .deleted = checked(options.deleted, "the time of removal", true),
                              .created = checked(options.created, "the time of insertion", true),
                              .updated = checked(options.updated, "the time of a change", true),
                              .columns = columns_of(row)},
                             in)) {
    list_table({.file = name.file(),
                .line = name.line(),
                .name = name.view(),
                .key = options.key.view(),
                .version = options.version.view(),
                .deleted = options.deleted.view(),
                .created = options.created.view(),
                .updated = options.updated.view()});
}

table_core table_core::in(const shared_session& other) const { return table_core(new table_parts(*parts_, other)); }

call table_core::get(argument key) const {
    statement_builder made(parts_->in);
    made << "select " << parts_->columns << " from " << parts_->name << " where " << parts_->key << " = " << key;
    parts_->add_conditions(made, nullptr);
    return std::move(made).finish();
}

call table_core::insert(argument row) const { return insert_all(&row, 1); }

call table_core::insert_all(const argument* rows, std::size_t count) const {
    constexpr std::size_t most_values = 32'000;  // below the limits of SQLite (32,766) and PostgreSQL (65,535)
    statement_builder made(parts_->in);
    if (count == 0) {
        made << "select " << parts_->columns << " from " << parts_->name << " where 1 = 0";
        return std::move(made).finish();
    }
    const moment when = now();
    parts_->begin_insert(made, *rows[0].of);
    for (std::size_t i = 0; i < count; ++i) {
        if (i) made << ", ";
        parts_->add_row(made, rows[i], when);
        if (made.values() <= most_values) continue;
        made.refuse(error(413, "too many rows for one statement"));
        break;
    }
    made << " returning " << parts_->columns;
    return std::move(made).finish();
}

call table_core::update(argument key, argument change, empty_fields empty, std::optional<std::int64_t> version) const {
    if (version && parts_->version.empty())
        throw std::logic_error("sql::table: an expected version needs table_options::version");
    statement_builder made(parts_->in);
    made << "update " << parts_->name << " set " << parts_->key << " = " << parts_->key;
    for (unsigned i = 0; i < change.of->field_count; ++i) {
        const schema::field& f = change.of->fields[i];
        const argument value = value_of(f, change.at);
        const bool kept =
            empty == empty_fields::are_kept && f.of->what == schema::kind::optional && !f.of->optional->get(value.at);
        if (!kept && !is_column(f, parts_->key) && !is_column(f, parts_->version))
            made << ", " << quoted_name(f.name) << " = " << value;
    }
    parts_->add_marks(made, *change.of, now());
    made << " where " << parts_->key << " = " << key;
    parts_->add_conditions(made, nullptr);
    if (version) made << " and " << parts_->version << " = " << one(*version);
    made << " returning " << parts_->columns;
    return std::move(made).finish();
}

call table_core::upsert(argument row) const {
    if (!has(*row.of, parts_->key)) throw std::logic_error("sql::table: upsert needs a struct with the key");
    statement_builder made(parts_->in);
    parts_->begin_insert(made, *row.of);
    const moment when = now();
    parts_->add_row(made, row, when);
    made << " on conflict (" << parts_->key << ") do update set " << parts_->key << " = excluded." << parts_->key;
    for (unsigned i = 0; i < row.of->field_count; ++i) {
        const schema::field& f = row.of->fields[i];
        if (is_column(f, parts_->key) || is_column(f, parts_->version)) continue;
        const std::string column = quoted_name(f.name);
        made << ", " << column << " = excluded." << column;
    }
    parts_->add_marks(made, *row.of, when);
    if (!parts_->deleted.empty() && !has(*row.of, parts_->deleted)) made << ", " << parts_->deleted << " = null";
    made << " returning " << parts_->columns;
    return std::move(made).finish();
}

call table_core::remove(argument key) const {
    statement_builder made(parts_->in);
    if (parts_->deleted.empty()) {
        made << "delete from " << parts_->name;
    } else {
        made << "update " << parts_->name << " set " << parts_->deleted << " = " << one(now());
        if (!parts_->version.empty()) made << ", " << parts_->version << " = " << parts_->version << " + 1";
    }
    made << " where " << parts_->key << " = " << key;
    parts_->add_conditions(made, nullptr);
    return std::move(made).finish();
}

call table_core::count(const condition_parts* where) const {
    statement_builder made(parts_->in);
    made << "select count(*) from " << parts_->name << " where 1 = 1";
    parts_->add_conditions(made, where);
    return std::move(made).finish();
}

call table_core::list(const condition_parts* where, const std::vector<sort_key>& order, unsigned limit,
                      const void* last) const {
    const auto keys = parts_->with_key(order);
    statement_builder made(parts_->in);
    made << "select " << parts_->columns << " from " << parts_->name << " where 1 = 1";
    parts_->add_conditions(made, where);
    if (last) parts_->add_place(made, keys, last);
    for (std::size_t i = 0; i < keys.size(); ++i)
        made << (i ? ", " : " order by ") << quoted_name(parts_->row->fields[keys[i].field].name)
             << (keys[i].descending ? " desc" : "");
    made << " limit " << one(std::int64_t(limit));
    return std::move(made).finish();
}

std::string table_core::place_of(const std::vector<sort_key>& order, const void* row) const {
    const auto keys = parts_->with_key(order);
    std::string text = "[" + to_json(parts_->order_text(keys));
    for (const sort_key& each : keys) {
        const schema::field& f = parts_->row->fields[each.field];
        std::string value;
        apus::detail::print_json(*f.of, static_cast<const char*>(row) + f.offset, value);
        text.append(",").append(value);
    }
    return crypto::base64url(text + "]");
}

result<void> table_core::read_place(std::string_view text, const std::vector<sort_key>& order, void* row) const {
    const auto invalid = [] { return fail(400, "invalid page: it belongs to another list or order"); };
    const auto keys = parts_->with_key(order);
    const auto decoded = text.size() <= 8'192 ? crypto::decode_base64url(text) : std::nullopt;
    if (!decoded) return invalid();
    const auto read = from_json<json_value>(std::string_view(*decoded));
    if (!read || read->size() != keys.size() + 1 || !read->is_list()) return invalid();
    const auto of = read->items()[0].get<std::string_view>();
    if (!of || *of != parts_->order_text(keys)) return invalid();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const schema::field& f = parts_->row->fields[keys[i].field];
        error why(400, {});
        if (!apus::detail::parse_json(to_json(read->items()[i + 1]), *f.of, static_cast<char*>(row) + f.offset, why))
            return invalid();
    }
    return {};
}

task<> refuse_change(call get) {
    found rows = co_await query(std::move(get));
    if (rows.size() == 0) co_await apus::fail(404, "no such record");
    co_await apus::fail(409, "the record has been changed: read it again");
}

task<> expect_changes(call what) {
    if (co_await run(std::move(what)) == 0) co_await apus::fail(404, "no such record");
}

}  // namespace apus::sql::detail
