// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace apus::http::h2 {

/// Token bucket for an action of a client.
/// Holds at most `most` tokens; a tenth of `most` is refilled per second.
class rate_limiter {
public:
    explicit rate_limiter(std::uint32_t most) noexcept : left_(most), most_(most) {}

    /// Counts one action at `now`, in milliseconds. Returns false if the limit is exceeded.
    bool take(std::uint64_t now) noexcept {
        if (left_ == 0) refill(now);
        if (left_ == 0) return false;
        if (left_ == most_) since_ = now;
        --left_;
        return true;
    }
    void refund(std::uint32_t n) noexcept { left_ = std::min(most_, left_ + std::min(n, most_)); }

private:
    // Called only if the bucket is empty, so that an action within the limit costs a subtraction.
    void refill(std::uint64_t now) noexcept {
        const std::uint64_t more = (now - since_) * most_ / 10'000;
        if (!more) return;
        left_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(more, most_));
        since_ = now;
    }

    std::uint64_t since_ = 0;
    std::uint32_t left_;
    std::uint32_t most_;
};

}  // namespace apus::http::h2
