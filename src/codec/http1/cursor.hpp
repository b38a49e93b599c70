// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the parts of the HTTP/1.1 reader share: where they are, and how they say how far they came.

#include "codec/http1/request_head.hpp"
#include "codec/http1/refusals.hpp"

#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// How far a part came: `whole`, `cut_short` by the end of the input, or why it is refused.
using step = const refusal*;

inline constexpr refusal more_bytes_needed{0, "more bytes are needed"};
inline constexpr step whole = nullptr;
inline constexpr step cut_short = &more_bytes_needed;

/// A place in the input. Readers move `at` only when they come to `whole`.
struct cursor {
    const char* begin;
    const char* at;
    const char* end;

    slice from(const char* first, const char* last) const noexcept {
        return {static_cast<std::uint16_t>(first - begin), static_cast<std::uint16_t>(last - first)};
    }
};

/// Judges the CRLF at `at`; nothing but CR or LF may stand there.
inline step end_of_line(const char* at, const char* end) noexcept {
    if (*at == '\n') return &refusals::bare_lf;
    if (end - at < 2) return cut_short;
    return at[1] == '\n' ? whole : &refusals::bare_cr;
}

// The most that a section of a head may be let grow to: slices count in 16 bits.
constexpr std::uint32_t most_bytes = 32 * 1024;

/// Lets `in` see at most `most` bytes from `from` on. True: there are not fewer, so what is cut
/// short within them will not become whole.
inline bool narrow(cursor& in, const char* from, std::size_t most) noexcept {
    if (static_cast<std::size_t>(in.end - from) < most) return false;
    in.end = from + most;
    return true;
}

}  // namespace apus::codec::http1
