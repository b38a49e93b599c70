// SPDX-License-Identifier: Apache-2.0
#include "outbound/url.hpp"

#include <doctest/doctest.h>

using apus::outbound::url;

namespace {

struct row {
    const char* given;
    const char* says;  // the URL and its origin, or the end of the error message
};

constexpr row urls[] = {
    {"http://a", "http://a/ http://a:80"},
    {"HTTP://A.Test:8080/x?y#z", "http://a.test:8080/x?y http://a.test:8080"},
    {"http://a:80/", "http://a/ http://a:80"},
    {"http://a:/", "http://a/ http://a:80"},
    {"http://a?q=1", "http://a/?q=1 http://a:80"},
    {"http://[::1]:81/%20", "http://[::1]:81/%20 http://::1:81"},
    {"https://a/", "https://a/ https://a:443"},
    {"http://a/?x=[1]|2", "http://a/?x=[1]|2 http://a:80"},
    {"a/b", "does not begin with http:// or https://"},
    {"http:/a", "does not begin with http:// or https://"},
    {"javascript://a/%0aalert", "does not begin with http:// or https://"},
    {"http://", "has an invalid or missing host, or an invalid port"},
    {"http://a b/", "has an invalid or missing host, or an invalid port"},
    {"http://a\\b/", "has an invalid or missing host, or an invalid port"},
    {"http://[::1/", "has an invalid or missing host, or an invalid port"},
    {"http://a:0/", "has the port 0"},
    {"http://a%2eb/", "has a percent-encoded host"},
    {"http://good@evil/", "contains user information: send Authorization instead"},
    {"http://a/\\evil", "contains a byte that must be percent-encoded"},
    {"http://a/\x01", "contains a byte that must be percent-encoded"},
    {"http://a/\xc3\xa9", "contains a byte that must be percent-encoded"},
    {"http://a/x\r\ny", "contains a byte that must be percent-encoded"},
    {"http://a/%4", "contains a byte that must be percent-encoded"},
};

// References resolved against http://a/b/c/d;p?q, as in RFC 3986, 5.4.
constexpr row references[] = {
    {"http://g/x", "http://g/x"},
    {"g", "http://a/b/c/g"},
    {"./g", "http://a/b/c/g"},
    {"g/", "http://a/b/c/g/"},
    {"/g", "http://a/g"},
    {"//g", "http://g/"},
    {"?y", "http://a/b/c/d;p?y"},
    {"g?y", "http://a/b/c/g?y"},
    {"#s", "http://a/b/c/d;p?q"},
    {"g#s", "http://a/b/c/g"},
    {";x", "http://a/b/c/;x"},
    {"", "http://a/b/c/d;p?q"},
    {".", "http://a/b/c/"},
    {"..", "http://a/b/"},
    {"../g", "http://a/b/g"},
    {"../..", "http://a/"},
    {"../../../g", "http://a/g"},
    {"/./g", "http://a/g"},
    {"/../g", "http://a/g"},
    {"g..", "http://a/b/c/g.."},
    {"./g/.", "http://a/b/c/g/"},
    {"g/./h", "http://a/b/c/g/h"},
    {"g/../h", "http://a/b/c/h"},
    {"g?y/../x", "http://a/b/c/g?y/../x"},
    {"mailto:x", "the upstream redirects to an invalid URL: the upstream URL does not begin with http:// or https://"},
    {"file:///etc/passwd",
     "the upstream redirects to an invalid URL: the upstream URL does not begin with http:// or https://"},
};

std::string said(const apus::result<url>& u) { return u ? u->text() : u.error().detail(); }

}  // namespace

TEST_CASE("URLs are parsed strictly") {
    for (const auto& [given, says] : urls) {
        CAPTURE(given);
        auto u = url::parse(given);
        const std::string line = u ? u->text() + " " + u->origin() : u.error().detail();
        CHECK_MESSAGE(line.ends_with(says), line);
    }
}

TEST_CASE("references are resolved against a base URL") {
    const auto from = url::parse("http://a/b/c/d;p?q");
    for (const auto& [given, says] : references) {
        CAPTURE(given);
        CHECK(said(from->resolve(given)) == says);
    }
    CHECK(said(url::parse("https://a/")->resolve("http://a/")) == "redirect from https to http refused");
    CHECK(said(url::parse("https://a/")->resolve("/b")) == "https://a/b");
}
