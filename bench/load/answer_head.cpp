// SPDX-License-Identifier: Apache-2.0
#include "answer_head.hpp"

#include <strings.h>

#include <charconv>

namespace load {
namespace {

bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

bool lists(std::string_view value, std::string_view word) {
    while (!value.empty()) {
        const auto comma = value.find(',');
        if (same(trimmed(value.substr(0, comma)), word)) return true;
        value.remove_prefix(comma == value.npos ? value.size() : comma + 1);
    }
    return false;
}

// Returns false if the value is invalid. The names of the handled fields differ in length, so the length is compared
// first.
bool read_field(std::string_view name, std::string_view value, answer_head& head) {
    if (name.size() == 14 && same(name, "content-length")) {
        if (head.body == answer_head::ends::by_chunks) return true;
        const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), head.length);
        head.body = answer_head::ends::by_length;
        return failed == std::errc() && end == value.data() + value.size();
    }
    if (name.size() == 17 && same(name, "transfer-encoding")) {
        if (lists(value, "chunked")) head.body = answer_head::ends::by_chunks;
    } else if (name.size() == 10 && same(name, "connection")) {
        if (lists(value, "close")) head.closes = true;
        if (lists(value, "keep-alive")) head.closes = false;
    } else if (name.size() == 20 && same(name, "sec-websocket-accept")) {
        head.accepts_websocket = value == websocket_accept;
    }
    return true;
}

}  // namespace

bool read_head(std::string_view text, answer_head& head) {
    head.size = text.size();
    if (!text.starts_with("HTTP/1.") || text.size() < 13 || text[8] != ' ') return false;
    head.closes = text[7] == '0';
    if (std::from_chars(text.data() + 9, text.data() + 12, head.status).ptr != text.data() + 12) return false;
    text.remove_prefix(text.find('\n') + 1);
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const auto colon = line.find(':');
        if (colon == line.npos) continue;  // the empty line at the end
        if (!read_field(line.substr(0, colon), trimmed(line.substr(colon + 1)), head)) return false;
    }
    return true;
}

}  // namespace load
