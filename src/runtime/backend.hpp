// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/bell.hpp"
#include "runtime/buffer_pool.hpp"
#include "runtime/coarse_clock.hpp"
#include "runtime/output_arena.hpp"
#include "runtime/record_layer.hpp"
#include "runtime/stream.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::runtime {

/// A listening socket, and who gets its connections.
class acceptor {
public:
    explicit acceptor(int fd) noexcept : fd_(fd) {}
    virtual void accepted(int fd) = 0;   ///< A connected socket, non-blocking, closed on exec; now the acceptor's.
    virtual void failed(int error) = 0;  ///< Accepting stopped, for lack of descriptors or memory, say.
    int fd() const noexcept { return fd_; }

protected:
    ~acceptor() = default;

private:
    friend class epoll_backend;
    friend class uring_backend;
    int fd_;
    bool accepting_ = false;
};

/// How a loop talks to the kernel. What both kinds do alike is here; each kind is one class.
class backend {
public:
    virtual ~backend();
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;

    virtual const char* name() const noexcept = 0;

    virtual void accept(acceptor&) = 0;
    virtual void stop_accepting(acceptor&) = 0;

    /// Connects a fresh non-blocking socket. Gives 0 or an errno if that is known at once; else
    /// `stream::connected` will be told. Until then the stream may only be closed.
    std::optional<int> connect(stream&, const sockaddr* to, socklen_t size);

    virtual void receive(stream&) = 0;  ///< Begins to receive, or goes on after `pause`.
    /// Begins the handshake of its record layer, as the side that speaks first.
    void greet(stream& s);
    virtual void pause(stream&) = 0;          ///< Bytes already on their way may still come.
    virtual void fetch(stream&, intake how);  ///< From now on, or soon.

    /// Bytes that all streams together send in a turn before its budget is spent, and that one stream sends.
    static constexpr std::size_t turn_most = 1024 * 1024, share_most = 256 * 1024;
    /// The share of a stream that sends when the budget is spent: small answers wait for no large ones.
    static constexpr std::size_t share_least = 16 * 1024;

    /// Bytes that `s` may still send in this turn. 0: it must `yield`.
    std::size_t share_of(const stream& s) const noexcept {
        const std::size_t most = spent_ < turn_most ? share_most : share_least;
        const std::size_t before = s.spent_in_ == static_cast<std::uint16_t>(turn_) ? s.spent_ : 0;
        return before < most ? most - before : 0;
    }

    /// The same for a stream that makes more when the send before is known to have gone: then nothing
    /// is copied into its queue.
    std::size_t room_for(const stream& s) const noexcept { return unsettled(s) ? 0 : share_of(s); }

    /// Has `stream::resumed` called, in this turn or a later one, when the streams that yielded
    /// before it had their share. What is queued for it is sent first.
    void yield(stream& s);

    /// Sends a batch of the arena. Falls back on the stream's queue where an earlier send has not
    /// been settled.
    void send(stream& s, std::string_view batch, after then) {
        spend(s, batch.size());
        if (s.layer_) [[unlikely]]
            return send_sealed(s, batch, then);
        send_bytes(s, batch, then);
    }

    /// Closes the socket: nothing but `stream::closed` is called from now on. What is unsent is lost.
    void close(stream& s) {
        if (s.layer_) [[unlikely]]
            say_end(s);
        close_socket(s);
    }
    /// Streams that were closed and wait for `stream::closed`.
    std::size_t leaving() const noexcept { return leaving_; }

    /// Sends what is queued, and then as much of the backlog as the turn's budget allows, which may
    /// resume tasks that wait for room. False: there is more to send, so the next `turn` must not wait.
    bool flush_queues() {
        if (!dirty_.empty()) flush_dirty();
        if (!backlog_.empty()) serve_backlog();
        return dirty_.empty() && backlog_.empty();
    }

    /// Gives requests to the kernel, waits for at most `wait` milliseconds (-1: until something
    /// happens; 0: not at all), and calls who is concerned.
    virtual void turn(std::int64_t wait) = 0;

    // The queue of a stream. It is sent at the end of the turn.
    void queue(stream&, std::string_view bytes);
    void queue(stream&, std::string&& bytes);
    void queue_static(stream&, std::string_view bytes);
    void queue_file(stream&, file_ref, std::uint64_t at, std::uint64_t size);  ///< Sent without being copied.
    void finish(stream&, after);  ///< What follows when the queue is sent, at once if it is empty.

    /// Gives what `from` has to `to`, which was made for the same socket and has done nothing yet:
    /// the socket, what is unsent, and what is under way in the kernel. Only within
    /// `from.received`, where `to` may hand over in turn. `to` receives
    /// nothing of what came before, and no more before it asks. `from.closed` follows.
    void hand_over(stream& from, stream& to);

    /// Gives `to`, which has just taken over, the rest of the bytes that `from.received` is being given.
    void pass_on(stream& to, received_bytes rest);

    /// Closes so that the peer gets a reset in place of an orderly end.
    void reset(stream&);

    /// Takes the buffer that the bytes being received are in, so that they stay where they are.
    /// At most once for each call of `stream::received`; the taker gives it back to `buffers()`.
    buffer_lease keep() noexcept {
        kept_ = true;
        return current_;
    }

    output_arena& arena() noexcept { return arena_; }
    buffer_pool& buffers() noexcept { return buffers_; }

    coarse_clock& clock() noexcept { return clock_; }
    /// Ends a waiting `turn`, or the next.
    const std::shared_ptr<const bell>& wake_up() const noexcept { return bell_; }

protected:
    backend() = default;

    virtual void send_bytes(stream&, std::string_view batch, after) = 0;  // of the arena, as they are
    virtual void close_socket(stream&) = 0;
    virtual void await_connection(stream&) = 0;  // calls `settle_connection` when the kernel knows
    virtual void flush(stream&) = 0;             // sends the front of the queue; sets flushing_
    virtual void shut(stream&, int how) = 0;
    virtual void take_requests(stream& from, stream& to) = 0;  // of which the kernel knows; `from` is closing
    bool unsettled(const stream& s) const noexcept { return s.sent_in_ == turn_; }
    void mark_dirty(stream&);
    enum class pushed : std::uint8_t {
        all,
        blocked,
        yielded,
        nothing_more
    };
    pushed push(stream&);                                      // sends of the queue what the socket takes, by calls
    void queue_bytes(stream&, std::string_view bytes, after);  // as they are
    void finish_bytes(stream&, after);                         // when they are sent
    void put_back(stream&, std::string_view rest);             // to the front of the queue: it was sent before that
    void flush_dirty();
    void flush_queue(stream&);
    void serve_backlog();
    void spend(stream& s, std::size_t bytes) noexcept {
        const auto now = static_cast<std::uint16_t>(turn_);
        if (s.spent_in_ != now) s.spent_in_ = now, s.spent_ = 0;
        s.spent_ += static_cast<std::uint32_t>(bytes);
        spent_ += bytes;
    }
    bool has_sent(const stream& s) const noexcept {
        return s.spent_in_ == static_cast<std::uint16_t>(turn_) && s.spent_ >= share_least;
    }
    /// Whether a stream with a queue may send of it now, since its socket has room. Else it is to yield.
    bool may_go_on(const stream& s) const noexcept { return spent_ < turn_most && share_of(s) != 0; }
    void begin_turn() noexcept {
        ++turn_;
        spent_ = served_ = 0;
    }
    bool sent(stream&, std::size_t bytes);  // so much of the queue has gone; true: there is more
    void deliver(stream&, buffer_lease in, std::size_t size);
    // Delivers what is there at once. Gives why no more will come: 0 for the peer's end, or an errno.
    std::optional<int> read_once(stream&);
    void end(stream&, int error);
    void cut(stream&, int error);  // sending failed: told also to who knows that the peer sends no more
    void settle_connection(stream&);
    void bury(stream& s) { buried_.push_back(&s); }
    void end_turn();  // what no request can name any more goes
    // A closed stream's user waits for `closed`: a server that drains would otherwise sleep on its last one.
    bool must_hurry() const noexcept {
        return !dirty_.empty() || !backlog_.empty() || !buried_.empty() || !buried_before_.empty();
    }

    output_arena arena_;
    buffer_pool buffers_;
    coarse_clock clock_;
    std::shared_ptr<const bell> bell_ = std::make_shared<const bell>();
    std::uint32_t turn_ = 1;
    std::size_t spent_ = 0;   // bytes of this turn, of all streams
    std::size_t served_ = 0;  // of them, for the backlog
    buffer_lease current_;    // being delivered
    bool kept_ = false;
    std::size_t leaving_ = 0;

private:
    outgoing& socket_queue(stream&);
    outgoing& queue_of(stream&);
    void finished(stream&);

    // records.cpp: streams that have a record layer.
    struct to_arena;
    struct to_queue;
    void deliver_opened(stream&, std::string_view sealed);
    std::span<char> room_for_opened(const stream&);
    void send_sealed(stream&, std::string_view batch, after);
    bool seal_waiting(stream&);
    void begin_handshake(stream&);
    void layer_failed(stream&);
    void say_end(stream&);

    // Each is read into for one stream after the other, so that it stays in the cache; none where it
    // was kept. Who keeps what comes in bulk gets less of it: many such streams must not need much.
    static constexpr std::size_t bulk_size = 256 * 1024, kept_bulk_size = 64 * 1024;
    buffer_lease small_, bulk_;
    buffer_lease opened_small_, opened_bulk_;  // what records held
    buffer_lease gathered_;                    // what becomes records

    handshake_link handshakes_;  // with clients, the oldest first
    bool spared_signal_ = false;
    std::vector<stream*> dirty_;
    std::vector<stream*> flushing_now_;
    std::deque<stream*> backlog_;  // have more to send than their share of a turn, the longest waiting first
    std::vector<stream*> buried_;
    std::vector<stream*> buried_before_;
};

/// The best backend this kernel and container allow: io_uring where everything the backend relies
/// on is there, else epoll. `wanted` is "uring", "epoll" or empty; the reason for falling back, if
/// it did, is put into `why`. Throws `std::system_error` if there is none, or not the wanted one.
std::unique_ptr<backend> make_backend(std::string_view wanted, std::string& why);

std::unique_ptr<backend> make_epoll_backend();
std::unique_ptr<backend> make_uring_backend(std::string& why);  ///< Null where something is missing.

}  // namespace apus::runtime
