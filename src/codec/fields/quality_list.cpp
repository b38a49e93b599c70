// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/quality_list.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

namespace apus::codec::fields {
namespace {

constexpr unsigned no_weight = ~0U;

// Parses a weight with up to three decimals. Returns `no_weight` if it is invalid.
unsigned read_weight(std::string_view text) noexcept {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return no_weight;
    if (text.size() > 1 && text[1] != '.') return no_weight;
    unsigned weight = text[0] == '1' ? 1000 : 0;
    unsigned unit = 100;
    for (const char c : text.substr(text.size() < 2 ? text.size() : 2)) {
        if (!base::is_digit(c)) return no_weight;
        weight += static_cast<unsigned>(c - '0') * unit;
        unit /= 10;
    }
    return weight <= 1000 ? weight : no_weight;
}

bool is_weight(std::string_view parameter) noexcept {
    return parameter.size() >= 2 && (parameter[0] | 0x20) == 'q' && parameter[1] == '=';
}

}  // namespace

bool next_weighted(std::string_view& list, weighted& item) noexcept {
    while (!list.empty()) {
        std::string_view rest = take_until(list, ',');
        if (rest.empty()) continue;
        const std::string_view whole = rest;
        item.value = take_until(rest, ';');
        item.weight = 1000;
        while (!rest.empty()) {
            const std::string_view parameter = take_until(rest, ';');
            if (is_weight(parameter)) {
                item.weight = read_weight(parameter.substr(2));
                break;
            }
            if (!parameter.empty())
                item.value = whole.substr(0, static_cast<std::size_t>(parameter.end() - whole.begin()));
        }
        if (item.weight != no_weight && !item.value.empty()) return true;
    }
    return false;
}

unsigned coding_weight(std::string_view accept_encoding, std::string_view coding) noexcept {
    unsigned otherwise = coding == "identity" ? 1000 : 0;
    bool any_seen = false;
    weighted item;
    while (next_weighted(accept_encoding, item)) {
        if (base::same_word(item.value, coding)) return item.weight;
        // x-gzip is the same coding (RFC 9110, 8.4.1.3).
        if (coding == "gzip" && base::same_word(item.value, "x-gzip")) return item.weight;
        if (item.value == "*" && !any_seen) any_seen = true, otherwise = item.weight;
    }
    return otherwise;
}

}  // namespace apus::codec::fields
