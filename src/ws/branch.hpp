// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "ws/session.hpp"
#include "ws/shared_message.hpp"

#include <apus/hub.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// The members of a room on one core, and the messages that are due to them. These are sent in batches, one after
/// the other, and a batch to a part of its members in a turn where they are many (docs/decisions/0026).
struct room {
    std::vector<member*> members;  // null: has left while a batch was being sent
    std::vector<shared> due;
    std::size_t due_bytes = 0;
    std::size_t batch = 0;  // messages at the front of `due` that are being sent; 0: none
    std::size_t batch_bytes = 0;
    std::size_t next = 0;  // member that gets the batch next
    std::size_t end = 0;   // behind the last one: those who joined later do not get it

    void begin_batch() noexcept;
    std::size_t take_batch();  ///< Removes the batch that was sent. Gives its bytes.
};

/// What a hub has on one core. All but `post` is for that core.
class branch final : public std::enable_shared_from_this<branch> {
public:
    branch(runtime::loop& of, const hub_options& how);
    branch(const branch&) = delete;
    branch& operator=(const branch&) = delete;
    ~branch();

    /// Whether it is that of this thread's loop.
    bool is_here() const noexcept {
        return !ended_.load(std::memory_order_acquire) && runtime::loop::exists() &&
               &loop_ == &runtime::loop::current();
    }

    room& room_of(std::string_view name) { return rooms_.try_emplace(std::string(name)).first->second; }
    void leave(member&) noexcept;

    /// To be sent at the end of the turn.
    void send(std::string_view room, const shared&);

    /// The same from another thread.
    void post(std::string_view room, const shared&);

    // For the account of the core: a message that waits for members counts once, however many they are.
    void keep(const shared&);
    void let_go(const shared&) noexcept;

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
    // Goes on in the next turn, after it has polled.
    struct continuation : runtime::letter {
        std::shared_ptr<branch> of;  // while it is posted
    };
    using rooms = std::map<std::string, room, std::less<>>;
    struct share {
        std::size_t members, bytes;
        bool spent() const noexcept { return members == 0 || bytes == 0; }
    };
    struct ending : runtime::loop_end {
        branch* of;
    };

    void send_due() noexcept;
    void send_due(room&, share& left);
    void send_rest_later();
    bool is_behind(const room&) const noexcept;
    std::string_view laid_out(std::span<const shared>, unsigned bits);
    void give(room&, share& left);
    void give(member&, std::span<const shared> batch, std::string_view plain, std::string_view small, unsigned bits);
    void end_batch(room&);
    void drop_due(room&) noexcept;

    runtime::loop& loop_;
    const hub_options how_;
    std::unordered_map<const shared_message*, std::uint32_t> kept_;  // for how many members
    rooms rooms_;
    std::list<rooms::iterator> due_;  // with messages, in the order in which they are sent to
    sending later_;
    continuation rest_;
    ending at_end_;
    std::atomic<unsigned> posting_ = 0;  // threads that are about to use the loop
    std::atomic<bool> ended_ = false;
    std::atomic<unsigned> compressing_[16] = {};
};

}  // namespace apus::ws
