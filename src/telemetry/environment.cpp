// SPDX-License-Identifier: Apache-2.0
#include "telemetry/environment.hpp"

#include "base/ascii.hpp"
#include "codec/url/percent.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace apus::telemetry {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t";
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace

std::string_view variable(const char* name) noexcept {
    const char* const value = std::getenv(name);
    return value ? value : std::string_view();
}

std::optional<std::vector<trace_text>> parse_pairs(std::string_view list) {
    std::vector<trace_text> all;
    while (!list.empty()) {
        const std::size_t end = list.find(',');
        const std::string_view one = trimmed(list.substr(0, end));
        list.remove_prefix(end == list.npos ? list.size() : end + 1);
        if (one.empty()) continue;
        const std::size_t equals = one.find('=');
        const std::string_view name = trimmed(one.substr(0, equals));
        if (equals == one.npos || name.empty()) return std::nullopt;
        std::string text(trimmed(one.substr(equals + 1)));
        const auto decoded = codec::url::decode_percent(text, text.data());
        if (decoded.state != codec::outcome::done) return std::nullopt;
        text.resize(decoded.value.size());
        all.push_back({std::string(name), std::move(text)});
    }
    return all;
}

std::vector<trace_text> with_variable(const std::vector<trace_text>& given, const char* name, bool fields) {
    auto more = parse_pairs(variable(name));
    // The value is not shown: it may contain a token.
    if (!more) throw std::invalid_argument(std::string(name) + " is not a list such as name=text,name=text");
    std::vector<trace_text> all = given;
    for (auto& one : *more) {
        const bool known = std::ranges::any_of(given, [&](const trace_text& other) {
            return fields ? base::equal_ignoring_case(one.name, other.name) : one.name == other.name;
        });
        if (!known) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace apus::telemetry
