// SPDX-License-Identifier: Apache-2.0
#include "profiling/cpu_sampler.hpp"

#include "profiling/symbols.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include <pthread.h>

using namespace apus::profiling;

namespace {

[[gnu::noinline]] void burn_cpu_time(std::int64_t milliseconds) {
    const auto now = [] {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
    };
    for (const auto until = now() + milliseconds; now() < until;)
        for (volatile int i = 0; i < 100'000; i = i + 1) {}
}

std::size_t label(std::span<char> to) noexcept {
    constexpr std::string_view text = "/burn";
    return static_cast<std::size_t>(std::ranges::copy(text, to.begin()).out - to.begin());
}

}  // namespace

TEST_CASE("threads are sampled, also those that start later") {
    auto sampler = cpu_sampler::start(label);
    REQUIRE(sampler);
    for (int i = 0; i < 2; ++i) {
        std::atomic<bool> followed = false;
        std::thread burning([&] {
            pthread_setname_np(pthread_self(), "burning");
            while (!followed) std::this_thread::yield();
            burn_cpu_time(150);
        });
        (*sampler)->collect();
        followed = true;
        burning.join();
        (*sampler)->collect();
    }
    std::int64_t burnt = 0;
    symbols all;
    for (const auto& [sample, count] : (*sampler)->samples()) {
        const bool burns = std::ranges::any_of(
            sample.stack, [&](auto at) { return demangled(all.name_of(at)).contains("burn_cpu_time"); });
        if (!burns) continue;
        burnt += count;
        CHECK(sample.label == "/burn");
    }
    CHECK(burnt >= 10);  // of 30
    CHECK(burnt <= 45);
    CHECK((*sampler)->dropped() == 0);
}

TEST_CASE("one sampler at a time") {
    {
        const auto first = cpu_sampler::start(nullptr);
        REQUIRE(first);
        const auto second = cpu_sampler::start(nullptr);
        CHECK(second.error() == "another CPU profile is being recorded");
    }
    CHECK(cpu_sampler::start(nullptr));
}

TEST_CASE("signals of a finished sampler have no effect") {
    cpu_sampler::start(nullptr).value().reset();
    std::raise(SIGPROF);
    burn_cpu_time(30);
}
