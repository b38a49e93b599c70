// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/refusals.hpp"
#include "codec/http1/head_reading.hpp"

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using test::read_head;

namespace {

struct line_refused {
    std::string_view line;
    const codec::refusal* why;
};

constexpr line_refused bad_lines[] = {
    {" GET / HTTP/1.1", &refusals::method_not_token},
    {"G(T / HTTP/1.1", &refusals::method_not_token},
    {"G\x7fT / HTTP/1.1", &refusals::method_not_token},
    {"G\xc3\xa9T / HTTP/1.1", &refusals::method_not_token},
    {"GET\t/ HTTP/1.1", &refusals::method_not_token},
    {"GET", &refusals::method_not_token},
    {"GET\n/ HTTP/1.1", &refusals::bare_lf},
    {"GET  / HTTP/1.1", &refusals::target_missing},
    {"GET /\n HTTP/1.1", &refusals::bare_lf},
    {"GET /\rx HTTP/1.1", &refusals::bare_cr},
    {"GET /", &refusals::version_missing},
    {"GET /?q", &refusals::version_missing},
    {"GET / ", &refusals::version_malformed},
    {"GET /a b HTTP/1.1", &refusals::version_malformed},
    {"GET / http/1.1", &refusals::version_malformed},
    {"GET / HTTP/1", &refusals::version_malformed},
    {"GET / HTTP/1.", &refusals::version_malformed},
    {"GET / HTTP/1.10", &refusals::version_malformed},
    {"GET / HTTP/01.1", &refusals::version_malformed},
    {"GET / HTTP/1.1 ", &refusals::version_malformed},
    {"GET / HTTP/1.1\n", &refusals::bare_lf},
    {"GET / HTTP/1.1\rX", &refusals::bare_cr},
    {"GET / HTTP/\r1.1", &refusals::version_malformed},
    {"GET / HTTP/0.9", &refusals::version_unsupported},
    {"GET / HTTP/2.0", &refusals::version_unsupported},
    {"PRI * HTTP/2.0", &refusals::version_unsupported},
    {"GET * HTTP/1.1", &refusals::asterisk_without_options},
};

struct method_read {
    std::string_view text;
    method verb;
};

constexpr method_read methods[] = {
    {"GET", method::get},         {"HEAD", method::head},   {"POST", method::post},
    {"PUT", method::put},         {"PATCH", method::patch}, {"DELETE", method::del},
    {"OPTIONS", method::options}, {"TRACE", method::trace}, {"get", method::other},
    {"GETX", method::other},      {"PUTT", method::other},  {"A!#$%&'*+-.^_`|~9", method::other},
    {"PROPFIND", method::other},  {"X", method::other},     {"DELETED", method::other},
};

}  // namespace

TEST_CASE("rejected request lines have a reason") {
    for (const auto& [line, why] : bad_lines) {
        CAPTURE(line);
        const auto seen = read_head(std::string(line) + "\r\nHost: a\r\n\r\n");
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why->status == why->status);
    }
    CHECK(refusals::version_unsupported.status == 505);
}

TEST_CASE("an invalid request line is rejected before further bytes arrive") {
    for (const auto& [line, why] : bad_lines) {
        CAPTURE(line);
        CHECK(read_head(std::string(line) + "\r\n").why == why);
    }
}

TEST_CASE("methods are case-sensitive, and unknown methods are accepted") {
    for (const auto& [text, verb] : methods) {
        CAPTURE(text);
        const std::string bytes = std::string(text) + " / HTTP/1.1\r\nHost: a\r\n\r\n";
        CHECK(read_head(bytes).state == outcome::done);
        request_head head;
        read_request_head(bytes, test::usual_limits, head);
        CHECK(head.verb == verb);
        CHECK(head.verb_text.in(bytes.data()) == text);
    }
}
