// SPDX-License-Identifier: Apache-2.0
#include "server/log_line.hpp"

#include "server/log_text.hpp"

#include <charconv>
#include <cmath>

namespace apus::server {
namespace {

constexpr std::size_t room_at_end = 16;  // for `,"cut":true}` and LF

constexpr std::string_view level_names[] = {"", "trace", "debug", "info", "warn", "error", "off"};

template <class Number>
void put_number(bounded_text& out, Number n) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
    out.put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

void put_digits(char* to, std::int64_t n, int width) {
    for (; width > 0; --width, n /= 10) to[width - 1] = static_cast<char>('0' + n % 10);
}

// Converts days since 1970-01-01 to a calendar date. The calculation uses years that begin in March, so that the leap
// day is the last day of a year.
void put_date(char* to, std::int64_t days) {
    constexpr std::int64_t days_of_400_years = 146'097;
    days += 719'468;  // converts to days since 0000-03-01
    const std::int64_t era = days / days_of_400_years;
    const std::int64_t of_era = days % days_of_400_years;
    const std::int64_t year = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
    const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const std::int64_t march_month = (5 * of_year + 2) / 153;
    const std::int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
    put_digits(to, era * 400 + year + (month <= 2), 4);
    put_digits(to + 5, month, 2);
    put_digits(to + 8, of_year - (153 * march_month + 2) / 5 + 1, 2);
}

// RFC 3339 in UTC, to the millisecond. Times before 1970 are shown as 1970.
void put_time(bounded_text& out, std::int64_t unix_milliseconds) {
    const std::int64_t ms = unix_milliseconds < 0 ? 0 : unix_milliseconds;
    const std::int64_t second_of_day = ms / 1000 % 86'400;
    char text[] = "YYYY-MM-DDThh:mm:ss.mmmZ";
    put_date(text, ms / 86'400'000);
    put_digits(text + 11, second_of_day / 3600, 2);
    put_digits(text + 14, second_of_day / 60 % 60, 2);
    put_digits(text + 17, second_of_day % 60, 2);
    put_digits(text + 20, ms % 1000, 3);
    out.put(std::string_view(text, sizeof text - 1));
}

bool is_key_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
}

bool is_taken(std::string_view key) {
    return key == "time" || key == "level" || key == "msg" || key == "thread" || key == "cut";
}

class line {
public:
    line(char* out, log_format format) noexcept
        : out_(out, max_log_line - room_at_end), json_(format == log_format::json) {
        if (json_) out_.put('{');
    }

    bounded_text& begin(std::string_view key) noexcept {
        if (!first_) out_.put(json_ ? ',' : ' ');
        first_ = false;
        if (json_) out_.put('"');
        out_.put(key);
        out_.put(json_ ? std::string_view("\":") : std::string_view("="));
        return out_;
    }

    void text(std::string_view value) noexcept {
        if (value.size() <= max_log_text) return whole_text(value);
        char shortened[max_log_text + 3];
        std::size_t keep = max_log_text;
        while (keep > max_log_text - 4 && (static_cast<unsigned char>(value[keep]) & 0xc0) == 0x80) --keep;
        std::memcpy(shortened, value.data(), keep);
        std::memcpy(shortened + keep, "...", 3);
        whole_text({shortened, keep + 3});
    }

    void time(std::int64_t unix_milliseconds) noexcept {
        begin("time");
        if (json_) out_.put('"');
        put_time(out_, unix_milliseconds);
        if (json_) out_.put('"');
    }

    bool add(const log::field& f) noexcept {
        const std::size_t before = out_.size();
        begin_user_key(f.key());
        value(f);
        if (!out_.overflowed()) return true;
        out_.truncate(before);
        return false;
    }

    std::size_t finish(bool cut) noexcept {
        out_.extend(room_at_end);
        if (cut) begin("cut").put("true");
        if (json_) out_.put('}');
        out_.put('\n');
        return out_.size();
    }

private:
    void whole_text(std::string_view value) noexcept {
        if (!json_ && is_bare(value)) out_.put(value);
        else put_quoted(out_, value);
    }

    void begin_user_key(std::string_view key) noexcept {
        char clean[64];
        std::size_t size = 0;
        for (; size < key.size() && size < sizeof clean - 1; ++size)
            clean[size] = is_key_byte(key[size]) ? key[size] : '_';
        if (is_taken(key) || size == 0) clean[size++] = '_';
        begin({clean, size});
    }

    void value(const log::field& f) noexcept {
        using kind = log::field::kind;
        switch (f.type()) {
            case kind::none: break;
            case kind::text: return text(f.text());
            case kind::signed_number: return put_number(out_, static_cast<std::int64_t>(f.number()));
            case kind::unsigned_number: return put_number(out_, f.number());
            case kind::truth: return out_.put(f.number() ? "true" : "false");
            case kind::real: return real(f.real());
        }
    }

    // JSON cannot represent NaN and infinities as numbers.
    void real(double value) noexcept {
        if (std::isfinite(value)) put_number(out_, value);
        else text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }

    bounded_text out_;
    bool json_;
    bool first_ = true;
};

}  // namespace

std::size_t write_log_line(const log_record& record, log_format format, char* out) noexcept {
    line l(out, format);
    l.time(record.unix_milliseconds);
    l.begin("level");
    l.text(level_names[static_cast<std::size_t>(record.level)]);
    l.begin("msg");
    l.text(record.message);
    l.begin("thread");
    l.text(record.thread);
    bool cut = false;
    for (auto& f : record.fields)
        if (f.type() != log::field::kind::none && !l.add(f)) cut = true;
    return l.finish(cut);
}

}  // namespace apus::server
