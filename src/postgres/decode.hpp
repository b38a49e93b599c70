// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/wire.hpp"
#include "sql/value.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::postgres {

/// Memory that a decoded value refers to.
struct decode_room {
    std::string text;
    std::vector<sql::value> items;
    std::list<std::string> texts;
    std::list<std::vector<sql::value>> nested;
};

/// Decodes the binary format of a type. Returns nullopt if `bytes` are invalid for the type.
/// Dates, times of day, intervals, UUIDs and decimals become text as the server prints them. Values of unknown types,
/// such as enumerations, are text too, unless they have the format of an array or a composite value: this format has
/// the types of the items, which are checked. Arrays and composite values may be nested 16 levels deep. The result is
/// valid until `bytes` become invalid or `room` is used again.
std::optional<sql::value> decode(oid type, std::string_view bytes, decode_room& room);

/// Reads the items of a one-dimensional array.
class array_reader {
public:
    /// Returns nullopt for arrays with several dimensions and for malformed arrays.
    static std::optional<array_reader> open(std::string_view bytes) noexcept;

    oid item_type() const noexcept { return item_; }
    std::size_t size() const noexcept { return left_; }  ///< Number of items left, according to the server.

    struct item {
        bool null;
        std::string_view bytes;
    };
    /// Returns the next item; nullopt at the end, or if the array is malformed (`broken`).
    std::optional<item> next() noexcept;
    bool broken() const noexcept { return broken_; }

private:
    std::string_view rest_;
    std::size_t left_ = 0;
    oid item_ = oid::unknown;
    bool broken_ = false;
};

/// Prints like the server with `intervalstyle = iso_8601` and `datestyle = iso`.
/// Timestamps are printed as in RFC 3339.
void print_date(std::string& to, std::int64_t days_since_2000);
void print_time(std::string& to, std::int64_t microseconds_of_day);
void print_timestamp(std::string& to, std::int64_t microseconds_since_2000, bool utc);
void print_interval(std::string& to, std::int64_t microseconds, std::int32_t days, std::int32_t months);
bool print_numeric(std::string& to, std::string_view bytes);  ///< Returns false if `bytes` are not a binary numeric.

}  // namespace apus::postgres
