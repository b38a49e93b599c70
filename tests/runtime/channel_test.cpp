// SPDX-License-Identifier: Apache-2.0
#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"

#include <apus/channel.hpp>
#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace apus;
using test::core;
using test::running_task;

namespace {

using words = channel<std::unique_ptr<std::string>>;

task<> send_each(words to, std::string& log, std::string letters) {
    for (char c : letters) {
        const bool sent = co_await to.send(std::make_unique<std::string>(1, c));
        log += sent ? '+' : '-';
    }
}

task<> receive_all(words from, std::string& log) {
    while (auto word = co_await from.receive()) log += **word;
    log += '.';
}

void turn_some(core& c) {
    for (int i = 0; i < 5; ++i) c.loop->turn(0);
}

}  // namespace

TEST_CASE("a channel holds values in order up to its capacity, then senders wait") {
    struct row {
        std::size_t capacity;
        const char* before;
        std::size_t held;
    };
    const row rows[] = {{0, "", 0}, {1, "+", 1}, {2, "++", 2}, {4, "++++", 4}};
    for (const char* name : {"epoll", "uring"}) {
        for (const row& r : rows) {
            CAPTURE(r.capacity);
            core c(name);
            words some(r.capacity);
            std::string log, received;
            running_task sender(send_each(some, log, "abcd"));
            turn_some(c);
            CHECK(log == r.before);
            CHECK(some.size() == r.held);
            running_task receiver(receive_all(some, received));
            while (!sender.ended()) c.loop->turn(0);
            some.close();
            receiver.wait();
            CHECK(log == "++++");
            CHECK(received == "abcd.");
            CHECK(some.is_closed());
        }
    }
}

TEST_CASE("closing a channel resumes all waiting tasks, and keeps its values") {
    core c;
    words empty(2), full(1);
    std::string log;
    std::list<running_task<void>> waiting;
    for (int i = 0; i < 500; ++i) waiting.emplace_back(receive_all(empty, log));
    CHECK(full.try_send(std::make_unique<std::string>("kept")));
    CHECK_FALSE(full.try_send(std::make_unique<std::string>("lost")));
    for (int i = 0; i < 500; ++i) waiting.emplace_back(send_each(full, log, "x"));
    empty.close();
    full.close();
    full.close();
    CHECK(log == "");
    for (auto& t : waiting) t.wait();
    CHECK(log == std::string(500, '.') + std::string(500, '-'));
    CHECK_FALSE(full.try_send(std::make_unique<std::string>("late")));
    auto kept = full.try_receive();
    REQUIRE(kept);
    CHECK(**kept == "kept");
    CHECK_FALSE(full.try_receive());
    CHECK_FALSE(empty.try_receive());
}

TEST_CASE("cancelling a receiver loses no value") {
    core c;
    words some(1);
    std::string log, second;
    auto first = std::make_unique<running_task<void>>(receive_all(some, log));
    running_task other(receive_all(some, second));
    SUBCASE("while it waits") {
        first.reset();
        CHECK(some.try_send(std::make_unique<std::string>("a")));
    }
    SUBCASE("with the value on its way, which the next one gets") {
        CHECK(some.try_send(std::make_unique<std::string>("a")));
        first.reset();
    }
    turn_some(c);
    CHECK(log == "");
    CHECK(second == "a");
    some.close();
    other.wait();
    CHECK(second == "a.");
}

TEST_CASE("values on their way to cancelled receivers are received first") {
    core c;
    words some(1);
    std::string log;
    {
        running_task a(receive_all(some, log)), b(receive_all(some, log));
        CHECK(some.try_send(std::make_unique<std::string>("1")));
        CHECK(some.try_send(std::make_unique<std::string>("2")));
        CHECK(some.try_send(std::make_unique<std::string>("3")));
    }
    turn_some(c);
    CHECK(log == "");
    CHECK(some.size() == 3);
    some.close();
    running_task all(receive_all(some, log));
    all.wait();
    CHECK(log.size() == 4);
    CHECK(log.ends_with("3."));
}

TEST_CASE("a cancelled sender has sent its value or not") {
    core c;
    words some(1);
    std::string log;
    auto a = std::make_unique<running_task<void>>(send_each(some, log, "ab"));
    turn_some(c);
    SUBCASE("while it waits") { a.reset(); }
    SUBCASE("with its value taken") {
        CHECK(**some.try_receive() == "a");
        a.reset();
        CHECK(some.size() == 1);
    }
    SUBCASE("with the channel closed") {
        some.close();
        a.reset();
    }
    turn_some(c);
    CHECK(some.size() == 1);
    CHECK(log == "+");
}

TEST_CASE("tasks in a ping-pong yield to others") {
    core c;
    channel<int> there(1), back(1);
    auto ping = [](channel<int> out, channel<int> in) -> task<> {
        for (;;) {
            co_await out.send(1);
            co_await in.receive();
        }
    };
    auto alone = [](channel<int> both) -> task<> {
        for (;;) {
            co_await both.send(1);
            co_await both.receive();
        }
    };
    running_task a(ping(there, back)), b(ping(back, there)), d(alone(channel<int>(1)));
    auto sleeper = []() -> task<> { co_await apus::sleep_for(milliseconds(1)); };
    running_task other(sleeper());
    CHECK(other.wait());
}

namespace {

task<std::uint64_t> add_up(channel<std::uint64_t> from) {
    std::uint64_t sum = 0;
    while (auto n = co_await from.receive()) sum += *n;
    co_return sum;
}

task<> count_to(channel<std::uint64_t> to, std::uint64_t end, std::atomic<int>& left) {
    for (std::uint64_t n = 1; n <= end; ++n) co_await to.send(n);
    if (--left == 0) to.close();
}

}  // namespace

TEST_CASE("across cores nothing is lost or duplicated while receivers are cancelled") {
    constexpr std::uint64_t end = 2'000;
    for (std::size_t capacity : {0UL, 1UL, 64UL}) {
        channel<std::uint64_t> numbers(capacity);
        std::atomic<int> senders = 3;
        std::atomic<std::uint64_t> sum = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] {
                core c;
                running_task t(count_to(numbers, end, senders));
                CHECK(t.wait());
            });
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                for (int round = 0; round < 50; ++round) {  // the core ends while other threads send to it
                    core c;
                    auto idle = [](channel<std::uint64_t> from, std::atomic<std::uint64_t>& to) -> task<> {
                        if (auto n = co_await from.receive()) to += *n;
                    };
                    std::list<running_task<void>> some;
                    for (int k = 0; k < 5; ++k) some.emplace_back(idle(numbers, sum));
                    c.loop->turn(0);
                }
            });
        threads.emplace_back([&] {
            core c;
            std::list<running_task<std::uint64_t>> tasks;
            for (int i = 0; i < 10; ++i) tasks.emplace_back(add_up(numbers));
            for (auto& t : tasks) sum += *t.wait();
        });
        for (auto& t : threads) t.join();
        // values that were returned to the channel after the last receiver had received its end
        while (auto n = numbers.try_receive()) sum += *n;
        CHECK(sum == 3 * end * (end + 1) / 2);
    }
}
