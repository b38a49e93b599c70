// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/short_text.hpp"
#include "codec/trace_context/parent.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace apus::tracing {

/// Summary of an ended span, without attributes and events, which may hold personal data.
struct ended_span {
    codec::trace_context::span_id id{}, parent{};
    std::uint64_t start = 0, end = 0;  ///< Nanoseconds since 1970-01-01.
    bool failed = false;
    base::short_text<45> name;
};

/// The first ended spans of a trace, in the order of their ends.
struct ended_spans {
    static constexpr std::size_t most = 12;

    std::uint64_t number = 0;  ///< Free for use by the owner.
    std::uint64_t count = 0, dropped = 0;
    std::array<ended_span, most> spans{};

    /// Adds a span. If there are too many, only the root, which ends last, replaces another span.
    void add(const ended_span& one, bool root) noexcept {
        if (count < most) spans[count++] = one;
        else if (++dropped && root) spans[most - 1] = one;
    }
};

}  // namespace apus::tracing
