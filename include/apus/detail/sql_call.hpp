// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/owned_parts.hpp>
#include <apus/detail/schema_of.hpp>
#include <apus/detail/shared.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <optional>

namespace apus::sql::detail {

struct session_parts;
struct call_parts;
struct found_parts;
struct cursor_parts;

struct session_owner {
    static void keep(session_parts*) noexcept;
    static void let_go(session_parts*) noexcept;
};
using shared_session = apus::detail::shared<session_owner, session_parts>;

/// An argument of a statement. Null pointers mean SQL NULL.
struct argument {
    const schema::type* of;
    const void* at;
};

template <class T>
decltype(auto) plain_argument(const T& value) {
    if constexpr (!apus::detail::has_schema<T> && std::is_convertible_v<const T&, std::string_view>)
        return std::string_view(value);
    else return (value);
}

template <class T>
argument describe(const T& value) {
    if constexpr (std::is_same_v<T, std::nullopt_t>) return {nullptr, nullptr};
    else return {&apus::detail::schema_table<T>, &value};
}

/// A statement that owns its parameters.
class call {
public:
    call(const shared_session& in, std::string_view sql, const argument* arguments, std::size_t count);
    explicit call(apus::detail::owned_parts<call_parts> parts) : parts_(std::move(parts)) {}
    void next_list();  // begins the parameters of the next execution in a batch
    void add(argument);

private:
    friend class found;
    friend class open_cursor;
    friend task<std::int64_t> run(call);
    friend task<class found> query(call);
    friend task<std::int64_t> run_batch(call);
    friend class open_cursor open(call);
    apus::detail::owned_parts<call_parts> parts_;
};

template <class... A>
call make_call(const shared_session& in, std::string_view sql, const A&... a) {
    const argument list[] = {describe(a)..., {nullptr, nullptr}};
    return call(in, sql, list, sizeof...(A));
}

/// The rows of a statement's result.
class found {
public:
    explicit found(apus::detail::owned_parts<found_parts> p) : parts_(std::move(p)) {}
    std::size_t size() const noexcept;
    result<void> read(std::size_t row, const schema::type&, void* to);
    result<void> expect_one(bool may_be_missing) const;

private:
    apus::detail::owned_parts<found_parts> parts_;
};

task<std::int64_t> run(call);
task<std::int64_t> run_batch(call);
task<found> query(call);

/// A result that is read incrementally.
class open_cursor {
public:
    explicit open_cursor(apus::detail::owned_parts<cursor_parts> p) : parts_(std::move(p)) {}
    task<bool> read(const schema::type&, void* to);  // false: no more rows

private:
    apus::detail::owned_parts<cursor_parts> parts_;
};
open_cursor open(call);

template <class Row>
task<Row> one_row(call what) {
    found rows = co_await query(std::move(what));
    co_await rows.expect_one(false);
    Row row{};
    co_await rows.read(0, apus::detail::schema_table<Row>, &row);
    co_return std::move(row);
}

template <class Row>
task<std::optional<Row>> maybe_row(call what) {
    found rows = co_await query(std::move(what));
    co_await rows.expect_one(true);
    std::optional<Row> row;
    if (rows.size() == 1) co_await rows.read(0, apus::detail::schema_table<Row>, &row.emplace());
    co_return std::move(row);
}

template <class Row, class List>
task<List> all_rows(call what) {
    found rows = co_await query(std::move(what));
    List list;
    list.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        co_await rows.read(i, apus::detail::schema_table<Row>, &list.emplace_back());
    co_return std::move(list);
}

}  // namespace apus::sql::detail
