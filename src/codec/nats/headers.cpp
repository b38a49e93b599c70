// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/headers.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

#include <algorithm>

namespace apus::codec::nats {
namespace {

constexpr std::string_view version = "NATS/1.0";

bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return base::is(c, base::token_byte); });
}

bool is_status(std::string_view text) noexcept {
    return text.size() >= 3 && std::ranges::all_of(text.substr(0, 3), base::is_digit) &&
           (text.size() == 3 || base::is_blank(text[3]));
}

}  // namespace

header_reader::header_reader(std::string_view block) noexcept : left_(block) {
    std::string_view first = take_line();
    if (!first.starts_with(version)) {
        left_ = {};
        return;
    }
    first = fields::trimmed(first.substr(version.size()));
    if (!is_status(first)) return;
    status_ = (first[0] - '0') * 100 + (first[1] - '0') * 10 + (first[2] - '0');
    description_ = fields::trimmed(first.substr(3));
}

std::string_view header_reader::take_line() noexcept {
    const std::size_t end = left_.find("\r\n");
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(end == left_.npos ? left_.size() : end + 2);
    return line;
}

bool header_reader::next(header_line& to) noexcept {
    while (!left_.empty()) {
        const std::string_view line = take_line();
        if (line.empty()) left_ = {};
        const std::size_t colon = line.find(':');
        if (colon == line.npos) continue;
        to = {.name = line.substr(0, colon), .value = fields::trimmed(line.substr(colon + 1))};
        if (is_header(to.name, to.value)) return true;
    }
    return false;
}

bool is_header(std::string_view name, std::string_view value) noexcept {
    return is_token(name) && std::ranges::all_of(value, [](char c) { return base::is(c, base::value_byte); }) &&
           fields::trimmed(value).size() == value.size();
}

void append_header(std::string& block, std::string_view name, std::string_view value) {
    if (block.empty()) block.append(version).append("\r\n");
    block.append(name).append(": ").append(value).append("\r\n");
}

void end_headers(std::string& block) { block += "\r\n"; }

}  // namespace apus::codec::nats
