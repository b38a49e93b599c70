// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/priority.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace apus::http::h2 {

/// Priorities for streams that are not open yet (RFC 9218, 7.1).
/// Stores the priorities of the latest 16 streams for which a PRIORITY_UPDATE frame has arrived.
class early_priorities {
public:
    void note(std::uint32_t stream, std::string_view value) noexcept {
        entry& e = find(stream);
        e.stream = stream;
        e.order = {};
        codec::fields::read_priority(value, e.order);
    }
    /// Replaces `order` by the stored priority of the stream, if any.
    void apply(std::uint32_t stream, codec::fields::priority& order) noexcept {
        for (entry& e : entries_)
            if (e.stream == stream) order = e.order, e.stream = 0;
    }

private:
    struct entry {
        std::uint32_t stream = 0;
        codec::fields::priority order;
    };
    entry& find(std::uint32_t stream) noexcept {
        for (entry& e : entries_)
            if (e.stream == stream) return e;
        return entries_[next_++ % entries_.size()];
    }

    std::array<entry, 16> entries_;
    unsigned next_ = 0;
};

}  // namespace apus::http::h2
