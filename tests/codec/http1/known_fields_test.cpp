// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/head_reading.hpp"
#include "codec/http1/refusals.hpp"

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using test::read_head;

namespace {

struct accepted {
    std::string_view bytes;
    std::string_view says;
};

constexpr accepted heads[] = {
    {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET origin path=/ query= host= 1.0 keep"},
    {"GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "GET origin path=/ query= host= 1.0 close"},
    {"GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET origin path=/ query= host= 1.1 keep"},
    {"GET / HTTP/1.1\r\nhOsT: \t a:80 \t \r\n\r\n", "GET origin path=/ query= host=a:80 1.1 keep"},
    {"GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE ,\r\n\r\n", "GET origin path=/ query= host=a 1.1 close"},
    {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n",
     "GET origin path=/ query= host=a 1.1 close"},
    {"GET / HTTP/1.1\r\nHost: a\r\nConnection: closed, \"close\"\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Upgrade\r\nUpgrade: websocket\r\n\r\n",
     "GET origin path=/ query= host=a 1.1 keep upgrade"},
    {"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"GET / HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "GET origin path=/ query= host= 1.0 close"},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0005\r\n\r\n", "POST origin path=/ query= host=a 1.1 keep sized:5"},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST origin path=/ query= host=a 1.1 keep sized:0"},
    {"POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 9223372036854775807\r\n\r\n",
     "POST origin path=/ query= host=a 1.1 keep sized:9223372036854775807"},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent_Length: 3\r\nContent-Length: 5\r\n\r\n",
     "POST origin path=/ query= host=a 1.1 keep sized:5"},
    {"POST / HTTP/1.1\r\nHost: a\r\ntRANSFER-eNCODING: cHuNkEd \r\n\r\n",
     "POST origin path=/ query= host=a 1.1 keep chunked"},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer_Encoding: gzip\r\n\r\n", "POST origin path=/ query= host=a 1.1 keep"},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n",
     "POST origin path=/ query= host=a 1.1 keep sized:5 continue"},
    {"POST / HTTP/1.1\r\nHost: a\r\nExpect: ,100-continue, 100-continue\r\n\r\n",
     "POST origin path=/ query= host=a 1.1 keep continue"},
    {"POST / HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
     "POST origin path=/ query= host= 1.0 close sized:5"},
    {"GET / HTTP/1.1\r\nHost: a\r\ntRaceParent: x\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep traced"},
    {"GET / HTTP/1.1\r\nHost: a\r\ntrace-paren: x\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"POST / HTTP/1.0\r\nExpect: miracles\r\n\r\n", "POST origin path=/ query= host= 1.0 close"},
};

struct refused {
    std::string_view bytes;
    const codec::refusal* why;
};

#define HEAD "POST / HTTP/1.1\r\nHost: a\r\n"
constexpr refused no_heads[] = {
    {"GET / HTTP/1.1\r\n\r\n", &refusals::host_missing},
    {HEAD "Host: a\r\n\r\n", &refusals::host_repeated},
    {"GET / HTTP/1.0\r\nHost: a\r\nHOST: b\r\n\r\n", &refusals::host_repeated},
    {"GET http://a/ HTTP/1.1\r\n\r\n", &refusals::host_missing},
    {"GET http://a/ HTTP/1.1\r\nHost: a b\r\n\r\n", &refusals::host_malformed},
    {"GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", &refusals::host_malformed},
    {HEAD "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", &refusals::length_repeated},
    {HEAD "Content-Length:\r\n\r\n", &refusals::length_malformed},
    {HEAD "Content-Length: 5, 5\r\n\r\n", &refusals::length_malformed},
    {HEAD "Content-Length: +5\r\n\r\n", &refusals::length_malformed},
    {HEAD "Content-Length: 99999999999999999999x\r\n\r\n", &refusals::length_malformed},
    {HEAD "Content-Length: 9223372036854775808\r\n\r\n", &refusals::length_too_large},
    {HEAD "Content-Length: 18446744073709551621\r\n\r\n", &refusals::length_too_large},
    {HEAD "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", &refusals::length_and_coding},
    {HEAD "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", &refusals::length_and_coding},
    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", &refusals::coding_in_http10},
    {HEAD "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", &refusals::coding_repeated},
    {HEAD "Transfer-Encoding:\r\n\r\n", &refusals::coding_malformed},
    {HEAD "Transfer-Encoding: ,chunked\r\n\r\n", &refusals::coding_malformed},
    {HEAD "Transfer-Encoding: chunked,\r\n\r\n", &refusals::coding_malformed},
    {HEAD "Transfer-Encoding: \"chunked\"\r\n\r\n", &refusals::coding_malformed},
    {HEAD "Transfer-Encoding: chunked\x85\r\n\r\n", &refusals::coding_malformed},
    {HEAD "Transfer-Encoding: chunked, identity\r\n\r\n", &refusals::coding_not_last},
    {HEAD "Transfer-Encoding: chunked, chunked\r\n\r\n", &refusals::coding_not_last},
    {HEAD "Transfer-Encoding: chunked;q=1\r\n\r\n", &refusals::coding_not_last},
    {HEAD "Transfer-Encoding: chunked chunked\r\n\r\n", &refusals::coding_not_last},
    {HEAD "Transfer-Encoding: gzip, chunked\r\n\r\n", &refusals::coding_unknown},
    {HEAD "Transfer-Encoding: xchunked\r\n\r\n", &refusals::coding_unknown},
    {HEAD "Expect: 200-maybe\r\n\r\n", &refusals::expectation_unknown},
    {HEAD "Expect: 100-continue, more\r\n\r\n", &refusals::expectation_unknown},
};
#undef HEAD

}  // namespace

TEST_CASE("fields that control framing are understood") {
    for (const auto& [bytes, says] : heads) {
        CAPTURE(bytes);
        CHECK(read_head(bytes).says == says);
    }
}

TEST_CASE("ambiguous framing is rejected") {
    for (const auto& [bytes, why] : no_heads) {
        CAPTURE(bytes);
        const auto seen = read_head(bytes);
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why == why);
    }
    CHECK(refusals::coding_unknown.status == 501);
    CHECK(refusals::expectation_unknown.status == 417);
}
