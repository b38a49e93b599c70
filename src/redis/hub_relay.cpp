// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/hub_relay.hpp>

#include "crypto/random.hpp"
#include "redis/hub_message.hpp"

#include <apus/channel.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_all.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace apus::redis {
namespace {

constexpr std::int64_t pause_of_relay = 1'000;  // milliseconds between attempts while Redis is away
constexpr std::size_t messages_of_batch = 64, bytes_of_batch = std::size_t(1) << 20U;

// Senders may be threads without a loop.
std::int64_t clock_now() noexcept {
    using namespace std::chrono;
    return duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct hub_relay::parts {
    parts(client c, hub_relay_options o)
        : db(std::move(c)), how(std::move(o)), node(crypto::random_bytes(node_size)), waiting(how.queue) {}

    task<> publish_all();
    task<> receive_all(hub& to);
    task<> publish(batch all);
    void failed(std::string_view why) noexcept;
    bool worked() noexcept;
    bool may_send() noexcept;

    const client db;
    const hub_relay_options how;
    const std::string node;
    channel<std::string> waiting;
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::int64_t> next_try{0};  // in milliseconds; 0: Redis works
    std::atomic<bool> running{false};
};

void hub_relay::parts::failed(std::string_view why) noexcept {
    if (next_try.exchange(clock_now() + pause_of_relay) != 0) return;
    log::warn("rooms: messages reach this process only", {"channel", how.channel}, {"reason", why});
}

// Returns whether Redis was away.
bool hub_relay::parts::worked() noexcept {
    if (next_try.load(std::memory_order_relaxed) == 0 || next_try.exchange(0) == 0) return false;
    log::info("rooms: messages reach all processes again", {"channel", how.channel});
    return true;
}

// While Redis is away, messages would wait, and be late.
bool hub_relay::parts::may_send() noexcept {
    std::int64_t due = next_try.load(std::memory_order_relaxed);
    if (due == 0) return true;
    const std::int64_t now = clock_now();
    return now >= due && next_try.compare_exchange_strong(due, now + pause_of_relay);
}

task<> hub_relay::parts::publish(batch all) {
    const auto done = co_await db.run(std::move(all)).outcome();
    if (!done) co_return failed(done.error().cause());
    for (std::size_t i = 0; i < done->size(); ++i)
        if (const auto one = done->at<long long>(i); !one) co_return failed(one.error().cause());
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
            failed(got.error().cause());
            co_await sleep_for(apus::milliseconds(200));
            continue;
        }
        if (!*got) co_return;
        if ((*got)->gap) {
            if (!worked() && !std::exchange(first, false))
                log::warn("rooms: messages of other processes may be missing", {"channel", how.channel});
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
    struct mark {
        std::atomic<bool>& running;
        ~mark() { running = false; }
    };
    if (parts_->running.exchange(true))
        throw std::logic_error("redis::hub_relay: `run` is called twice: call it once per process");
    const mark runs{parts_->running};
    co_await when_all(parts_->publish_all(), parts_->receive_all(to));
}

void hub_relay::relay(std::string_view room, const websocket_message& message) {
    parts& p = *parts_;
    if (!p.may_send()) return;
    std::string made = to_bytes({p.node, room, message});
    const std::size_t size = made.size();
    const bool fits = p.bytes.fetch_add(size, std::memory_order_relaxed) + size <= p.how.queue_bytes;
    if (fits && p.waiting.try_send(std::move(made))) return;
    p.bytes.fetch_sub(size, std::memory_order_relaxed);
    p.failed(p.running ? "hub_relay_options::queue is full" : "hub_relay::run does not run");
}

}  // namespace apus::redis
