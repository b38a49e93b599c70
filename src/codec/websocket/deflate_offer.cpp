// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/deflate_offer.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

namespace apus::codec::websocket {
namespace {

// Parses a number from 8 to 15, without leading zeros. It may be a token or a quoted string. Returns 0 for other
// values.
std::uint8_t bits_of(std::string_view value) noexcept {
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) value = value.substr(1, value.size() - 2);
    if (value == "8" || value == "9") return static_cast<std::uint8_t>(value[0] - '0');
    if (value.size() == 2 && value[0] == '1' && value[1] >= '0' && value[1] <= '5')
        return static_cast<std::uint8_t>(10 + value[1] - '0');
    return 0;
}

class parameters {
public:
    deflate_terms terms;

    // Stores a parameter. Returns false if the parameter is unknown or duplicate, or has an invalid value.
    bool take(std::string_view parameter) noexcept {
        const auto equals = parameter.find('=');
        const bool has_value = equals != parameter.npos;
        const std::string_view name = fields::trimmed(parameter.substr(0, equals));
        const std::string_view value = has_value ? fields::trimmed(parameter.substr(equals + 1)) : std::string_view();
        if (base::same_word(name, "server_no_context_takeover"))
            return once(1) && !has_value && (terms.server_keeps = false, true);
        if (base::same_word(name, "client_no_context_takeover"))
            return once(2) && !has_value && (terms.client_keeps = false, true);
        if (base::same_word(name, "server_max_window_bits"))
            return once(4) && (terms.server_bits = bits_of(value)) != 0;
        if (!base::same_word(name, "client_max_window_bits") || !once(8)) return false;
        terms.names_client_bits = true;
        return !has_value || (terms.client_bits = bits_of(value)) != 0;
    }

private:
    bool once(unsigned parameter) noexcept {
        const bool first = !(seen_ & parameter);
        seen_ |= parameter;
        return first;
    }

    unsigned seen_ = 0;
};

}  // namespace

std::optional<deflate_terms> next_deflate(std::string_view& list) noexcept {
    std::string_view extension = fields::take_until(list, ',');
    if (!base::same_word(fields::take_until(extension, ';'), "permessage-deflate")) return {};
    parameters all;
    while (!extension.empty())
        if (!all.take(fields::take_until(extension, ';'))) return {};
    return all.terms;
}

}  // namespace apus::codec::websocket
