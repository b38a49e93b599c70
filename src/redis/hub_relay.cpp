// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/hub_relay.hpp>

#include "base/outage.hpp"
#include "base/raised_flag.hpp"
#include "base/reason.hpp"
#include "crypto/random.hpp"
#include "redis/hub_message.hpp"

#include <apus/channel.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_all.hpp>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace apus::redis {
namespace {

constexpr std::size_t messages_of_batch = 64, bytes_of_batch = std::size_t(1) << 20U;

}  // namespace

struct hub_relay::parts {
    parts(client c, hub_relay_options o)
        : db(std::move(c)), how(std::move(o)), node(crypto::random_bytes(node_size)), waiting(how.queue) {}

    task<> publish_all();
    task<> receive_all(hub& to);
    task<> publish(batch all);
    void failed(std::string_view why) noexcept;
    bool worked() noexcept;

    const client db;
    const hub_relay_options how;
    const std::string node;
    channel<std::string> waiting;
    std::atomic<std::size_t> bytes{0};
    base::outage away;  // whether Redis is unreachable
    std::atomic<bool> running{false};
};

void hub_relay::parts::failed(std::string_view why) noexcept {
    if (away.begin(base::outage::clock_now()))
        log::warn("rooms: messages reach this process only", {"channel", how.channel}, {"reason", why});
}

// Returns whether Redis was unreachable before this success.
bool hub_relay::parts::worked() noexcept {
    if (!away.end()) return false;
    log::info("rooms: messages reach all processes again", {"channel", how.channel});
    return true;
}

task<> hub_relay::parts::publish(batch all) {
    const auto done = co_await db.run(std::move(all)).outcome();
    if (!done) co_return failed(base::reason_of(done.error()));
    for (std::size_t i = 0; i < done->size(); ++i)
        if (const auto one = done->at<long long>(i); !one) co_return failed(base::reason_of(one.error()));
    worked();
}

task<> hub_relay::parts::publish_all() {
    while (auto next = co_await waiting.receive()) {
        batch all;
        std::size_t size = 0;
        while (next) {
            size += next->size();
            all.add("PUBLISH", how.channel, *next);
            next.reset();
            if (all.size() < messages_of_batch && size < bytes_of_batch) next = waiting.try_receive();
        }
        bytes.fetch_sub(size, std::memory_order_relaxed);
        co_await publish(std::move(all));
    }
}

task<> hub_relay::parts::receive_all(hub& to) {
    auto messages = db.subscribe(how.channel);
    bool first = true;
    while (true) {
        auto got = co_await messages.next().outcome();
        if (!got) {
            failed(base::reason_of(got.error()));
            co_await sleep_for(apus::milliseconds(200));
            continue;
        }
        if (!*got) co_return;
        if ((*got)->gap) {
            if (!worked() && !std::exchange(first, false))
                log::warn("rooms: messages from other processes may be missing", {"channel", how.channel});
            first = false;
            continue;
        }
        const auto read = read_hub_message((*got)->payload);
        if (read && read->node != node) to.deliver(read->room, read->message);
    }
}

hub_relay::hub_relay(client db, hub_relay_options how)
    : parts_(apus::detail::own_parts(new parts(std::move(db), std::move(how)))) {
    if (parts_->how.channel.empty()) throw std::invalid_argument("redis::hub_relay: the channel is empty");
}

hub_relay::~hub_relay() = default;

task<> hub_relay::run(hub& to) {
    if (parts_->running.exchange(true))
        throw std::logic_error("redis::hub_relay: `run` is called twice: call it once per process");
    const base::raised_flag running(parts_->running);
    co_await when_all(parts_->publish_all(), parts_->receive_all(to));
}

void hub_relay::relay(std::string_view room, const websocket_message& message) {
    parts& p = *parts_;
    if (p.away.ongoing() && !p.away.may_try(base::outage::clock_now())) return;  // the message would be sent too late
    std::string made = to_bytes({p.node, room, message});
    const std::size_t size = made.size();
    const bool fits = p.bytes.fetch_add(size, std::memory_order_relaxed) + size <= p.how.queue_bytes;
    if (fits && p.waiting.try_send(std::move(made))) return;
    p.bytes.fetch_sub(size, std::memory_order_relaxed);
    p.failed(p.running ? "hub_relay_options::queue is full" : "hub_relay::run is not running");
}

}  // namespace apus::redis
