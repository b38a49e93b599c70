// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace apus::http::h2 {

/// How much of something a client may still do: so many at once, and a tenth of it more each second.
class allowance {
public:
    explicit allowance(std::uint32_t most) noexcept : left_(most), most_(most) {}

    /// One more, at `now` in milliseconds. False: too many.
    bool take(std::uint64_t now) noexcept {
        if (left_ == 0) refill(now);
        if (left_ == 0) return false;
        if (left_ == most_) since_ = now;
        --left_;
        return true;
    }
    void earn(std::uint32_t n) noexcept { left_ = std::min(most_, left_ + std::min(n, most_)); }

private:
    // Only when there is nothing left: what keeps within its allowance costs a subtraction.
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
