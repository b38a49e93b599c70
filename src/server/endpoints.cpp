// SPDX-License-Identifier: Apache-2.0
#include "server/endpoints.hpp"

#include "http/protocol.hpp"

#include <algorithm>

namespace apus::server {
namespace {

using net::endpoint;
using scheme = endpoint::scheme;

std::unexpected<std::string> cannot(const std::string& where, const char* why) {
    return std::unexpected("cannot listen on `" + where + "`: " + why);
}

std::expected<void, std::string> check_scheme(const endpoint& e, const std::string& text, bool has_tls) {
    if (e.url_scheme() == scheme::https && !has_tls)
        return cannot(text, "https needs certificates: set `serve_options::tls` (apus/tls.hpp)");
    if (e.url_scheme() == scheme::unsaid && !e.is_unix() && has_tls)
        return cannot(text, "add http:// or https://: this server supports both");
    if (e.protocols() == runtime::protocols::http2 && !http::http2_enabled())
        return cannot(text, "this program has no HTTP/2: link it with `apus::apus`");
    return {};
}

}  // namespace

std::expected<std::vector<endpoint>, std::string> endpoints(const serve_options& o, bool activated) {
    const bool has_tls = static_cast<bool>(o.tls);
    std::vector<endpoint> all;
    for (auto* texts : {&o.listen, &o.listen_proxied})
        for (auto& text : *texts) {
            auto one = endpoint::parse(text);
            if (!one) return std::unexpected(one.error());
            if (auto checked = check_scheme(*one, text, has_tls); !checked) return std::unexpected(checked.error());
            if (texts == &o.listen_proxied) one->expect_proxy_header();
            all.push_back(*one);
        }
    if (o.listen_proxied.empty() != o.proxies.empty())
        return std::unexpected(
            "`listen_proxied` (where proxies connect) and `proxies` (their addresses) must be set together");
    if (all.empty() && !activated) {
        auto one = endpoint::parse(o.host, o.port);
        if (!one) return std::unexpected(one.error());
        one->set_scheme(has_tls ? scheme::https : scheme::http);
        all.push_back(*one);
    }
    if (has_tls && !activated &&
        std::ranges::none_of(all, [](const endpoint& e) { return e.url_scheme() == scheme::https; }))
        return std::unexpected("`serve_options::tls` is set, but no address to listen on begins with https://");
    return all;
}

}  // namespace apus::server
