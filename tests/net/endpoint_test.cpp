// SPDX-License-Identifier: Apache-2.0
#include "net/endpoint.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;
using net::endpoint;

namespace {

// Returns the URL of the parsed endpoint, or the error.
std::string seen(std::string_view text) {
    auto e = endpoint::parse(text);
    return e ? e->url() : e.error();
}

}  // namespace

TEST_CASE("text is parsed to an endpoint, or gives a message") {
    const std::string long_path(107, 'p');
    const struct {
        std::string text, seen;
    } cases[] = {
        {"127.0.0.1:8080", "http://127.0.0.1:8080"},
        {"0.0.0.0:0", "http://0.0.0.0:0"},
        {"localhost:80", "http://127.0.0.1:80"},
        {"255.255.255.255:65535", "http://255.255.255.255:65535"},
        {"[::1]:8080", "http://[::1]:8080"},
        {"[::]:0", "http://[::]:0"},
        {"[2001:DB8::0:1]:443", "http://[2001:db8::1]:443"},
        {"[::ffff:127.0.0.1]:1", "http://[::ffff:127.0.0.1]:1"},
        {"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
        {"https://127.0.0.1:8443", "https://127.0.0.1:8443"},
        {"https://[::]:443", "https://[::]:443"},
        {"https://unix:/a",
         "cannot listen on `https://unix:/a`: use at most one prefix, http:// or https://, only before an IP address"},
        {"https://127.0.0.1", "cannot listen on `127.0.0.1`: missing port: write it as 127.0.0.1:8080"},
        {"https://https://1.1.1.1:1",
         "cannot listen on `https://https://1.1.1.1:1`: use at most one prefix, http:// or https://, only before an IP "
         "address"},
        {"unix:/run/app.sock", "unix:/run/app.sock"},
        {"unix:relative.sock", "unix:relative.sock"},
        {"unix:/with:colon", "unix:/with:colon"},
        {"unix:" + long_path, "unix:" + long_path},
        {"unix:", "cannot listen on `unix:`: the path must have 1 to 107 bytes"},
        {"unix:" + long_path + "p", "cannot listen on `unix:" + long_path + "p`: the path must have 1 to 107 bytes"},
        {"", "cannot listen on ``: missing port: write it as 127.0.0.1:8080"},
        {"127.0.0.1", "cannot listen on `127.0.0.1`: missing port: write it as 127.0.0.1:8080"},
        {"127.0.0.1:", "cannot listen on `127.0.0.1:`: the port must be a number from 0 to 65535"},
        {"127.0.0.1:65536", "cannot listen on `127.0.0.1:65536`: the port must be a number from 0 to 65535"},
        {"127.0.0.1:-1", "cannot listen on `127.0.0.1:-1`: the port must be a number from 0 to 65535"},
        {"127.0.0.1:80x", "cannot listen on `127.0.0.1:80x`: the port must be a number from 0 to 65535"},
        {"127.0.0.1: 80", "cannot listen on `127.0.0.1: 80`: the port must be a number from 0 to 65535"},
        {"::1:8080", "cannot listen on `::1:8080`: an IPv6 address must be in brackets, such as [::1]:8080"},
        {"example.org:80", "cannot listen on `example.org`: the host must be an IPv4 or IPv6 address, or localhost"},
        {"127.0.0.256:80", "cannot listen on `127.0.0.256`: the host must be an IPv4 or IPv6 address, or localhost"},
        {":80", "cannot listen on ``: the host must be an IPv4 or IPv6 address, or localhost"},
        {"[::1:80", "cannot listen on `[::1:80`: an IPv6 address must be in brackets, such as [::1]:8080"},
        {"[]:80", "cannot listen on ``: the host must be an IPv4 or IPv6 address, or localhost"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.text);
        CHECK(seen(c.text) == c.seen);
    }
}

TEST_CASE("an address may be followed by its protocols") {
    using runtime::protocols;
    const struct {
        std::string_view text;
        protocols spoken;
    } cases[] = {
        {"127.0.0.1:1", protocols::every},
        {"127.0.0.1:1,http/1.1", protocols::http1},
        {"http://[::1]:1,h2c", protocols::http2},
        {"http://127.0.0.1:1,h2c,http/1.1", protocols::every},
        {"https://127.0.0.1:1,h2", protocols::http2},
        {"https://127.0.0.1:1,http/1.1,h2", protocols::every},
        {"unix:/a,h2c", protocols::http2},
    };
    for (const auto& c : cases) CHECK(endpoint::parse(c.text).value().protocols() == c.spoken);
    CHECK(endpoint::parse("unix:/a,h2c")->path() == "/a");

    const std::string known = "`: unknown protocol after a comma: expected http/1.1, h2 or h2c";
    for (const char* text :
         {"127.0.0.1:1,", "127.0.0.1:1,h3", "127.0.0.1:1,http/1.1,", "unix:/a,b", "127.0.0.1:1, h2c"})
        CHECK(seen(text) == "cannot listen on `" + std::string(text) + known);
    CHECK(seen("http://127.0.0.1:1,h2") ==
          "cannot listen on `http://127.0.0.1:1,h2`: h2 requires https://; without TLS use h2c");
    CHECK(seen("https://127.0.0.1:1,h2c") ==
          "cannot listen on `https://127.0.0.1:1,h2c`: h2c requires http://; with TLS use h2");
    CHECK(seen("127.0.0.1:1,h2c,h2c") == "cannot listen on `127.0.0.1:1,h2c,h2c`: duplicate protocol");
    CHECK(seen("127.0.0.1,h2c") == "cannot listen on `127.0.0.1`: missing port: write it as 127.0.0.1:8080");
}

TEST_CASE("host and port are separated") {
    CHECK(endpoint::parse("::1", 8080)->url() == "http://[::1]:8080");
    CHECK(endpoint::parse("127.0.0.1", 0)->url() == "http://127.0.0.1:0");
    CHECK(endpoint::parse("a b", 1).error() ==
          "cannot listen on `a b`: the host must be an IPv4 or IPv6 address, or localhost");
}

TEST_CASE("only a path is a Unix socket") {
    CHECK(endpoint::parse("unix:/a")->is_unix());
    CHECK(endpoint::parse("unix:/a")->path() == "/a");
    CHECK_FALSE(endpoint::parse("[::1]:1")->is_unix());
    CHECK_FALSE(endpoint().is_unix());
}
