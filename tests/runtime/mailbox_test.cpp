// SPDX-License-Identifier: Apache-2.0
#include "runtime/mailbox.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

using apus::runtime::mailbox;
using apus::runtime::posted_call;

namespace {

struct note : posted_call {
    std::string* diary;
    char text;

    note(std::string& d, char c) : diary(&d), text(c) {
        run = [](posted_call& l) noexcept {
            auto& self = static_cast<note&>(l);
            *self.diary += self.text;
        };
    }
};

struct numbered : posted_call {
    unsigned sender;
    unsigned number;
    std::vector<unsigned>* last;
};

}  // namespace

TEST_CASE("posted calls run in the order in which they were posted") {
    mailbox box;
    std::string diary;
    note a(diary, 'a'), b(diary, 'b'), c(diary, 'c');
    CHECK_FALSE(box.post(a));
    CHECK_FALSE(box.post(b));
    CHECK_FALSE(box.post(c));
    CHECK(box.drain() == 3);
    CHECK(diary == "abc");
    CHECK(box.drain() == 0);
}

TEST_CASE("only the first posted call to a sleeping owner requests a wake-up") {
    mailbox box;
    std::string diary;
    note a(diary, 'a'), b(diary, 'b'), c(diary, 'c');
    CHECK(box.sleep());
    CHECK(box.sleep());
    CHECK(box.post(a));
    CHECK_FALSE(box.post(b));
    CHECK_FALSE(box.sleep());
    CHECK(box.drain() == 2);
    CHECK_FALSE(box.post(c));
    CHECK(box.drain() == 1);
}

TEST_CASE("an owner woken by another event is awake") {
    mailbox box;
    std::string diary;
    note a(diary, 'a');
    CHECK(box.sleep());
    CHECK(box.drain() == 0);
    CHECK_FALSE(box.post(a));
    CHECK_FALSE(box.sleep());
    box.drain();
}

TEST_CASE("a posted call posted during a drain waits for the next one") {
    static mailbox* box;
    mailbox m;
    box = &m;
    int opened = 0;
    struct again : posted_call {
        int* count;
    } l;
    l.count = &opened;
    l.run = [](posted_call& self) noexcept {
        if (++*static_cast<again&>(self).count < 3) CHECK_FALSE(box->post(self));
    };
    CHECK_FALSE(m.post(l));
    CHECK(m.drain() == 1);
    CHECK(opened == 1);
    CHECK(m.drain() == 1);
    CHECK(m.drain() == 1);
    CHECK(m.drain() == 0);
    CHECK(opened == 3);
}

TEST_CASE("a posted call may destroy itself") {
    mailbox box;
    for (int i = 0; i < 3; ++i) {
        auto* l = new posted_call;
        l->run = [](posted_call& self) noexcept { delete &self; };
        CHECK_FALSE(box.post(*l));
    }
    CHECK(box.drain() == 3);
}

// The owner sleeps on a semaphore that is released only by a post which requires a wake-up. A missing wake-up makes the
// test hang; superfluous wake-ups are counted.
TEST_CASE("with four senders no posted call is lost, reordered or delayed") {
    constexpr unsigned senders = 4;
    constexpr unsigned each = 20'000;
    mailbox box;
    std::counting_semaphore<> wake(0);
    std::atomic<unsigned> wakes = 0;
    unsigned sleeps = 0;
    std::vector<unsigned> last(senders, 0);
    std::vector<std::thread> threads;
    for (unsigned s = 0; s < senders; ++s) {
        threads.emplace_back([&, s] {
            for (unsigned n = 1; n <= each; ++n) {
                auto* l = new numbered{{}, s, n, &last};
                l->run = [](posted_call& self) noexcept {
                    auto& got = static_cast<numbered&>(self);
                    unsigned& before = (*got.last)[got.sender];
                    if (got.number == before + 1) before = got.number;
                    delete &got;
                };
                if (box.post(*l)) {
                    ++wakes;
                    wake.release();
                }
            }
        });
    }
    for (std::size_t opened = 0; opened < senders * each;) {
        if (box.sleep()) {
            ++sleeps;
            wake.acquire();
        }
        opened += box.drain();
    }
    for (auto& t : threads) t.join();
    CHECK(last == std::vector<unsigned>(senders, each));
    CHECK(wakes == sleeps);
}
