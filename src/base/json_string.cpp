// SPDX-License-Identifier: Apache-2.0
#include "base/json_string.hpp"

#include "base/utf8.hpp"

#include <cstddef>

namespace apus::base {

void append_json_string(std::string& out, std::string_view text) {
    static constexpr char hex[] = "0123456789abcdef";
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        const auto u = static_cast<unsigned char>(c);
        const std::size_t size = utf8_sequence(text, at);
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (u < 0x20 || u == 0x7f) ((out += "\\u00") += hex[u >> 4]) += hex[u & 15];
        else if (size) out += text.substr(at, size);
        else out += "\\ufffd";
        at += size ? size : 1;
    }
    out += '"';
}

}  // namespace apus::base
