// SPDX-License-Identifier: Apache-2.0
#include "postgres/result.hpp"

#include "sql/failure.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string>

namespace apus::postgres {

std::string_view result_rows::column_name(unsigned column) const noexcept {
    const char* name = PQfname(of_.get(), static_cast<int>(column));
    return name ? name : "";
}

std::string_view result_rows::column_type(unsigned column) const noexcept {
    return name_of(static_cast<oid>(PQftype(of_.get(), static_cast<int>(column))));
}

sql::value result_rows::cell(std::size_t row, unsigned column) {
    const int r = static_cast<int>(row), c = static_cast<int>(column);
    if (PQgetisnull(of_.get(), r, c)) return {};
    const std::string_view bytes(PQgetvalue(of_.get(), r, c), static_cast<std::size_t>(PQgetlength(of_.get(), r, c)));
    // The server uses text format only where it was requested.
    if (PQfformat(of_.get(), c) != 1) return sql::value::of_text(bytes);
    const auto found = decode(static_cast<oid>(PQftype(of_.get(), c)), bytes, room_);
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

namespace {

std::string_view field_of(const PGresult& r, int code) noexcept {
    const char* text = PQresultErrorField(&r, code);
    return text ? text : "";
}

}  // namespace

std::string_view state_of(const PGresult& failed) noexcept { return field_of(failed, PG_DIAG_SQLSTATE); }

error error_of(const PGresult& failed, std::string_view statement) {
    std::string message(field_of(failed, PG_DIAG_MESSAGE_PRIMARY));
    // The detail, such as "Key (email)=(x) already exists", contains values, which must not be logged.
    if (const auto hint = field_of(failed, PG_DIAG_MESSAGE_HINT); !hint.empty()) message.append("; ").append(hint);
    return sql::make_error({.state = state_of(failed),
                            .message = message,
                            .constraint = field_of(failed, PG_DIAG_CONSTRAINT_NAME),
                            .table = field_of(failed, PG_DIAG_TABLE_NAME),
                            .column = field_of(failed, PG_DIAG_COLUMN_NAME),
                            .statement = statement});
}

std::int64_t changed_rows(PGresult& done) noexcept {
    const std::string_view status = PQcmdStatus(&done);
    if (status.starts_with("SELECT") || status.starts_with("FETCH")) return 0;
    const char* digits = PQcmdTuples(&done);
    std::int64_t n = 0;
    std::from_chars(digits, digits + std::strlen(digits), n);
    return n;
}

}  // namespace apus::postgres
