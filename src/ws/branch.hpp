// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "ws/session.hpp"

#include <apus/hub.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apus::ws {

/// A message in its frame, made once for all who get it.
using shared_frame = std::shared_ptr<const std::string>;

struct room;
class branch;

/// A WebSocket in a room. Owned by its seat.
struct member final : waiting_writer {
    member(branch& b, room& r, session& s);
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member();

    /// For one that has no room now: keeps what may be kept.
    void put_aside(const shared_frame&, const hub_options&);

    bool write_on() override;
    void session_ended() noexcept override { of = nullptr; }

    session* of;
    room* in;
    std::shared_ptr<branch> on;
    std::deque<shared_frame> waiting;
    std::size_t waiting_bytes = 0;
};

/// Those of a room on one core, and what they are to be sent at the end of the turn.
struct room {
    std::vector<member*> members;    // null: has left while it was sent to
    std::vector<shared_frame> due;
};

/// What a hub has on one core. All but `post` is for that core.
class branch final : public std::enable_shared_from_this<branch> {
public:
    branch(runtime::loop& of, const hub_options& how);
    branch(const branch&) = delete;
    branch& operator=(const branch&) = delete;
    ~branch();

    /// Whether it is that of this thread's loop.
    bool is_here() const noexcept { return !ended_.load(std::memory_order_acquire) && runtime::loop::exists() && &loop_ == &runtime::loop::current(); }

    room& room_of(std::string_view name) { return rooms_.try_emplace(std::string(name)).first->second; }
    void leave(member&) noexcept;

    /// To be sent at the end of the turn.
    void send(std::string_view room, const shared_frame&);

    /// The same from another thread.
    void post(std::string_view room, const shared_frame&);

    void end() noexcept;  ///< Nothing more comes in or goes out.

private:
    struct news : runtime::letter {
        std::shared_ptr<branch> to;
        std::string room;
        shared_frame frame;
    };
    struct sending : runtime::deferred {
        branch* of;
    };
    struct ending : runtime::loop_end {
        branch* of;
    };

    void send_due() noexcept;
    void send_due(room&);
    void give(room&, std::size_t first, std::size_t last, std::string_view batch);

    runtime::loop& loop_;
    const hub_options how_;
    std::map<std::string, room, std::less<>> rooms_;
    std::vector<std::string> due_;
    sending later_;
    ending at_end_;
    bool busy_ = false;                     // members are being sent to: none may be taken out
    std::atomic<unsigned> posting_ = 0;     // threads that are about to use the loop
    std::atomic<bool> ended_ = false;
};

}  // namespace apus::ws
