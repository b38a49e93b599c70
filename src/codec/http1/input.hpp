// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the parts of the HTTP/1.1 reader work together: each takes a place in the input and gives
// the place behind what it has read, or null with the reason kept in the input.

#include "base/ascii_scan.hpp"
#include "codec/http1/refusals.hpp"
#include "codec/http1/request_head.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// Bounds what slices must be able to count: two sections of this size, and their empty line.
constexpr std::uint32_t most_section_bytes = 32 * 1024;

struct input : base::readable {
    const refusal* why = nullptr;  ///< Why a part gave null; `at_end` if for want of bytes.
    const refusal* at_end;         ///< What running out of bytes means: null if more may come.

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

    /// Reads a CRLF; nothing but a CR or LF stands at `at`.
    const char* line_end(const char* at) noexcept {
        if (*at == '\n') return refuse(refusals::bare_lf);
        if (end - at < 2) return cut_short();
        return at[1] == '\n' ? at + 2 : refuse(refusals::bare_cr);
    }
};

/// The outcome of reading `in` up to `last`, which is null if a part gave null.
template <class T>
parsed<T> outcome_of(const input& in, const char* last, T value) noexcept {
    if (last != nullptr) return {outcome::done, value, static_cast<std::size_t>(last - in.begin), nullptr};
    return {in.why != nullptr ? outcome::bad : outcome::partial, T{}, 0, in.why};
}

/// The input, but no more than `most` bytes from `first` on, where running into the bound is
/// `over`. A bound within the bytes that are there cannot be kept by getting more of them.
inline input bounded(base::readable in, const char* first, std::size_t most, const refusal& over) noexcept {
    if (static_cast<std::size_t>(in.end - first) < most) return {in, nullptr, nullptr};
    return {{in.begin, first + most}, nullptr, &over};
}

}  // namespace apus::codec::http1
