// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"
#include "http/h1/wire.hpp"
#include "support/skipped.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

app make_app() {
    app a;
    a.get("/", [](request& in) { return "hello " + std::string(in.header("x-name")) + "\n"; });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.post("/late", [](request& in) -> task<std::string> {
        std::string text(in.header("x-name"));
        text += ':';
        while (true) {
            co_await apus::sleep_for(milliseconds(1));  // reads slowly, which causes backpressure
            auto piece = co_await in.read();
            if (piece.empty()) break;
            text += piece;
        }
        text += ':';
        text += in.header("x-name");  // the head is valid while its handler runs
        co_return text;
    });
    a.post("/first", [](request& in) -> task<std::string> { co_return std::string(co_await in.read()); });
    a.post("/past", [](request& in) -> task<std::string> {
        std::string all = co_await in.body();
        for (int i = 0; i < 3; ++i) {
            auto piece = co_await in.read();
            if (!piece.empty()) co_return "more";
        }
        co_return all + "|" + std::string(co_await in.body()) + "|";
    });
    a.post("/ignored", [] { return "not read\n"; });
    return a;
}

std::string post(std::string_view path, std::string_view body, std::string_view fields = {}) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string chunked(std::string_view path, std::string_view chunks) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nX-Name: n\r\nTransfer-Encoding: chunked\r\n\r\n" +
           std::string(chunks);
}

constexpr std::string_view last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Name: last\r\n\r\n";

// Returns the bodies of all responses in `bytes`, each after a '/'. All must have a Content-Length.
std::string bodies(std::string_view bytes) {
    std::string all;
    while (!bytes.empty()) {
        auto end = bytes.find("\r\n\r\n");
        REQUIRE(end != bytes.npos);
        auto head = bytes.substr(0, end);
        auto length = head.find("Content-Length: ");
        REQUIRE(length != head.npos);
        auto size = std::stoul(std::string(head.substr(length + 16)));
        REQUIRE(bytes.size() >= end + 4 + size);
        (all += '/') += bytes.substr(end + 4, size);
        bytes.remove_prefix(end + 4 + size);
    }
    return all;
}

}  // namespace

TEST_CASE("requests are parsed the same, however their bytes are split") {
    const std::string text = "GET / HTTP/1.1\r\nHost: a\r\nX-Name: one\r\n\r\n" + post("/echo", "two") +
                             chunked("/late", "2\r\nab\r\n1;x=y\r\nc\r\n0\r\nx-t: u\r\n\r\n") +
                             post("/ignored", "skipped") + post("/past", "p") + std::string(last);
    const std::string expected = "/hello one\n/two/n:abc:n/not read\n/p||/hello last\n";
    wire w(make_app());
    w.send(text);
    CHECK(bodies(w.rest()) == expected);
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        CAPTURE(cut);
        w.connect();
        w.send(std::string_view(text).substr(0, cut));
        w.turn(3);
        w.send(std::string_view(text).substr(cut));
        CHECK(bodies(w.rest()) == expected);
    }
    w.connect();
    for (char c : text) w.send({&c, 1}), w.turn(1);
    CHECK(bodies(w.rest()) == expected);
}

TEST_CASE("a body in many pieces reaches a slow reader whole") {
    wire w(make_app());
    std::string body;
    for (int i = 0; body.size() < 600'000; ++i) (body += std::to_string(i)) += ' ';
    w.send(post("/late", body, "X-Name: n\r\n"));
    w.send(last);
    CHECK((bodies(w.rest()) == "/n:" + body + ":n/hello last\n"));
}

TEST_CASE("a client that is not being read from is held back, and its buffer is bounded") {
    app a;
    bool go = false;
    a.post("/wait",
           [&go](request& in) -> task<std::string> {
               while (!go) co_await apus::sleep_for(milliseconds(1));
               std::size_t bytes = 0;
               for (std::string_view piece; !(piece = co_await in.read()).empty();) bytes += piece.size();
               co_return std::to_string(bytes);
           },
           {.body = 100'000'000});
    wire w(std::move(a));
    w.send("POST /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 50000000\r\n\r\n");
    const std::string piece(1 << 20, 'x');
    std::size_t sent = 0;
    // The socket accepts only some bytes and the connection buffers few, so the rest cannot be sent.
    for (int idle = 0; idle < 50;) {
        const std::size_t room = std::min<std::size_t>(piece.size(), 50'000'000 - sent);
        const ssize_t n = w.try_send(std::string_view(piece).substr(0, room));
        if (n > 0) sent += static_cast<std::size_t>(n), idle = 0;
        else ++idle;
        w.turn(1);
    }
    CHECK(sent < 2'000'000);
    go = true;
    w.turn_until([&] {
        const std::size_t room = std::min<std::size_t>(piece.size(), 50'000'000 - sent);
        const ssize_t n = room ? w.try_send(std::string_view(piece).substr(0, room)) : 0;
        if (n > 0) sent += static_cast<std::size_t>(n);
        return sent == 50'000'000;
    });
    CHECK(w.rest().ends_with("\r\n\r\n50000000"));
}

namespace {

app make_waiting_app() {
    app a = make_app();
    a.get("/wait", []() -> task<std::string> {
        co_await apus::sleep_for(seconds(3600));
        co_return "";
    });
    a.get("/large", [] { return std::string(3'000'000, 'L'); });
    a.post("/unread", [](request& in) -> task<std::string> {
        co_await apus::sleep_for(seconds(3600));
        co_return std::string(co_await in.read());
    });
    return a;
}

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// Clients that send `first` and then requests until their sockets are full. They read nothing.
class senders {
public:
    senders(wire& w, const std::string& first) : w_(w), first_(first) {
        while (rest_.size() < 1'000'000) rest_ += get;
    }
    ~senders() {
        for (const auto& each : all_) ::close(each.fd);
    }
    senders(const senders&) = delete;
    senders& operator=(const senders&) = delete;

    /// Adds clients until there are `count`. Returns the bytes that the core holds then, except output.
    std::size_t held_with(std::size_t count) {
        while (all_.size() < count) {
            const auto [ours, theirs] = wire::tcp_pair();
            all_.push_back({ours, 0});
            w_.core().open(theirs, runtime::protocols::every).start();
        }
        for (int idle = 0; idle < 20; ++idle) {
            for (auto& each : all_)
                if (each.send(first_, rest_)) idle = 0;
            w_.turn(1);
        }
        std::size_t output = 0;
        for (auto* c = w_.core().first; c; c = c->next()) output += c->output_memory();
        return w_.loop().memory().used() - output;
    }

private:
    struct sender {
        int fd;
        std::size_t sent;
        bool send(std::string_view first, std::string_view rest) {
            const std::string_view bytes = sent ? rest.substr((sent - first.size()) % get.size()) : first;
            const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n > 0) sent += static_cast<std::size_t>(n);
            return n > 0;
        }
    };
    wire& w_;
    const std::string& first_;
    std::string rest_;
    std::vector<sender> all_;
};

}  // namespace

TEST_CASE("pipelined input of many clients is bounded on both backends") {
    // A multishot request of io_uring receives at most 32 buffers at a time, and once more before it is cancelled.
    constexpr std::size_t most = 128 * 1024, bursts = 2 * 32 * runtime::buffer_pool::buffer_size;
    const std::pair<const char*, std::string> cases[] = {
        {"behind a handler that waits", "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"behind a response that is not read", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"behind small responses that are not read", std::string(get)},
        {"in a body that is not read", "POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"},
    };
    for (const bool uring : {false, true}) {
        for (const auto& [name, first] : cases) {
            std::string why;
            auto io = uring ? runtime::make_uring_backend(why) : runtime::make_epoll_backend();
            if (!io) return support::skip_uring(why);
            CAPTURE(uring);
            CAPTURE(std::string(name));
            wire w(make_waiting_app(), {.handler = seconds(0)}, test::over::tcp, std::move(io));
            senders clients(w, first);
            // The receive buffers that io_uring shares among all connections are in use after the first clients.
            const std::size_t before = clients.held_with(64), held = (clients.held_with(128) - before) / 64;
            CHECK(held <= most + (uring ? bursts : 0));
        }
    }
}

TEST_CASE("a turn handles few of the pipelined requests of many clients, and later turns the others") {
    constexpr std::size_t mebibyte = 1024 * 1024;
    struct load {
        std::size_t clients, requests, body, most;  // most: handled requests of a turn
    };
    // Responses of 20,000 bytes are queued: a client gets one per turn.
    for (const load& each : {load{600, 20, 1024, 3 * mebibyte / 1024 + 600}, load{200, 5, 20'000, 2 * 200}})
        for (const bool uring : {false, true}) {
            std::string why;
            auto io = uring ? runtime::make_uring_backend(why) : runtime::make_epoll_backend();
            if (!io) return support::skip_uring(why);
            CAPTURE(uring);
            CAPTURE(each.body);
            std::size_t handled = 0, before = 0, most = 0;
            app a;
            a.get("/", [&] { return ++handled, std::string(each.body, 'k'); });
            wire w(std::move(a), {}, test::over::tcp, std::move(io));
            std::string all;
            for (std::size_t i = 0; i < each.requests; ++i) all += get;
            std::vector<int> ends;
            for (std::size_t i = 0; i < each.clients; ++i) {
                const auto [ours, theirs] = wire::tcp_pair();
                ends.push_back(ours);
                w.core().open(theirs, runtime::protocols::every).start();
            }
            for (const int end : ends)
                CHECK(::send(end, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()));
            std::string taken(each.body * each.requests, 0);
            w.turn_until([&] {
                most = std::max(most, handled - before);
                before = handled;
                for (const int end : ends) (void)::recv(end, taken.data(), taken.size(), MSG_DONTWAIT);
                return handled == each.clients * each.requests;
            });
            CHECK(most <= each.most);
            for (const int end : ends) ::close(end);
        }
}

TEST_CASE("pipelined posts are answered in order") {
    wire w(make_app());
    std::string text, expected;
    for (int i = 0; i < 300; ++i) {
        const std::string body = std::to_string(i);
        text += i % 3 == 0 ? post("/echo", body) : i % 3 == 1 ? post("/past", body) : post("/ignored", body);
        expected += i % 3 == 0 ? "/" + body : i % 3 == 1 ? "/" + body + "||" : "/not read\n";
    }
    w.send(text);
    w.send(last);
    CHECK(bodies(w.rest()) == expected + "/hello last\n");
}

TEST_CASE("the rest of a body that a handler did not read is skipped") {
    wire w(make_app());
    w.send(post("/first", std::string(300'000, 'x')));
    w.send(post("/ignored", std::string(300'000, 'y')));
    w.send(chunked("/first", "1\r\na\r\n"));
    w.turn(5);
    w.send("1\r\nb\r\n0\r\nx-t: u\r\n\r\n");
    w.send(last);
    const auto all = w.rest();
    CHECK(statuses(all) == "200 200 200 200");
    CHECK(bodies(all).ends_with("/not read\n/a/hello last\n"));
}

TEST_CASE("reading past the end of a body returns the end again") {
    wire w(make_app());
    for (auto body : {"", "x", "some text"}) {
        w.send(post("/past", body));
        CHECK(w.until("||").ends_with(std::string(body) + "||"));
    }
    w.send("POST /past HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(w.until("||").ends_with("\r\n\r\n||"));  // neither framing fields nor a body
}

TEST_CASE("an invalid request is answered after earlier ones, and ends the connection") {
    struct {
        std::string_view bytes, said;
    } const cases[] = {
        {"GET\r\n\r\n", "200 400"},
        {"\x16\x03\x01\x02 / HTTP/1.1\r\n\r\n", "200 400"},
        {"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "200 400"},
        {"GET / HTTP/3.0\r\n\r\n", "200 505"},
        {"GET / HTTP/1.1\r\nHo", "200"},  // truncated
        {"", "200"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.bytes);
        wire w(make_app());
        w.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(c.bytes));
        w.half_close();
        CHECK(statuses(w.rest()) == c.said);
        w.wait_for_close();
    }
}

TEST_CASE("invalid framing within a body ends the handler that reads it") {
    app a;
    int ended_early = 0;
    a.post("/read", [&](request& in) -> task<std::string> {
        struct watch {
            int* n;
            bool done = false;
            ~watch() { *n += !done; }
        } here{&ended_early};
        std::string all = co_await in.body();
        here.done = true;
        co_return all;
    });
    wire w(std::move(a));
    w.send(chunked("/read", "1\r\na\r\n"));
    w.turn(3);
    CHECK(ended_early == 0);
    w.send("nonsense\r\n");
    const auto all = w.rest();
    CHECK(statuses(all) == "400");
    CHECK(ended_early == 1);
}
