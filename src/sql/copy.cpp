// SPDX-License-Identifier: Apache-2.0
#include "sql/copy.hpp"

#include "sql/condition.hpp"
#include "sql/database_parts.hpp"
#include "sql/execution.hpp"
#include "sql/failure.hpp"

#include <stdexcept>
#include <utility>

namespace apus::sql {
namespace {

// SQLite binds all values of a piece to one statement, and finds their placeholders in quadratic time.
constexpr std::size_t longest_piece = std::size_t(256) << 10U, most_values = 2'048;

std::string quoted_table(std::string_view name) {
    const auto dot = name.find('.');
    const std::string_view schema = dot == name.npos ? std::string_view() : name.substr(0, dot);
    const std::string_view table = dot == name.npos ? name : name.substr(dot + 1);
    if (!detail::is_name(table) || (dot != name.npos && !detail::is_name(schema)))
        throw std::invalid_argument("copy_in: invalid table name");
    std::string quoted = detail::quoted_name(table);
    return dot == name.npos ? quoted : detail::quoted_name(schema) + "." + quoted;
}

std::size_t size_of(const value& v) noexcept {
    std::size_t size = 8 + v.text.size();
    if (v.kind == value_kind::list)
        for (std::uint32_t i = 0; i < v.count; ++i) size += size_of(v.items[i]);
    return size;
}

error ended() {
    return error(500, "the copy has ended")
        .cause("the copy_writer was ended by an error, by `finish` or by a destroyed task");
}

}  // namespace

statement insert_of(const copy_piece& piece) {
    const std::size_t values = piece.values->values().size();
    std::string sql = "insert into " + piece.table + " (" + piece.columns + ") values ";
    for (std::size_t i = 0; i < values; ++i)
        sql.append(i % piece.column_count != 0 ? ", "
                   : i == 0                    ? "("
                                               : "), (")
            .append("$")
            .append(std::to_string(i + 1));
    auto text = std::make_shared<const std::string>(sql + ")");
    return {.text = {*text, text}, .values = piece.values, .deadline = piece.deadline};
}

namespace detail {

struct copy_in_parts {
    shared_session in;
    const schema::type& row;
    copy_piece to;
    const std::string what = "copy " + to.table;
    std::unique_ptr<engine_transaction> own =
        nullptr;  // null in a transaction of the program, and before the first piece
    std::shared_ptr<parameters> values = nullptr;
    std::size_t size = 0;  // size of `values` in bytes
    std::int64_t copied = 0;
    std::optional<error> refused = {};
    bool ended = false;  // also set while a piece is being sent, so that a destroyed task ends the copy

    void end() noexcept {
        ended = true;
        own.reset();
        values.reset();
    }
};

open_copy::open_copy(const shared_session& in, std::string_view table, const schema::type& row)
    : parts_(apus::detail::own_parts(new copy_in_parts{.in = in, .row = row, .to = {.table = quoted_table(table)}})) {
    auto& to = parts_->to;
    if (row.field_count == 0) throw std::invalid_argument("copy_in: the struct has no fields");
    to.column_count = row.field_count;
    for (unsigned i = 0; i < row.field_count; ++i)
        to.columns.append(i ? ", " : "").append(quoted_name(row.fields[i].name));
}

bool open_copy::add(const void* row) {
    auto& p = *parts_;
    if (p.ended) return false;
    if (!p.values) p.values = std::make_shared<parameters>(p.in->options.value_size), p.size = 0;
    const std::size_t before = p.values->values().size();
    if (auto added = p.values->add(p.row, row); !added) {
        p.refused.emplace(std::move(added.error()));
        return false;
    }
    const auto all = p.values->values();
    for (const value& v : all.subspan(before)) p.size += size_of(v);
    return p.size < longest_piece && all.size() + p.to.column_count <= most_values;
}

task<> open_copy::store() {
    auto& p = *parts_;
    if (p.refused) {
        p.end();
        co_await failure(*std::exchange(p.refused, {}));
    }
    if (std::exchange(p.ended, true)) co_await failure(ended());
    execution watched(*p.in, p.what);
    if (!p.in->open && !p.own) {
        auto begun = co_await p.in->db->begin({}, deadline_of(*p.in)).outcome();
        if (!begun) {
            p.end();
            co_await failure(watched.failed(std::move(begun.error())));
        }
        p.own = *std::move(begun);
    }
    engine_transaction& in = p.own ? *p.own : p.in->transaction();
    copy_piece piece = p.to;
    piece.values = p.values;
    piece.deadline = deadline_of(*p.in);
    auto done = co_await in.copy_in(std::move(piece)).outcome();
    if (!done) {
        const bool secret = p.values->has_secret();
        p.end();
        co_await failure(watched.failed(std::move(done.error()), secret));
    }
    watched.succeeded(*done);
    p.copied += *done;
    p.values.reset();
    p.ended = false;
}

task<std::int64_t> open_copy::finish() {
    auto& p = *parts_;
    if (p.ended) co_await failure(ended());
    if (p.values && !p.values->values().empty()) co_await store();
    p.ended = true;
    if (p.own) {
        auto done = co_await measured(*p.in, "commit", p.own->commit()).outcome();
        p.own.reset();
        co_await std::move(done);
    }
    co_return p.copied;
}

struct copy_out_parts {
    shared_session in;
    statement_text text;
    std::unique_ptr<text_cursor> open = nullptr;
};

}  // namespace detail

copy_stream::copy_stream(const detail::shared_session& in, std::string_view sql, const copy_options& o)
    : parts_(apus::detail::own_parts(new detail::copy_out_parts{.in = in, .text = {}})) {
    std::string text = "copy (";
    text.append(sql).append(") to stdout with (format ").append(o.format == copy_format::csv ? "csv" : "text");
    auto owner = std::make_shared<const std::string>(text + (o.header ? ", header true)" : ")"));
    parts_->text = {*owner, owner};
}

task<std::optional<std::string>> copy_stream::next() {
    auto& p = *parts_;
    const std::uint64_t deadline = detail::deadline_of(*p.in);
    detail::execution watched(*p.in, p.text.sql);
    if (!p.open) {
        auto opened = co_await p.in->target().copy_out(p.text, deadline).outcome();
        if (!opened) co_await failure(watched.failed(std::move(opened.error())));
        p.open = *std::move(opened);
    }
    auto lines = co_await p.open->next(deadline).outcome();
    if (!lines) co_await failure(watched.failed(std::move(lines.error())));
    watched.succeeded(0);
    co_return *std::move(lines);
}

}  // namespace apus::sql
