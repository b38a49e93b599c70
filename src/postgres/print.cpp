// SPDX-License-Identifier: Apache-2.0
#include "postgres/decode.hpp"

#include <charconv>
#include <limits>

#include "schema/calendar.hpp"

namespace apus::postgres {
namespace {

void print(std::string& to, std::int64_t n, unsigned digits) {
    char room[24];
    const auto end = std::to_chars(room, room + sizeof room, n).ptr;
    const auto size = static_cast<std::size_t>(end - room);
    if (size < digits) to.append(digits - size, '0');
    to.append(room, size);
}

/// Prints a date, and returns the suffix to print after the time of day: " BC" or an empty text.
/// The year before 1 AD is 1 BC.
const char* print_civil(std::string& to, std::int64_t days) {
    const schema::calendar_date c = schema::date_of_unix_day(days);
    print(to, c.year > 0 ? c.year : 1 - c.year, 4);
    to += '-';
    print(to, c.month, 2);
    to += '-';
    print(to, c.day, 2);
    return c.year > 0 ? "" : " BC";
}

void print_fraction(std::string& to, std::int64_t microseconds) {
    if (microseconds == 0) return;
    to += '.';
    print(to, microseconds, 6);
    while (to.back() == '0') to.pop_back();
}

}  // namespace

void print_date(std::string& to, std::int64_t days) {
    if (days == std::numeric_limits<std::int32_t>::max()) to += "infinity";
    else if (days == std::numeric_limits<std::int32_t>::min()) to += "-infinity";
    else to += print_civil(to, days + days_to_2000);
}

void print_time(std::string& to, std::int64_t microseconds) {
    const std::int64_t seconds = microseconds / 1'000'000;
    print(to, seconds / 3600, 2);
    to += ':';
    print(to, seconds / 60 % 60, 2);
    to += ':';
    print(to, seconds % 60, 2);
    print_fraction(to, microseconds % 1'000'000);
}

void print_timestamp(std::string& to, std::int64_t microseconds, bool utc) {
    if (microseconds == std::numeric_limits<std::int64_t>::max()) return void(to += "infinity");
    if (microseconds == std::numeric_limits<std::int64_t>::min()) return void(to += "-infinity");
    std::int64_t days = microseconds / microseconds_of_day, rest = microseconds % microseconds_of_day;
    if (rest < 0) --days, rest += microseconds_of_day;
    const char* era = print_civil(to, days + days_to_2000);
    to += 'T';
    print_time(to, rest);
    if (utc) to += 'Z';
    to += era;
}

void print_interval(std::string& to, std::int64_t microseconds, std::int32_t days, std::int32_t months) {
    const auto part = [&](std::int64_t n, char unit) {
        if (n == 0) return;
        print(to, n, 1);
        to += unit;
    };
    const std::size_t begin = to.size();
    to += 'P';
    part(months / 12, 'Y');
    part(months % 12, 'M');
    part(days, 'D');
    to += 'T';
    const std::int64_t seconds = microseconds / 1'000'000, fraction = microseconds % 1'000'000;
    part(seconds / 3600, 'H');
    part(seconds / 60 % 60, 'M');
    if (seconds % 60 != 0 || fraction != 0) {
        if (microseconds < 0) to += '-';
        print(to, seconds % 60 < 0 ? -(seconds % 60) : seconds % 60, 1);
        print_fraction(to, fraction < 0 ? -fraction : fraction);
        to += 'S';
    }
    if (to.back() == 'T') to.pop_back();
    if (to.size() == begin + 1) to += "T0S";
}

// Format: int16 number of base-10000 digits, int16 weight of the first digit, uint16 sign, int16 number of decimal
// digits after the point.
bool print_numeric(std::string& to, std::string_view bytes) {
    if (bytes.size() < 8) return false;
    const auto count = load<std::int16_t>(bytes.data()), weight = load<std::int16_t>(bytes.data() + 2);
    const auto sign = load<std::uint16_t>(bytes.data() + 4);
    const auto scale = load<std::int16_t>(bytes.data() + 6);
    if (count < 0 || bytes.size() != 8 + 2 * static_cast<std::size_t>(count)) return false;
    if (sign == 0xC000) return to += "NaN", true;
    if (sign == 0xD000) return to += "Infinity", true;
    if (sign == 0xF000) return to += "-Infinity", true;
    if ((sign != 0 && sign != 0x4000) || scale < 0 || scale > 16'383) return false;
    const auto digit = [&](int place) {  // returns the base-10000 digit of this power
        const int at = weight - place;
        return at < 0 || at >= count ? std::int16_t{0} : load<std::int16_t>(bytes.data() + 8 + 2 * at);
    };
    for (int i = 0; i < count; ++i)
        if (const auto d = digit(weight - i); d < 0 || d > 9999) return false;
    if (sign != 0) to += '-';
    if (weight < 0) to += '0';
    for (int place = weight; place >= 0; --place) print(to, digit(place), place == weight ? 1 : 4);
    if (scale == 0) return true;
    to += '.';
    const std::size_t end = to.size() + static_cast<std::size_t>(scale);
    for (int place = -1; to.size() < end; --place) print(to, digit(place), 4);
    to.resize(end);
    return true;
}

}  // namespace apus::postgres
