// SPDX-License-Identifier: Apache-2.0
#include "schema/date_time.hpp"

#include "schema/calendar.hpp"

namespace apus::schema {
namespace {

// Parses expected parts at the front of a text, and reports failure.
class scanner {
public:
    explicit scanner(std::string_view text) noexcept : rest_(text) {}

    bool number(unsigned digits, int& value) noexcept {
        if (rest_.size() < digits) return false;
        value = 0;
        for (unsigned i = 0; i < digits; ++i) {
            if (rest_[i] < '0' || rest_[i] > '9') return false;
            value = value * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(digits);
        return true;
    }
    bool take(char lower) noexcept {
        if (rest_.empty() || (rest_.front() != lower && rest_.front() != (lower & ~0x20))) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_mark(char mark) noexcept {
        if (!rest_.starts_with(mark)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool at_end() const noexcept { return rest_.empty(); }

private:
    std::string_view rest_;
};

bool is_leap(int year) noexcept { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in(int year, int month) noexcept {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

struct date {
    int year, month, day;
};

bool read_date(scanner& in, date& to) noexcept {
    return in.number(4, to.year) && in.take_mark('-') && in.number(2, to.month) && in.take_mark('-') &&
           in.number(2, to.day) && to.month >= 1 && to.month <= 12 && to.day >= 1 &&
           to.day <= days_in(to.year, to.month);
}

struct time_of_day {
    int hour, minute, second;
    std::int64_t nanoseconds = 0;
};

bool read_fraction(scanner& in, std::int64_t& nanoseconds) noexcept {
    std::int64_t unit = 100'000'000;
    int digit;
    if (!in.number(1, digit)) return false;
    do {
        nanoseconds += digit * unit;
        unit /= 10;
    } while (in.number(1, digit));
    return true;
}

bool read_time_of_day(scanner& in, time_of_day& to) noexcept {
    if (!in.number(2, to.hour) || !in.take_mark(':') || !in.number(2, to.minute) || !in.take_mark(':') ||
        !in.number(2, to.second))
        return false;
    if (to.hour > 23 || to.minute > 59 || to.second > 60) return false;
    return !in.take_mark('.') || read_fraction(in, to.nanoseconds);
}

bool read_offset(scanner& in, int& minutes) noexcept {
    minutes = 0;
    if (in.take('z')) return true;
    const bool behind = in.take_mark('-');
    if (!behind && !in.take_mark('+')) return false;
    int hour, minute;
    if (!in.number(2, hour) || !in.take_mark(':') || !in.number(2, minute) || hour > 23 || minute > 59) return false;
    minutes = (hour * 60 + minute) * (behind ? -1 : 1);
    return true;
}

char* write_digits(char* to, int value, int digits) noexcept {
    for (int i = digits; i > 0; --i, value /= 10) to[i - 1] = static_cast<char>('0' + value % 10);
    return to + digits;
}

char* write_fraction(char* to, int nanoseconds) noexcept {
    if (nanoseconds == 0) return to;
    *to++ = '.';
    if (nanoseconds % 1'000'000 == 0) return write_digits(to, nanoseconds / 1'000'000, 3);
    if (nanoseconds % 1000 == 0) return write_digits(to, nanoseconds / 1000, 6);
    return write_digits(to, nanoseconds, 9);
}

}  // namespace

bool read_time(std::string_view text, const time_calls& calls, void* time) {
    scanner in(text);
    date day;
    time_of_day clock;
    int offset;
    if (!read_date(in, day) || !(in.take('t') || in.take_mark(' ')) || !read_time_of_day(in, clock) ||
        !read_offset(in, offset) || !in.at_end())
        return false;
    const std::int64_t days = unix_day_of({day.year, static_cast<unsigned>(day.month), static_cast<unsigned>(day.day)});
    const std::int64_t seconds = days * 86'400 + clock.hour * 3600 + (clock.minute - offset) * 60 + clock.second;
    // A period is a fraction of a second or a whole number of seconds.
    __extension__ using wide = __int128;
    const wide nanoseconds = wide(seconds) * 1'000'000'000 + clock.nanoseconds;
    const wide period = wide(1'000'000'000) * calls.numerator;
    wide count = nanoseconds * calls.denominator / period;
    if (count * period > nanoseconds * calls.denominator) --count;  // rounds down, also before 1970
    if (count > INT64_MAX || count < INT64_MIN) return false;
    calls.set(time, static_cast<std::int64_t>(count));
    return true;
}

std::size_t write_time(char (&to)[longest_time], const time_calls& calls, const void* time) {
    __extension__ using wide = __int128;
    const wide nanoseconds = wide(calls.count(time)) * 1'000'000'000 * calls.numerator / calls.denominator;
    constexpr wide day_length = wide(86'400) * 1'000'000'000;
    const wide days = (nanoseconds >= 0 ? nanoseconds : nanoseconds - day_length + 1) / day_length;
    if (days < -719'528 || days > 2'932'896) return 0;  // the dates 0000-01-01 and 9999-12-31
    const auto rest = static_cast<std::int64_t>(nanoseconds - days * day_length);
    const calendar_date day = date_of_unix_day(static_cast<std::int64_t>(days));
    const int second = static_cast<int>(rest / 1'000'000'000);
    char* at = write_digits(to, static_cast<int>(day.year), 4);
    *at++ = '-';
    at = write_digits(at, static_cast<int>(day.month), 2);
    *at++ = '-';
    at = write_digits(at, static_cast<int>(day.day), 2);
    *at++ = 'T';
    at = write_digits(at, second / 3600, 2);
    *at++ = ':';
    at = write_digits(at, second / 60 % 60, 2);
    *at++ = ':';
    at = write_digits(at, second % 60, 2);
    at = write_fraction(at, static_cast<int>(rest % 1'000'000'000));
    *at++ = 'Z';
    return static_cast<std::size_t>(at - to);
}

bool is_date(std::string_view text) noexcept {
    scanner in(text);
    date day;
    return read_date(in, day) && in.at_end();
}

bool is_time_of_day(std::string_view text) noexcept {
    scanner in(text);
    time_of_day clock;
    int offset;
    return read_time_of_day(in, clock) && (in.at_end() || (read_offset(in, offset) && in.at_end()));
}

}  // namespace apus::schema
