// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace apus {

/// A span of time with its unit in the type. Made by `seconds(5)`, `milliseconds(250)`, or from
/// any `std::chrono::duration`, without making every user pay for `<chrono>`.
class duration {
public:
    constexpr duration() noexcept = default;

    /// From a `std::chrono::duration`: anything with a count and a period.
    template <class D>
        requires requires(D d) {
            d.count();
            D::period::num;
            D::period::den;
        }
    constexpr duration(D d) noexcept
        : nanoseconds_(static_cast<std::int64_t>(d.count() * (1'000'000'000.0 / D::period::den) * D::period::num)) {}

    /// Exactly; for a number that has its unit elsewhere.
    static constexpr duration from_nanoseconds(std::int64_t n) noexcept {
        duration d;
        d.nanoseconds_ = n;
        return d;
    }

    constexpr std::int64_t nanoseconds() const noexcept { return nanoseconds_; }
    constexpr std::int64_t milliseconds() const noexcept { return nanoseconds_ / 1'000'000; }  ///< Rounded down.

    friend constexpr auto operator<=>(duration a, duration b) noexcept = default;
    friend constexpr bool operator==(duration a, duration b) noexcept = default;

private:
    std::int64_t nanoseconds_ = 0;
};

/// So many seconds, or milliseconds. Up to 292 years.
constexpr duration seconds(std::int64_t n) noexcept { return duration::from_nanoseconds(n * 1'000'000'000); }
constexpr duration milliseconds(std::int64_t n) noexcept { return duration::from_nanoseconds(n * 1'000'000); }

}  // namespace apus
