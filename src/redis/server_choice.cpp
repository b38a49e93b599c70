// SPDX-License-Identifier: Apache-2.0
#include "redis/failure.hpp"
#include "redis/pool.hpp"
#include "base/raised_flag.hpp"
#include "base/reason.hpp"
#include "redis/sentinels.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

// The part of a pool that selects the server: the primary that the sentinels name, or a node of a cluster.

namespace apus::redis {

task<connected> pool::connect_here(std::uint64_t due) {
    connected made;
    if (nodes_) made = co_await connect_to_any(due);
    else made = co_await connect(*state_, loop_, due);
    note_server(made.at);
    co_return std::move(made);
}

task<connected> pool::connect_to_any(std::uint64_t due) {
    constexpr std::uint64_t attempts = 3;
    for (std::uint64_t left = std::min<std::uint64_t>(attempts, nodes_->candidates()); true; --left) {
        const host_port at = nodes_->next_candidate(left > 1);
        const std::uint64_t now = loop_.now(), share = due > now ? (due - now) / left : 0;
        auto made = co_await connect_to_node(*state_, loop_, at, now + share).outcome();
        if (made && made->facts.mode == "cluster") co_return *std::move(made);
        if (left > 1) continue;
        const std::string why =
            made ? "the server is not a node of a cluster" : std::string(base::reason_of(made.error()));
        co_await failure(unreachable(to_text(at) + ": " + why));
    }
}

void pool::note_server(const host_port& at) {
    if (at == server_) return;
    const bool first = server_ == host_port();
    server_ = at;
    if (first || state_->to.kind != topology::sentinel) return;
    constexpr std::string_view why = "Redis has another primary";
    retire_main();
    if (subscriber_) subscriber_->reconnect(why);
    for (const lease* one : leases_)
        if (one->on) one->on->lost(why);
    for (const auto& one : idle_) one->lost(why);
}

void pool::leave_servers(const std::function<bool(const host_port&)>& stays) {
    if (main_ && !stays(main_server_)) retire_main();
    if (subscriber_ && subscriber_->server() && !stays(*subscriber_->server()))
        subscriber_->reconnect("the node has left the cluster");
}

void pool::check_primary() {
    checks_ = failed_checks_ = 0;
    check_primary_again();
}

void pool::check_primary_again() noexcept {
    if (ended_) return;
    if (checking_) check_again_ = true;
    else if (!spawn(check_primary_now())) check_again_ = false;
}

// A connection that is lost leads to the current primary anyway. The check is for a former primary that still accepts
// connections, or that does not respond.
task<> pool::check_primary_now() {
    const duration pause = milliseconds(200);  // limits the rate if the sentinels report changes too often
    const host_port before = server_;
    bool agreed = false, reached = false;
    {
        const base::raised_flag checking(checking_);
        auto made = co_await connect_here(after(options().connect_timeout)).outcome();
        reached = made.has_value();
        agreed = made && made->agreed;
        if (made && !is_connected() && !waiting_.empty() && !opening_ && !cache_) opened(*std::move(made));
        dispatch();
        co_await sleep_for(pause);
    }
    if (std::exchange(check_again_, false)) check_primary_again();
    else schedule_check(reached, server_ != before, agreed);
}

// The sentinels learn of a failover one after the other, and the former primary may still report its role. So the check
// is repeated until the majority names another server, or still names the same one after all pauses.
void pool::schedule_check(bool reached, bool moved, bool agreed) {
    constexpr std::array<std::uint64_t, 3> pauses = {1'000, 3'000, 10'000};  // ms
    if (!reached) return loop_.timers().add(recheck_, loop_.now() + backoff(++failed_checks_));
    failed_checks_ = 0;
    if (agreed && (moved || checks_ == pauses.size())) return;
    loop_.timers().add(recheck_, loop_.now() + pauses[std::min<std::size_t>(checks_, pauses.size() - 1)]);
    checks_ = std::min<unsigned>(checks_ + 1, pauses.size());
}

task<> pool::watch_primary() {
    const auto& sentinels = state_->to.hosts;
    unsigned failures = 0;
    for (std::size_t i = 0; true; i = (i + 1) % sentinels.size()) {
        const std::uint64_t began = loop_.now();
        static_cast<void>(co_await watch_sentinel(*state_, loop_, sentinels[i], [this] { check_primary(); }).outcome());
        failures = loop_.now() - began < short_life ? failures + 1 : 1;
        co_await sleep_for(milliseconds(static_cast<std::int64_t>(backoff(failures))));
    }
}

}  // namespace apus::redis
