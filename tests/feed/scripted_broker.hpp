// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core_of_test.hpp"

#include <apus/channel.hpp>
#include <apus/feed.hpp>
#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace apus::test {

/// Runs the loop until `done` returns true, for at most 20 seconds.
inline bool turn_until(core& c, const std::function<bool()>& done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
        if (std::chrono::steady_clock::now() >= until) return false;
        c.loop->turn(1);
    }
    return true;
}

/// Stores rooms on several nodes, which can fail or not respond. The room `2:tea` belongs to node `2`.
struct scripted_broker final : feed_broker {
    std::set<std::string> failing, silent;  ///< Nodes.
    bool sends = true;                      ///< Whether stored events are sent.
    bool names_nodes = true;
    std::string outdated;             ///< If not empty, the name of all nodes: a core does not know of a failover yet.
    std::size_t largest = 1'000'000;  ///< Reads of so many bytes fail.
    std::uint64_t time = 1'700'000'000'000;
    std::map<std::string, std::vector<received>> stored;
    channel<received> messages{100'000};
    channel<bool> never{1};
    std::vector<std::size_t> counts;  ///< Of events, for each call of `read`.
    std::map<std::string, int> reads, in_flight, most_in_flight;

    void send_gap() const {
        received gap;
        gap.event.gap = true;
        CHECK(messages.try_send(gap));
    }
    /// Stores an event, and returns the message about it.
    received store(const std::string& room, std::string data, std::string token = {}) {
        auto& all = stored[room];
        received made{.room = room,
                      .event = {.id = std::to_string(++time) + "-0", .name = {}, .data = std::move(data)},
                      .token = std::move(token),
                      .previous = all.empty() ? std::string() : all.back().event.id,
                      .first = all.empty()};
        all.push_back(made);
        return made;
    }
    void send(const received& message) const { CHECK(messages.try_send(message)); }

    std::string node_of(std::string_view room) const override {
        if (!outdated.empty()) return outdated;
        return names_nodes ? node_in(room) : std::string();
    }
    task<> reach(const std::set<std::string>& nodes) {
        co_await sleep_for(milliseconds(1));
        for (const auto& node : nodes) {
            if (silent.contains(node)) co_await never.receive();
            if (failing.contains(node)) co_await fail(503, "unreachable").cause("node " + node + " is down");
        }
    }
    static std::string node_in(std::string_view room) { return std::string(room.substr(0, room.find(':'))); }
    task<std::string> publish(std::string room, feed_event event, std::string token) override {
        const std::set<std::string> nodes{node_in(room)};
        co_await reach(nodes);
        const auto made = store(room, std::move(event.data), std::move(token));
        if (sends) send(made);
        co_return made.event.id;
    }
    task<std::vector<result<std::vector<received>>>> read(std::vector<feed_position> from, std::size_t count) override {
        counts.push_back(count);
        std::set<std::string> nodes;
        for (const auto& at : from) {
            nodes.insert(node_in(at.room));
            ++reads[at.room];
            most_in_flight[at.room] = std::max(most_in_flight[at.room], ++in_flight[at.room]);
        }
        co_await reach(nodes);
        for (const auto& at : from) --in_flight[at.room];
        std::vector<result<std::vector<received>>> made;
        std::size_t bytes = 0;
        for (const auto& at : from) {
            std::vector<received> page;
            for (const auto& each : stored[at.room])
                if ((at.after == "0-0" || each.event.id >= at.after) && page.size() < count) {
                    page.push_back(each);
                    bytes += each.event.data.size();
                }
            made.emplace_back(std::move(page));
        }
        if (bytes >= largest) co_await fail(500, "the reply is too large");
        co_return made;
    }
    task<std::vector<result<std::string>>> last_ids(std::vector<std::string> rooms) override {
        std::set<std::string> nodes;
        for (const auto& room : rooms) nodes.insert(node_in(room));
        co_await reach(nodes);
        std::vector<result<std::string>> made;
        for (const auto& room : rooms)
            made.emplace_back(stored[room].empty() ? std::string() : stored[room].back().event.id);
        co_return made;
    }
    task<std::optional<received>> receive() override { return next(messages); }
    static task<std::optional<received>> next(channel<received> from) { co_return co_await from.receive(); }
    void end_receiving() noexcept override {}
    void configure(const feed_options&) override {}
};

}  // namespace apus::test
