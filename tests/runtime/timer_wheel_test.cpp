// SPDX-License-Identifier: Apache-2.0
#include "runtime/timer_wheel.hpp"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using apus::runtime::timer;
using apus::runtime::timer_wheel;

namespace {

constexpr std::uint64_t day = 24 * 3600 * 1000;

struct named : timer {
    std::string* log = nullptr;
    const timer_wheel* wheel = nullptr;
    unsigned name = 0;
};

void write_down(timer& t) noexcept {
    auto& self = static_cast<named&>(t);
    *self.log += std::to_string(self.name) + "@" + std::to_string(self.wheel->now()) + " ";
}

// A wheel with timers that append their number and the time to `log`.
struct bench {
    timer_wheel wheel;
    std::string log;
    std::vector<named> timers;

    explicit bench(std::uint64_t start, std::size_t count) : wheel(start), timers(count) {
        for (unsigned i = 0; i < count; ++i) {
            timers[i].log = &log;
            timers[i].wheel = &wheel;
            timers[i].name = i;
            timers[i].fire = write_down;
        }
    }
    ~bench() {
        for (auto& t : timers) wheel.remove(t);
    }

    // Advances from one `next_due` to the next, like a loop, and counts the steps.
    unsigned run() {
        unsigned steps = 0;
        while (auto due = wheel.next_due()) {
            wheel.advance(*due);
            ++steps;
        }
        return steps;
    }
};

struct schedule {
    const char* what;
    std::uint64_t start;
    std::vector<std::uint64_t> due;
    const char* fired;
};

const schedule schedules[] = {
    {"in order of time, not of adding", 0, {30, 10, 20}, "1@10 2@20 0@30 "},
    {"equal times in order of adding", 5, {100, 100, 100}, "0@100 1@100 2@100 "},
    {"a time that has passed is now", 1000, {1, 999, 1000, 1001}, "0@1000 1@1000 2@1000 3@1001 "},
    {"edges of the first level", 0, {63, 64, 65, 62}, "3@62 0@63 1@64 2@65 "},
    {"edges of the second level", 0, {4095, 4096, 4097}, "0@4095 1@4096 2@4097 "},
    {"edges, from just before them", 4095, {4096, 4159, 4160, 8191, 8192}, "0@4096 1@4159 2@4160 3@8191 4@8192 "},
    {"a cascade over three levels at once", 262'143, {262'144, 262'145, 262'144 + 4096}, "0@262144 1@262145 2@266240 "},
    {"days and years", 7, {30 * day, day, 3650 * day, 1}, "3@7 1@86400000 0@2592000000 2@315360000000 "},
    {"the end of time",
     1,
     {~std::uint64_t{0}, ~std::uint64_t{0} - 1},
     "1@18446744073709551614 0@18446744073709551615 "},
    {"a clock far from 0",
     1'795'000'000'123,
     {1'795'000'000'123 + 20'000, 1'795'000'000'124},
     "1@1795000000124 0@1795000020123 "},
};

}  // namespace

TEST_CASE("schedules, step by step and in one leap") {
    for (auto& s : schedules) {
        CAPTURE(s.what);
        for (bool leap : {false, true}) {
            bench b(s.start, s.due.size());
            for (std::size_t i = 0; i < s.due.size(); ++i) b.wheel.add(b.timers[i], s.due[i]);
            if (leap) b.wheel.advance(~std::uint64_t{0});
            else b.run();
            CHECK(b.log == s.fired);
            CHECK(b.wheel.empty());
            CHECK_FALSE(b.wheel.next_due());
        }
    }
}

TEST_CASE("an empty wheel has no wake-up time, also after a removal") {
    bench b(10, 1);
    CHECK_FALSE(b.wheel.next_due());
    b.wheel.add(b.timers[0], 50);
    CHECK(b.wheel.next_due() == std::optional<std::uint64_t>(50));
    b.wheel.remove(b.timers[0]);
    CHECK_FALSE(b.wheel.next_due());
    b.wheel.remove(b.timers[0]);
    b.wheel.advance(100);
    CHECK(b.log == "");
}

TEST_CASE("a far timer costs few wake-ups") {
    for (std::uint64_t due : {std::uint64_t{20'000}, std::uint64_t{day}, 365 * day}) {
        bench b(12'345'678, 1);
        b.wheel.add(b.timers[0], 12'345'678 + due);
        CHECK(b.run() <= 7);
    }
}

TEST_CASE("adding a timer again moves it") {
    bench b(0, 2);
    b.wheel.add(b.timers[0], 100);
    b.wheel.add(b.timers[1], 100);
    b.wheel.add(b.timers[0], 5000);
    b.wheel.add(b.timers[1], 7);
    b.run();
    CHECK(b.log == "1@7 0@5000 ");
}

TEST_CASE("time does not go back") {
    bench b(100, 1);
    b.wheel.add(b.timers[0], 110);
    b.wheel.advance(50);
    CHECK(b.wheel.now() == 100);
    b.wheel.advance(110);
    CHECK(b.log == "0@110 ");
}

namespace {

struct acting : named {
    timer_wheel* on = nullptr;
    std::vector<named*> removes;
    std::vector<std::pair<named*, std::uint64_t>> adds;
    int repeats = 0;
};

void act(timer& t) noexcept {
    auto& self = static_cast<acting&>(t);
    write_down(t);
    for (auto* other : self.removes) self.on->remove(*other);
    for (auto& [other, due] : self.adds) self.on->add(*other, due);
    if (self.repeats-- > 0) self.on->add(self, self.on->now());
}

}  // namespace

TEST_CASE("a firing timer may remove due ones, add others, and add itself") {
    bench b(0, 5);
    acting a;
    a.log = &b.log;
    a.wheel = a.on = &b.wheel;
    a.name = 9;
    a.fire = act;

    SUBCASE("removes its neighbors") {
        b.wheel.add(b.timers[0], 10);
        b.wheel.add(a, 10);
        b.wheel.add(b.timers[1], 10);
        b.wheel.add(b.timers[2], 10);
        a.removes = {&b.timers[0], &b.timers[1], &a};
        b.wheel.advance(20);
        CHECK(b.log == "0@10 9@10 2@10 ");
    }
    SUBCASE("removes all that are left") {
        b.wheel.add(a, 10);
        b.wheel.add(b.timers[1], 10);
        a.removes = {&b.timers[1]};
        b.wheel.advance(20);
        CHECK(b.log == "9@10 ");
        CHECK(b.wheel.empty());
    }
    SUBCASE("adds within the leap, and moves one that is about to fire") {
        b.wheel.add(a, 10);
        b.wheel.add(b.timers[1], 10);
        a.adds = {{&b.timers[0], 15}, {&b.timers[1], 12}, {&b.timers[2], 30}};
        b.wheel.advance(20);
        CHECK(b.log == "9@10 1@12 0@15 ");
        b.wheel.advance(30);
        CHECK(b.log == "9@10 1@12 0@15 2@30 ");
    }
    SUBCASE("comes back no sooner than the next millisecond") {
        a.repeats = 1000;
        b.wheel.add(a, 10);
        b.wheel.advance(12);
        CHECK(b.log == "9@10 9@11 9@12 ");
        CHECK(b.wheel.next_due() == std::optional<std::uint64_t>(13));
    }
    b.wheel.remove(a);
}

TEST_CASE("a firing timer may destroy itself and due ones") {
    timer_wheel wheel;
    struct owned : timer {
        timer_wheel* in;
        owned* other = nullptr;
        explicit owned(timer_wheel& w) : in(&w) {
            fire = [](timer& t) noexcept {
                auto& self = static_cast<owned&>(t);
                delete self.other;
                delete &self;
            };
        }
        ~owned() { in->remove(*this); }
    };
    for (unsigned due : {5U, 5U, 70U}) {
        auto* a = new owned(wheel);
        a->other = new owned(wheel);
        wheel.add(*a, due);
        wheel.add(*a->other, due);
    }
    wheel.advance(100);
    CHECK(wheel.empty());
}

TEST_CASE("destroying a wheel releases its timers") {
    named t;
    {
        timer_wheel wheel;
        wheel.add(t, 1'000'000);
    }
    CHECK_FALSE(t.waits());
}

namespace {

// A model of the wheel: the same operations on a multimap, which keeps equal times in the order of insertion.
struct model {
    std::multimap<std::uint64_t, unsigned> waiting;
    std::vector<std::multimap<std::uint64_t, unsigned>::iterator> of;
    std::uint64_t now;
    std::string log;

    model(std::uint64_t start, std::size_t count) : of(count, waiting.end()), now(start) {}

    void remove(unsigned i) {
        if (of[i] != waiting.end()) waiting.erase(of[i]);
        of[i] = waiting.end();
    }
    void add(unsigned i, std::uint64_t due) {
        remove(i);
        of[i] = waiting.emplace(due < now ? now : due, i);
    }
    void advance(std::uint64_t to) {
        while (!waiting.empty() && waiting.begin()->first <= to) {
            auto [due, i] = *waiting.begin();
            log += std::to_string(i) + "@" + std::to_string(due) + " ";
            remove(i);
        }
        if (to > now) now = to;
    }
};

}  // namespace

TEST_CASE("random operations agree with a model") {
    constexpr unsigned count = 60;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const std::uint64_t start = random() >> (random() % 64);
        bench b(start, count);
        model m(start, count);
        for (int step = 0; step < 2000; ++step) {
            const auto i = static_cast<unsigned>(random() % count);
            const std::uint64_t far = random() >> (24 + random() % 40);
            switch (random() % 8) {
                case 0: b.wheel.remove(b.timers[i]), m.remove(i); break;
                case 1: b.wheel.advance(m.now + far), m.advance(m.now + far); break;
                case 2: {
                    auto due = b.wheel.next_due();
                    REQUIRE(due.has_value() == !m.waiting.empty());
                    if (due) REQUIRE(*due <= m.waiting.begin()->first);
                    if (due) b.wheel.advance(*due), m.advance(*due);
                    break;
                }
                default: b.wheel.add(b.timers[i], m.now + far), m.add(i, m.now + far);
            }
            REQUIRE(b.wheel.now() == m.now);
        }
        CHECK(b.log == m.log);
    }
}
