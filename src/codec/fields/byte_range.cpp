// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/byte_range.hpp"

#include "codec/fields/list.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace apus::codec::fields {
namespace {

using what = ranges_asked::what;

constexpr std::uint64_t head_of_part = 80;  // approximate size of a boundary and the fields of a part
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// Returns the largest 64-bit value for a larger number: both are beyond the end of any representation.
std::optional<std::uint64_t> read_number(std::string_view digits) noexcept {
    if (digits.empty()) return std::nullopt;
    std::uint64_t n = 0;
    for (const char c : digits) {
        if (!base::is_digit(c)) return std::nullopt;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        n = n > (most - digit) / 10 ? most : n * 10 + digit;
    }
    return n;
}

enum class asked : unsigned char {
    part,
    nothing_there,
    nonsense
};

asked read_part(std::string_view item, std::uint64_t size, byte_range& part) noexcept {
    const auto dash = item.find('-');
    if (dash == item.npos) return asked::nonsense;
    const std::string_view after = item.substr(dash + 1);
    if (dash == 0) {
        const auto suffix = read_number(after);
        if (!suffix) return asked::nonsense;
        part = {size - std::min(size, *suffix), size - 1};
        return *suffix ? asked::part : asked::nothing_there;
    }
    const auto first = read_number(item.substr(0, dash));
    const auto last = after.empty() ? std::optional(most) : read_number(after);
    if (!first || !last || *last < *first) return asked::nonsense;
    part = {*first, std::min(*last, size - 1)};
    return *first < size ? asked::part : asked::nothing_there;
}

bool overlap(const byte_range& a, const byte_range& b) noexcept { return a.first <= b.last && b.first <= a.last; }

bool close_together(const byte_range& a, const byte_range& b) noexcept {
    return overlap(a, b) || (a.first > b.last ? a.first - b.last : b.first - a.last) <= head_of_part;
}

// Joins ranges that are close together, until all ranges are far apart. Returns the number of ranges.
std::size_t join(std::span<byte_range> parts) noexcept {
    std::size_t count = parts.size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = i + 1; k < count; ++k) {
            if (!close_together(parts[i], parts[k])) continue;
            parts[i] = {std::min(parts[i].first, parts[k].first), std::max(parts[i].last, parts[k].last)};
            std::move(parts.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                      parts.begin() + static_cast<std::ptrdiff_t>(count),
                      parts.begin() + static_cast<std::ptrdiff_t>(k));
            --count;
            k = i;  // the extended range may now be close to skipped ranges
        }
        // The extended range may now be close to an earlier range.
        for (std::size_t k = 0; k < i; ++k)
            if (close_together(parts[k], parts[i])) return join(parts.first(count));
    }
    return count;
}

}  // namespace

ranges_asked read_ranges(std::string_view field, std::uint64_t size, std::span<byte_range> parts) noexcept {
    constexpr std::size_t unit = 6;
    if (size == 0 || field.size() < unit || !base::same_word(field.substr(0, unit), "bytes=")) return {what::whole};
    field.remove_prefix(unit);
    std::size_t count = 0;
    unsigned overlaps = 0;
    bool asks = false;
    while (!field.empty()) {
        const std::string_view item = next_of_list(field);
        if (item.empty()) continue;
        byte_range part{};
        const asked kind = read_part(item, size, part);
        if (kind == asked::nonsense) return {what::whole};
        asks = true;
        if (kind == asked::nothing_there) continue;
        if (count == parts.size()) return {what::whole};
        for (const byte_range& before : parts.first(count)) overlaps += overlap(before, part);
        parts[count++] = part;
    }
    if (!asks || overlaps > 2) return {what::whole};
    if (count == 0) return {what::unsatisfiable};
    return {what::parts, join(parts.first(count))};
}

}  // namespace apus::codec::fields
