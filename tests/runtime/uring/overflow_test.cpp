// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"
#include "runtime/memory_budget.hpp"
#include "runtime/uring/uring_backend.hpp"
#include "support/descriptors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace apus;
using test::noting_stream;

// Enough streams to overflow the queue several times; all of them become ready at once, repeatedly.
TEST_CASE("a turn handles no more completions than the queue holds, and none is lost") {
    constexpr unsigned queue = 512, count = 2000, rounds = 5;
    support::need_descriptors(3 * count);
    runtime::uring_backend io(queue);
    std::string why;
    if (!io.open(why)) return support::skip_uring(why);

    unsigned of_turn = 0, most = 0;
    std::vector<std::unique_ptr<noting_stream>> streams;
    for (unsigned i = 0; i < count; ++i) {
        auto& s = *streams.emplace_back(std::make_unique<noting_stream>(io));
        s.on_received = [&io, &of_turn, &s](runtime::received_bytes b) {
            ++of_turn;
            const std::string echo(b.data, b.size);
            s.got += echo;
            test::send_batch(io, s, echo);  // sent from the arena, whose memory is reused after the turn
        };
        io.receive(s);
    }
    std::vector<std::string> echoed(count);
    const auto wanted = [](unsigned stream, unsigned round) {
        return test::numbered_bytes(48, stream * rounds + round);
    };
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < count; ++i) streams[i]->give(wanted(i, round));
        const bool all = test::turn_until(io, [&] {
            most = std::max(most, std::exchange(of_turn, 0));
            bool done = true;
            for (unsigned i = 0; i < count; ++i) {
                if (echoed[i].size() < 48 * (round + 1)) echoed[i] += streams[i]->take();
                done = done && echoed[i].size() == 48 * (round + 1);
            }
            return done;
        });
        REQUIRE(all);
    }
    CHECK(most > 100);
    CHECK(most <= queue);
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i)
        for (unsigned round = 0; round < rounds; ++round) wrong += echoed[i].substr(48 * round, 48) != wanted(i, round);
    CHECK(wrong == 0);
}

// More streams than buffers, each with more bytes than the buffers hold, so that each stream retries repeatedly.
TEST_CASE("a stream without ring buffers still receives") {
    constexpr unsigned count = 300, rounds = 200, max_turns = 20;
    support::need_descriptors(3 * count);
    runtime::memory_budget little(1024 * 1024, 1);
    runtime::core_memory account;
    account.use(little);
    runtime::uring_backend io(8192);
    std::string why;
    if (!io.open(why)) return support::skip_uring(why);
    io.buffers().count_in(account);

    const std::string flood(64 * 1024, 'f');
    std::vector<unsigned> last(count, 0);  // for each stream, turns since it last received bytes
    unsigned longest = 0;
    std::vector<std::unique_ptr<noting_stream>> streams;
    for (unsigned i = 0; i < count; ++i) {
        auto& s = *streams.emplace_back(std::make_unique<noting_stream>(io));
        s.on_received = [&last, i](runtime::received_bytes) { last[i] = 0; };
        io.receive(s);
    }
    for (unsigned round = 0; round < rounds; ++round) {
        // sends as much as the socket accepts
        for (auto& s : streams) ::send(s->peer(), flood.data(), flood.size(), MSG_NOSIGNAL);
        io.turn(0);
        for (auto& turns : last) longest = std::max(longest, ++turns);
    }
    CHECK(longest <= max_turns);
}
