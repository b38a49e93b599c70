// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/cache_relay.hpp>

#include "base/raised_flag.hpp"
#include "base/reason.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <atomic>
#include <stdexcept>
#include <utility>

namespace apus::redis {

struct cache_relay::parts {
    parts(client c, const response_cache& of, std::string on) : db(std::move(c)), cache(of), channel(std::move(on)) {}

    const client db;
    response_cache cache;
    const std::string channel;
    std::atomic<bool> running{false};
};

cache_relay::cache_relay(client db, const response_cache& cache, std::string channel)
    : parts_(apus::detail::own_parts(new parts(std::move(db), cache, std::move(channel)))) {
    if (parts_->channel.empty()) throw std::invalid_argument("redis::cache_relay: the channel is empty");
}

cache_relay::~cache_relay() = default;

task<> cache_relay::run() {
    parts& p = *parts_;
    if (p.running.exchange(true))
        throw std::logic_error("redis::cache_relay: `run` is called twice: call it once per process");
    const base::raised_flag running(p.running);
    auto messages = p.db.subscribe(p.channel);
    bool failed = false;
    while (true) {
        auto got = co_await messages.next().outcome();
        if (!got) {
            if (!std::exchange(failed, true))
                log::warn("response cache: changes by other processes are unknown; responses are dropped repeatedly",
                          {"channel", p.channel}, {"reason", base::reason_of(got.error())});
            p.cache.drop_all_in_memory();
            co_await sleep_for(milliseconds(200));
            continue;
        }
        if (!*got) co_return;
        failed = false;
        // The process that dropped the tag has dropped it in the second level before.
        if ((*got)->gap) p.cache.drop_all_in_memory();
        else p.cache.drop_tag_in_memory((*got)->payload);
    }
}

task<> cache_relay::drop_tag(std::string tag) {
    parts& p = *parts_;
    p.cache.drop_tag(tag);
    auto stored = co_await p.cache.store_drops().outcome();
    co_await p.db.publish(p.channel, tag);
    if (!stored) co_await failure(std::move(stored.error()));
}

}  // namespace apus::redis
