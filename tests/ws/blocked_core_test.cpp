// SPDX-License-Identifier: Apache-2.0
#include "support/counted_memory.hpp"
#include "ws/hub_core.hpp"
#include "ws/hub_shard.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

using namespace apus;
using test::core_of_test;
using test::on_each_hub_backend;

namespace {

// Resident memory of the process in bytes.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, held = 0;
    file >> all >> held;
    return held * 4096;
}

constexpr std::size_t size = 100'000, count = 2000;  // 200 MB in all

void flood(hub& rooms) {
    std::thread([&] {
        const std::string message(size, 'm');
        for (std::size_t i = 0; i < count; ++i) rooms.send("flooded", message);
        rooms.send("quiet", "for others");
    }).join();
}

}  // namespace

TEST_CASE("messages that wait for a blocked core are bounded") {
    for (const slow_member slow : {slow_member::close, slow_member::drop_oldest, slow_member::drop_newest}) {
        on_each_hub_backend([slow](std::unique_ptr<runtime::backend> io) {
            const std::string backend = io->name();
            CAPTURE(backend);
            CAPTURE(static_cast<int>(slow));
            hub rooms({.slow = slow});
            core_of_test core(rooms, std::move(io));
            const auto member = core.join("flooded"), other = core.join("quiet");

            // This thread is the core: it is blocked, because it does not turn its loop meanwhile.
            const std::size_t before = resident();
            flood(rooms);
            if (support::allocations_are_counted) CHECK(resident() < before + 2 * ws::hub_shard::max_posted);

            std::string seen, seen_by_other;
            for (int i = 0; i < 200; ++i) seen += core.seen(member), seen_by_other += core.seen(other);
            CHECK(seen_by_other == "text:for others ");
            rooms.send("flooded", "afterwards");
            seen += core.seen(member);
            if (slow == slow_member::close) CHECK(seen == "close:1013:this server was too slow for this room ");
            else CHECK(seen.starts_with("text:100000 bytes text:100000 bytes "));
            CHECK(seen.ends_with("text:afterwards ") == (slow != slow_member::close));
        });
    }
}

TEST_CASE("a message larger than the limit reaches another core") {
    hub rooms({.member_bytes = 3 * ws::hub_shard::max_posted});
    core_of_test core(rooms);
    const auto member = core.join("room");
    std::thread([&] { rooms.send("room", std::string(2 * ws::hub_shard::max_posted, 'x')); }).join();
    std::string seen;
    for (int i = 0; i < 20'000 && seen.empty(); ++i) seen += core.seen(member);
    CHECK(seen == "text:33554432 bytes ");
}
