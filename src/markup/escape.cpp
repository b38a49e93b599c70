// SPDX-License-Identifier: Apache-2.0
#include "markup/escape.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace apus::markup {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";
constexpr std::string_view hex = "0123456789ABCDEF";

// Calls `write` for ASCII bytes, and `write_long` for multi-byte sequences. Replaces invalid bytes with U+FFFD.
template <class Write, class Long>
void each_character(std::string_view text, Write write, Long write_long) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t size = base::utf8_sequence(text, i);
        if (size == 1) write(text[i]);
        else write_long(size ? text.substr(i, size) : replacement);
        i += size ? size : 1;
    }
}

void append_text_byte(std::string& out, char c) {
    switch (c) {
        case '&': out += "&amp;"; return;
        case '<': out += "&lt;"; return;
        case '>': out += "&gt;"; return;
        case '"': out += "&#34;"; return;
        case '\'': out += "&#39;"; return;
        case '\0': out += replacement; return;
        default: out += c;
    }
}

void append_text(std::string& out, std::string_view text) {
    each_character(text, [&](char c) { append_text_byte(out, c); }, [&](std::string_view s) { out += s; });
}

void append_percent(std::string& out, char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += hex[byte >> 4];
    out += hex[byte & 15];
}

bool is_unreserved(char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

void append_url(std::string& out, std::string_view text, bool whole) {
    constexpr std::string_view dividers = "/:?#[]@!$&()*+,;=%";
    const auto add = [&](char c) {
        if (is_unreserved(c)) out += c;
        else if (whole && dividers.contains(c)) append_text_byte(out, c);
        else append_percent(out, c);
    };
    each_character(text, add, [&](std::string_view s) {
        for (char c : s) append_percent(out, c);
    });
}

// Browsers ignore leading blanks and control characters in a URL, and tabs and line breaks anywhere. This function does
// not ignore them: a scheme with such a byte is unknown, and therefore unsafe.
void append_whole_url(std::string& out, std::string_view text) {
    const std::size_t end = text.find_first_of(":/?#");
    const bool has_scheme = end != text.npos && text[end] == ':';
    if (has_scheme && !is_harmless_scheme(text.substr(0, end))) out += "about:invalid";
    else append_url(out, text, true);
}

// Escapes as in JSON, which is valid in JavaScript too. Also escapes all bytes with a meaning in HTML.
void append_script_string(std::string& out, std::string_view text) {
    const auto unicode = [&](char c) {
        out += "\\u00";
        out += hex[static_cast<unsigned char>(c) >> 4];
        out += hex[static_cast<unsigned char>(c) & 15];
    };
    const auto add = [&](char c) {
        if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c < ' ' || c == 0x7f || std::string_view("<>&\"'/`$=").contains(c)) unicode(c);
        else out += c;
    };
    each_character(text, add, [&](std::string_view s) {
        // U+2028 and U+2029 end a line, and thereby a string, in JavaScript before 2019.
        if (s == "\xe2\x80\xa8") out += "\\u2028";
        else if (s == "\xe2\x80\xa9") out += "\\u2029";
        else out += s;
    });
}

}  // namespace

void append_escaped(std::string& out, escape how, std::string_view text) {
    switch (how) {
        case escape::text: return append_text(out, text);
        case escape::whole_url: return append_whole_url(out, text);
        case escape::url_part: return append_url(out, text, false);
        case escape::script_string: return append_script_string(out, text);
        case escape::script_value:
            out += '"';
            append_script_string(out, text);
            out += '"';
            return;
    }
}

}  // namespace apus::markup
