// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "runtime/uring/receive_ring.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <liburing.h>

namespace apus::runtime {

/// Completions: requests are collected while a turn's events are handled and given to the kernel
/// all at once, with the wait for the next ones.
///
/// A send from the arena asks for no completion unless it fails, and fails where it would have to
/// wait (MSG_DONTWAIT with MSG_WAITALL): the kernel then says how much went. Such a completion is
/// there when the submission returns, so when a turn's completions have been handled, everything
/// that the turn before sent from the arena has been copied by the kernel or is in a queue.
class uring_backend final : public backend {
public:
    static constexpr unsigned usual_completions = 8192;

    /// With a queue for this many completions, which is also what one turn handles; more wait in the kernel.
    explicit uring_backend(unsigned completions = usual_completions)
        : completions_(completions), receive_ring_(ring_, buffers_) {}
    ~uring_backend() override;

    /// False, with the reason, where the kernel or the container lacks something.
    bool open(std::string& why);

    const char* name() const noexcept override { return "uring"; }
    void accept(acceptor&) override;
    void stop_accepting(acceptor&) override;
    void receive(stream&) override;
    void pause(stream&) override;
    void fetch(stream&, intake) override;
    void turn(std::int64_t wait) override;

private:
    // What a completion is of: the low bits of its user data. The rest is a pointer, or an index.
    enum tag : std::uint64_t {
        of_receive,
        of_send,
        of_queue,
        of_accept,
        of_wake_up,
        of_timeout,
        of_nothing,
        of_readiness
    };
    static constexpr std::uint64_t tag_mask = 7;

    struct sending {
        stream* to;
        std::string_view batch;
    };
    // Requests under way name `from`; what comes of them is `to`'s.
    struct succession {
        stream* from;
        stream* to;
    };

    void await_connection(stream&) override;
    void send_bytes(stream&, std::string_view batch, after) override;
    void close_socket(stream&) override;
    void flush(stream&) override;
    void flush_by_calls(stream&);
    void await_room(stream&);
    void shut(stream&, int how) override;
    void take_requests(stream& from, stream& to) override;

    io_uring_sqe* request(std::uint64_t user_data);
    void cancel(std::uint64_t user_data);
    void arm_receive(stream&);
    void read_without_ring(stream&);
    void arm_again(stream&);
    void arm_all();
    void arm(stream&);
    void arm_accept(acceptor&);
    void arm_wake_up();
    void arm_timeout(std::int64_t wait);
    bool sends_tell_what_is_left();
    int submit(std::int64_t wait);
    void dispatch(const io_uring_cqe&);
    bool dispatch_all();
    void mark();
    void on_receive(stream& named, const io_uring_cqe&);
    void on_readiness(stream& named, int result);
    void ask(stream&);
    void take_back(stream&);
    void on_send(const sending&, int result);
    void on_queue(stream& named, const io_uring_cqe&);
    void on_accept(acceptor&, const io_uring_cqe&);
    stream* heir_of(const stream& named) noexcept;
    stream& settle_request(stream& named);

    const unsigned completions_;
    io_uring ring_{};
    bool open_ = false;
    receive_ring receive_ring_;
    std::vector<sending> sent_[2];         // of this turn and the turn before
    std::vector<stream*> to_arm_;          // to be received from
    std::vector<stream*> arming_;          // only within arm_all, which uses the two in turn
    std::vector<succession> successions_;  // few, and none for long
    std::vector<std::uint64_t> timeouts_;  // when those under way are due; few
    bool marked_ = false;                  // the completions of this turn are those up to the mark
};

}  // namespace apus::runtime
