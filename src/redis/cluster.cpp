// SPDX-License-Identifier: Apache-2.0
#include "redis/cluster.hpp"

#include "codec/resp/command.hpp"
#include "crypto/random.hpp"
#include "redis/pool.hpp"
#include "base/raised_flag.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace apus::redis {
namespace {

std::shared_ptr<const shared_state> state_of_node(const shared_state& of, const host_port& at) {
    auto made = std::make_shared<shared_state>(of);
    made->to.kind = topology::single;
    made->to.hosts.clear();
    made->to.host = at.host;
    made->to.port = at.port;
    made->of_cluster = true;
    return made;
}

}  // namespace

// Cores and processes begin with different nodes of the URL.
cluster::cluster(pool& of)
    : any_(of), next_(static_cast<unsigned char>(crypto::random_bytes(1)[0]) % of.state().to.hosts.size()) {}

cluster::~cluster() {
    for (const auto& one : nodes_)
        if (one) pool::end_here(*one->state);
}

std::uint16_t cluster::index_of(const host_port& at) {
    const auto found = std::ranges::find_if(nodes_, [&at](const auto& one) { return one && one->at == at; });
    if (found != nodes_.end()) return static_cast<std::uint16_t>(found - nodes_.begin() + 1);
    const auto hole = std::ranges::find_if(nodes_, [](const auto& one) { return !one; });
    const auto index = static_cast<std::uint16_t>(hole - nodes_.begin() + 1);
    if (index > max_nodes) return 0;
    auto made = std::make_unique<node>(node{.at = at, .state = state_of_node(any_.state(), at)});
    if (hole == nodes_.end()) nodes_.push_back(std::move(made));
    else *hole = std::move(made);
    return index;
}

pool* cluster::of_slot(std::uint16_t slot) {
    const std::uint16_t index = owner_[slot];
    return index == 0 ? nullptr : &pool::of_this_core(nodes_[index - 1U]->state);
}

const host_port* cluster::server_of(std::uint16_t slot) const noexcept {
    const std::uint16_t index = owner_[slot];
    return index == 0 ? nullptr : &nodes_[index - 1U]->at;
}

pool* cluster::of_node(const host_port& at) {
    const std::uint16_t index = index_of(at);
    return index == 0 ? nullptr : &pool::of_this_core(nodes_[index - 1U]->state);
}

void cluster::moved(std::uint16_t slot, const host_port& to) {
    if (const std::uint16_t index = index_of(to); index != 0) owner_[slot] = index;
    refresh();
}

std::size_t cluster::candidates() const noexcept { return nodes_.size() + any_.state().to.hosts.size(); }

host_port cluster::next_candidate(bool in_map) {
    const auto& seeds = any_.state().to.hosts;
    for (std::size_t left = candidates(); left != 0; --left) {
        next_ = (next_ + 1) % candidates();
        if (next_ < seeds.size()) {
            if (in_map) continue;
            return seeds[next_];
        }
        const auto& one = nodes_[next_ - seeds.size()];
        if (one && one->listed) return one->at;
    }
    next_ = (next_ + 1) % seeds.size();
    return seeds[next_];
}

std::size_t cluster::leases() const noexcept {
    std::size_t all = 0;
    for (const auto& one : nodes_)
        if (const pool* p = one ? pool::find_of_this_core(*one->state) : nullptr) all += p->leases();
    return all;
}

void cluster::refresh() {
    if (!refreshing_) static_cast<void>(any_.spawn(refresh_now()));
}

task<> cluster::refresh_now() {
    constexpr std::size_t attempts = 3;
    const base::raised_flag refreshing(refreshing_);
    if (const std::uint64_t now = any_.loop().now(); now < not_before_)
        co_await sleep_for(milliseconds(static_cast<std::int64_t>(not_before_ - now)));
    for (std::size_t i = 0; i < attempts; ++i) {
        const auto read = co_await read_from(next_candidate()).outcome();  // fails only without memory
        if (read && *read) break;
    }
    not_before_ = any_.loop().now() + refresh_pause;
}

task<bool> cluster::read_from(host_port at) {
    pool* const from = of_node(at);
    if (!from) co_return false;
    std::string wire;
    codec::resp::append_command(wire, {"CLUSTER", "INFO"});
    codec::resp::append_command(wire, {"CLUSTER", "SLOTS"});
    const duration longest = std::min<duration>(any_.options().connect_timeout, seconds(1));
    call c(*from, "CLUSTER", std::move(wire), 2, from->after(longest));
    c.repeatable = true;
    co_await c;
    if (c.failed) co_return false;
    // During a failover, all nodes are unhealthy. A node that is cut off from the others has an outdated map.
    if (known_ && !is_healthy(reply_at(c.received, c.ends, 0))) co_return false;
    const auto map = read_slots(reply_at(c.received, c.ends, 1), at);
    if (map) install(*map);
    co_return map.has_value();
}

void cluster::install(const slot_map& from) {
    for (const auto& one : nodes_)
        if (one) one->listed = false;
    std::vector<std::uint16_t> index;
    for (const host_port& at : from.nodes) {
        index.push_back(index_of(at));
        if (index.back() != 0) nodes_[index.back() - 1U]->listed = true;
    }
    for (std::size_t slot = 0; slot < slots; ++slot)
        owner_[slot] = from.owner[slot] == 0 ? std::uint16_t(0) : index[from.owner[slot] - 1U];
    known_ = true;
    any_.leave_servers([&from](const host_port& at) { return std::ranges::find(from.nodes, at) != from.nodes.end(); });
    for (auto& one : nodes_) {
        if (!one || one->listed) continue;
        const pool* const p = pool::find_of_this_core(*one->state);
        if (p && p->in_use()) continue;
        pool::end_here(*one->state);
        one.reset();
    }
}

}  // namespace apus::redis
