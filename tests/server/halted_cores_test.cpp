// SPDX-License-Identifier: Apache-2.0
#include "server/halted_cores.hpp"

#include "runtime/loop.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <thread>

using namespace apus;
using server::halted_cores;
using server::watched_core;

namespace {

// A thread with a loop that counts until the object is destroyed.
class counting_core {
public:
    counting_core(watched_core& as, bool blocks_signals)
        : thread_([&as, blocks_signals, this] { count(as, blocks_signals); }) {
        while (counted == 0) std::this_thread::yield();
    }
    counting_core(const counting_core&) = delete;
    counting_core& operator=(const counting_core&) = delete;
    ~counting_core() {
        ends_ = true;
        thread_.join();
    }

    std::atomic<unsigned> counted = 0;

private:
    void count(watched_core& as, bool blocks_signals) {
        sigset_t urgent;
        sigemptyset(&urgent);
        sigaddset(&urgent, SIGURG);
        pthread_sigmask(blocks_signals ? SIG_BLOCK : SIG_UNBLOCK, &urgent, nullptr);
        const runtime::loop own(runtime::make_epoll_backend());
        as.doing = runtime::activity::here();
        as.thread = pthread_self();
        while (!ends_) ++counted, std::this_thread::yield();
    }

    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

}  // namespace

TEST_CASE("cores are halted, except one whose thread blocks the signal") {
    watched_core cores[2];
    const counting_core first(cores[0], false), second(cores[1], true);
    const auto goes_on = [](const counting_core& core) {
        const unsigned before = core.counted;
        for (int i = 0; i < 1'000'000 && core.counted == before; ++i) std::this_thread::yield();
        return core.counted != before;
    };
    {
        const halted_cores halted(cores);
        CHECK(halted_cores::includes(cores[0].doing));
        CHECK(!halted_cores::includes(cores[1].doing));
        CHECK(goes_on(second));
        const unsigned before = first.counted;
        CHECK(goes_on(second));
        CHECK(first.counted == before);
    }
    CHECK(goes_on(first));
    std::signal(SIGURG, SIG_DFL);
}
