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
    truth,  ///< true or false.
    null,
    array,
    object
};

/// A member of a JSON object. `value` is its text as it stands there, into what was read.
struct member {
    std::string name;
    kind type;
    std::string_view value;
};

using members = std::vector<member>;

/// How large an object may be.
struct bounds {
    unsigned members = 256;  ///< Members and elements, of all that is inside too.
    unsigned depth = 8;
};

/// The members of a text that is one JSON object (RFC 8259) and nothing else. Nothing if it is none,
/// is no UTF-8, breaks a bound, or has two members of one name in any object: two readers of a
/// token must never see two things in it (RFC 8725, 2.4 and 3.10).
std::optional<members> read_members(std::string_view text, bounds = {});

/// The elements of an array that `read_members` gave, without names.
members elements(std::string_view array);

const member* find(const members&, std::string_view name) noexcept;

/// The characters of a member that is a text, or nothing.
std::optional<std::string> text_of(const member&);

/// The whole part of a number from 0 to 2^53 - 1, or nothing.
std::optional<std::int64_t> seconds_of(const member&) noexcept;

}  // namespace apus::jwt
