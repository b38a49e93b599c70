// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/json_value.hpp>

namespace apus {

/// Access to the representation of a `json_value`, for readers and printers.
struct json_value_access {
    static std::vector<json_value>& items(json_value& of) noexcept { return *of.list_; }
    static std::vector<json_value::member>& members(json_value& of) noexcept { return *of.object_; }
    static bool boolean(const json_value& of) noexcept { return of.boolean_; }
    static std::int64_t integer(const json_value& of) noexcept { return of.integer_; }
    static std::uint64_t natural(const json_value& of) noexcept { return static_cast<std::uint64_t>(of.integer_); }
    static double number(const json_value& of) noexcept { return of.number_; }
    static const std::string& text(const json_value& of) noexcept { return *of.text_; }
};

}  // namespace apus
