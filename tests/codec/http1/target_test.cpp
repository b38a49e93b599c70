// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "codec/http1/head_reading.hpp"
#include "codec/http1/refusals.hpp"

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using test::read_head;

namespace {

struct target_read {
    std::string_view request;  // method and target
    std::string_view says;
};

constexpr target_read targets[] = {
    {"GET /", "GET origin path=/ query= host=a"},
    {"GET //", "GET origin path=// query= host=a"},
    {"GET /?", "GET origin path=/ query= host=a"},
    {"GET /a/b.html?x=1&y=2", "GET origin path=/a/b.html query=x=1&y=2 host=a"},
    {"GET /%41b", "GET origin path=/%41b(%) query= host=a"},
    {"GET /a?%41", "GET origin path=/a query=%41 host=a"},
    {"GET /-._~!$&'()*+,;=:@", "GET origin path=/-._~!$&'()*+,;=:@ query= host=a"},
    {"GET /long-enough-for-a-block/and_more~of/it.txt?q=a/b?c",
     "GET origin path=/long-enough-for-a-block/and_more~of/it.txt query=q=a/b?c host=a"},
    {"GET /?a=[1]|{2}^`&b='x'", "GET origin path=/ query=a=[1]|{2}^`&b='x' host=a"},
    {"GET http://b", "GET absolute path=/ query= host=b"},
    {"GET http://b/", "GET absolute path=/ query= host=b"},
    {"GET HTTP://B:8080/x?y", "GET absolute path=/x query=y host=B:8080"},
    {"GET http://b?y", "GET absolute path=/ query=y host=b"},
    {"GET https://b/x", "GET absolute path=/x query= host=b"},
    {"GET http://[::1]:80/x", "GET absolute path=/x query= host=[::1]:80"},
    {"GET http://a%20b/", "GET absolute path=/ query= host=a%20b"},
    {"OPTIONS *", "OPTIONS asterisk path=* query= host=a"},
    {"OPTIONS /x", "OPTIONS origin path=/x query= host=a"},
    {"CONNECT b:443", "CONNECT authority path= query= host=a"},
    {"CONNECT [::1]:443", "CONNECT authority path= query= host=a"},
};

struct target_refused {
    std::string_view request;
    const codec::refusal* why;
};

constexpr target_refused bad_targets[] = {
    {"GET /%", &refusals::target_percent},
    {"GET /%4", &refusals::target_percent},
    {"GET /%zz", &refusals::target_percent},
    {"GET /?%4x", &refusals::target_percent},
    {"GET /#x", &refusals::target_fragment},
    {"GET /?#x", &refusals::target_fragment},
    {"GET http://b#x", &refusals::target_fragment},
    {"GET /\xc3\xa9", &refusals::target_byte},
    {"GET /?\xc3\xa9", &refusals::target_byte},
    {"GET /\x01", &refusals::target_byte},
    {"GET /x\tHTTP/1.1", &refusals::target_byte},
    {"GET echo", &refusals::target_form},
    {"GET ?x", &refusals::target_form},
    {"GET %41", &refusals::target_form},
    {"GET *x", &refusals::target_form},
    {"GET lo_calhost/", &refusals::target_form},
    {"GET localhost:80", &refusals::target_scheme},
    {"GET ftp://b/", &refusals::target_scheme},
    {"GET httpss://b/", &refusals::target_scheme},
    {"GET http:/b/", &refusals::target_authority},
    {"GET http:///", &refusals::target_authority},
    {"GET http://", &refusals::target_authority},
    {"GET http://b:8x/", &refusals::target_authority},
    {"GET http://b:65536/", &refusals::target_authority},
    {"GET http://b,c/", &refusals::target_authority},
    {"GET http://%/", &refusals::target_authority},
    {"GET http://u@b/", &refusals::target_userinfo},
    {"GET http://u:p@b/", &refusals::target_userinfo},
    {"CONNECT b", &refusals::connect_without_authority},
    {"CONNECT b:", &refusals::connect_without_authority},
    {"CONNECT :80", &refusals::connect_without_authority},
    {"CONNECT /", &refusals::connect_without_authority},
    {"CONNECT *", &refusals::connect_without_authority},
    {"CONNECT http://b:80/", &refusals::connect_without_authority},
    {"CONNECT u@b:80", &refusals::connect_without_authority},
    {"CONNECT b:80#x", &refusals::target_fragment},
};

std::string head_of(std::string_view request) { return std::string(request) + " HTTP/1.1\r\nHost: a\r\n\r\n"; }

}  // namespace

TEST_CASE("the four forms of targets are parsed") {
    for (const auto& [request, says] : targets) {
        CAPTURE(request);
        CHECK(read_head(head_of(request)).says == std::string(says) + " 1.1 keep");
    }
}

TEST_CASE("rejected targets have a reason") {
    for (const auto& [request, why] : bad_targets) {
        CAPTURE(request);
        const auto seen = read_head(head_of(request));
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why->status == 400);
    }
}

TEST_CASE("each byte is accepted in a path or query as the grammar says, at any position") {
    for (unsigned b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        if (c == ' ' || c == '%' || c == '?') continue;
        for (const std::size_t before : {0U, 3U, 15U, 16U, 40U}) {
            CAPTURE(b);
            const std::string run(before, 'a');
            const bool in_path = read_head(head_of("GET /" + run + c + "tail")).state == outcome::done;
            const bool in_query = read_head(head_of("GET /?" + run + c + "tail")).state == outcome::done;
            CHECK(in_path == base::is(c, base::path_byte));
            CHECK(in_query == base::is(c, base::query_byte));
        }
    }
}
