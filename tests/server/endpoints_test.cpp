// SPDX-License-Identifier: Apache-2.0
#include "server/endpoints.hpp"

#include <apus/tls.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus;

namespace {

// Returns the URLs, or the error.
std::string seen(const serve_options& options) {
    const auto all = server::endpoints(options);
    if (!all) return all.error();
    std::string urls;
    for (const auto& e : *all) urls += e.url() + " ";
    return urls;
}

std::string seen(std::vector<std::string> listen, bool tls) {
    serve_options options;
    options.listen = std::move(listen);
    if (tls) options.tls = server_tls(server_tls_options());
    return seen(options);
}

}  // namespace

TEST_CASE("endpoints: plain text is never used by accident") {
    const struct {
        std::vector<std::string> listen;
        bool tls;
        std::string seen;
    } cases[] = {
        {{}, false, "http://127.0.0.1:8080 "},
        {{}, true, "https://127.0.0.1:8080 "},
        {{"127.0.0.1:1", "http://127.0.0.1:2", "unix:/a"}, false, "http://127.0.0.1:1 http://127.0.0.1:2 unix:/a "},
        {{"https://127.0.0.1:1", "http://[::1]:2", "unix:/a"}, true, "https://127.0.0.1:1 http://[::1]:2 unix:/a "},
        {{"https://127.0.0.1:1"},
         false,
         "cannot listen on `https://127.0.0.1:1`: https needs certificates: set `serve_options::tls` (apus/tls.hpp)"},
        {{"127.0.0.1:1"}, true, "cannot listen on `127.0.0.1:1`: add http:// or https://: this server supports both"},
        {{"http://127.0.0.1:1"}, true, "`serve_options::tls` is set, but no address to listen on begins with https://"},
        {{"unix:/a"}, true, "`serve_options::tls` is set, but no address to listen on begins with https://"},
        {{"127.0.0.1"}, false, "cannot listen on `127.0.0.1`: missing port: write it as 127.0.0.1:8080"},
    };
    for (const auto& c : cases) CHECK(seen(c.listen, c.tls) == c.seen);
}

TEST_CASE("endpoints: PROXY listeners come last and need trusted proxies") {
    serve_options options;
    options.listen_proxied = {"127.0.0.1:2"};
    options.proxies = {"127.0.0.1"};
    CHECK(seen(options) == "http://127.0.0.1:2 ");
    options.listen = {"127.0.0.1:1"};
    CHECK(seen(options) == "http://127.0.0.1:1 http://127.0.0.1:2 ");
    options.proxies.clear();
    const std::string lacking =
        "`listen_proxied` (where proxies connect) and `proxies` (their addresses) must be set together";
    CHECK(seen(options) == lacking);
    options.listen_proxied.clear();
    options.proxies = {"127.0.0.1"};
    CHECK(seen(options) == lacking);
    options.listen_proxied = {"https://127.0.0.1:2"};
    CHECK(seen(options).starts_with("cannot listen on `https://127.0.0.1:2`: https needs certificates"));
}
