// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/session.hpp"

#include "outbound/h2/one_stream.hpp"

using namespace apus;
using namespace apus::test::h2wire;
using outbound::h2::session;

TEST_CASE("HTTP/2 client: a session begins with the preface, SETTINGS and a larger window") {
    session s({8192, 100, 16384});
    client_frames parser;
    CHECK(s.output().bytes().starts_with(codec::http2::preface));
    CHECK(parser.take(s.output().bytes()) == "SETTINGS WINDOW_UPDATE:2031617");
}

TEST_CASE("HTTP/2 client: responses arrive on their streams, in any order") {
    rig r(3);
    r.say(head(5, {{":status", "200"}, {"a", "b"}}) + head(1, {{":status", "404"}}, ends_all) + ok(3, "three"));
    CHECK(r.line(1) == "200 three");
    CHECK(r.line(0) == "404 ");
    CHECK(r.line(2) == "open");
    CHECK(r.all[2]->has_head);
    CHECK(r.all[2]->head.field("a") == "b");
    CHECK(r.s.streams() == 1);
    r.say(data(5, "fi") + data(5, "ve") + data(5, "", end_stream));
    CHECK(r.line(2) == "200 five");
    CHECK(r.s.streams() == 0);
    CHECK_FALSE(r.s.failure());
}

TEST_CASE("HTTP/2 client: request bodies wait for both windows, and streams take turns") {
    rig r(0);
    r.say(settings({{4, 40'000}}));
    auto& a = r.open(false, "POST");
    auto& b = r.open(false, "POST");
    r.s.send(a, std::string(60'000, 'a'));
    r.s.send_end(a);
    r.s.send(b, std::string(20'000, 'b'));
    r.s.send_end(b);
    // The connection's window has 65,535 bytes, the window of each stream 40,000.
    CHECK(r.write() == "DATA:1:16384 DATA:3:16384 DATA:1:16384 DATA:3:3616. DATA:1:7232");
    CHECK(a.unsent() == 20'000);
    CHECK(b.sent());
    r.say(window_update(1, 5'000));
    CHECK(r.write() == "DATA:1:5000");
    r.say(window_update(0, 100'000) + settings({{4, 41'000}}));
    CHECK(r.write() == "SETTINGS:ack DATA:1:1000");
    r.say(window_update(1, 100'000));
    CHECK(r.write() == "DATA:1:14000.");
    CHECK(a.sent());
}

TEST_CASE("HTTP/2 client: an initial window of 0, then a negative one") {
    rig r(0);
    auto& a = r.open(false, "POST");
    r.s.send(a, std::string(30'000, 'a'));
    CHECK(r.write(20'000) == "DATA:1:16384 DATA:1:3607");
    r.say(settings({{4, 0}}));
    CHECK(r.write() == "SETTINGS:ack");
    r.say(window_update(1, 19'991));
    CHECK(r.write() == "");
    r.say(window_update(1, 1'001));
    CHECK(r.write() == "DATA:1:1001");
}

TEST_CASE("HTTP/2 client: frames are as large as the server allows") {
    rig r(0);
    r.say(settings({{4, 1 << 20}, {5, 20'000}}) + window_update(0, 1 << 20));
    auto& a = r.open(false, "POST");
    r.s.send(a, std::string(50'000, 'a'));
    r.s.send_end(a);
    CHECK(r.write() == "DATA:1:20000 DATA:1:20000 DATA:1:10000.");
}

TEST_CASE("HTTP/2 client: a writer is notified when few bytes are unsent") {
    rig r(0);
    r.say(settings({{4, 1 << 20}}) + window_update(0, 1 << 20));
    auto& a = r.open(false, "POST");
    r.s.send(a, std::string(100'000, 'a'));
    r.write(60'000);
    while (r.s.deliver()) {}
    CHECK(a.rooms == 0);
    r.write(10'000);
    while (r.s.deliver()) {}
    CHECK(a.rooms == 1);
}

TEST_CASE("HTTP/2 client: windows are returned only as the reader takes bytes") {
    rig r(1);
    r.take();
    r.say(head(1, {{":status", "200"}}));
    const std::string piece(16'384, 'x');
    for (int i = 0; i < 16; ++i) r.say(data(1, piece));
    CHECK(r.take() == "");
    const std::string all = r.body();
    CHECK(all.size() == session::stream_window);
    CHECK(r.take() == "");
    r.s.return_window(*r.all[0], all.size());
    CHECK(r.take() == "WINDOW_UPDATE:1:262144");
    r.say(data(1, piece, end_stream));
    CHECK(r.line() == "200 " + piece);
}

TEST_CASE("HTTP/2 client: unread bodies of many streams stay within the window of the connection") {
    rig r(9);
    const std::string piece(16'384, 'x');
    for (std::uint32_t id = 1; id < 16; id += 2) {
        CHECK(r.s.available() == (id < 11 ? 91U : 0U));  // further requests would wait for slow readers
        r.say(head(id, {{":status", "200"}}) + many(data(id, piece), 16));
    }
    CHECK_FALSE(r.s.failure());
    r.say(head(17, {{":status", "200"}}) + data(17, "x"));
    REQUIRE(r.s.failure());
    CHECK(r.s.failure()->detail() == "the upstream violates HTTP/2: DATA exceeds the window of the connection");
}

TEST_CASE("HTTP/2 client: a stream that leaves is reset, and its frames in transit are ignored") {
    rig r(2);
    r.take();
    r.say(head(1, {{":status", "200"}}) + data(1, "abc"));
    r.s.leave(*r.all[0]);
    CHECK(r.take() == "RST_STREAM:1:8");
    r.say(data(1, "def") + head(1, {{"trailer", "x"}}, ends_all) + reset(1, 8) + ok(3, "three"));
    CHECK(r.line(1) == "200 three");
    CHECK_FALSE(r.s.failure());
}

TEST_CASE("HTTP/2 client: a stream may leave within a header block and within DATA") {
    rig r(2);
    const std::string h = frame(headers_type, no_flags, 1, literals({{":status", "200"}}));
    r.say(h.substr(0, h.size() - 3));
    r.s.leave(*r.all[0]);
    r.say(h.substr(h.size() - 3) + frame(continuation_type, end_headers, 1, literals({{"a", "b"}})));
    const std::string three = head(3, {{":status", "200"}}) + data(3, "three");
    r.say(three.substr(0, three.size() - 2));
    r.s.leave(*r.all[1]);
    r.say(three.substr(three.size() - 2));
    CHECK_FALSE(r.s.failure());
    CHECK(r.s.streams() == 0);
}

TEST_CASE("HTTP/2 client: the number of streams is limited by the server") {
    rig r(0, false);
    CHECK(r.s.available() == session::assumed_streams);
    r.say(settings({{3, 2}}));
    CHECK(r.s.available() == 2);
    r.open(true);
    CHECK(r.s.available() == 1);
    r.open(true);
    CHECK(r.s.available() == 0);
    r.say(ok(1, "x"));
    CHECK(r.s.available() == 1);
    r.say(settings({{3, 4'000'000'000}}));
    CHECK(r.s.available() == session::max_streams - 1);
    r.say(settings({{3, 0}}));
    CHECK(r.s.available() == 0);
}

TEST_CASE("HTTP/2 client: GOAWAY and REFUSED_STREAM mark requests as not processed") {
    rig r(4);
    r.say(head(3, {{":status", "200"}}) + reset(5, 7) + goaway(3));
    CHECK(r.s.leaving());
    CHECK(r.s.available() == 0);
    CHECK(r.line(0) == "open");
    CHECK(r.line(1) == "open");
    CHECK(r.line(2) == "error the upstream refused the request: REFUSED_STREAM");
    CHECK(r.all[2]->unprocessed);
    CHECK(r.line(3) == "error the upstream closed the connection before it processed the request");
    CHECK(r.all[3]->unprocessed);
    r.say(data(3, "x", end_stream) + ok(1, "one"));
    CHECK(r.line(0) == "200 one");
    CHECK(r.line(1) == "200 x");
    CHECK_FALSE(r.s.failure());
}

TEST_CASE("HTTP/2 client: the end of the connection fails open streams, but not complete ones") {
    rig r(2);
    r.say(ok(1, "one"));
    r.s.end(error(502, "gone"));
    while (r.s.deliver()) {}
    CHECK(r.line(0) == "200 one");
    CHECK(r.line(1) == "error gone");
    CHECK(r.all[1]->lost);
    CHECK_FALSE(r.all[1]->unprocessed);
}

TEST_CASE("HTTP/2 client: a server may answer before the whole request, and stop reading it") {
    rig r(0);
    auto& a = r.open(false, "POST");
    r.s.send(a, std::string(100'000, 'a'));
    r.write();
    r.say(ok(1, "no") + reset(1, 0));
    CHECK(r.line() == "200 no");
    CHECK(a.refuses_body);
    CHECK(r.write() == "");
    CHECK(r.s.streams() == 0);
}
