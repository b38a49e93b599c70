// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::jwt {

enum class kind : std::uint8_t {
    text,
    number,
    truth,  ///< `true` or `false`.
    null,
    array,
    object
};

/// A member of a JSON object. `value` is its unparsed text, a view into the input.
struct member {
    std::string name;
    kind type;
    std::string_view value;
};

using members = std::vector<member>;

/// Limits for a JSON object.
struct bounds {
    unsigned members = 256;  ///< Number of members and elements, including nested ones.
    unsigned depth = 8;
};

/// Returns the members of a text that is exactly one JSON object (RFC 8259).
/// Returns nothing if the text is malformed, is invalid UTF-8, exceeds a limit, or has duplicate names in any object:
/// no two parsers may read different claims from a token (RFC 8725, 2.4 and 3.10).
std::optional<members> read_members(std::string_view text, bounds = {});

/// Returns the elements, without names, of an array from `read_members`.
members elements(std::string_view array);

const member* find(const members&, std::string_view name) noexcept;

/// Returns the characters of a string member; nothing for other types.
std::optional<std::string> text_of(const member&);

/// Returns the integer part of a number from 0 to 2^53 - 1; nothing for other values.
std::optional<std::int64_t> seconds_of(const member&) noexcept;

}  // namespace apus::jwt
