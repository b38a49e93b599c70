// SPDX-License-Identifier: Apache-2.0
#include "sql/value_text.hpp"

#include "base/json_string.hpp"

#include <charconv>
#include <cstdio>
#include <ctime>

namespace apus::sql {

// Returns an empty text for years outside 0 to 9999.
std::string time_text(std::int64_t microseconds) {
    std::int64_t seconds = microseconds / 1'000'000, rest = microseconds % 1'000'000;
    if (rest < 0) rest += 1'000'000, --seconds;
    const auto clock = static_cast<std::time_t>(seconds);
    std::tm t{};
    if (seconds < -62'167'219'200 || seconds > 253'402'300'799 || !gmtime_r(&clock, &t)) return {};
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                  t.tm_hour, t.tm_min, t.tm_sec, static_cast<int>(rest));
    return text;
}

namespace {

template <class T>
void append_number(std::string& to, T n) {
    char digits[40];
    to.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

}  // namespace

void append_json(std::string& to, const value& v) {
    switch (v.kind) {
        case value_kind::null: to += "null"; break;
        case value_kind::boolean: to += v.integer ? "true" : "false"; break;
        case value_kind::integer: append_number(to, v.integer); break;
        case value_kind::natural: append_number(to, static_cast<std::uint64_t>(v.integer)); break;
        case value_kind::number: append_number(to, v.number); break;
        case value_kind::time: base::append_json_string(to, time_text(v.integer)); break;
        case value_kind::json: to += v.text; break;
        case value_kind::list:
            to += '[';
            for (std::uint32_t i = 0; i < v.count; ++i) {
                if (i) to += ',';
                append_json(to, v.items[i]);
            }
            to += ']';
            break;
        default: base::append_json_string(to, v.text);
    }
}

}  // namespace apus::sql
