// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_budget.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace apus::runtime;

namespace {

constexpr std::uint64_t mebi = 3 * 352 * 1024;  // about a mebibyte, but divisible by 3

// Returns the budget of which `usable` mebibytes can be used.
constexpr std::uint64_t of(std::uint64_t usable) { return usable * mebi / 3 * 4; }

struct changes {
    std::vector<memory_pressure> seen;
    core_memory& of;
    explicit changes(core_memory& m) : of(m) {
        of.notify({[](void* self) noexcept {
                       static_cast<changes*>(self)->seen.push_back(static_cast<changes*>(self)->of.pressure());
                   },
                   this});
    }
};

}  // namespace

TEST_CASE("memory budget: without one, an account only counts") {
    core_memory m;
    m.add(1 << 30);
    CHECK(m.used() == 1 << 30);
    CHECK(m.pressure() == memory_pressure::none);
    m.remove(1 << 30);
}

TEST_CASE("memory budget: pressure rises and falls with hysteresis") {
    struct step {
        std::uint64_t used;
        memory_pressure then;
    };
    using enum memory_pressure;
    // A budget of 16 MiB, all of it for one core.
    constexpr step steps[] = {
        {12, none},     {13, holding},  {11, holding}, {10, none},     {12, none},    {14, holding},
        {15, refusing}, {13, refusing}, {12, holding}, {15, refusing}, {16, cutting}, {20, cutting},
        {15, cutting},  {14, refusing}, {0, none},     {16, cutting},  {11, holding}, {0, none},
    };
    memory_budget budget(of(16), 1);
    core_memory m;
    m.use(budget);
    memory_charge held(m);
    for (const auto& s : steps) {
        CAPTURE(s.used);
        held.set(s.used * mebi);
        CHECK(m.pressure() == s.then);
        CHECK(m.allowance() <= budget.usable());
    }
    CHECK(m.allowance() == budget.guaranteed());
    CHECK(budget.spare() == budget.usable() / 2);
}

TEST_CASE("memory budget: its listener is called once per change") {
    memory_budget budget(of(16), 1);
    core_memory m;
    m.use(budget);
    changes c(m);
    memory_charge held(m, 16 * mebi);
    held.set(0);
    using enum memory_pressure;
    CHECK(c.seen == std::vector{cutting, none});
}

TEST_CASE("memory budget: a large release is reported also without pressure") {
    memory_budget budget(of(16), 1);
    core_memory m;
    m.use(budget);
    changes c(m);
    memory_charge held(m);
    for (std::uint64_t n = 1; n <= 32; ++n) held.set(n * mebi / 16);
    for (std::uint64_t n = 32; n-- > 0;) held.set(n * mebi / 16);
    using enum memory_pressure;
    CHECK(c.seen == std::vector{none});
    for (int i = 0; i < 10; ++i) held.set(1000), held.set(0);
    CHECK(c.seen.size() == 1);
}

TEST_CASE("memory budget: the size of a large release does not depend on the machine") {
    memory_budget budget(std::uint64_t{1} << 40, 1);
    core_memory m;
    m.use(budget);
    changes c(m);
    memory_charge held(m);
    for (const std::uint64_t most : {8U, 40U, 400U}) {
        CAPTURE(most);
        c.seen.clear();
        for (std::uint64_t n = 1; n <= most; ++n) held.set(n * mebi);
        for (std::uint64_t n = most; n-- > 0;) held.set(n * mebi);
        CHECK(c.seen.empty() == (most == 8));
    }
}

TEST_CASE("memory budget: a core that leases all spare memory leaves others their share") {
    memory_budget budget(of(64), 4);
    core_memory greedy, modest;
    greedy.use(budget);
    modest.use(budget);
    memory_charge all(greedy, 64 * mebi);
    CHECK(budget.spare() == 0);
    CHECK(greedy.pressure() == memory_pressure::cutting);
    CHECK(greedy.allowance() == 40 * mebi);
    memory_charge some(modest, 6 * mebi);
    CHECK(modest.pressure() == memory_pressure::none);
    some.set(7 * mebi);
    CHECK(modest.pressure() == memory_pressure::holding);
    all.set(0);
    modest.retry();
    CHECK(modest.pressure() == memory_pressure::none);
    CHECK(greedy.allowance() == budget.guaranteed());
}

TEST_CASE("memory budget: a destroyed account returns its leases") {
    memory_budget budget(of(64), 4);
    {
        core_memory m;
        m.use(budget);
        memory_charge held(m, 30 * mebi);
        CHECK(budget.spare() < 32 * mebi);
    }
    CHECK(budget.spare() == 32 * mebi);
}

TEST_CASE("memory budget: charges end in any order, and the total returns to zero") {
    memory_budget budget(of(4), 1);
    core_memory m;
    m.use(budget);
    std::vector<std::unique_ptr<memory_charge>> charges;
    for (std::size_t i = 0; i < 100; ++i) charges.push_back(std::make_unique<memory_charge>(m, i * 1000));
    for (std::size_t i = 0; i < 100; i += 3) charges[i]->set(charges[i]->bytes() / 2);
    for (std::size_t i = 1; i < 100; i += 2) charges[i].reset();
    for (auto& c : charges) c.reset();
    CHECK(m.used() == 0);
}

TEST_CASE("memory budget: concurrent cores never lease more than available, and return all") {
    constexpr unsigned cores = 4;
    memory_budget budget(of(64), cores);
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> over(cores);
    for (unsigned n = 0; n < cores; ++n) {
        threads.emplace_back([&budget, &over, n] {
            core_memory m;
            m.use(budget);
            memory_charge held(m);
            std::uint64_t random = n + 1;
            for (int i = 0; i < 20'000; ++i) {
                random = random * 6364136223846793005U + 1442695040888963407U;
                held.set(random >> 38);
                m.retry();
                if (m.allowance() < budget.guaranteed() || m.allowance() > budget.usable()) ++over[n];
                if (m.pressure() == memory_pressure::none && held.bytes() > m.allowance()) ++over[n];
            }
        });
    }
    for (auto& t : threads) t.join();
    CHECK(over == std::vector<std::uint64_t>(cores));
    CHECK(budget.spare() == 32 * mebi);
}
