// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/metrics_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace apus::cli::watching {

namespace {

bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
}

std::string_view take_name(std::string_view& line) {
    const auto end = std::ranges::find_if_not(line, is_name_byte);
    const std::string_view name = line.substr(0, static_cast<std::size_t>(end - line.begin()));
    line.remove_prefix(name.size());
    return name;
}

bool take(std::string_view& line, char wanted) {
    if (!line.starts_with(wanted)) return false;
    line.remove_prefix(1);
    return true;
}

// Reads a value in quotes, with its escapes: \\, \" and \n.
std::optional<std::string> take_quoted(std::string_view& line) {
    std::string value;
    if (!take(line, '"')) return std::nullopt;
    while (!line.empty() && line[0] != '"') {
        if (line[0] == '\\') {
            line.remove_prefix(1);
            if (line.empty()) return std::nullopt;
            value += line[0] == 'n' ? '\n' : line[0];
        } else {
            value += line[0];
        }
        line.remove_prefix(1);
    }
    if (!take(line, '"')) return std::nullopt;
    return value;
}

bool take_labels(std::string_view& line, sample& to) {
    if (!take(line, '{')) return true;
    while (!take(line, '}')) {
        const std::string_view name = take_name(line);
        if (name.empty() || !take(line, '=')) return false;
        auto value = take_quoted(line);
        if (!value) return false;
        to.labels.emplace_back(name, *std::move(value));
        if (!take(line, ',') && !line.starts_with('}')) return false;
    }
    return true;
}

bool read_number(std::string_view text, double& to) {
    if (text == "+Inf") return to = std::numeric_limits<double>::infinity(), true;
    if (text == "-Inf") return to = -std::numeric_limits<double>::infinity(), true;
    if (text == "NaN") return to = std::numeric_limits<double>::quiet_NaN(), true;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string_view sample::label(std::string_view of) const noexcept {
    const auto found = std::ranges::find(labels, of, &std::pair<std::string, std::string>::first);
    return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::vector<sample>> parse_metrics(std::string_view text) {
    std::vector<sample> all;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.empty() || line[0] == '#') continue;
        sample& made = all.emplace_back();
        made.name = take_name(line);
        if (made.name.empty() || !take_labels(line, made) || !take(line, ' ')) return std::nullopt;
        if (!read_number(line.substr(0, line.find(' ')), made.value)) return std::nullopt;
    }
    return all;
}

}  // namespace apus::cli::watching
