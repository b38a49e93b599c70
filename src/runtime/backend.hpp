// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"
#include "runtime/event_fd.hpp"
#include "runtime/buffer_pool.hpp"
#include "runtime/coarse_clock.hpp"
#include "runtime/descriptor_watch.hpp"
#include "runtime/output_arena.hpp"
#include "runtime/record_layer.hpp"
#include "runtime/socket.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::runtime {

/// A listening socket and the receiver of its connections.
class acceptor {
public:
    explicit acceptor(int fd) noexcept : fd_(fd) {}
    virtual void accepted(int fd) = 0;   ///< Takes ownership of a connected socket (non-blocking, close-on-exec).
    virtual void failed(int error) = 0;  ///< Accepting has stopped, for example for lack of file descriptors.
    int fd() const noexcept { return fd_; }

protected:
    ~acceptor() = default;

private:
    friend class epoll_backend;
    friend class uring_backend;
    int fd_;
    bool accepting_ = false;
};

/// I/O backend of a loop. This class has the common code; io_uring and epoll are derived classes.
class backend {
public:
    virtual ~backend();
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;

    virtual const char* name() const noexcept = 0;

    virtual void accept(acceptor&) = 0;
    virtual void stop_accepting(acceptor&) = 0;

    /// Calls `w.ready` in each later turn in which its descriptor is ready for `wanted`.
    /// `none` ends the watch at once. Before you destroy `w`, end its watch; close the descriptor afterwards.
    virtual void watch(descriptor_watch& w, readiness wanted) = 0;

    /// Connects a new non-blocking socket.
    /// Returns 0 or an errno if the result is known at once; otherwise `receiver::connected` is called later. Until
    /// then the socket may only be closed.
    std::optional<int> connect(socket&, const sockaddr* to, socklen_t size);

    virtual void receive(socket&) = 0;  ///< Starts receiving, or resumes it after `pause`.
    /// Starts the handshake of the socket's record layer, as the client.
    void start_handshake(socket& s);
    virtual void pause(socket&) = 0;  ///< Stops receiving. Completed requests may still deliver bytes.
    virtual void set_receive_mode(socket&, receive_mode how);  ///< Pending input may still use the old mode.

    /// Maximum bytes sent in a turn: by all sockets together, and by one socket.
    static constexpr std::size_t max_turn_bytes = 1024 * 1024, max_share_bytes = 256 * 1024;
    /// Maximum bytes of one socket when the total of the turn is used up, so that small responses do
    /// not wait for large ones.
    static constexpr std::size_t min_share_bytes = 16 * 1024;

    /// Returns the bytes that `s` may still send in this turn. If 0, the caller must `yield`.
    std::size_t share_of(const socket& s) const noexcept {
        const std::size_t most = spent_ < max_turn_bytes ? max_share_bytes : min_share_bytes;
        const std::size_t before = s.spent_in_ == static_cast<std::uint16_t>(turn_) ? s.spent_ : 0;
        return before < most ? most - before : 0;
    }

    /// Returns true if a client with many requests should get only one further response in this turn.
    /// All sockets together have then sent so much that even small shares of many sockets would make the turn long.
    bool is_crowded() const noexcept { return spent_ >= 2 * max_turn_bytes; }

    /// Like `share_of`, for output that is generated only after the previous send has completed.
    /// Returns 0 until then, so that such output is never copied into the socket's queue.
    std::size_t room_for(const socket& s) const noexcept { return unsettled(s) ? 0 : share_of(s); }

    /// Schedules a call of `receiver::resumed` in this turn or a later one.
    /// Sockets that yielded earlier come first. Queued output is sent before the call.
    void yield(socket& s);

    /// Sends a batch of the arena. Uses the socket's queue if the result of an earlier send is unknown.
    void send(socket& s, std::string_view batch, after then) {
        spend(s, batch.size());
        if (s.layer_) [[unlikely]]
            return send_sealed(s, batch, then);
        send_bytes(s, batch, then);
    }

    /// Closes the socket. Unsent output is lost. The only later call is `receiver::closed`.
    void close(socket& s) {
        if (s.layer_) [[unlikely]]
            send_close_notify(s);
        close_socket(s);
    }
    /// Bytes that were received, and that the kernel has taken, including TLS records.
    /// One thread writes, any thread reads.
    struct traffic_counts {
        base::counter received, sent;
    };
    const traffic_counts& traffic(unsigned kind) const noexcept { return traffic_[kind].counts; }
    /// Counts all bytes of a socket with undecided traffic as `kind`. No effect on other sockets.
    /// `plain`: bytes received until now; ignored with a record layer. Without a layer, none may have been sent.
    void decide_traffic(socket&, unsigned kind, std::size_t plain) noexcept;

    /// Number of closed sockets that wait for `receiver::closed`.
    std::size_t leaving() const noexcept { return leaving_; }

    /// Sends queued output, then as much of the backlog as the turn's budget allows.
    /// May resume tasks that wait to write. Returns false if output remains; the next `turn` must then not wait.
    bool flush_queues() {
        if (has_postponed()) begin_postponed();
        if (!dirty_.empty()) flush_dirty();
        if (!backlog_.empty()) serve_backlog();
        return dirty_.empty() && backlog_.empty() && !has_postponed();
    }

    /// Adds to the number of expected responses of other servers, such as databases.
    /// If many are expected, several arrive within microseconds. `uring_backend` then waits for more than one event, so
    /// that it wakes up less often (decision 0042).
    void expect_responses(int more) noexcept { expected_ += static_cast<unsigned>(more); }

    /// Performs one iteration of the event loop.
    /// Submits requests to the kernel, waits for events, and calls their receivers.
    /// `wait` is in milliseconds. -1: until an event; 0: does not wait.
    virtual void turn(std::int64_t wait) = 0;

    // These append to the socket's queue, which is sent at the end of the turn.
    void queue(socket&, std::string_view bytes);
    void queue(socket&, std::string&& bytes);
    void queue_static(socket&, std::string_view bytes);
    void queue_file(socket&, file_ref, std::uint64_t at, std::uint64_t size);  ///< Sent without being copied.
    void finish(socket&, after);  ///< Performs the action when the queue is empty, possibly at once.

    /// Passes the remaining bytes to a new receiver, through the socket's record layer.
    /// Call it only within `receiver::received`.
    void deliver_rest(socket&, received_bytes rest);

    /// Closes the connection with a TCP reset.
    void reset(socket&);

    /// Transfers ownership of the buffer being delivered, so that its bytes stay valid.
    /// The caller must return the buffer to `buffers()`. Call this function at most once per `receiver::received`.
    buffer_lease keep() noexcept {
        kept_ = true;
        return current_;
    }

    output_arena& arena() noexcept { return arena_; }
    buffer_pool& buffers() noexcept { return buffers_; }

    coarse_clock& clock() noexcept { return clock_; }
    /// Ends the wait of the current or next `turn`.
    const std::shared_ptr<const event_fd>& wake_up() const noexcept { return wakeup_; }

protected:
    backend() = default;

    virtual void send_bytes(socket&, std::string_view batch, after) = 0;  // from the arena; bypasses the record layer
    virtual void close_socket(socket&) = 0;
    virtual void await_connection(socket&) = 0;  // calls `settle_connection` when the connection attempt ends
    virtual void flush(socket&) = 0;             // sends the front of the queue; sets flushing_
    virtual void shut(socket&, int how) = 0;
    bool unsettled(const socket& s) const noexcept { return s.sent_in_ == turn_; }
    void mark_dirty(socket&);
    enum class pushed : std::uint8_t {
        all,
        blocked,
        yielded,
        nothing_more
    };
    pushed push(socket&);  // sends queued output by system calls, until the socket is full
    void queue_bytes(socket&, std::string_view bytes, after);  // bypasses the record layer
    void finish_bytes(socket&, after);                         // acts when the queue is sent
    void put_back(socket&, std::string_view rest);             // returns unsent bytes to the front of the queue
    void send_last(socket&, std::string_view batch);           // by a system call, then closes; the queue must be empty
    void flush_dirty();
    void flush_queue(socket&);
    void serve_backlog();
    void spend(socket& s, std::size_t bytes) noexcept {
        const auto now = static_cast<std::uint16_t>(turn_);
        if (s.spent_in_ != now) s.spent_in_ = now, s.spent_ = 0;
        s.spent_ += static_cast<std::uint32_t>(bytes);
        spent_ += bytes;
    }
    bool has_sent(const socket& s) const noexcept {
        return s.spent_in_ == static_cast<std::uint16_t>(turn_) && s.spent_ >= min_share_bytes;
    }
    bool waits_for_share(const socket&) const noexcept;
    /// Returns true if a writable socket may send queued output now. Otherwise it must yield.
    bool has_budget(const socket& s) const noexcept { return spent_ < max_turn_bytes && share_of(s) != 0; }
    void begin_turn() noexcept {
        ++turn_;
        spent_ = served_ = 0;
        handshakes_left_ = handshakes_per_turn;
    }
    void count_sent(const socket& s, std::size_t bytes) noexcept { traffic_[s.traffic_kind_].counts.sent += bytes; }
    // Corrects `count_sent` for bytes that were not sent after all. A counter must not decrease, so they are subtracted
    // from bytes that are sent later.
    void count_unsent(const socket& s, std::size_t bytes) noexcept { traffic_[s.traffic_kind_].unsent += bytes; }
    bool sent(socket&, std::size_t bytes);  // removes sent bytes from the queue; true: bytes remain
    void deliver(socket&, buffer_lease in, std::size_t size);
    // Delivers available input. Returns 0 at the end of input, an errno after a failure, otherwise an empty optional.
    std::optional<int> read_once(socket&);
    void end(socket&, int error);
    void fail_send(socket&, int error);  // reports a failed send, even after the end of input
    void settle_connection(socket&);
    void retire(socket& s) {
        if (s.layer_) drop_unopened(*s.layer_);
        retired_.push_back(&s);
    }
    watch_slot& make_slot(descriptor_watch&, readiness wanted);
    void drop_slot(const watch_slot&) noexcept;
    static void notify_ready(watch_slot&, unsigned events);  // events as in poll(2)
    void end_turn();                                         // destroys objects to which no kernel request refers
    // Closed sockets that wait for `receiver::closed` count too. Otherwise a draining server would wait for events
    // after it has closed its last connection.
    bool has_pending_work() const noexcept {
        return !dirty_.empty() || !backlog_.empty() || has_postponed() || !retired_.empty() || !retired_before_.empty();
    }

    output_arena arena_;
    buffer_pool buffers_;
    coarse_clock clock_;
    std::shared_ptr<const event_fd> wakeup_ = std::make_shared<const event_fd>();
    std::uint32_t turn_ = 1;
    unsigned expected_ = 0;   // responses that tasks of this core wait for
    std::size_t spent_ = 0;   // bytes sent in this turn by all sockets
    std::size_t served_ = 0;  // bytes sent in this turn for the backlog
    buffer_lease current_;    // the buffer that is being delivered
    bool kept_ = false;
    std::size_t leaving_ = 0;

private:
    struct traffic_account {
        traffic_counts counts;
        std::uint64_t unsent = 0;           // counted too early
    } traffic_[socket::traffic_kinds + 1];  // the last element, of undecided sockets, is not read

    outgoing& socket_queue(socket&);
    outgoing& queue_of(socket&);
    void finished(socket&);
    static bool closing_discards_output(const socket&, unsigned long output) noexcept;

    // records.cpp: sockets with a record layer.
    struct arena_output;
    struct queue_output;
    void deliver_records(socket&, std::string_view sealed);
    void deliver_opened(socket&, std::string_view sealed);
    std::span<char> room_for_opened(const socket&);
    void send_sealed(socket&, std::string_view batch, after);
    bool seal_waiting(socket&);
    void begin_handshake(socket&);
    void postpone_handshake(socket&, std::string_view sealed);
    void begin_postponed();
    std::string drop_unopened(record_layer&) noexcept;
    bool has_postponed() const noexcept { return postponed_.next != &postponed_; }
    void layer_failed(socket&);
    void send_close_notify(socket&);

    // Receive buffers that all sockets of the loop share, so that they stay in the CPU cache. Null after a receiver has
    // kept the buffer. A receiver that keeps bulk buffers gets smaller ones, to limit the memory of many such sockets.
    static constexpr std::size_t bulk_size = 256 * 1024, kept_bulk_size = 64 * 1024;
    buffer_lease small_, bulk_;
    buffer_lease opened_small_, opened_bulk_;  // decrypted records
    buffer_lease gathered_;                    // plain text to be encrypted

    // Maximum handshakes that begin in a turn. Maximum bytes of input of postponed handshakes: of one socket, and in
    // total.
    static constexpr unsigned handshakes_per_turn = 8;
    static constexpr std::size_t max_unopened = 16 * 1024, max_unopened_together = 4 * 1024 * 1024;
    unsigned handshakes_left_ = handshakes_per_turn;
    std::size_t unopened_ = 0;   // bytes
    handshake_link postponed_;   // oldest first
    handshake_link handshakes_;  // handshakes with clients, oldest first
    bool spared_signal_ = false;
    std::vector<socket*> dirty_;
    std::vector<socket*> flushing_now_;
    std::deque<socket*> backlog_;  // sockets that have yielded, longest waiting first
    std::vector<socket*> retired_;
    std::vector<socket*> retired_before_;
    std::vector<std::unique_ptr<watch_slot>> slots_;  // few elements
};

/// Creates the best available backend.
/// This is io_uring if the kernel and the container support it, otherwise epoll. `wanted`: "uring", "epoll" or empty.
/// If the wanted backend is unavailable or unknown, returns null and sets `why` to the reason. For a fallback to epoll,
/// sets `why` to the reason too. Throws `std::system_error` if epoll is unavailable.
/// `confined`: the ring of io_uring accepts only the requests that the backend submits.
std::unique_ptr<backend> make_backend(std::string_view wanted, std::string& why, bool confined = false);

std::unique_ptr<backend> make_epoll_backend();
std::unique_ptr<backend> make_uring_backend(std::string& why,
                                            bool confined = false);  ///< Null if a required feature is missing.

}  // namespace apus::runtime
