// SPDX-License-Identifier: Apache-2.0
#include "postgres/result.hpp"

#include "codec/postgres/message.hpp"
#include "sql/failure.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::postgres {

std::shared_ptr<const row_format> read_row_format(std::string_view body) {
    auto made = std::make_shared<row_format>();
    const bool whole = codec::postgres::read_columns(body, [&](const codec::postgres::column& c) {
        made->columns.push_back({std::string(c.name), static_cast<oid>(c.type)});
    });
    return whole ? std::move(made) : nullptr;
}

void received_rows::add(std::string_view row) {
    if (count == 0) bytes.reserve(sizeof(std::uint32_t) + row.size());
    append(bytes, static_cast<std::uint32_t>(row.size()));
    bytes.append(row);
    ++count;
}

result_rows::result_rows(received_rows r) : of_(std::move(r)) {
    const std::size_t count = of_.format->columns.size();
    if (count > few_.size()) many_.resize(count);
    cells_ = count > few_.size() ? std::span(many_) : std::span(few_).first(count);
}

std::string_view result_rows::column_name(unsigned column) const noexcept { return of_.format->columns[column].name; }

std::string_view result_rows::column_type(unsigned column) const noexcept {
    return name_of(of_.format->columns[column].type);
}

// The rows were checked when they were received.
void result_rows::find_row(std::size_t row) {
    if (row < next_) next_ = next_at_ = 0;
    const char* const bytes = of_.bytes.data();
    for (; next_ < row; ++next_) next_at_ += 4 + std::size_t(load<std::uint32_t>(bytes + next_at_));
    std::size_t at = next_at_ + 4 + 2;  // the size of the row, and the number of its values
    for (cell_position& c : cells_) {
        c = {at + 4, load<std::int32_t>(bytes + at)};
        at = c.at + static_cast<std::size_t>(std::max(c.size, 0));
    }
    next_at_ = at;
    ++next_;
}

sql::value result_rows::cell(std::size_t row, unsigned column) {
    if (next_ != row + 1) find_row(row);
    const cell_position c = cells_[column];
    if (c.size < 0) return {};
    const auto found = decode(of_.format->columns[column].type,
                              std::string_view(of_.bytes).substr(c.at, static_cast<std::size_t>(c.size)), room_);
    if (!found)
        throw std::runtime_error("invalid value of type " + std::string(column_type(column)) + " from PostgreSQL");
    return *found;
}

std::string_view name_of(oid type) noexcept {
    constexpr struct {
        oid type;
        std::string_view name;
    } all[] = {{oid::boolean, "boolean"},   {oid::bytea, "bytea"},         {oid::name, "name"},
               {oid::int8, "bigint"},       {oid::int2, "smallint"},       {oid::int4, "integer"},
               {oid::text, "text"},         {oid::object_id, "oid"},       {oid::json, "json"},
               {oid::xml, "xml"},           {oid::float4, "real"},         {oid::float8, "double precision"},
               {oid::bpchar, "character"},  {oid::varchar, "varchar"},     {oid::date, "date"},
               {oid::time, "time"},         {oid::timestamp, "timestamp"}, {oid::timestamptz, "timestamptz"},
               {oid::interval, "interval"}, {oid::timetz, "timetz"},       {oid::numeric, "numeric"},
               {oid::uuid, "uuid"},         {oid::jsonb, "jsonb"}};
    for (const auto& one : all)
        if (one.type == type) return one.name;
    return item_of_array(type) != oid::unknown ? "array" : "";
}

std::optional<server_error> read_error(std::string_view body, std::string_view statement) {
    std::string_view message, hint;
    sql::failure_facts facts{.state = {}, .message = {}, .statement = statement};
    const bool whole = codec::postgres::read_fields(body, [&](char code, std::string_view text) {
        switch (code) {
            case 'C': facts.state = text; break;
            case 'M': message = text; break;
            case 'H': hint = text; break;
            case 'n': facts.constraint = text; break;
            case 't': facts.table = text; break;
            case 'c': facts.column = text; break;
            default:
                break;  // the detail, such as "Key (email)=(x) already exists", has values, which must not be logged
        }
    });
    if (!whole || facts.state.empty()) return std::nullopt;
    std::string all(message);
    if (!hint.empty()) all.append("; ").append(hint);
    facts.message = all;
    return server_error{std::string(facts.state), sql::make_error(facts)};
}

}  // namespace apus::postgres
