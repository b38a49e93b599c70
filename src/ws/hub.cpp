// SPDX-License-Identifier: Apache-2.0
#include <apus/hub.hpp>

#include "ws/hub_shard.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace apus {

/// The shards of a hub, newest first.
/// Shards are removed only when the hub is destroyed, so iterating needs no lock.
class ws::hub_parts {
public:
    hub_parts(const hub_options& how, hub_relay* relay) : how_(how), relay_(relay) {}
    hub_parts(const hub_parts&) = delete;
    hub_parts& operator=(const hub_parts&) = delete;
    ~hub_parts() {
        for (entry* e = first_; e;) {
            const std::unique_ptr<entry> own(std::exchange(e, e->next));
            if (own->of->is_here()) own->of->end();
        }
    }

    hub_relay* relay() const noexcept { return relay_; }

    hub_shard& here() {
        for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
            if (e->of->is_here()) return *e->of;
        auto* made = new entry{std::make_shared<hub_shard>(runtime::loop::current(), how_),
                               first_.load(std::memory_order_relaxed)};
        while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {}
        return *made->of;
    }

    void deliver(std::string_view room, const websocket_message& message) {
        const auto made =
            share(message, message.bytes.size() < std::max<std::size_t>(how_.compress_from, 1) ? 0 : usual_window());
        for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next) {
            if (e->of->is_here()) e->of->send(room, made);
            else e->of->post(room, made);
        }
    }

private:
    // Returns the window size that most of the compressing members have; 0 if no member compresses. Thus a single
    // client with a small window does not affect the compression for other clients.
    unsigned usual_window() const noexcept {
        unsigned usual = 0, most = 0;
        for (unsigned bits = 9; bits <= 15; ++bits) {
            unsigned all = 0;
            for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
                all += e->of->compressing(bits).load(std::memory_order_relaxed);
            if (all > most) usual = bits, most = all;
        }
        return usual;
    }

    struct entry {
        std::shared_ptr<hub_shard> of;
        entry* next;
    };

    const hub_options how_;
    hub_relay* const relay_;
    std::atomic<entry*> first_ = nullptr;
};

hub_relay::~hub_relay() = default;

hub::hub(const hub_options& how) : parts_(new ws::hub_parts(how, nullptr)) {}
hub::hub(const hub_options& how, hub_relay& relay) : parts_(new ws::hub_parts(how, &relay)) {}
hub::~hub() { delete parts_; }

hub::seat::~seat() { delete member_; }

hub::seat hub::join(std::string_view room, websocket& member) {
    ws::session* session = ws::session::of(member);
    if (!session) return {};
    if (session->is_client())
        throw std::invalid_argument("hub: a member must be a WebSocket of a route, not of connect_websocket");
    auto& here = parts_->here();
    return seat(new ws::member(here, here.room_of(room), *session));
}

void hub::send(std::string_view room, const websocket_message& message) {
    deliver(room, message);
    if (auto* relay = parts_->relay()) relay->relay(room, message);
}

void hub::deliver(std::string_view room, const websocket_message& message) { parts_->deliver(room, message); }

}  // namespace apus
