// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common conventions of the HTTP/1.1 parser. Each function takes a position in the input, and returns the position
// after the parsed text. If it fails, it stores the reason in the input and returns null.

#include "base/ascii_scan.hpp"
#include "codec/http1/refusals.hpp"
#include "codec/http1/request_head.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// Maximum bytes per section, so that 16-bit slices can address two sections and their empty line.
constexpr std::uint32_t max_section_bytes = 32 * 1024;

struct input : base::readable {
    const refusal* why = nullptr;  ///< Why a function returned null; `at_end` if bytes are missing.
    const refusal* at_end;         ///< Reason for rejecting the end of the input; null if more input may follow.

    const char* refuse(const refusal& reason) noexcept {
        why = &reason;
        return nullptr;
    }

    const char* cut_short() noexcept {
        why = at_end;
        return nullptr;
    }

    slice from(const char* first, const char* last) const noexcept {
        return {static_cast<std::uint16_t>(first - begin), static_cast<std::uint16_t>(last - first)};
    }

    /// Reads a CRLF. The byte at `at` must be a CR or LF.
    const char* line_end(const char* at) noexcept {
        if (*at == '\n') return refuse(refusals::bare_lf);
        if (end - at < 2) return cut_short();
        return at[1] == '\n' ? at + 2 : refuse(refusals::bare_cr);
    }
};

/// Returns the result of parsing `in` up to `last`. A null `last` means a failure or missing bytes.
template <class T>
parsed<T> outcome_of(const input& in, const char* last, T value) noexcept {
    if (last != nullptr) return {outcome::done, value, static_cast<std::size_t>(last - in.begin), nullptr};
    return {in.why != nullptr ? outcome::bad : outcome::partial, T{}, 0, in.why};
}

/// Returns the input, limited to `most` bytes from `first` on.
/// If a function reaches the limit, the reason is `over`. If fewer bytes have arrived, returns `in` unchanged.
inline input bounded(base::readable in, const char* first, std::size_t most, const refusal& over) noexcept {
    if (static_cast<std::size_t>(in.end - first) < most) return {in, nullptr, nullptr};
    return {{in.begin, first + most}, nullptr, &over};
}

}  // namespace apus::codec::http1
