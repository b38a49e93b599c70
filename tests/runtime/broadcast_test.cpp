// SPDX-License-Identifier: Apache-2.0
#include "runtime/broadcast_parts.hpp"

#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace apus;
using test::core;
using test::running_task;

namespace {

constexpr auto drops = slow_subscriber::drops_oldest, holds = slow_subscriber::holds_up;

task<> listen(subscription<std::string> to, std::string& log) {
    while (auto word = co_await to.receive()) log += *word;
    log += '.';
}

task<> say(broadcast<std::string> to, std::string letters, std::string& log) {
    for (char c : letters) {
        const bool sent = co_await to.send(std::string(1, c));
        log += sent ? '+' : '-';
    }
}

void turn_some(core& c) {
    for (int i = 0; i < 5; ++i) c.loop->turn(0);
}

}  // namespace

TEST_CASE("every current subscriber receives each value") {
    for (const char* name : {"epoll", "uring"})
        for (auto slow : {drops, holds}) {
            core c(name);
            broadcast<std::string> news({.capacity = 8, .slow = slow});
            std::string a, b, late, latest;
            CHECK(news.try_send("0"));  // without subscribers, the message is dropped
            running_task first(listen(news.subscribe(), a)), second(listen(news.subscribe(), b));
            CHECK(news.try_send("1"));
            CHECK(news.try_send("2"));
            running_task third(listen(news.subscribe(), late)), fourth(listen(news.subscribe_from_latest(), latest));
            CHECK(news.subscribers() == 4);
            CHECK(news.try_send("3"));
            turn_some(c);
            CHECK(news.try_send("4"));
            news.close();
            CHECK_FALSE(news.try_send("5"));
            for (auto* t : {&first, &second, &third, &fourth}) CHECK(t->wait());
            CHECK(a == "1234.");
            CHECK(b == "1234.");
            CHECK(late == "34.");
            CHECK(latest == "234.");
        }
    CHECK_THROWS_AS(broadcast<int>({.capacity = 0}), std::invalid_argument);
}

TEST_CASE("a slow subscriber misses the oldest values, and knows how many") {
    core c;
    broadcast<int> numbers({.capacity = 4});
    auto slow = numbers.subscribe();
    for (int i = 0; i < 10; ++i) CHECK(numbers.try_send(i));
    CHECK(slow.dropped() == 0);
    auto read = [](subscription<int>& from, broadcast<int> of) -> task<std::string> {
        std::string seen;
        for (int i = 0; i < 2; ++i) seen += std::to_string(*co_await from.receive());
        for (int i = 10; i < 13; ++i)
            if (!of.try_send(i)) co_await fail(500, "a sender waits");
        of.close();
        while (auto n = co_await from.receive()) seen += " " + std::to_string(*n);
        co_return seen;
    };
    running_task t(read(slow, numbers));
    CHECK(*t.wait() == "67 9 10 11 12");
    CHECK(slow.dropped() == 7);
}

TEST_CASE("with backpressure, senders wait for the slowest subscriber") {
    core c;
    broadcast<std::string> news({.capacity = 2, .slow = holds});
    std::string sent, quick, slow;
    running_task reader(listen(news.subscribe(), quick));
    auto behind = std::make_unique<subscription<std::string>>(news.subscribe());
    auto sender = std::make_unique<running_task<void>>(say(news, "abcd", sent));
    turn_some(c);
    CHECK(sent == "++");
    CHECK(quick == "ab");
    CHECK_FALSE(news.try_send("x"));
    SUBCASE("until it receives") {
        running_task rest(listen(std::move(*behind), slow));
        sender->wait();
        news.close();
        rest.wait();
        reader.wait();
        CHECK(sent == "++++");
        CHECK(slow == "abcd.");
        CHECK(quick == "abcd.");
    }
    SUBCASE("until it ends its subscription") {
        behind.reset();
        sender->wait();
        CHECK(sent == "++++");
        turn_some(c);
        CHECK(quick == "abcd");
    }
    SUBCASE("until it is closed") {
        news.close();
        sender->wait();
        CHECK(sent == "++--");
        reader.wait();
        CHECK(quick == "ab.");
    }
    SUBCASE("or is cancelled while it waits") {
        sender.reset();
        behind.reset();
        turn_some(c);
        CHECK(quick == "ab");
    }
    SUBCASE("or is cancelled with its value taken") {
        behind.reset();
        sender.reset();
        turn_some(c);
        CHECK(quick == "abc");
    }
}

TEST_CASE("values live as long as they are referenced") {
    core c;
    auto value = std::make_shared<int>(7);
    std::weak_ptr<int> watch = value;
    broadcast<std::shared_ptr<int>> one({.capacity = 1, .slow = holds});
    auto take = [](subscription<std::shared_ptr<int>> from) -> task<broadcast_message<std::shared_ptr<int>>> {
        co_return co_await from.receive();
    };
    {
        running_task a(take(one.subscribe())), b(take(one.subscribe()));
        CHECK(one.try_send(std::move(value)));
        auto& got = a.wait();
        b.wait();
        CHECK(***got == 7);
        one.close();
    }
    CHECK(watch.expired());
}

TEST_CASE("a thousand subscribers of a core wait, and some are cancelled during delivery") {
    core c;
    broadcast<std::string> news;
    std::string log;
    std::list<running_task<void>> all;
    for (int i = 0; i < 1'000; ++i) all.emplace_back(listen(news.subscribe(), log));
    CHECK(news.try_send("x"));
    for (int i = 0; i < 500; ++i) all.erase(std::next(all.begin(), i));
    c.loop->turn(0);
    CHECK(log.size() == 256);  // the maximum of one turn
    for (int i = 0; i < 100; ++i) all.pop_back();
    turn_some(c);
    CHECK(log.size() >= 400);
    CHECK(log.size() <= 500);
    all.clear();
    CHECK(news.subscribers() == 0);
    CHECK(news.try_send("y"));
    turn_some(c);
}

namespace {

task<std::uint64_t> sum_of(subscription<std::uint64_t> from, std::atomic<int>& ready) {
    --ready;
    std::uint64_t sum = 0;
    while (auto n = co_await from.receive()) sum += *n + from.dropped() * 0;
    co_return sum;
}

task<> count(broadcast<std::uint64_t> to, std::uint64_t end, std::atomic<int>& ready) {
    while (ready > 0) co_await apus::sleep_for(duration());
    for (std::uint64_t n = 1; n <= end; ++n) co_await to.send(n);
    to.close();
}

}  // namespace

TEST_CASE("across cores each subscriber gets each value, while other cores come and go") {
    constexpr std::uint64_t end = 2'000;
    for (std::size_t capacity : {1UL, 64UL}) {
        broadcast<std::uint64_t> numbers({.capacity = capacity, .slow = holds});
        std::atomic<int> ready = 2 * 5;
        std::atomic<int> right = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                core c;
                std::list<running_task<std::uint64_t>> tasks;
                for (int k = 0; k < 5; ++k) tasks.emplace_back(sum_of(numbers.subscribe(), ready));
                for (auto& t : tasks) right += *t.wait() == end * (end + 1) / 2;
            });
        threads.emplace_back([&] {
            std::atomic<int> ignored = 0;
            for (int round = 0; round < 50; ++round) {  // a core ends while other threads send to it
                core c;
                std::list<running_task<std::uint64_t>> tasks;
                for (int k = 0; k < 3; ++k) tasks.emplace_back(sum_of(numbers.subscribe(), ignored));
                c.loop->turn(0);
            }
        });
        threads.emplace_back([&] {
            core c;
            running_task t(count(numbers, end, ready));
            CHECK(t.wait());
        });
        for (auto& t : threads) t.join();
        CHECK(right == 10);
    }
}
