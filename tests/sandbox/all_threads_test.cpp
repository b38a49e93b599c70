// SPDX-License-Identifier: Apache-2.0
#include "sandbox/all_threads.hpp"

#include "sandbox/inside.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

#include <sys/syscall.h>
#include <unistd.h>

using namespace apus::sandbox;
using apus::test::result_inside;

namespace {

thread_local int calls_here = 0;
std::atomic<int> calls = 0;

int count(const void*) noexcept {
    ++calls_here;
    ++calls;
    return 0;
}

constexpr std::chrono::milliseconds longest(5000);

// Threads that wait until the object is destroyed. Each counts how often the call ran on it.
class waiting_threads {
public:
    explicit waiting_threads(unsigned number, bool blocks = false) {
        for (unsigned i = 0; i < number; ++i)
            all_.emplace_back([this, blocks] {
                sigset_t every;
                sigfillset(&every);
                if (blocks) pthread_sigmask(SIG_SETMASK, &every, nullptr);
                ++started_;
                ends_.wait(false);
                visited_ += calls_here == 1;
            });
        while (started_ != number) std::this_thread::yield();
    }
    waiting_threads(const waiting_threads&) = delete;
    waiting_threads& operator=(const waiting_threads&) = delete;
    ~waiting_threads() { visited(); }

    // Ends the threads. Returns the number of threads on which the call ran once.
    unsigned visited() {
        ends_ = true;
        ends_.notify_all();
        for (auto& t : all_)
            if (t.joinable()) t.join();
        return visited_;
    }

private:
    std::atomic<bool> ends_ = false;
    std::atomic<unsigned> started_ = 0, visited_ = 0;
    std::vector<std::thread> all_;
};

}  // namespace

TEST_CASE("sandbox: a call runs once on each thread, also on threads that block signals") {
    for (const bool blocks : {false, true}) {
        CHECK(result_inside([&] {
                  waiting_threads threads(5, blocks);
                  const auto results = on_all_threads(count, nullptr, longest);
                  if (results.error || !results.failure.empty() || !results.blocked.empty()) return 101;
                  return calls == 6 && calls_here == 1 && threads.visited() == 5 ? 0 : 102;
              }) == 0);
    }
}

TEST_CASE("sandbox: threads that start meanwhile run the call, unless their creator has run it") {
    CHECK(result_inside([] {
              std::atomic<bool> ends = false;
              std::thread parent([&] {
                  while (!ends) {
                      std::thread([] { std::this_thread::yield(); }).join();
                  }
              });
              bool good = true;
              for (int i = 0; i < 20; ++i) good = good && on_all_threads(count, nullptr, longest).failure.empty();
              ends = true;
              parent.join();
              return good && calls >= 40 ? 0 : 1;
          }) == 0);
}

TEST_CASE("sandbox: an error of a thread is reported") {
    CHECK(result_inside([] {
              waiting_threads threads(2);
              return on_all_threads([](const void*) noexcept { return EBADF; }, nullptr, longest).error == EBADF ? 0
                                                                                                                 : 1;
          }) == 0);
}

TEST_CASE("sandbox: threads that block even the signals of the C library are named") {
    CHECK(result_inside([] {
              std::atomic<int> stage = 0;
              std::thread deaf([&] {
                  pthread_setname_np(pthread_self(), "deaf");
                  const unsigned long every = ~0UL;
                  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &every, nullptr, sizeof every);
                  stage = 1;
                  stage.wait(1);
              });
              while (stage == 0) std::this_thread::yield();
              const auto results = on_all_threads(count, nullptr, longest);
              stage = 2;
              stage.notify_all();
              deaf.join();
              return results.blocked.size() == 1 && results.blocked[0] == "deaf" && results.failure.empty() ? 0 : 1;
          }) == 0);
}

TEST_CASE("sandbox: the user of all threads can be changed afterwards") {
    CHECK(result_inside([] {
              waiting_threads threads(3);
              on_all_threads(count, nullptr, longest);
              return setresuid(getuid(), geteuid(), geteuid()) == 0 && threads.visited() == 3 ? 0 : 1;
          }) == 0);
}
