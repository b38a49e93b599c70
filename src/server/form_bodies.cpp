// SPDX-License-Identifier: Apache-2.0
#include "server/form_bodies.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace apus::server {
namespace {

void append_encoded(std::string& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    constexpr std::string_view marks = "*-._";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (base::is_letter(c) || base::is_digit(c) || marks.contains(c)) out += c;
        else if (c == ' ') out += '+';
        else ((out += '%') += hex[byte >> 4]) += hex[byte & 15];
    }
}

void append_quoted(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"') out += "%22";
        else if (c == '\r') out += "%0D";
        else if (c == '\n') out += "%0A";
        else out += c;
    }
}

}  // namespace

std::string urlencoded(std::initializer_list<field_view> values) {
    std::string out;
    for (const field_view& v : values) {
        if (!out.empty()) out += '&';
        append_encoded(out, v.name);
        out += '=';
        append_encoded(out, v.value);
    }
    return out;
}

multipart multipart_of(std::initializer_list<test::part> parts) {
    multipart all{"apus-boundary", {}};
    const auto holds = [&](const test::part& p) { return p.value.contains(all.boundary); };
    while (std::ranges::any_of(parts, holds)) all.boundary += 'x';
    for (const test::part& p : parts) {
        all.body += "--" + all.boundary + "\r\ncontent-disposition: form-data; name=\"";
        append_quoted(all.body, p.name);
        all.body += '"';
        if (!p.filename.empty()) {
            all.body += "; filename=\"";
            append_quoted(all.body, p.filename);
            all.body += '"';
        }
        all.body += "\r\n";
        if (!p.media_type.empty()) all.body.append("content-type: ").append(p.media_type).append("\r\n");
        all.body.append("\r\n").append(p.value).append("\r\n");
    }
    all.body += "--" + all.boundary + "--\r\n";
    return all;
}

}  // namespace apus::server
