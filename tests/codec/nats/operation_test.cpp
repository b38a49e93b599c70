// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/operation.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::codec::nats;
using apus::codec::outcome;
using apus::codec::refusal;

namespace {

constexpr std::size_t most = 1'000;

/// Returns an operation as text: "message a.b 7 reply [headers] payload".
std::string shown(const operation& of) {
    switch (of.what) {
        case kind::info: return "info " + std::string(of.text);
        case kind::error: return "error " + std::string(of.text);
        case kind::ping: return "ping";
        case kind::pong: return "pong";
        case kind::ok: return "ok";
        case kind::message: break;
    }
    return "message " + std::string(of.subject) + " " + std::to_string(of.subscription) + " <" + std::string(of.reply) +
           "> [" + std::string(of.headers) + "] " + std::string(of.payload);
}

struct example {
    std::string bytes, shown;
};

const std::vector<example> operations = {
    {"INFO {\"version\":\"2.9.10\"} \r\n", "info {\"version\":\"2.9.10\"}"},
    {"info\t{}\r\n", "info {}"},
    {"PING\r\n", "ping"},
    {"pInG \r\n", "ping"},
    {"PONG\r\n", "pong"},
    {"+OK\r\n", "ok"},
    {"-ERR 'Stale Connection'\r\n", "error Stale Connection"},
    {"-ERR no quotes\r\n", "error no quotes"},
    {"-ERR ''\r\n", "error "},
    {"MSG a.b 7 5\r\nhello\r\n", "message a.b 7 <> [] hello"},
    {"MSG a.b 7 0\r\n\r\n", "message a.b 7 <> [] "},
    {"MSG  a.b\t7  _INBOX.x.1   5 \r\n\r\n\r\n\n\r\n", "message a.b 7 <_INBOX.x.1> [] \r\n\r\n\n"},
    {"HMSG a 18446744073709551615 12 17\r\nNATS/1.0\r\n\r\nhello\r\n",
     "message a 18446744073709551615 <> [NATS/1.0\r\n\r\n] hello"},
    {"HMSG a 1 r 12 12\r\nNATS/1.0\r\n\r\n\r\n", "message a 1 <r> [NATS/1.0\r\n\r\n] "},
    // Other clients may publish these subjects and headers; servers pass them on.
    {"MSG a\rb 1 c\x01 1\r\nx\r\n", "message a\rb 1 <c\x01> [] x"},
    {"HMSG a 1 3 4\r\nbadx\r\n", "message a 1 <> [bad] x"},
};

struct refused_example {
    std::string bytes;
    const refusal* why;
};

const std::vector<refused_example> refused = {
    {"HTTP/1.1 400 Bad Request\r\n", &refusals::unknown_operation},
    {"X", &refusals::unknown_operation},
    {"\r\n", &refusals::unknown_operation},
    {"\n", &refusals::unknown_operation},
    {" PING\r\n", &refusals::unknown_operation},
    {"PINGS", &refusals::unknown_operation},
    {"PI\r\n", &refusals::unknown_operation},
    {"PUB a 0\r\n", &refusals::unknown_operation},
    {"\x16\x03\x01", &refusals::unknown_operation},
    {std::string(5, '\0'), &refusals::unknown_operation},
    {"PING\n", &refusals::malformed},
    {"PING x\r\n", &refusals::malformed},
    {"+OK x\r\n", &refusals::malformed},
    {"INFO\r\n", &refusals::malformed},
    {"-ERR\r\n", &refusals::malformed},
    {"MSG\r\n", &refusals::malformed},
    {"MSG a 1\r\n", &refusals::malformed},
    {"MSG a 1 r s 5\r\n", &refusals::malformed},
    {"MSG a 1 r s t u 5\r\n", &refusals::malformed},
    {"MSG a -1 5\r\n", &refusals::malformed},
    {"MSG a +1 5\r\n", &refusals::malformed},
    {"MSG a 0x1 5\r\n", &refusals::malformed},
    {"MSG a x 5\r\n", &refusals::malformed},
    {"MSG a 1 -5\r\n", &refusals::malformed},
    {"MSG a 1 5.0\r\n", &refusals::malformed},
    {"MSG a 18446744073709551616 5\r\n", &refusals::malformed},
    {"HMSG a 1 5\r\n", &refusals::malformed},
    {"HMSG a 1 6 5\r\n", &refusals::malformed},
    {"HMSG a 1 x 5\r\n", &refusals::malformed},
    // Sizes that are larger than announced, or exceed the limit.
    {"MSG a 1 5\r\nhello!", &refusals::malformed},
    {"MSG a 1 5\r\nhello\r\r", &refusals::malformed},
    {"MSG a 1 0\r\nPING\r\n", &refusals::malformed},
    {"MSG a 1 1001\r\n", &refusals::message_too_large},
    {"MSG a 1 18446744073709551615\r\n", &refusals::message_too_large},
    {"MSG a 1 18446744073709551616\r\n", &refusals::malformed},
    {"HMSG a 1 2 1001\r\n", &refusals::message_too_large},
    {"INFO " + std::string(max_line, 'x'), &refusals::line_too_long},
    {"MSG " + std::string(max_line, ' '), &refusals::line_too_long},
};

}  // namespace

TEST_CASE("NATS: operations of a server, cut at every byte") {
    apus::test::page_end memory(4'096);
    for (const example& one : operations) {
        CAPTURE(one.bytes);
        for (std::size_t n = 0; n < one.bytes.size(); ++n)
            CHECK(read_operation(memory.place(std::string_view(one.bytes).substr(0, n)), most).state ==
                  outcome::partial);
        for (const char* after : {"", "PING\r\n", "\r\n", "x"}) {
            const auto got = read_operation(memory.place(one.bytes + after), most);
            REQUIRE(got.state == outcome::done);
            CHECK(got.used == one.bytes.size());
            CHECK(shown(got.value) == one.shown);
        }
    }
}

TEST_CASE("NATS: refused operations") {
    apus::test::page_end memory(2 * max_line);
    for (const refused_example& one : refused) {
        CAPTURE(one.bytes.substr(0, 40));
        const auto got = read_operation(memory.place(one.bytes), most);
        CHECK(got.state == outcome::bad);
        CHECK(got.used == 0);
        REQUIRE(got.why);
        CHECK(std::string_view(got.why->reason) == one.why->reason);
    }
}

TEST_CASE("NATS: the longest line and the largest message") {
    const std::string line = "INFO " + std::string(max_line - 5, 'x') + "\r\n";
    CHECK(read_operation(line, most).used == line.size());
    CHECK(read_operation(std::string_view(line).substr(0, max_line + 1), most).state == outcome::partial);
    const std::string message = "MSG a 1 1000\r\n" + std::string(1'000, 'x') + "\r\n";
    CHECK(read_operation(message, most).used == message.size());
    CHECK(read_operation(message, 999).why == &refusals::message_too_large);
}
