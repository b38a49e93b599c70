// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "ws/session.hpp"
#include "ws/shared_message.hpp"

#include <apus/hub.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::ws {

using shared = std::shared_ptr<const shared_message>;

struct room;
class branch;

/// A WebSocket in a room. Owned by its seat.
struct member final : waiting_writer {
    member(branch& b, room& r, session& s);
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member();

    /// For one that has no room now: keeps what may be kept.
    void put_aside(const shared&, const hub_options&);

    bool write_on() override;
    void session_ended() noexcept override { of = nullptr; }

    struct put_off {
        shared message;
        bool small;  // compressed
        const std::string& frame() const noexcept { return message->frame(small); }
    };

    session* of;
    const unsigned window_bits;  // of what it can be sent compressed; 0: nothing
    std::size_t waiting_bytes = 0;
    std::deque<put_off> waiting;
    room* in;
    std::shared_ptr<branch> on;

private:
    void give_up_oldest() noexcept;
};

/// Those of a room on one core, and what they are to be sent at the end of the turn.
struct room {
    std::vector<member*> members;    // null: has left while it was sent to
    std::vector<shared> due;
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
    void send(std::string_view room, const shared&);

    /// The same from another thread.
    void post(std::string_view room, const shared&);

    /// How many members have windows of this size to compress with, from 9 to 15 bits. From any thread.
    std::atomic<unsigned>& compressing(unsigned bits) noexcept { return compressing_[bits]; }

    void end() noexcept;  ///< Nothing more comes in or goes out.

private:
    struct news : runtime::letter {
        std::shared_ptr<branch> to;
        std::string room;
        shared message;
    };
    struct sending : runtime::deferred {
        branch* of;
    };
    struct ending : runtime::loop_end {
        branch* of;
    };

    void send_due() noexcept;
    void send_due(room&);
    std::string_view laid_out(std::span<const shared>, unsigned bits);
    void give(room&, std::span<const shared> batch);

    runtime::loop& loop_;
    const hub_options how_;
    std::map<std::string, room, std::less<>> rooms_;
    std::vector<std::string> due_;
    sending later_;
    ending at_end_;
    bool busy_ = false;                     // members are being sent to: none may be taken out
    std::atomic<unsigned> posting_ = 0;     // threads that are about to use the loop
    std::atomic<bool> ended_ = false;
    std::atomic<unsigned> compressing_[16] = {};
};

}  // namespace apus::ws
