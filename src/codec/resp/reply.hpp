// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Reads replies of a Redis server in RESP3, and in its subset RESP2. Streamed strings and aggregates are invalid; no
// version of Redis sends them.

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

/// A scalar, or the head of an aggregate. The items of an aggregate follow as separate elements.
struct element {
    kind what = kind::null;
    std::string_view text;     ///< Bytes of a scalar, as sent. For an error, its message.
    std::size_t count = 0;     ///< Number of items. Maps and attributes: twice the number of pairs.
    std::int64_t integer = 0;  ///< Value of an integer; a boolean as 0 or 1.
};

inline constexpr std::size_t max_depth = 32;        ///< Maximum nested aggregates. Replies of Redis have fewer than 10.
inline constexpr std::size_t max_line = 64 * 1024;  ///< Maximum bytes of a simple string, simple error or big number.
inline constexpr std::size_t max_number = 32;       ///< Maximum bytes of a length or integer.

/// Limits of a reply, including all its items.
struct reply_limits {
    std::size_t bytes = std::size_t(64) << 20U;
    std::size_t elements = std::size_t(4) << 20U;
};

namespace refusals {
inline constexpr refusal unknown_kind{503, "unknown type of reply from Redis"};
inline constexpr refusal malformed{503, "malformed reply from Redis"};
inline constexpr refusal line_too_long{503, "a line from Redis exceeds the limit"};
inline constexpr refusal reply_too_large{503, "a reply from Redis exceeds the limit"};
inline constexpr refusal too_many_elements{503, "a reply from Redis has too many elements"};
inline constexpr refusal nested_too_deep{503, "a reply from Redis is nested too deep"};
}  // namespace refusals

/// Reads one element at the front of `in`, without the items of an aggregate.
/// `most`: maximum size in bytes. Rejects an invalid length before the bytes have arrived.
parsed<element> read_element(std::string_view in, std::size_t most) noexcept;

/// Finds the end of a reply that arrives in pieces.
/// Keeps its position, so that earlier bytes are not parsed again. An accepted reply is well-formed.
class reply_scanner {
public:
    explicit reply_scanner(const reply_limits& most = {}) noexcept : most_(most) { left_[0] = 1; }

    /// Continues to scan a reply.
    /// `in` must begin with the bytes of all earlier calls for this reply. If the outcome is `done`, returns the kind
    /// and size of the reply; the caller must then remove the reply from `in`, and the scanner is ready for the next
    /// reply. The kind `push` is a message that is not a reply to a command.
    parsed<kind> scan(std::string_view in) noexcept;

private:
    const refusal* enter(const element&) noexcept;

    reply_limits most_;
    std::size_t at_ = 0, elements_ = 0, depth_ = 0;
    kind outer_ = kind::null;
    std::array<std::size_t, max_depth + 1> left_{};  // remaining elements by depth
};

/// Removes the element at the front of `from` and returns it.
/// Skips attributes. `from` must consist of replies that a scanner has accepted, and must have an element left.
element take_element(std::string_view& from) noexcept;

/// Removes an element with all its items from the front of `from`.
/// `from` must be as for `take_element`.
void skip_element(std::string_view& from) noexcept;
/// Removes this number of elements, such as the items of a list.
inline void skip_elements(std::string_view& from, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) skip_element(from);
}

}  // namespace apus::codec::resp
