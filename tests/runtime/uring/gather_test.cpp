// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"
#include "runtime/loop.hpp"

#include <chrono>
#include <cstdlib>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include <sys/utsname.h>
#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::readiness;
using clock_type = std::chrono::steady_clock;

namespace {

/// Reads a byte whenever one arrives.
struct reading_watch final : runtime::descriptor_watch {
    reading_watch(runtime::backend& by, int fd) : descriptor_watch(fd), io(by) { io.watch(*this, readiness::in); }
    ~reading_watch() { io.watch(*this, readiness::none); }
    void ready(readiness) override {
        char c;
        received += ::recv(fd(), &c, 1, MSG_DONTWAIT) == 1;
    }
    runtime::backend& io;
    int received = 0;
};

struct peers {
    static constexpr int count = 12;

    explicit peers(runtime::backend& io) {
        for (int i = 0; i < count; ++i) watches.emplace_back(io, ends.emplace_back(unix_pair()).ours);
        io.turn(0);
    }
    ~peers() {
        watches.clear();
        for (const socket_ends& one : ends) ::close(one.ours), ::close(one.theirs);
    }
    void send(int peer) const { REQUIRE(::send(ends[static_cast<std::size_t>(peer)].theirs, "x", 1, 0) == 1); }
    int received() const {
        int sum = 0;
        for (const auto& one : watches) sum += one.received;
        return sum;
    }

    std::vector<socket_ends> ends;
    std::list<reading_watch> watches;
};

// Linux 6.12 and newer can wait for several events with a limit of time.
bool can_gather() {
    utsname of{};
    if (::uname(&of) != 0) return false;
    char* rest = nullptr;
    const long major = std::strtol(of.release, &rest, 10);
    const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
    return major > 6 || (major == 6 && minor >= 12);
}

}  // namespace

TEST_CASE("io_uring: a turn waits 50 us for further events if many responses are expected") {
    std::string why;
    const auto io = runtime::make_uring_backend(why);
    if (!io) return support::skip_uring(why);
    if (!can_gather()) return support::skip("the kernel is older than 6.12");
    io->expect_responses(100);
    {
        peers all(*io);
        for (int turn = 1; turn <= 20; ++turn) {
            all.send(0);
            all.send(1);  // after waits with a single event, the backend would not gather for a while
            const auto begin = clock_type::now();
            io->turn(-1);
            CHECK(clock_type::now() - begin >= std::chrono::microseconds(50));
            CHECK(all.received() == 2 * turn);
        }
    }
    io->expect_responses(-100);
}

TEST_CASE("events, timers and posted calls end a wait also if many responses are expected") {
    on_each_backend([](runtime::backend& io) {
        io.expect_responses(1'000);
        peers all(io);
        for (int i = 0; i < 100; ++i) {
            all.send(i % peers::count);
            while (all.received() <= i) io.turn(-1);
        }
    });
    for (const char* name : {"epoll", "uring"}) {
        CAPTURE(name);
        std::string why;
        auto io = runtime::make_backend(name, why);
        if (!io) {
            support::skip_uring(why);
            continue;
        }
        runtime::loop loop(std::move(io));
        loop.io().expect_responses(1'000);
        struct : runtime::timer {
            bool fired = false;
        } timer;
        timer.fire = [](runtime::timer& t) noexcept { static_cast<decltype(timer)&>(t).fired = true; };
        for (int i = 0; i < 20; ++i) {
            timer.fired = false;
            loop.timers().add(timer, loop.now() + 1);
            while (!timer.fired) loop.turn();
        }
        struct : runtime::posted_call {
            bool ran = false;
        } posted;
        posted.run = [](runtime::posted_call& c) noexcept { static_cast<decltype(posted)&>(c).ran = true; };
        std::thread poster([&] { loop.post(posted); });
        while (!posted.ran) loop.turn();
        poster.join();
    }
}
