// SPDX-License-Identifier: Apache-2.0
#pragma once

// A table as a repository of structs, for the usual operations. For other statements, use SQL (sql.hpp).

#include <apus/sql.hpp>
#include <apus/sql/condition.hpp>

namespace apus::sql {

/// Special columns of a table, which need not be fields of the row. Names: letters, digits and `_`.
struct table_options {
    text key = "id";    ///< Primary key.
    text version = "";  ///< Integer column: initially 1, incremented by each change. See `update`.
    text deleted = "";  ///< Time, initially NULL, set by `remove`. Rows with a time are not found (soft delete).
    text created = "";  ///< Time of insertion.
    text updated = "";  ///< Time of insertion or of the last change.
};

/// Selects the rows that `table::list` returns.
template <class Row>
struct selection {
    std::optional<condition<Row>> where = {};
    order<Row> sort = {};
    unsigned limit = 20;     ///< 1 to 1,000; other values are clamped.
    std::string after = {};  ///< `page::next` of the previous page. Empty: the first page. May come from a client.
};

/// A page of rows, in order.
template <class Row>
struct page {
    std::vector<Row> rows;
    std::optional<std::string> next;  ///< Value for `selection::after`. Empty: the last page.
};

namespace detail {

struct table_parts;
struct table_owner {
    static void keep(table_parts*) noexcept;
    static void let_go(table_parts*) noexcept;
};

/// Meaning of empty fields in `table_core::update`.
enum class empty_fields : unsigned char {
    are_null,
    are_kept
};

/// Generates the statements of a table.
class table_core {
public:
    table_core(const shared_session&, const schema::type& row, text name, const table_options&);
    table_core in(const shared_session&) const;

    call get(argument key) const;
    call insert(argument row) const;
    call insert_all(const argument* rows, std::size_t count) const;
    call update(argument key, argument change, empty_fields, std::optional<std::int64_t> version) const;
    call upsert(argument row) const;
    call remove(argument key) const;
    call count(const condition_parts*) const;

    /// `last`: a row that `read_place` has filled; null for the first page.
    call list(const condition_parts*, const std::vector<sort_key>&, unsigned limit, const void* last) const;
    /// Convert a row's position in an order to text for clients, and back.
    std::string place_of(const std::vector<sort_key>&, const void* row) const;
    result<void> read_place(std::string_view, const std::vector<sort_key>&, void* row) const;

private:
    explicit table_core(table_parts* p) : parts_(p) {}
    apus::detail::shared<table_owner, table_parts> parts_;
};

/// Fails with 404 if no row has this key, otherwise with 409.
task<> refuse_change(call get);
task<> expect_changes(call what);

struct session_access : executor {
    static const shared_session& of(const executor& e) { return e.*(&session_access::session_); }
};

template <class Row>
task<Row> changed_row(call what, call get) {
    found rows = co_await query(std::move(what));
    if (rows.size() == 0) co_await refuse_change(std::move(get));
    Row row{};
    co_await rows.read(0, apus::detail::schema_table<Row>, &row);
    co_return std::move(row);
}

template <class Row>
task<page<Row>> page_of(table_core from, selection<Row> what) {
    const unsigned limit = what.limit == 0 ? 1 : what.limit > 1'000 ? 1'000 : what.limit;
    const condition_parts* where = what.where ? &what.where->parts() : nullptr;
    const auto& keys = what.sort.keys();
    Row last{};
    if (!what.after.empty()) co_await from.read_place(what.after, keys, &last);
    page<Row> made;
    made.rows = co_await all_rows<Row, std::vector<Row>>(
        from.list(where, keys, limit + 1, what.after.empty() ? nullptr : &last));
    if (made.rows.size() > limit) {
        made.rows.pop_back();
        made.next = from.place_of(keys, &made.rows.back());
    }
    co_return std::move(made);
}

template <class Row, class Fields>
constexpr bool are_columns() {
    const auto& row = apus::detail::schema_table<Row>;
    const auto& fields = apus::detail::schema_table<Fields>;
    for (unsigned i = 0; i < fields.field_count; ++i) {
        bool known = false;
        for (unsigned j = 0; j < row.field_count; ++j) known = known || row.fields[j].name == fields.fields[i].name;
        if (!known) return false;
    }
    return true;
}

}  // namespace detail

/// Rows of one table, as structs. Fields are the columns of the same name, as in `executor`.
/// Copies refer to the same table. Structs for `insert`, `update`, `patch` and `upsert` have some of the row's fields.
///
/// The errors are the errors of `executor`: 404 if no row has the key, 409 for a violated unique or foreign key.
template <class Row>
class table {
public:
    /// `table<note> notes(db, "note")`. Throws `std::invalid_argument` for invalid names.
    table(const executor& in, const detail::table_name<Row>& name, const table_options& options = {})
        : core_(detail::session_access::of(in), apus::detail::schema_table<Row>, name.name(), options) {}

    /// Returns the same table, in a transaction.
    [[nodiscard("`in` changes nothing: use the table that it returns")]] table in(const executor& other) const {
        return table(core_.in(detail::session_access::of(other)));
    }

    /// Returns the row with a key. No row: 404.
    template <class Key>
    task<Row> get(const Key& key) const {
        return detail::one_row<Row>(core_.get(argument_of(key)));
    }
    /// Returns the row with a key, or nullopt.
    template <class Key>
    task<std::optional<Row>> find(const Key& key) const {
        return detail::maybe_row<Row>(core_.get(argument_of(key)));
    }

    /// Inserts a row. Returns the row with the database's defaults.
    template <class Fields>
    task<Row> insert(const Fields& row) const {
        check<Fields>();
        return detail::one_row<Row>(core_.insert(detail::describe(row)));
    }
    /// Inserts the rows of a list in one statement, and returns them.
    /// Over 32,000 values: 413.
    template <class List>
    task<std::vector<Row>> insert_all(const List& rows) const {
        check<typename List::value_type>();
        std::vector<detail::argument> all;
        for (const auto& each : rows) all.push_back(detail::describe(each));
        return detail::all_rows<Row, std::vector<Row>>(core_.insert_all(all.data(), all.size()));
    }

    /// Sets the columns of a struct's fields. An empty optional sets NULL. Returns the row.
    template <class Key, class Fields>
    task<Row> update(const Key& key, const Fields& change) const {
        return set(key, change, detail::empty_fields::are_null, std::nullopt);
    }
    /// Like `update`, if the row still has this version (`table_options::version`); otherwise 409.
    template <class Key, class Fields>
    task<Row> update(const Key& key, const Fields& change, std::int64_t version) const {
        return set(key, change, detail::empty_fields::are_null, version);
    }
    /// Like `update`, but does not change columns of empty optionals.
    template <class Key, class Fields>
    task<Row> patch(const Key& key, const Fields& change) const {
        return set(key, change, detail::empty_fields::are_kept, std::nullopt);
    }
    template <class Key, class Fields>
    task<Row> patch(const Key& key, const Fields& change, std::int64_t version) const {
        return set(key, change, detail::empty_fields::are_kept, version);
    }

    /// Inserts the row, or updates the row with the same key.
    /// Restores a row that `remove` marked as deleted.
    template <class Fields>
    task<Row> upsert(const Fields& row) const {
        check<Fields>();
        return detail::one_row<Row>(core_.upsert(detail::describe(row)));
    }

    /// Deletes the row, or sets `table_options::deleted`.
    template <class Key>
    task<> remove(const Key& key) const {
        return detail::expect_changes(core_.remove(argument_of(key)));
    }

    /// Returns a page of rows, beginning after the last row of the previous page (keyset pagination).
    /// Later pages are as fast as the first. Inserting or removing rows does not shift later pages. An invalid `after`
    /// gets 400.
    task<page<Row>> list(selection<Row> what = {}) const { return detail::page_of<Row>(core_, std::move(what)); }

    task<std::int64_t> count() const { return detail::one_row<std::int64_t>(core_.count(nullptr)); }
    /// Counts the rows for which a condition is true.
    task<std::int64_t> count(const condition<Row>& where) const {
        return detail::one_row<std::int64_t>(core_.count(&where.parts()));
    }

private:
    explicit table(detail::table_core core) : core_(std::move(core)) {}

    template <class Key>
    static detail::argument argument_of(const Key& key) {
        static_assert(!apus::detail::schema_aggregate<Key>, "the key of a table must be one column");
        return detail::describe(key);
    }
    template <class Fields>
    static void check() {
        static_assert(apus::detail::schema_aggregate<Fields>, "a row of a table must be a struct");
        static_assert(detail::are_columns<Row, Fields>(), "a field of this struct is not a field of the table's row");
    }
    template <class Key, class Fields>
    task<Row> set(const Key& key, const Fields& change, detail::empty_fields empty,
                  std::optional<std::int64_t> version) const {
        check<Fields>();
        return detail::changed_row<Row>(core_.update(argument_of(key), detail::describe(change), empty, version),
                                        core_.get(argument_of(key)));
    }

    detail::table_core core_;
};

}  // namespace apus::sql
