// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace apus::http::h2 {

/// What stands in front of a frame (RFC 9113, 4.1).
struct frame_head {
    std::uint32_t length;
    std::uint8_t type;
    std::uint8_t flags;
    std::int32_t stream;
};

/// Finds the heads of frames in bytes as they come: also of those that the session does not tell of.
class frame_walk {
public:
    /// `behind` bytes are no frame: the preface.
    explicit frame_walk(std::size_t behind) noexcept : skipped_(behind) {}

    /// Calls `f(const frame_head&)` for each that is complete with these bytes.
    template <class F>
    void each(std::string_view bytes, F f) {
        while (!bytes.empty()) {
            const std::size_t n = std::min(skipped_, bytes.size());
            skipped_ -= n;
            bytes.remove_prefix(n);
            if (bytes.empty()) return;
            const std::size_t part = std::min(size - have_, bytes.size());
            std::memcpy(head_ + have_, bytes.data(), part);
            bytes.remove_prefix(part);
            have_ += part;
            if (have_ < size) return;
            have_ = 0;
            const frame_head found{number(0, 3), head_[3], head_[4], static_cast<std::int32_t>(number(5, 4) & 0x7fffffff)};
            skipped_ = found.length;
            f(found);
        }
    }

private:
    static constexpr std::size_t size = 9;

    std::uint32_t number(std::size_t at, std::size_t bytes) const noexcept {
        std::uint32_t n = 0;
        while (bytes--) n = n << 8 | head_[at++];
        return n;
    }

    std::size_t skipped_;
    std::size_t have_ = 0;
    std::uint8_t head_[size];
};

}  // namespace apus::http::h2
