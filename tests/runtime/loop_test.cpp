// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"

#include "runtime/backend_peers.hpp"
#include "runtime/running_task.hpp"

#include <chrono>
#include <coroutine>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace apus;
using namespace apus::test;
using runtime::loop;

namespace {

// Runs `check` with a loop for each backend, on a separate thread. The kernel releases an io_uring some time after the
// ring is closed, and then interrupts waits of the ring's thread. On a shared thread, the interruption would cause an
// unexpected turn in a later test.
void on_each_loop(const std::function<void(loop&)>& check) {
    for (std::string name : {"epoll", "uring"}) {
        std::thread([&] {
            CAPTURE(name);
            std::string why;
            auto io = name == "epoll" ? runtime::make_epoll_backend() : runtime::make_uring_backend(why);
            if (!io) return support::skip_uring(why);
            loop l(std::move(io));
            check(l);
        }).join();
    }
}

struct note final : runtime::deferred {
    std::string* diary;
    char text;
    note(std::string& d, char c) : diary(&d), text(c) {
        run = [](deferred& self) noexcept { *static_cast<note&>(self).diary += static_cast<note&>(self).text; };
    }
};

struct flag final : runtime::timer {
    bool fired = false;
    flag() {
        fire = [](timer& t) noexcept { static_cast<flag&>(t).fired = true; };
    }
};

// Resumes the waiting task in a deferred call.
struct deferred_resumption final : runtime::deferred {
    std::coroutine_handle<> waiter;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) {
        waiter = h;
        run = [](deferred& self) noexcept { static_cast<deferred_resumption&>(self).waiter.resume(); };
        loop::current().later(*this);
    }
    void await_resume() const noexcept {}
};

struct stopping final : runtime::posted_call {
    loop* of;
    std::thread::id opened_by;
    explicit stopping(loop& l) : of(&l) {
        run = [](posted_call& self) noexcept {
            auto& own = static_cast<stopping&>(self);
            own.opened_by = std::this_thread::get_id();
            own.of->stop();
        };
    }
};

}  // namespace

TEST_CASE("a thread has the loop that it created, during its lifetime") {
    CHECK_FALSE(loop::exists());
    on_each_loop([](loop& l) {
        CHECK(loop::exists());
        CHECK(&loop::current() == &l);
        std::thread([] { CHECK_FALSE(loop::exists()); }).join();
    });
    CHECK_FALSE(loop::exists());
}

TEST_CASE("deferred calls run once, in order, before the loop waits") {
    on_each_loop([](loop& l) {
        std::string diary;
        note a(diary, 'a'), b(diary, 'b'), c(diary, 'c');
        l.later(a), l.later(b), l.later(a), l.later(c);
        l.turn(0);
        CHECK(diary == "abc");
        l.turn(0);
        CHECK(diary == "abc");
        // Removes calls at the front, in the middle and at the end, and calls that are not queued.
        l.later(a), l.later(b), l.later(c);
        l.forget(b);
        l.forget(b);
        l.forget(c);
        l.later(b);
        l.forget(a);
        l.later(c);
        l.turn(0);
        CHECK(diary == "abcbc");
    });
}

TEST_CASE("calls deferred by deferred calls run in the same turn") {
    on_each_loop([](loop& l) {
        struct chain final : runtime::deferred {
            loop* of;
            int left = 3;
        } d;
        d.of = &l;
        d.run = [](runtime::deferred& self) noexcept {
            auto& c = static_cast<chain&>(self);
            if (--c.left) c.of->later(c);
        };
        l.later(d);
        l.turn(0);
        CHECK(d.left == 0);
    });
}

TEST_CASE("a wait ends when a timer is due, neither earlier nor without reason") {
    on_each_loop([](loop& l) {
        flag soon, late;
        const auto begin = l.now();
        l.timers().add(soon, begin + 40);
        l.timers().add(late, begin + 3'600'000);
        int turns = 0;
        while (!soon.fired && turns < 100) l.turn(), ++turns;
        CHECK(soon.fired);
        CHECK_FALSE(late.fired);
        CHECK(l.now() >= begin + 40);
        CHECK(l.now() < begin + 5000);
        CHECK(turns <= 4);  // an idle loop does not spin
        l.timers().remove(late);
    });
}

TEST_CASE("a late timer lets pending events run first") {
    struct stall final : runtime::deferred {
        loop* of;
        explicit stall(loop& l) : of(&l) {
            run = [](deferred& self) noexcept { static_cast<stall&>(self).of->io().clock().move(1'000); };
        }
    };
    on_each_loop([](loop& l) {
        flag late, punctual;
        l.turn(0);
        l.timers().add(late, l.now() + 500);
        stall busy(l);
        l.later(busy);
        l.turn(0);
        CHECK_FALSE(late.fired);
        l.turn();  // returns at once
        CHECK(late.fired);
        // A timer may also be late because this thread waits for a CPU.
        for (int tries = 0; tries < 10 && !punctual.fired; ++tries) {
            l.turn(0);
            l.timers().add(punctual, l.now() + 1'000);
            l.later(busy);
            l.turn(0);
        }
        CHECK(punctual.fired);
    });
}

TEST_CASE("a timer added before the next one is not late") {
    on_each_loop([](loop& l) {
        flag far, near;
        l.timers().add(far, l.now() + 60'000);
        l.turn(1);
        const auto begin = l.now();
        l.timers().add(near, begin + 20);
        while (!near.fired && l.now() < begin + 10'000) l.turn();
        CHECK(near.fired);
        CHECK(l.now() < begin + 5000);
        l.timers().remove(far);
    });
}

TEST_CASE("a posted call from another thread ends a wait") {
    on_each_loop([](loop& l) {
        struct opening final : runtime::posted_call {
            bool opened = false;
            opening() {
                run = [](posted_call& self) noexcept { static_cast<opening&>(self).opened = true; };
            }
        };
        for (int i = 0; i < 200; ++i) {
            opening posted_call;
            std::thread sender([&] { l.post(posted_call); });
            while (!posted_call.opened) l.turn();  // never ends if the wake-up is lost
            sender.join();
            CHECK(posted_call.opened);
        }
    });
}

TEST_CASE("a loop runs until it is stopped from any thread") {
    on_each_loop([](loop& l) {
        stopping posted_call(l);
        std::thread other([&] { l.post(posted_call); });
        l.run();
        other.join();
        CHECK(posted_call.opened_by == std::this_thread::get_id());
    });
}

TEST_CASE("a loop that is stopped, or whose task ends, before a turn waits does not wait for an event") {
    on_each_loop([](loop& l) {
        const auto begin = l.now();
        flag event;
        l.timers().add(event, begin + 5'000);
        auto work = []() -> task<> { co_await deferred_resumption(); };
        running_task ends(work());
        CHECK(ends.wait());
        CHECK(l.now() < begin + 2'500);

        struct stopping_call final : runtime::deferred {
            loop* of = nullptr;
        } stops;
        stops.of = &l;
        stops.run = [](runtime::deferred& self) noexcept { static_cast<stopping_call&>(self).of->stop(); };
        l.later(stops);
        l.run();
        CHECK(l.now() < begin + 2'500);
        l.timers().remove(event);
    });
}

TEST_CASE("an idle loop makes no turns") {
    on_each_loop([](loop& l) {
        std::vector<std::unique_ptr<noting_stream>> idle;
        for (int i = 0; i < 10; ++i) {
            idle.push_back(std::make_unique<noting_stream>(l.io()));
            l.io().receive(*idle.back());
        }
        // Sends and receives something, so that the loop is idle afterwards.
        idle[0]->give("bytes");
        while (idle[0]->got.empty()) l.turn();
        send_batch(l.io(), *idle[0], "answer");
        while (idle[0]->take().empty()) l.turn(0);
        for (int i = 0; i < 4; ++i) l.turn(0);
        flag end;
        l.timers().add(end, l.now() + 100);
        int turns = 0;
        while (!end.fired) l.turn(), ++turns;
        CHECK(turns <= 4);
    });
}

namespace {

// A call that defers itself again on each run, like a connection with a fast client.
struct endless_call final : runtime::deferred {
    loop* of;
    unsigned runs = 0;
    explicit endless_call(loop& l) : of(&l) {
        run = [](runtime::deferred& self) noexcept {
            auto& e = static_cast<endless_call&>(self);
            ++e.runs;
            e.of->later(e);
        };
        l.later(*this);
    }
    ~endless_call() { of->forget(*this); }
};

}  // namespace

TEST_CASE("a turn ends, and the next does not wait, however many calls are deferred") {
    on_each_loop([](loop& l) {
        std::string diary;
        note a(diary, 'a');
        flag due;
        endless_call one(l), two(l);
        l.timers().add(due, l.now());
        l.turn(-1);
        CHECK(due.fired);
        CHECK(one.runs <= 2 * loop::calls_per_turn);
        CHECK((one.runs == two.runs || one.runs == two.runs + 1));
        noting_stream peer(l.io());
        l.io().receive(peer);
        l.later(a);
        l.turn(-1);
        CHECK(diary == "a");
        peer.give("x");
        for (int i = 0; i < 3; ++i) l.turn(-1);
        CHECK(peer.got == "x");
    });
}

TEST_CASE("calls that wait to run are counted") {
    struct counted : runtime::posted_call {
        loop* of;
        std::uint64_t seen = 0;
        explicit counted(loop& l) : of(&l) {
            run = [](runtime::posted_call& self) noexcept {
                auto& mine = static_cast<counted&>(self);
                mine.seen = mine.of->ready_calls();
            };
        }
    };
    on_each_loop([](loop& l) {
        std::string diary;
        note a(diary, 'a'), b(diary, 'b'), c(diary, 'c');
        CHECK(l.ready_calls() == 0);
        l.later(a), l.later(b), l.later(c), l.later(a);
        CHECK(l.ready_calls() == 3);
        l.forget(b);
        l.forget(b);
        CHECK(l.ready_calls() == 2);
        l.turn(0);
        CHECK(l.ready_calls() == 0);
        counted first(l), second(l), third(l);
        l.post(first), l.post(second), l.post(third);
        l.turn(0);
        CHECK(first.seen == 2);
        CHECK(second.seen == 1);
        CHECK(third.seen == 0);
        CHECK(l.ready_calls() == 0);
    });
}

TEST_CASE("cancelling a deferred call takes constant time") {
    on_each_loop([](loop& l) {
        std::string diary;
        std::vector<note> many(200'000, note(diary, 'x'));
        for (auto& n : many) l.later(n);
        const auto begin = std::chrono::steady_clock::now();
        for (auto n = many.rbegin(); n != many.rend(); ++n) l.forget(*n);
        // traversing the whole list each time would take minutes
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
        l.turn(0);
        CHECK(diary.empty());
    });
}
