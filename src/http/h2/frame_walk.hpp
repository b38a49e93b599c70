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
/// Knows where in a frame the bytes have stopped.
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
            if (have_ == 0 && !in_block_) ++number_;
            const std::size_t part = std::min(size - have_, bytes.size());
            std::memcpy(head_ + have_, bytes.data(), part);
            bytes.remove_prefix(part);
            have_ += part;
            if (have_ < size) return;
            have_ = 0;
            const frame_head found{number(0, 3), head_[3], head_[4],
                                   static_cast<std::int32_t>(number(5, 4) & 0x7fffffff)};
            skipped_ = found.length;
            type_ = found.type;
            if (type_ == headers || type_ == continuation) in_block_ = (found.flags & end_headers) == 0;
            f(found);
        }
    }

    /// Whether a frame has begun and not ended. The preface counts as one, and so does a field block:
    /// HEADERS with all of its CONTINUATION.
    bool inside() const noexcept { return skipped_ != 0 || have_ != 0 || in_block_; }

    /// Whether that frame is a DATA frame whose head is complete.
    bool inside_data() const noexcept { return skipped_ != 0 && type_ == data; }

    /// How many frames have begun; a field block is one.
    std::uint32_t number() const noexcept { return number_; }

private:
    static constexpr std::size_t size = 9;
    static constexpr std::uint8_t data = 0, headers = 1, continuation = 9, end_headers = 4;

    std::uint32_t number(std::size_t at, std::size_t bytes) const noexcept {
        std::uint32_t n = 0;
        while (bytes--) n = n << 8 | head_[at++];
        return n;
    }

    std::size_t skipped_;
    std::size_t have_ = 0;
    std::uint32_t number_ = 0;
    std::uint8_t type_ = headers;  // of the frame whose payload is skipped
    bool in_block_ = false;
    std::uint8_t head_[size];
};

}  // namespace apus::http::h2
