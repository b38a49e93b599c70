// SPDX-License-Identifier: Apache-2.0
#include "server/cookie_jar.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace apus::server {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && base::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && base::is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Whether a cookie's attributes expire it (RFC 6265, 5.2.2).
bool ends(std::string_view attributes) noexcept {
    while (!attributes.empty()) {
        const auto one = trimmed(attributes.substr(0, attributes.find(';')));
        attributes.remove_prefix(std::min(
            attributes.size(), attributes.find(';') == attributes.npos ? attributes.size() : attributes.find(';') + 1));
        if (one.size() < 9 || !base::same_word(one.substr(0, 8), "max-age=")) continue;
        const auto age = one.substr(8);
        return age[0] == '-' || age.find_first_not_of('0') == age.npos;
    }
    return false;
}

}  // namespace

void cookie_jar::take(std::string_view head) {
    constexpr std::string_view name = "set-cookie:";
    while (!head.empty()) {
        const auto line = head.substr(0, head.find("\r\n"));
        if (line.size() > name.size() && base::same_word(line.substr(0, name.size()), name))
            set(trimmed(line.substr(name.size())));
        head.remove_prefix(std::min(head.size(), line.size() + 2));
    }
}

void cookie_jar::set(std::string_view cookie) {
    const auto pair = cookie.substr(0, cookie.find(';'));
    const auto equals = pair.find('=');
    if (equals == pair.npos) return;
    const std::string name(trimmed(pair.substr(0, equals)));
    std::erase_if(kept_, [&](const auto& c) { return c.first == name; });
    if (!ends(cookie.substr(std::min(cookie.size(), pair.size() + 1))))
        kept_.emplace_back(name, trimmed(pair.substr(equals + 1)));
}

std::string cookie_jar::line() const {
    std::string all;
    for (const auto& [name, value] : kept_) all.append(all.empty() ? "" : "; ").append(name).append("=").append(value);
    return all;
}

std::string_view cookie_jar::value(std::string_view name) const noexcept {
    const auto found = std::ranges::find(kept_, name, [](const auto& c) -> std::string_view { return c.first; });
    return found == kept_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace apus::server
