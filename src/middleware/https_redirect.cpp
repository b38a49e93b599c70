// SPDX-License-Identifier: Apache-2.0
#include <apus/https_redirect.hpp>

#include <apus/client_info.hpp>
#include <apus/redirect.hpp>

#include "codec/http1/host.hpp"
#include "http/exchange.hpp"

#include <string>

namespace apus {

pending_response https_redirect::operator()(request& req, response& out, next_handler rest) const {
    const client_info& client = client_of(req);
    if (client.scheme == "https") return rest.run(req, out);
    if (client.host.empty()) return fail(400, "the request has no host, so it cannot be redirected to https");
    std::string to = "https://" + std::string(codec::http1::without_port(client.host));
    if (how_.port != 443) (to += ':') += std::to_string(how_.port);
    const auto& x = detail::exchange_of(req);
    to += x.text(x.head.path);
    if (const std::string_view query = req.query(); !query.empty()) (to += '?') += query;
    out = redirect(308, to);
    return {};
}

}  // namespace apus
