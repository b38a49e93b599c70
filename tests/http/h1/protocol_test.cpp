// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

namespace {

app make_app() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/late", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(20));
        co_return "late\n";
    });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.post("/count", [](request& in) -> task<std::string> {
        std::size_t bytes = 0;
        while (true) {
            auto piece = co_await in.read();
            if (piece.empty()) break;
            bytes += piece.size();
        }
        std::string text = std::to_string(bytes);
        for (std::size_t i = 0; i < in.trailer_count(); ++i) (text += ' ') += in.trailer_at(i).value;
        co_return text;
    });
    a.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 3; ++i) {
                co_await out.write("piece ");
                co_await apus::sleep_for(milliseconds(1));
            }
            out.trailer("x-pieces", "3");
        });
    });
    a.get("/broken", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            co_await out.write("half");
            co_await fail(500, "no more");
        });
    });
    a.get("/large", [] { return std::string(300'000, 'L'); });
    a.get("/stuck", []() -> task<> { co_await apus::sleep_for(seconds(3600)); });
    return a;
}

std::string get(std::string_view path) { return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n"; }

}  // namespace

TEST_CASE("bodies arrive complete, chunked or not, with trailers") {
    test::client client(make_app());
    std::string much(900'000, 'm');
    CHECK(client.post("/echo", much).body == much);
    CHECK(client.post("/count", much).body == "900000");
    CHECK(client.post("/count", "3\r\nabc\r\n2\r\nde\r\n0\r\nx-sum: 5\r\n\r\n", {{"transfer-encoding", "chunked"}})
              .body == "5 5");
    auto pieces = client.get("/pieces");
    CHECK(pieces.body == "piece piece piece ");
    CHECK(pieces.header("transfer-encoding") == "chunked");
    CHECK(pieces.trailer_field("x-pieces") == "3");
    CHECK(client.get("/large").body.size() == 300'000);
    CHECK(client.get("/").status == 200);
}

TEST_CASE("an aborted connection is visible to the client") {
    test::client client(make_app());
    CHECK(client.get("/", {{"connection", "close"}}).closed);
    auto refused = client.send_raw("GET / HTTP/1.1\r\nHost : x\r\n\r\n");
    CHECK(refused.status == 400);
    CHECK(refused.closed);
    CHECK(client.get("/broken").status == 0);  // the body never ends, so the client gets no complete response
    CHECK(client.get("/").status == 200);
}

TEST_CASE("pipelined requests are answered in order") {
    test::client client(make_app());
    CHECK(client.send_raw(get("/late") + get("/pieces") + get("/large") + get("/none") + get("/")).body == "late\n");
    CHECK(client.receive().body == "piece piece piece ");
    CHECK(client.receive().body.size() == 300'000);
    CHECK(client.receive().status == 404);
    CHECK(client.receive().body == "hello\n");
}

TEST_CASE("an oversized chunk is rejected by its size line") {
    limits small;
    small.body = 1000;
    test::client client(make_app(), {.limits = small});
    auto a = client.send_raw("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n");
    CHECK(a.status == 413);
    CHECK(a.closed);
    CHECK(client.post("/echo", std::string(1000, 'x')).status == 200);
    CHECK(client.post("/echo", std::string(1001, 'x')).status == 413);
}

TEST_CASE("a handler that takes too long is cancelled") {
    limits quick;
    quick.handler = milliseconds(30);
    test::client client(make_app(), {.limits = quick});
    auto late = client.get("/stuck");
    CHECK(late.status == 503);
    CHECK(late.body.contains("took too long"));
    CHECK(late.closed);
}

TEST_CASE("a chunked body that is aborted has no last chunk") {
    app a;
    a.get("/fails", [] { return stream("text/plain", [](writer&) -> task<> { co_await fail(500, "at once"); }); });
    test::client client(std::move(a));
    auto cut = client.get("/fails");
    CHECK(cut.status == 0);  // status 0: the client got no complete response
    CHECK(cut.closed);
}
