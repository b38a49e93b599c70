// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "redis/pool.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <string>
#include <utility>

// The part of a pool that caches replies. Redis remembers which keys were read on the connection, and sends a message
// when one of them changes. Replies and messages arrive on the same connection in the order in which Redis executed
// the commands, so a reply that is stored when it arrives is removed by each later change.

namespace apus::redis {

using codec::resp::element;
using codec::resp::kind;
using codec::resp::take_element;

task<connected> pool::connect_main(std::uint64_t due) {
    auto made = co_await connect_here(due);
    if (!cache_) co_return std::move(made);
    std::string wire;
    codec::resp::append_command(wire, {"CLIENT", "TRACKING", "ON"});
    made.io->send(wire);
    const std::string reply = co_await read_reply(*made.io, "CLIENT TRACKING", due);
    const bool before = std::exchange(tracks_, reply == "+OK\r\n");
    forget_replies();
    if (!tracks_ && (before || opened_at_ == 0))
        log::warn("redis: replies are not cached, since Redis refuses CLIENT TRACKING");
    co_return std::move(made);
}

void pool::forget_replies() noexcept {
    if (!cache_) return;
    cache_->clear();
    count_cache();
}

// Adds the changes of the cache since the last call to the metrics.
void pool::count_cache() noexcept {
    cached_counts_->add(cache_entries, cache_->size() - counted_.entries);
    cached_counts_->add(cache_bytes, cache_->bytes() - counted_.bytes);
    cached_counts_->add(cache_evictions, cache_->evictions() - counted_.evictions);
    counted_ = {cache_->size(), cache_->bytes(), cache_->evictions()};
}

const std::string* pool::cached(std::string_view wire) {
    if (!cache_ || !tracks_ || !is_connected()) return nullptr;
    const auto& o = options().cache;
    const std::uint64_t now = loop_.now();
    const auto silence = static_cast<std::uint64_t>(std::max(o.max_silence, duration()).milliseconds());
    if (now - main_->heard() > silence) return nullptr;
    const auto age = static_cast<std::uint64_t>(std::max(o.max_age, duration()).milliseconds());
    const std::string* const found = cache_->find(wire, now > age ? now - age : 0);
    cached_counts_->add(found ? cache_hits : cache_misses);
    if (!found) count_cache();  // `find` may have removed an old reply
    return found;
}

void pool::on_reply(const connection& from, const call& of) {
    if (!cache_ || !tracks_) return;
    // The message about a change by this process follows its reply, so that tasks would still find the old value.
    if (of.changes_all) cache_->clear();
    for (const std::string& key : of.changes) cache_->remove_key(key);
    const bool stores = !of.cache_key.empty() && &from == main_.get();
    if (stores && !of.received.starts_with('-') && !of.received.starts_with('!'))
        cache_->store(of.cache_key, of.wire, of.received, loop_.now());
    count_cache();
}

// The message is ["invalidate", keys], or ["invalidate", null] if all keys have changed.
void pool::on_push(const connection& from, std::string_view message) {
    if (!cache_ || &from != main_.get()) return;
    const element head = take_element(message);
    if (head.count == 0) return;
    const element what = take_element(message);
    if (what.what != kind::text || what.text != "invalidate") return;
    const element keys = head.count == 2 ? take_element(message) : element();
    if (keys.what != kind::list) return forget_replies();
    for (std::size_t i = 0; i < keys.count; ++i) {
        const element key = take_element(message);
        if (key.what != kind::text) return forget_replies();
        cache_->remove_key(key.text);
    }
    count_cache();
}

}  // namespace apus::redis
