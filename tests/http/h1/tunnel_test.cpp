// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

app make_app(int& inside) {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/echo", [&inside] {
        return upgrade("echo", [&inside](request& in, writer& out) -> task<> {
            struct watch {
                int* n;
                ~watch() { --*n; }
            } here{&++inside};
            while (true) {
                auto piece = co_await in.read();
                if (piece.empty()) break;
                const std::string copy(piece);
                co_await out.write(copy);
            }
            co_await out.write("bye");
        });
    });
    return a;
}

constexpr std::string_view upgrade_to_echo =
    "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

}  // namespace

TEST_CASE("after a 101, bytes pass unchanged in both directions") {
    int inside = 0;
    wire w(make_app(inside));
    w.send(upgrade_to_echo);
    const auto head = w.until("\r\n\r\n");
    CHECK(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
    CHECK(head.contains("upgrade: echo\r\n"));
    CHECK(head.contains("Connection: upgrade\r\n"));
    CHECK_FALSE(head.contains("Content-Length"));
    CHECK_FALSE(head.contains("Transfer-Encoding"));
    w.send("ping");
    CHECK(w.until("ping") == "ping");
    w.send("GET / HTTP/1.1\r\n\r\n");
    CHECK(w.until("\r\n\r\n") == "GET / HTTP/1.1\r\n\r\n");
    w.half_close();
    CHECK(w.rest() == "bye");
    CHECK(inside == 0);
    w.hang_up();
    w.wait_for_close();
    CHECK(w.core().counts.upgrades == 1);
}

TEST_CASE("bytes sent together with the request belong to the tunnel") {
    int inside = 0;
    wire w(make_app(inside));
    w.send(std::string(upgrade_to_echo) + "early");
    CHECK(w.until("early").ends_with("\r\n\r\nearly"));
    w.half_close();
    CHECK(w.rest() == "bye");
}

TEST_CASE("a half-close together with the request is seen at its end") {
    int inside = 0;
    wire w(make_app(inside));
    w.send(std::string(upgrade_to_echo) + "early");
    w.half_close();
    CHECK(w.rest().ends_with("\r\n\r\nearlybye"));
    CHECK(inside == 0);
}

TEST_CASE("large amounts pass a tunnel at the reader's pace") {
    int inside = 0;
    wire w(make_app(inside));
    w.send(upgrade_to_echo);
    w.until("\r\n\r\n");
    std::string text, back;
    for (int i = 0; text.size() < 2'000'000; ++i) (text += std::to_string(i)) += ' ';
    std::size_t at = 0;
    w.turn_until([&] {
        const ssize_t n = at < text.size() ? w.try_send(std::string_view(text).substr(at)) : 0;
        if (n > 0) at += static_cast<std::size_t>(n);
        back += w.take(20'000);
        return back.size() >= text.size();
    });
    CHECK((back == text));
}

TEST_CASE("a request without the upgrade gets 426") {
    for (std::string_view fields :
         {"", "Upgrade: echo\r\n", "Connection: upgrade\r\n", "Connection: upgrade\r\nUpgrade: other\r\n"}) {
        CAPTURE(fields);
        int inside = 0;
        wire w(make_app(inside));
        w.send("GET /echo HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n");
        const auto all = w.until("}\n");
        CHECK(statuses(all) == "426");
        CHECK(all.contains("upgrade: echo\r\n"));
        CHECK(inside == 0);
        w.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(w.until("hello").contains("200 OK"));
    }
}

TEST_CASE("a tunnel ends when its client disconnects") {
    int inside = 0;
    wire w(make_app(inside));
    w.send(upgrade_to_echo);
    w.until("\r\n\r\n");
    CHECK(inside == 1);
    const auto before = w.loop().now();
    w.hang_up();
    w.wait_for_close();
    CHECK(inside == 0);
    CHECK(w.loop().now() - before < 2'000);  // ended at once, not by a timeout
}
