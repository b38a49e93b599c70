// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Reads replies of a Redis server in RESP3, and those of RESP2, which are a subset. Streamed strings and aggregates,
// which no version of Redis sends, are invalid.

namespace apus::codec::resp {

/// Kinds of elements.
/// Simple, bulk and verbatim strings are texts; simple and bulk errors are errors.
enum class kind : std::uint8_t {
    text,
    error,
    integer,
    real,
    big_number,
    boolean,
    null,
    list,
    set,
    map,
    push,
    attributes,
};

/// A scalar, or the head of an aggregate, whose items follow.
struct element {
    kind what = kind::null;
    std::string_view text;     ///< Bytes of a scalar: a number or boolean as it was sent, the words of an error.
    std::size_t count = 0;     ///< Items of an aggregate. Maps and attributes: twice the number of pairs.
    std::int64_t integer = 0;  ///< Value of an integer; a boolean as 0 or 1.
};

inline constexpr std::size_t max_depth = 32;        ///< Nested aggregates. Replies of Redis have fewer than 10.
inline constexpr std::size_t max_line = 64 * 1024;  ///< Bytes of a simple string, a simple error or a big number.
inline constexpr std::size_t max_number = 32;       ///< Bytes of a length or integer.

/// Limits of a reply, with all of its items.
struct reply_limits {
    std::size_t bytes = std::size_t(64) << 20U;
    std::size_t elements = std::size_t(4) << 20U;
};

namespace refusals {
inline constexpr refusal unknown_kind{503, "unknown type of reply from Redis"};
inline constexpr refusal malformed{503, "malformed reply from Redis"};
inline constexpr refusal line_too_long{503, "line over the limit from Redis"};
inline constexpr refusal reply_too_large{503, "reply over the limit from Redis"};
inline constexpr refusal too_many_elements{503, "reply with too many elements from Redis"};
inline constexpr refusal nested_too_deep{503, "reply nested too deep from Redis"};
}  // namespace refusals

/// Reads one element at the front of `in`, without the items of an aggregate.
/// `most`: maximum size in bytes. A wrong length is refused as soon as it is there.
parsed<element> read_element(std::string_view in, std::size_t most) noexcept;

/// Finds the end of a reply, across calls with more and more of its bytes.
/// Keeps the position, so that the bytes before it are not read again. A reply that it has accepted is well-formed.
class reply_scanner {
public:
    explicit reply_scanner(const reply_limits& most = {}) noexcept : most_(most) { left_[0] = 1; }

    /// Continues. `in` begins with the bytes of all earlier calls for this reply.
    /// Done: the kind of the reply and its size, and the scanner is ready for the next reply. Afterwards remove the
    /// reply from `in`. `push` is a message that answers no command.
    parsed<kind> scan(std::string_view in) noexcept;

private:
    const refusal* enter(const element&) noexcept;

    reply_limits most_;
    std::size_t at_ = 0, elements_ = 0, depth_ = 0;
    kind outer_ = kind::null;
    std::array<std::size_t, max_depth + 1> left_{};  // elements that follow, by depth
};

/// Removes the element at the front of `from` and returns it. Skips attributes.
/// `from` consists of replies that a scanner has accepted, and has an element left.
element take_element(std::string_view& from) noexcept;

/// Removes an element with all of its items from the front of `from`.
/// `from` is as for `take_element`.
void skip_element(std::string_view& from) noexcept;

}  // namespace apus::codec::resp
