// SPDX-License-Identifier: Apache-2.0
#include "http/origin.hpp"

#include "base/ascii.hpp"

#include <apus/client_info.hpp>

#include <algorithm>

namespace apus::http {
namespace {

bool is_lowercase_word(std::string_view text, std::string_view marks) noexcept {
    return !text.empty() && std::ranges::all_of(text, [marks](char c) {
        return (c >= 'a' && c <= 'z') || base::is_digit(c) || marks.contains(c);
    });
}

bool is_port(std::string_view port, std::string_view scheme) noexcept {
    if (port.empty() || port.size() > 5 || port.front() == '0' || !std::ranges::all_of(port, base::is_digit))
        return false;
    return !(scheme == "https" && port == "443") && !(scheme == "http" && port == "80");
}

std::string_view without_port(std::string_view host, std::string_view port) noexcept {
    return host.ends_with(port) ? host.substr(0, host.size() - port.size()) : host;
}

}  // namespace

bool is_origin(std::string_view text) noexcept {
    const std::size_t colon = text.find("://");
    if (colon == text.npos || !is_lowercase_word(text.substr(0, colon), "+-.")) return false;
    const std::string_view scheme = text.substr(0, colon);
    std::string_view rest = text.substr(colon + 3);
    const bool literal = rest.starts_with('[');
    const std::size_t host =
        literal ? std::min(rest.find(']'), rest.size() - 1) + 1 : std::min(rest.find(':'), rest.size());
    if (literal && !(rest[host - 1] == ']' && is_lowercase_word(rest.substr(1, host - 2), ":."))) return false;
    if (!literal && !is_lowercase_word(rest.substr(0, host), "-._")) return false;
    rest.remove_prefix(host);
    return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1), scheme));
}

bool is_own_origin(request& req, std::string_view origin) {
    if (!is_origin(origin)) return false;
    const client_info& client = client_of(req);
    const std::string_view scheme = origin.substr(0, origin.find("://"));
    if (scheme != "http" && scheme != "https") return false;
    // A plain-text request may come from a TLS proxy that is not in `trusted_proxies`, so https is accepted too.
    const bool may_be_behind_tls = client.scheme == "http" && !client.proxied;
    if (client.scheme != scheme && !(may_be_behind_tls && scheme == "https")) return false;
    const std::string_view own = without_port(client.host, scheme == "https" ? ":443" : ":80");
    return !own.empty() && base::equal_ignoring_case(origin.substr(scheme.size() + 3), own);
}

std::string_view requested_host(request& req) noexcept {
    const auto* client = req.find<client_info>();
    return client ? std::string_view(client->host) : req.host();
}

}  // namespace apus::http
