// SPDX-License-Identifier: Apache-2.0
#include <apus/sessions.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using namespace apus;

namespace {

// Runs a task that completes without waiting.
template <class T>
std::optional<result<T>> done(task<T> work) {
    auto handle = work.release();
    handle.resume();
    std::optional<result<T>> outcome = *std::move(handle.promise().outcome);
    handle.destroy();
    return outcome;
}

std::string loaded(memory_session_store& store, const std::string& key) {
    return (*done(store.load(key)))->value_or("nothing");
}

}  // namespace

TEST_CASE("memory sessions: the last saved value is kept until it is removed") {
    memory_session_store store;
    CHECK(loaded(store, "a") == "nothing");
    done(store.save("a", "1", seconds(1)));
    done(store.save("a", "2", seconds(1)));
    CHECK(loaded(store, "a") == "2");
    CHECK(store.size() == 1);
    done(store.remove("a"));
    done(store.remove("a"));
    CHECK(loaded(store, "a") == "nothing");
    CHECK(store.size() == 0);
}

TEST_CASE("memory sessions: the least recently used is evicted") {
    memory_session_store store(640);
    done(store.save("used", "1", seconds(1)));
    for (int i = 0; i < 10'000; ++i) {
        done(store.save("other " + std::to_string(i), "2", seconds(1)));
        CHECK(loaded(store, "used") == "1");
    }
    CHECK(store.size() == 640);
    CHECK(loaded(store, "other 0") == "nothing");
    CHECK(loaded(store, "other 9999") == "2");
}

TEST_CASE("memory sessions: a client that creates sessions without end logs few users out") {
    memory_session_store store(6400);
    const auto user = [](int i) { return "user " + std::to_string(i); };
    for (int i = 0; i < 5'000; ++i) {
        done(store.save(user(i), "1", seconds(1)));
        REQUIRE(loaded(store, user(i)) == "1");  // the session was used again
    }
    for (int i = 0; i < 100'000; ++i) done(store.save("flood " + std::to_string(i), "2", seconds(1)));
    int left = 0;
    for (int i = 0; i < 5'000; ++i) left += loaded(store, user(i)) == "1";
    CHECK(left >= 4'600);
    CHECK(store.size() <= 6400);
}

TEST_CASE("memory sessions: new sessions are stored even if all others are in use") {
    memory_session_store store(64 * 32);
    const auto name = [](int i) { return "user " + std::to_string(i); };
    for (int i = 0; i < 4'000; ++i) {
        done(store.save(name(i), "1", seconds(1)));
        (void)loaded(store, name(i));
    }
    for (int i = 0; i < 100; ++i) done(store.save("new " + std::to_string(i), "2", seconds(1)));
    for (int i = 0; i < 100; ++i) CHECK(loaded(store, "new " + std::to_string(i)) == "2");
    CHECK(store.size() <= 64 * 32);
}

TEST_CASE("memory sessions: several threads at once") {
    memory_session_store store(100);
    const auto work = [&store](int of) {
        for (int i = 0; i < 5'000; ++i) {
            const std::string key = std::to_string((i + of) % 150);
            done(store.save(key, key, seconds(1)));
            const std::string found = loaded(store, key);
            if (found != "nothing" && found != key) throw std::logic_error("another session's bytes");
            if (i % 7 == 0) done(store.remove(key));
        }
    };
    std::thread one(work, 0), two(work, 70);
    one.join();
    two.join();
    CHECK(store.size() <= 100);
}
