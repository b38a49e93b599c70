// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/date.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace apus::codec::fields {
namespace {

constexpr char day_names[] = "SunMonTueWedThuFriSat";
constexpr char month_names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::int64_t last_second = 253'402'300'799;  // 9999-12-31 23:59:59

struct clock_time {
    unsigned year, month, day, hour, minute, second;  // month and day from 1
};

// Parses text by a pattern. The letters D, Y, h, m and s stand for a digit of day, year, hour, minute and second; for
// the day, a blank counts as 0. *** stands for the name of a month. Other bytes must be equal.
bool match(std::string_view text, std::string_view pattern, clock_time& out) noexcept {
    if (text.size() != pattern.size()) return false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (pattern[at] == '*') {
            const std::string_view names(month_names);
            const auto found = names.find(text.substr(at, 3));
            if (found == names.npos || found % 3 != 0) return false;
            out.month = static_cast<unsigned>(found / 3 + 1);
            at += 2;
            continue;
        }
        unsigned* member = nullptr;
        switch (pattern[at]) {
            case 'D': member = &out.day; break;
            case 'Y': member = &out.year; break;
            case 'h': member = &out.hour; break;
            case 'm': member = &out.minute; break;
            case 's': member = &out.second; break;
            default: break;
        }
        if (!member) {
            if (c != pattern[at]) return false;
            continue;
        }
        const bool blank = c == ' ' && member == &out.day && *member == 0;
        if (!base::is_digit(c) && !blank) return false;
        *member = *member * 10 + (blank ? 0 : static_cast<unsigned>(c - '0'));
    }
    return true;
}

// Returns the length of the short or long day name at the beginning of the text; 0 without a day name.
std::size_t day_name_size(std::string_view text) noexcept {
    constexpr std::string_view rests[] = {"day", "day", "sday", "nesday", "rsday", "day", "urday"};
    const std::string_view names(day_names);
    const auto found = names.find(text.substr(0, 3));
    if (text.size() < 3 || found == names.npos || found % 3 != 0) return 0;
    const std::string_view rest = rests[found / 3];
    return text.substr(3).starts_with(rest) ? 3 + rest.size() : 3;
}

std::optional<std::int64_t> seconds_of(const clock_time& t) noexcept {
    using namespace std::chrono;
    const year_month_day date{year{static_cast<int>(t.year)}, month{t.month}, day{t.day}};
    if (!date.ok() || t.hour > 23 || t.minute > 59 || t.second > 60) return std::nullopt;
    const std::int64_t midnight = sys_days{date}.time_since_epoch().count() * std::int64_t{86'400};
    return midnight + t.hour * 3600 + t.minute * 60 + t.second;
}

void write_two(char* out, unsigned value) noexcept {
    out[0] = static_cast<char>('0' + value / 10);
    out[1] = static_cast<char>('0' + value % 10);
}

}  // namespace

void write_date(std::int64_t seconds, char* out) noexcept {
    using namespace std::chrono;
    const std::int64_t time = std::clamp<std::int64_t>(seconds, 0, last_second);
    const auto second_of_day = static_cast<unsigned>(time % 86'400);
    const sys_days day{days{time / 86'400}};
    const year_month_day date{day};
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));

    std::memcpy(out, "Sun, 00 Jan 0000 00:00:00 GMT", date_size);
    std::memcpy(out, day_names + 3 * weekday{day}.c_encoding(), 3);
    write_two(out + 5, static_cast<unsigned>(date.day()));
    std::memcpy(out + 8, month_names + 3 * (static_cast<unsigned>(date.month()) - 1), 3);
    write_two(out + 12, year / 100);
    write_two(out + 14, year % 100);
    write_two(out + 17, second_of_day / 3600);
    write_two(out + 20, second_of_day / 60 % 60);
    write_two(out + 23, second_of_day % 60);
}

std::optional<std::int64_t> read_date(std::string_view text, std::int64_t now) noexcept {
    const std::size_t name = day_name_size(text);
    if (name == 0) return std::nullopt;
    const std::string_view rest = text.substr(name);
    clock_time t{};
    if (name == 3 && match(rest, ", DD *** YYYY hh:mm:ss GMT", t)) return seconds_of(t);
    t = {};
    if (name == 3 && match(rest, " *** DD hh:mm:ss YYYY", t)) return seconds_of(t);
    t = {};
    if (name == 3 || !match(rest, ", DD-***-YY hh:mm:ss GMT", t)) return std::nullopt;
    // A two-digit year means the latest matching year that is at most 50 years in the future (RFC 9110, 5.6.7).
    const std::int64_t this_year = 1970 + now / 31'556'952;
    t.year += static_cast<unsigned>(this_year / 100 * 100);
    if (t.year > this_year + 50) t.year -= 100;
    return seconds_of(t);
}

}  // namespace apus::codec::fields
