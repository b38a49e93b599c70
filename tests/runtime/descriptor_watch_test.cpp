// SPDX-License-Identifier: Apache-2.0
#include "runtime/descriptor_watch.hpp"

#include "runtime/backend_peers.hpp"

#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::backend;
using runtime::readiness;

namespace {

struct noting_watch final : runtime::descriptor_watch {
    noting_watch(backend& by, int fd) : descriptor_watch(fd), io(by) {}
    ~noting_watch() { io.watch(*this, readiness::none); }

    void ready(readiness what) override {
        calls.push_back(what);
        if (then) then();
    }

    backend& io;
    std::vector<readiness> calls;
    std::function<void()> then;
};

/// A pair of sockets, one of which only the test reads.
struct pair {
    socket_ends of = unix_pair();
    ~pair() {
        if (of.ours >= 0) ::close(of.ours);
        if (of.theirs >= 0) ::close(of.theirs);
    }
    void send_to_ours() const { REQUIRE(::send(of.theirs, "x", 1, 0) == 1); }
    void read_ours() const {
        char c;
        REQUIRE(::recv(of.ours, &c, 1, 0) == 1);
    }
};

}  // namespace

TEST_CASE("a watch is called while there is something to read") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        io.watch(w, readiness::in);
        for (int i = 0; i < 3; ++i) io.turn(0);
        CHECK(w.calls.empty());
        p.send_to_ours();
        REQUIRE(turn_until(io, [&] { return w.calls.size() >= 3; }));  // it stays ready, since the bytes are not read
        p.read_ours();
        io.turn(0);  // an event that the kernel has already recorded may still be delivered
        w.calls.clear();
        for (int i = 0; i < 3; ++i) io.turn(0);
        CHECK(w.calls.empty());
        p.send_to_ours();
        REQUIRE(turn_until(io, [&] { return !w.calls.empty(); }));
        CHECK(w.calls[0] == readiness::in);
    });
}

TEST_CASE("a watch wakes a loop that waits") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        io.watch(w, readiness::in);
        io.turn(0);
        p.send_to_ours();
        io.turn(10'000);
        CHECK(w.calls.size() == 1);
    });
}

TEST_CASE("a watch may change its directions several times while it is called") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        w.then = [&] {
            for (const auto what : {readiness::both, readiness::in, readiness::both, readiness::in}) io.watch(w, what);
        };
        io.watch(w, readiness::in);
        for (int i = 0; i < 20; ++i) {
            const auto before = w.calls.size();
            p.send_to_ours();
            REQUIRE(turn_until(io, [&] { return w.calls.size() > before; }));
            p.read_ours();
        }
        w.then = [&] { io.watch(w, readiness::both), io.watch(w, readiness::none); };
        p.send_to_ours();
        const auto before = w.calls.size();
        REQUIRE(turn_until(io, [&] { return w.calls.size() > before; }));
        for (int i = 0; i < 3; ++i) io.turn(0);
        CHECK(w.calls.size() == before + 1);
    });
}

TEST_CASE("a watch may change its directions, also while it is called") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        io.watch(w, readiness::in);
        io.turn(0);
        io.watch(w, readiness::both);
        REQUIRE(turn_until(io, [&] { return !w.calls.empty(); }));
        CHECK(w.calls.back() == readiness::out);
        w.then = [&] { io.watch(w, readiness::in); };
        w.calls.clear();
        REQUIRE(turn_until(io, [&] { return !w.calls.empty(); }));
        w.then = {};
        io.turn(0);
        w.calls.clear();
        for (int i = 0; i < 3; ++i) io.turn(0);
        CHECK(w.calls.empty());
        p.send_to_ours();
        REQUIRE(turn_until(io, [&] { return !w.calls.empty(); }));
        CHECK(w.calls.back() == readiness::in);
        io.watch(w, readiness::both);
        REQUIRE(turn_until(io, [&] { return w.calls.back() == readiness::both; }));
    });
}

TEST_CASE("the peer's end makes all watched events ready") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        io.watch(w, readiness::in);
        io.turn(0);
        ::close(std::exchange(p.of.theirs, -1));
        REQUIRE(turn_until(io, [&] { return !w.calls.empty(); }));
        CHECK(w.calls.back() == readiness::in);
        io.watch(w, readiness::both);
        REQUIRE(turn_until(io, [&] { return w.calls.back() == readiness::both; }));
    });
}

TEST_CASE("a watch ends at once, also with a pending event, and its descriptor can be reused") {
    on_each_backend([](backend& io) {
        for (int round = 0; round < 3; ++round) {
            CAPTURE(round);
            pair p;
            p.send_to_ours();
            noting_watch first(io, p.of.ours);
            auto second = std::make_unique<noting_watch>(io, p.of.theirs);
            auto end_second = [&] { second.reset(); };
            first.then = end_second;
            io.watch(*second, readiness::in);
            io.watch(first, readiness::in);
            REQUIRE(::send(p.of.ours, "y", 1, 0) == 1);  // makes both watches ready in one turn
            REQUIRE(turn_until(io, [&] { return !first.calls.empty(); }));
            CHECK_FALSE(second);
            io.watch(first, readiness::none);
            const auto before = first.calls.size();
            for (int i = 0; i < 3; ++i) io.turn(0);
            CHECK(first.calls.size() == before);
        }
    });
}

TEST_CASE("a watch may end within its callback, and start again there") {
    on_each_backend([](backend& io) {
        pair p;
        p.send_to_ours();
        noting_watch w(io, p.of.ours);
        w.then = [&] {
            io.watch(w, readiness::none);
            if (w.calls.size() == 1) io.watch(w, readiness::in);
        };
        io.watch(w, readiness::in);
        REQUIRE(turn_until(io, [&] { return w.calls.size() == 2; }));
        for (int i = 0; i < 3; ++i) io.turn(0);
        CHECK(w.calls.size() == 2);
    });
}

TEST_CASE("a backend ends with a watch that was never called") {
    on_each_backend([](backend& io) {
        pair p;
        noting_watch w(io, p.of.ours);
        io.watch(w, readiness::in);
        io.turn(0);
    });
}
