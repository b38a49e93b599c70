// SPDX-License-Identifier: Apache-2.0
#include <apus/hub.hpp>

#include "ws/branch.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

namespace apus {

using codec::websocket::frame_head;
using codec::websocket::opcode;

/// Its branches, the newest first. None is taken out before the end, so whoever goes through them needs no lock.
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

    branch& here() {
        for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
            if (e->of->is_here()) return *e->of;
        auto* made = new entry{std::make_shared<branch>(runtime::loop::current(), how_), first_.load(std::memory_order_relaxed)};
        while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {}
        return *made->of;
    }

    void deliver(std::string_view room, const shared_frame& frame) {
        for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next) {
            if (e->of->is_here()) e->of->send(room, frame);
            else e->of->post(room, frame);
        }
    }

private:
    struct entry {
        std::shared_ptr<branch> of;
        entry* next;
    };

    const hub_options how_;
    hub_relay* const relay_;
    std::atomic<entry*> first_ = nullptr;
};

namespace {

ws::shared_frame framed(const websocket_message& message) {
    char head[codec::websocket::max_frame_head];
    const char* end = write_frame_head(head, frame_head{message.bytes.size(), 0, message.binary ? opcode::binary : opcode::text, true, false});
    auto frame = std::make_shared<std::string>();
    frame->reserve(static_cast<std::size_t>(end - head) + message.bytes.size());
    frame->append(head, static_cast<std::size_t>(end - head)).append(message.bytes);
    return frame;
}

}  // namespace

hub_relay::~hub_relay() = default;

hub::hub(const hub_options& how) : parts_(new ws::hub_parts(how, nullptr)) {}
hub::hub(const hub_options& how, hub_relay& relay) : parts_(new ws::hub_parts(how, &relay)) {}
hub::~hub() { delete parts_; }

hub::seat::~seat() { delete member_; }

hub::seat hub::join(std::string_view room, websocket& member) {
    ws::session* session = ws::session::of(member);
    if (!session) return {};
    auto& here = parts_->here();
    return seat(new ws::member(here, here.room_of(room), *session));
}

void hub::send(std::string_view room, const websocket_message& message) {
    deliver(room, message);
    if (auto* relay = parts_->relay()) relay->relay(room, message);
}

void hub::deliver(std::string_view room, const websocket_message& message) { parts_->deliver(room, framed(message)); }

}  // namespace apus
