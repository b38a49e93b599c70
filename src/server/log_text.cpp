// SPDX-License-Identifier: Apache-2.0
#include "server/log_text.hpp"

#include <cstdint>

#include "schema/calendar.hpp"

namespace apus::server {
namespace {

struct code_point {
    std::uint32_t value;
    std::size_t bytes;  // 0 if invalid
};

bool continues(std::string_view text, std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
}

// Decodes a sequence of more than one byte; rejects overlong forms and surrogates (RFC 3629, 3).
code_point decode(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4) return {0, 0};
    std::uint32_t value = lead & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if (!continues(text, i)) return {0, 0};
        value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
    }
    const std::uint32_t least = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return {0, 0};
    return {value, bytes};
}

// Control characters of ISO 6429, which terminals execute; line separators of Unicode; and bidirectional controls,
// which can make a value look like other fields.
bool must_be_escaped(std::uint32_t c) {
    return c < 0xa0 || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

void put_escape(bounded_text& out, std::uint32_t c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const char escape[] = {'\\', 'u', digits[c >> 12 & 15], digits[c >> 8 & 15], digits[c >> 4 & 15], digits[c & 15]};
    out.put(std::string_view(escape, sizeof escape));
}

void put_ascii(bounded_text& out, char c) {
    switch (c) {
        case '"': return out.put("\\\"");
        case '\\': return out.put("\\\\");
        case '\n': return out.put("\\n");
        case '\r': return out.put("\\r");
        case '\t': return out.put("\\t");
        default: break;
    }
    if (c < 0x20 || c == 0x7f) put_escape(out, static_cast<unsigned char>(c));
    else out.put(c);
}

void put_digits(char* to, std::int64_t n, int width) {
    for (; width > 0; --width, n /= 10) to[width - 1] = static_cast<char>('0' + n % 10);
}

void put_date(char* to, std::int64_t unix_day) {
    const schema::calendar_date date = schema::date_of_unix_day(unix_day);
    put_digits(to, date.year, 4);
    put_digits(to + 5, date.month, 2);
    put_digits(to + 8, date.day, 2);
}

}  // namespace

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

void put_quoted(bounded_text& out, std::string_view text) noexcept {
    out.put('"');
    while (!text.empty()) {
        if (static_cast<unsigned char>(text[0]) < 0x80) {
            put_ascii(out, text[0]);
            text.remove_prefix(1);
            continue;
        }
        const code_point c = decode(text);
        if (c.bytes == 0) out.put("\xef\xbf\xbd");  // U+FFFD for each invalid byte
        else if (must_be_escaped(c.value)) put_escape(out, c.value);
        else out.put(text.substr(0, c.bytes));
        text.remove_prefix(c.bytes ? c.bytes : 1);
    }
    out.put('"');
}

bool is_bare(std::string_view text) noexcept {
    for (char c : text)
        if (c <= ' ' || c >= 0x7f || c == '=' || c == '"' || c == '\\') return false;
    return !text.empty();
}

}  // namespace apus::server
