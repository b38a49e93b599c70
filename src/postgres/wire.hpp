// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/integer.hpp"

#include <cstdint>

namespace apus::postgres {

/// Types of the server by object identifier (pg_type.dat), if their binary format is known here.
/// Other types are known only at run time.
enum class oid : std::uint32_t {
    unknown = 0,
    boolean = 16,
    bytea = 17,
    character = 18,
    name = 19,
    int8 = 20,
    int2 = 21,
    int4 = 23,
    text = 25,
    object_id = 26,
    json = 114,
    xml = 142,
    float4 = 700,
    float8 = 701,
    bpchar = 1042,
    varchar = 1043,
    date = 1082,
    time = 1083,
    timestamp = 1114,
    timestamptz = 1184,
    interval = 1186,
    timetz = 1266,
    numeric = 1700,
    void_type = 2278,
    uuid = 2950,
    jsonb = 3802,
};

/// The first number of a type that is not part of the server (FirstNormalObjectId).
constexpr std::uint32_t first_user_type = 16'384;

/// Returns the type of an array's items; `unknown` for other types.
constexpr oid item_of_array(oid array) noexcept {
    // A fast path for the types of most columns.
    if (array == oid::int4 || array == oid::int8 || array == oid::text || array == oid::boolean) return oid::unknown;
    constexpr struct {
        std::uint32_t array;
        oid item;
    } all[] = {{1000, oid::boolean},   {1001, oid::bytea},   {1003, oid::name},   {1005, oid::int2},
               {1007, oid::int4},      {1009, oid::text},    {1014, oid::bpchar}, {1015, oid::varchar},
               {1016, oid::int8},      {1021, oid::float4},  {1022, oid::float8}, {1028, oid::object_id},
               {1115, oid::timestamp}, {1182, oid::date},    {1183, oid::time},   {1185, oid::timestamptz},
               {1187, oid::interval},  {1231, oid::numeric}, {199, oid::json},    {2951, oid::uuid},
               {3807, oid::jsonb}};
    for (const auto& one : all)
        if (one.array == static_cast<std::uint32_t>(array)) return one.item;
    return oid::unknown;
}

/// Returns the array type for an item type; `unknown` if the types above do not include it.
constexpr oid array_of_item(oid item) noexcept {
    for (std::uint32_t array = 199; array <= 3807; ++array)
        if (item != oid::unknown && item_of_array(static_cast<oid>(array)) == item) return static_cast<oid>(array);
    return oid::unknown;
}

using codec::postgres::append;
using codec::postgres::load;

constexpr std::int64_t microseconds_of_day = 86'400'000'000;
constexpr std::int64_t days_to_2000 = 10'957;  // from 1970-01-01 to 2000-01-01, the epoch of the server's dates

}  // namespace apus::postgres
