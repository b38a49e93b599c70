// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace apus::jobs {

/// A cron expression of five fields, in UTC.
/// Fields: minute, hour, day of the month, month, day of the week. If both day fields are restricted, a match of one is
/// enough, as in crontab(5).
class cron {
public:
    /// Parses an expression; fields are separated by spaces.
    /// Returns an error message if the expression is invalid, or no day matches it ("0 0 31 2 *").
    static std::expected<cron, std::string> parse(std::string_view text);

    /// Return the last tick (matching time) at or before `seconds`, and the first tick after `seconds`.
    /// All times are in seconds since 1970. Return nullopt if no tick is within 40 years.
    std::optional<std::int64_t> at_or_before(std::int64_t seconds) const noexcept;
    std::optional<std::int64_t> after(std::int64_t seconds) const noexcept;

private:
    bool matches_day(std::int64_t day) const noexcept;

    std::uint64_t minutes_ = 0;
    std::uint32_t hours_ = 0, days_ = 0, months_ = 0, weekdays_ = 0;
    bool any_day_ = false, any_weekday_ = false;  // the field begins with `*`
};

}  // namespace apus::jobs
