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
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace apus::ws {

using shared = std::shared_ptr<const shared_message>;

struct room;
class hub_shard;

/// A WebSocket in a room. Owned by its `seat`.
struct member final : waiting_writer {
    member(hub_shard& b, room& r, session& s);
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member();

    /// Queues a message for a member whose session cannot send now, as far as the hub's options allow.
    void enqueue(const shared&, const hub_options&);

    bool on_writable() override;
    void session_ended() noexcept override { of = nullptr; }

    struct queued_message {
        shared message;
        bool small;  // whether the compressed form is sent
        const std::string& frame() const noexcept { return message->frame(small); }
    };

    session* of;
    // Largest window for which this member accepts compressed messages; 0: only uncompressed ones.
    const unsigned window_bits;
    std::size_t waiting_bytes = 0;
    std::deque<queued_message> waiting;
    room* in;
    std::shared_ptr<hub_shard> on;

private:
    void drop_oldest() noexcept;
};

/// The members of a room on one core, and their queued messages.
/// Messages are sent in batches, one after the other. Sending a batch to many members takes several event loop
/// iterations (docs/decisions/0026).
struct room {
    std::vector<member*> members;  // an entry is null if the member left while a batch was being sent
    std::vector<shared> due;
    std::size_t due_bytes = 0;
    std::size_t batch = 0;  // number of messages at the front of `due` that are being sent; 0: no batch
    std::size_t batch_bytes = 0;
    std::size_t next = 0;  // index of the member to which the batch is sent next
    // End index of the members to which the batch is sent; members behind it joined after the message.
    std::size_t end = 0;

    void begin_batch() noexcept;
    std::size_t take_batch();  ///< Removes the batch that was sent. Returns its size in bytes.
};

/// The part of a hub on one core. Other threads may only call `post`.
class hub_shard final : public std::enable_shared_from_this<hub_shard> {
public:
    hub_shard(runtime::loop& of, const hub_options& how);
    hub_shard(const hub_shard&) = delete;
    hub_shard& operator=(const hub_shard&) = delete;
    ~hub_shard();

    /// Whether this shard belongs to the event loop of the calling thread.
    bool is_here() const noexcept {
        return !ended_.load(std::memory_order_acquire) && runtime::loop::exists() &&
               &loop_ == &runtime::loop::current();
    }

    room& room_of(std::string_view name) { return rooms_.try_emplace(std::string(name)).first->second; }
    void leave(member&) noexcept;

    /// Queues a message, to be sent at the end of the event loop iteration.
    void send(std::string_view room, const shared&);

    /// Queues a message; callable from other threads.
    /// If the core is blocked and too many bytes are queued, drops the message; then the members of the room have
    /// missed it, and are closed if the hub's options say so for slow members.
    void post(std::string_view room, const shared&);

    /// Maximum bytes of messages that wait until the core opens them, unless `member_bytes` is greater.
    static constexpr std::size_t max_posted = 16 * 1024 * 1024;

    // Memory accounting of the core. A message that waits for several members is counted once.
    void keep(const shared&);
    void let_go(const shared&) noexcept;

    /// Number of members that compress with a window of this size, from 9 to 15 bits. Callable from any
    /// thread.
    std::atomic<unsigned>& compressing(unsigned bits) noexcept { return compressing_[bits]; }

    void end() noexcept;  ///< Stops accepting and sending messages.

private:
    struct posted_message : runtime::posted_call {
        std::shared_ptr<hub_shard> to;
        std::string room;
        shared message;
        // Bytes of memory, including the allocations of a small message.
        std::size_t size() const noexcept { return message->plain.size() + message->compressed.size() + 512; }
    };
    struct sending : runtime::deferred {
        hub_shard* of;
    };
    // Continues sending in the next event loop iteration, after that iteration has polled for events.
    struct continuation : runtime::posted_call {
        std::shared_ptr<hub_shard> of;  // set while the call is posted
    };
    using rooms = std::map<std::string, room, std::less<>>;
    struct share {
        std::size_t members, bytes;
        bool spent() const noexcept { return members == 0 || bytes == 0; }
    };
    struct ending : runtime::loop_end {
        hub_shard* of;
    };

    void open(posted_message&);
    bool reserve(std::size_t size) noexcept;
    bool note_missed(std::string_view room);
    void close_missed();
    void send_due() noexcept;
    void send_due(room&, share& left);
    void send_rest_later();
    bool is_behind(const room&) const noexcept;
    std::string_view batch_bytes_of(std::span<const shared>, unsigned bits);
    void give(room&, share& left);
    void give(member&, std::span<const shared> batch, std::string_view plain, std::string_view small, unsigned bits);
    void end_batch(room&);
    void drop_due(room&) noexcept;

    runtime::loop& loop_;
    const hub_options how_;
    // For each message, the number of members to which it must still be sent.
    std::unordered_map<const shared_message*, std::uint32_t> kept_;
    rooms rooms_;
    std::list<rooms::iterator> due_;  // rooms with messages to send, in the order of sending
    sending later_;
    continuation rest_;
    ending at_end_;
    std::atomic<unsigned> posting_ = 0;  // number of threads in `post`
    std::atomic<bool> ended_ = false;
    std::atomic<std::size_t> posted_bytes_ = 0;  // of messages that the core has not opened yet
    // Rooms whose members have missed a message. The lock is taken only if messages are dropped.
    std::atomic<bool> missed_any_ = false;
    std::mutex missed_lock_;
    std::set<std::string, std::less<>> missed_;
    bool missed_in_all_ = false;  // too many rooms to list
    std::atomic<unsigned> compressing_[16] = {};
};

}  // namespace apus::ws
