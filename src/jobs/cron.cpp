// SPDX-License-Identifier: Apache-2.0
#include "jobs/cron.hpp"

#include "base/ascii.hpp"
#include "schema/calendar.hpp"

#include <array>
#include <span>

namespace apus::jobs {
namespace {

constexpr std::int64_t seconds_of_day = 86'400;
// It can take 40 years until February 29 falls on a given weekday, for example around the year 2100: `0 0 29 2 */7`.
constexpr std::int64_t days_to_search = 41 * 366;

struct cron_field {
    const char* name;
    unsigned least, greatest;
    std::span<const std::string_view> names;  // names of the values from `least` on
};

constexpr std::string_view month_names[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                            "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view weekday_names[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr cron_field cron_fields[] = {{"minute", 0, 59, {}},
                                      {"hour", 0, 23, {}},
                                      {"day of the month", 1, 31, {}},
                                      {"month", 1, 12, month_names},
                                      {"day of the week", 0, 7, weekday_names}};

std::optional<unsigned> read_number(std::string_view text) {
    if (text.empty() || text.size() > 4) return std::nullopt;
    unsigned n = 0;
    for (const char c : text) {
        if (!base::is_digit(c)) return std::nullopt;
        n = n * 10 + static_cast<unsigned>(c - '0');
    }
    return n;
}

std::optional<unsigned> read_value(std::string_view text, const cron_field& of) {
    for (std::size_t i = 0; i < of.names.size(); ++i)
        if (base::equal_ignoring_case(text, of.names[i])) return of.least + static_cast<unsigned>(i);
    const auto n = read_number(text);
    return n && *n >= of.least && *n <= of.greatest ? n : std::nullopt;
}

// Returns the bits of one item of a list: `*`, `a` or `a-b`, and `/step` after a range.
std::optional<std::uint64_t> read_item(std::string_view item, const cron_field& of) {
    const auto slash = item.find('/');
    const std::string_view range = item.substr(0, slash);
    unsigned first = of.least, last = of.greatest, step = 1;
    const auto dash = range.find('-');
    if (range != "*") {
        const auto from = read_value(range.substr(0, dash), of);
        const auto to = dash == range.npos ? from : read_value(range.substr(dash + 1), of);
        if (!from || !to || *from > *to) return std::nullopt;
        first = *from, last = *to;
    }
    if (slash != item.npos) {
        const auto n = read_number(item.substr(slash + 1));
        if (!n || *n == 0 || *n > of.greatest || (range != "*" && dash == range.npos)) return std::nullopt;
        step = *n;
    }
    std::uint64_t bits = 0;
    for (unsigned value = first; value <= last; value += step) bits |= std::uint64_t(1) << value;
    return bits;
}

std::optional<std::uint64_t> read_field(std::string_view text, const cron_field& of) {
    std::uint64_t bits = 0;
    while (true) {
        const auto comma = text.find(',');
        const auto item = read_item(text.substr(0, comma), of);
        if (!item) return std::nullopt;
        bits |= *item;
        if (comma == text.npos) return bits;
        text.remove_prefix(comma + 1);
    }
}

std::int64_t day_of(std::int64_t seconds) noexcept {
    return seconds >= 0 ? seconds / seconds_of_day : (seconds - seconds_of_day + 1) / seconds_of_day;
}

}  // namespace

std::expected<cron, std::string> cron::parse(std::string_view text) {
    std::array<std::uint64_t, 5> bits{};
    std::array<bool, 5> any{};
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const auto end = text.find(' ');
        const std::string_view field = text.substr(0, end);
        const auto read = read_field(field, cron_fields[i]);
        if (!read) return std::unexpected(std::string("invalid ") + cron_fields[i].name);
        bits[i] = *read;
        any[i] = field[0] == '*';
        const auto next = end == text.npos ? text.npos : text.find_first_not_of(' ', end);
        if ((next == text.npos) != (i + 1 == bits.size()) || (next == text.npos && end != text.npos))
            return std::unexpected(std::string("expected five fields: minute, hour, day, month, day of the week"));
        text.remove_prefix(next == text.npos ? text.size() : next);
    }
    cron made;
    made.minutes_ = bits[0];
    made.hours_ = static_cast<std::uint32_t>(bits[1]);
    made.days_ = static_cast<std::uint32_t>(bits[2]);
    made.months_ = static_cast<std::uint32_t>(bits[3]);
    made.weekdays_ = static_cast<std::uint32_t>((bits[4] | bits[4] >> 7U) & 0x7f);  // 7 is Sunday too
    made.any_day_ = any[2];
    made.any_weekday_ = any[4];
    if (!made.after(0)) return std::unexpected(std::string("no day matches the expression"));
    return made;
}

bool cron::matches_day(std::int64_t day) const noexcept {
    const schema::calendar_date date = schema::date_of_unix_day(day);
    if (!(months_ >> date.month & 1U)) return false;
    const bool by_day = days_ >> date.day & 1U;
    const auto weekday = static_cast<unsigned>(((day + 4) % 7 + 7) % 7);  // 1970-01-01 was a Thursday
    const bool by_weekday = weekdays_ >> weekday & 1U;
    return any_day_ || any_weekday_ ? by_day && by_weekday : by_day || by_weekday;
}

std::optional<std::int64_t> cron::after(std::int64_t seconds) const noexcept {
    const std::int64_t first = day_of(seconds);
    const std::int64_t next_minute = (seconds - first * seconds_of_day) / 60 + 1;
    for (std::int64_t day = first; day < first + days_to_search; ++day) {
        if (!matches_day(day)) continue;
        for (std::int64_t minute = day == first ? next_minute : 0; minute < 1440; ++minute)
            if ((hours_ >> (minute / 60) & 1U) && (minutes_ >> (minute % 60) & 1U))
                return day * seconds_of_day + minute * 60;
    }
    return std::nullopt;
}

std::optional<std::int64_t> cron::at_or_before(std::int64_t seconds) const noexcept {
    const std::int64_t first = day_of(seconds);
    const std::int64_t last_minute = (seconds - first * seconds_of_day) / 60;
    for (std::int64_t day = first; day > first - days_to_search; --day) {
        if (!matches_day(day)) continue;
        for (std::int64_t minute = day == first ? last_minute : 1439; minute >= 0; --minute)
            if ((hours_ >> (minute / 60) & 1U) && (minutes_ >> (minute % 60) & 1U))
                return day * seconds_of_day + minute * 60;
    }
    return std::nullopt;
}

}  // namespace apus::jobs
