// SPDX-License-Identifier: Apache-2.0
#include <apus/https_redirect.hpp>

#include <apus/client_info.hpp>
#include <apus/redirect.hpp>

#include "http/exchange.hpp"

#include <string>

namespace apus {
namespace {

std::string_view without_port(std::string_view host) noexcept {
    const std::size_t colon = host.rfind(':');
    // In an IPv6 address colons stand within brackets.
    return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

}  // namespace

bool https_redirect::before(request& req, response& out) const {
    const client_info& client = client_of(req);
    if (client.scheme == "https") return true;
    if (client.host.empty()) {
        out = response(error(400, "the request names no host, and is answered by https only"));
        return false;
    }
    std::string to = "https://" + std::string(without_port(client.host));
    if (how_.port != 443) (to += ':') += std::to_string(how_.port);
    const auto& x = detail::exchange_of(req);
    to += x.text(x.head.path);
    if (const std::string_view query = req.query(); !query.empty()) (to += '?') += query;
    out = redirect(308, to);
    return false;
}

}  // namespace apus
