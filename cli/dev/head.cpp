// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/head.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"

namespace apus::cli::dev {

namespace {

// Calls `take` with each field line, including its line ending, until `take` returns false.
template <class Take>
void each_line(std::string_view head, Take&& take) {
    head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
    while (!head.empty() && head != "\r\n") {
        const std::string_view line = head.substr(0, std::min(head.find('\n'), head.size() - 1) + 1);
        if (!take(line)) return;
        head.remove_prefix(line.size());
    }
}

bool is_named(std::string_view line, std::string_view name) {
    return base::equal_ignoring_case(line.substr(0, line.find(':')), name);
}

}  // namespace

std::string_view field_of(std::string_view head, std::string_view name) {
    std::string_view value;
    each_line(head, [&](std::string_view line) {
        if (!is_named(line, name)) return true;
        value = line.substr(std::min(line.find(':') + 1, line.size()));
        while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
        while (!value.empty() && (value.back() == '\r' || value.back() == '\n' || value.back() == ' '))
            value.remove_suffix(1);
        return false;
    });
    return value;
}

std::string without_field(std::string_view head, std::string_view name) {
    std::string kept(head.substr(0, std::min(head.find('\n'), head.size() - 1) + 1));
    each_line(head, [&](std::string_view line) {
        // Drops an empty line that ends in a bare LF, since that line would end the head before the added fields.
        if (!is_named(line, name) && line != "\r\n" && line != "\n") kept += line;
        return true;
    });
    return kept + "\r\n";
}

std::string with_field(std::string_view head, std::string_view line) {
    std::string longer(head.substr(0, head.size() - 2));
    return longer.append(line).append("\r\n\r\n");
}

std::string_view target_of(std::string_view head) {
    const std::size_t begin = std::min(head.find(' ') + 1, head.size());
    return head.substr(begin, head.find(' ', begin) - begin);
}

std::string host_of(std::string_view head) {
    std::string_view named = target_of(head);
    if (const std::size_t scheme = named.find("://"); !named.starts_with('/') && scheme != named.npos) {
        named.remove_prefix(scheme + 3);
        named = named.substr(0, named.find_first_of("/?"));
    } else {
        named = field_of(head, "host");
    }
    if (const std::size_t bracket = named.find(']'); named.starts_with('[') && bracket != named.npos)
        named = named.substr(0, bracket + 1);
    else if (!named.starts_with('[')) named = named.substr(0, named.find(':'));
    if (named.ends_with('.')) named.remove_suffix(1);
    std::string made(named);
    std::ranges::transform(made, made.begin(), base::lowered);
    return made;
}

bool requests_upgrade(std::string_view head) {
    const std::string_view to = field_of(head, "upgrade");
    return !to.empty() && !base::equal_ignoring_case(to, "h2c");
}

bool requests_page(std::string_view head) {
    return head.starts_with("GET ") && field_of(head, "accept").contains("text/html") && !requests_upgrade(head);
}

std::string request_for_application(std::string_view head) {
    if (requests_upgrade(head)) return std::string(head);
    std::string made(head);
    for (const std::string_view name : {"connection", "keep-alive", "upgrade", "http2-settings"})
        made = without_field(made, name);
    if (requests_page(head)) {
        made = without_field(made, "accept-encoding");
        const std::size_t end = made.find('\r');
        if (end != made.npos && end > 8 && made.compare(end - 8, 8, "HTTP/1.1") == 0) made[end - 1] = '0';
    }
    return with_field(made, "Connection: close");
}

std::string response_for_browser(std::string_view head, std::size_t added) {
    if (head.starts_with("HTTP/1.1 1")) return std::string(head);
    std::string made = with_field(without_field(without_field(head, "connection"), "keep-alive"), "Connection: close");
    const std::string_view length = field_of(head, "content-length");
    std::size_t bytes = 0;
    if (added == 0 || length.empty() ||
        std::from_chars(length.data(), length.data() + length.size(), bytes).ec != std::errc())
        return made;
    return with_field(without_field(made, "content-length"), "Content-Length: " + std::to_string(bytes + added));
}

bool is_page(std::string_view head) {
    const std::string_view status = head.substr(std::min<std::size_t>(9, head.size()), 3);
    if (status == "204" || status == "304" || status.starts_with('1')) return false;
    return field_of(head, "content-type").starts_with("text/html") && field_of(head, "content-encoding").empty() &&
           field_of(head, "transfer-encoding").empty();
}

}  // namespace apus::cli::dev
