// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/place.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace apus::cli::diagnosis {
namespace {

// Removes ":12" from the beginning and returns the number.
std::optional<unsigned> take_number(std::string_view& text) {
    if (!text.starts_with(':')) return std::nullopt;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool is_file_name(std::string_view file) {
    return !file.empty() && file.find_first_of("()'\"<>|") == file.npos && !file.starts_with(' ') &&
           !file.ends_with(' ');
}

}  // namespace

std::string text_of(const place& at) {
    std::string made = at.file;
    if (at.line) made += ":" + std::to_string(at.line);
    if (at.line && at.column) made += ":" + std::to_string(at.column);
    return made;
}

std::optional<placed> read_place(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return std::nullopt;
    placed found{{.file = std::string(line.substr(0, colon))}, line.substr(colon)};
    if (!is_file_name(found.at.file)) return std::nullopt;
    const auto number = take_number(found.rest);
    if (!number) return std::nullopt;
    found.at.line = *number;
    found.at.column = take_number(found.rest).value_or(0);
    if (!found.rest.starts_with(':') && !found.rest.starts_with(',')) return std::nullopt;
    found.rest.remove_prefix(1);
    found.rest.remove_prefix(std::min(found.rest.find_first_not_of(' '), found.rest.size()));
    return found;
}

std::optional<place> place_at_end(std::string_view line) {
    const std::size_t space = line.find_last_of(' ');
    std::string_view rest = space == line.npos ? line : line.substr(space + 1);
    const std::size_t colon = rest.find(':');
    if (colon == rest.npos) return std::nullopt;
    place found{.file = std::string(rest.substr(0, colon))};
    rest.remove_prefix(colon);
    const auto number = take_number(rest);
    if (!number || !is_file_name(found.file)) return std::nullopt;
    found.line = *number;
    found.column = take_number(rest).value_or(0);
    if (!rest.empty()) return std::nullopt;
    return found;
}

bool is_users(const place& at) {
    static constexpr std::array<std::string_view, 11> others = {
        "include/apus/", "/lib/cmake/", "/usr/",   "include/c++/",  "/_deps/",     "/.conan2/",
        "/sysdeps/",     "../csu/",     "./nptl/", "libsanitizer/", "compiler-rt/"};
    return !at.file.empty() &&
           std::ranges::none_of(others, [&](std::string_view other) { return at.file.contains(other); });
}

}  // namespace apus::cli::diagnosis
