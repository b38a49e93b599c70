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
