// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/version.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace apus::cli::dependencies {

namespace {

// Removes the next part, digits or letters, from a version and returns it. `.`, `-`, `_` and `+` separate parts.
std::string_view take_part(std::string_view& left) {
    while (!left.empty() && std::string_view(".-_+").find(left[0]) != std::string_view::npos) left.remove_prefix(1);
    const bool number = !left.empty() && base::is_digit(left[0]);
    std::size_t n = 0;
    while (n < left.size() && (number ? base::is_digit(left[n]) : base::is_letter(left[n]))) ++n;
    if (n == 0 && !left.empty()) n = 1;
    const std::string_view part = left.substr(0, n);
    left.remove_prefix(n);
    return part;
}

bool is_number(std::string_view part) { return !part.empty() && base::is_digit(part[0]); }

// Compares two parts. A missing part counts as 0, and a number is later than a word: "1.0" equals "1.0.0" and is later
// than "1.0-rc1".
std::strong_ordering compare_parts(std::string_view a, std::string_view b) {
    if (a.empty()) a = "0";
    if (b.empty()) b = "0";
    if (is_number(a) != is_number(b)) return is_number(a) ? std::strong_ordering::greater : std::strong_ordering::less;
    if (!is_number(a)) return a <=> b;
    a.remove_prefix(std::min(a.size() - 1, a.find_first_not_of('0')));
    b.remove_prefix(std::min(b.size() - 1, b.find_first_not_of('0')));
    return a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
}

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
    while (!a.empty() || !b.empty())
        if (const auto order = compare_parts(take_part(a), take_part(b)); order != 0) return order;
    return std::strong_ordering::equal;
}

bool satisfies(std::string_view version, std::string_view wanted) {
    if (wanted == "*") return true;
    if (wanted.starts_with(">=")) return compare_versions(version, wanted.substr(2)) >= 0;
    while (!wanted.empty()) {
        const std::string_view part = take_part(wanted);
        if (part.empty()) break;
        if (compare_parts(take_part(version), part) != 0) return false;
    }
    return true;
}

std::string usual_request(std::string_view version) {
    std::string_view left = version;
    const std::string_view first = take_part(left), second = take_part(left);
    if (!is_number(first) || first.size() > 3) return std::string(version);
    if (first.find_first_not_of('0') != std::string_view::npos || !is_number(second)) return std::string(first);
    return std::string(first) + "." + std::string(second);
}

std::string upstream_version(std::string_view debian) {
    if (const auto epoch = debian.find(':'); epoch != debian.npos) debian.remove_prefix(epoch + 1);
    if (const auto revision = debian.rfind('-'); revision != debian.npos) debian = debian.substr(0, revision);
    for (const std::string_view mark : {"+ds", "+dfsg", ".dfsg", "~dfsg", "+really", "+git", "~git"})
        debian = debian.substr(0, debian.find(mark));
    return std::string(debian);
}

}  // namespace apus::cli::dependencies
