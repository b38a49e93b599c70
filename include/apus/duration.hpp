// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace apus {

/// A duration in nanoseconds: `seconds(5)`, `milliseconds(250)`, or any `std::chrono::duration`.
/// Programs that do not use `<chrono>` avoid its compile time.
class duration {
public:
    constexpr duration() noexcept = default;

    /// Converts a `std::chrono::duration`, or any type with a count and a period.
    template <class D>
        requires requires(D d) {
            d.count();
            D::period::num;
            D::period::den;
        }
    constexpr duration(D d) noexcept
        : nanoseconds_(static_cast<std::int64_t>(d.count() * (1'000'000'000.0 / D::period::den) * D::period::num)) {}

    /// Converts a number of nanoseconds, without rounding.
    static constexpr duration from_nanoseconds(std::int64_t n) noexcept {
        duration d;
        d.nanoseconds_ = n;
        return d;
    }

    constexpr std::int64_t nanoseconds() const noexcept { return nanoseconds_; }
    constexpr std::int64_t milliseconds() const noexcept { return nanoseconds_ / 1'000'000; }  ///< Rounded toward zero.

    friend constexpr auto operator<=>(duration a, duration b) noexcept = default;
    friend constexpr bool operator==(duration a, duration b) noexcept = default;

private:
    std::int64_t nanoseconds_ = 0;
};

/// Returns a duration of `n` seconds or milliseconds, up to 292 years.
constexpr duration seconds(std::int64_t n) noexcept { return duration::from_nanoseconds(n * 1'000'000'000); }
constexpr duration milliseconds(std::int64_t n) noexcept { return duration::from_nanoseconds(n * 1'000'000); }

}  // namespace apus
