// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"
#include "runtime/backend_peers.hpp"
#include "runtime/loop.hpp"

#include <cerrno>
#include <optional>
#include <string>

#include <fcntl.h>
#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::backend;

namespace {

net::endpoint at(std::string_view text) { return *net::endpoint::parse(text); }

int fresh_socket(const net::endpoint& to) {
    return ::socket(to.address()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/// A stream that connects, and records the result.
class connecting_stream final : public runtime::stream {
public:
    connecting_stream(backend& io, const net::endpoint& to) : stream(fresh_socket(to)), io_(io) {
        at_once = io.connect(*this, to.address(), to.size());
        if (at_once) outcome = at_once;
    }
    ~connecting_stream() {
        io_.close(*this);
        turn_until(io_, [this] { return closes > 0; });
    }
    std::optional<int> at_once, outcome;
    std::string got;
    unsigned tellings = 0, closes = 0;

private:
    void connected(int error) override {
        outcome = error;
        ++tellings;
    }
    void received(runtime::received_bytes b) override { got.append(b.data, b.size); }
    void ended(int) override {}
    void stalled() override {}
    void drained() override {}
    void progressed(std::size_t) override {}
    void closed() noexcept override { ++closes; }

    backend& io_;
};

}  // namespace

TEST_CASE("a stream connects, and then sends and receives") {
    on_each_backend([](backend& io) {
        for (const char* where : {"127.0.0.1:0", "[::1]:0", "unix:/tmp/apus-connect-test.sock"}) {
            CAPTURE(where);
            auto listener = net::listener::open(at(where));
            REQUIRE(listener.has_value());
            connecting_stream s(io, listener->where());
            REQUIRE(turn_until(io, [&] { return s.outcome.has_value(); }));
            CHECK(*s.outcome == 0);
            const int peer = ::accept4(listener->fd(), nullptr, nullptr, SOCK_NONBLOCK);
            REQUIRE(peer >= 0);
            io.queue(s, std::string_view("ping"));
            io.receive(s);
            CHECK(::send(peer, "pong", 4, 0) == 4);
            CHECK(turn_until(io, [&] { return s.got == "pong"; }));
            char bytes[8];
            CHECK(turn_until(io, [&] { return ::recv(peer, bytes, sizeof bytes, MSG_PEEK) == 4; }));
            CHECK(std::string_view(bytes, 4) == "ping");
            for (int i = 0; i < 3; ++i) io.turn(0);
            CHECK(s.tellings <= 1);
            ::close(peer);
        }
    });
}

TEST_CASE("connecting to a closed port or a missing path is refused") {
    on_each_backend([](backend& io) {
        net::endpoint left = net::listener::open(at("127.0.0.1:0"))->where();  // the listener is already closed
        connecting_stream s(io, left);
        REQUIRE(turn_until(io, [&] { return s.outcome.has_value(); }));
        CHECK(*s.outcome == ECONNREFUSED);
        connecting_stream nowhere(io, at("unix:/tmp/apus-no-such.sock"));
        CHECK(nowhere.at_once == ENOENT);
    });
}

TEST_CASE("a stream may be closed while it connects") {
    on_each_backend([](backend& io) {
        // An address of TEST-NET-1 (RFC 5737): no host responds, or there is no route to it.
        {
            connecting_stream s(io, at("192.0.2.1:9"));
            for (int i = 0; i < 3; ++i) io.turn(0);
            CHECK((!s.outcome || *s.outcome != 0));
        }
        CHECK(io.leaving() == 0);
    });
}

TEST_CASE("destroying a loop closes registered sockets, and waits for them") {
    std::string why;
    runtime::loop loop(runtime::make_backend("", why));
    struct owner final : runtime::loop_end {
        noting_stream* s = nullptr;
        backend* io = nullptr;
    } e;
    noting_stream s(loop.io());
    loop.io().receive(s);
    e.s = &s;
    e.io = &loop.io();
    e.run = [](runtime::loop_end& self) noexcept { static_cast<owner&>(self).io->close(*static_cast<owner&>(self).s); };
    loop.at_end(e);
    loop.settle();
    CHECK(s.closes == 1);
    CHECK(loop.io().leaving() == 0);
}
