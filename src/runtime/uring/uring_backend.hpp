// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "runtime/uring/receive_ring.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <liburing.h>

namespace apus::runtime {

/// Backend on io_uring.
/// Submits the requests of a turn together with the wait for the next events. A send from the arena has a completion
/// only if it fails or would block (MSG_DONTWAIT with MSG_WAITALL). The completion holds the number of bytes sent, and
/// is available when the submission returns. So when a turn's completions have been handled, the arena output of the
/// previous turn is either sent or queued.
class uring_backend final : public backend {
public:
    static constexpr unsigned usual_completions = 8192;

    /// `completions`: size of the completion queue, and maximum completions per turn.
    /// Further completions wait in the kernel.
    explicit uring_backend(unsigned completions = usual_completions)
        : completions_(completions), receive_ring_(ring_, buffers_) {}
    ~uring_backend() override;

    /// Returns false and sets `why` if the kernel or the container lacks a required feature.
    bool open(std::string& why, bool confined = false);

    const char* name() const noexcept override { return "uring"; }
    void accept(acceptor&) override;
    void stop_accepting(acceptor&) override;
    void receive(socket&) override;
    void pause(socket&) override;
    void set_receive_mode(socket&, receive_mode) override;
    void watch(descriptor_watch&, readiness wanted) override;
    void turn(std::int64_t wait) override;

private:
    // Type of a completion, in the low bits of its user data. The rest is a pointer or an index.
    enum tag : std::uint64_t {
        of_receive,
        of_send,
        of_queue,
        of_accept,
        of_wake_up,  // with a pointer: event of that watch
        of_timeout,
        of_nothing,
        of_readiness
    };
    static constexpr std::uint64_t tag_mask = 7;

    struct sending {
        socket* to;
        std::string_view batch;
    };

    void await_connection(socket&) override;
    void send_bytes(socket&, std::string_view batch, after) override;
    void close_socket(socket&) override;
    void flush(socket&) override;
    void flush_by_calls(socket&);
    void await_room(socket&);
    void shut(socket&, int how) override;

    io_uring_sqe* request(std::uint64_t user_data);
    void cancel(std::uint64_t user_data);
    void arm_receive(socket&);
    void read_without_ring(socket&);
    void arm_again(socket&);
    void arm_all();
    void arm(socket&);
    void arm_accept(acceptor&);
    void arm_wake_up();
    void arm_timeout(std::int64_t wait);
    bool supports_bundled_sends();
    void submit(std::int64_t wait);
    void gather();
    void dispatch(const io_uring_cqe&);
    bool dispatch_all();
    void mark();
    void on_receive(socket& named, const io_uring_cqe&);
    void on_readiness(socket& named, int result);
    void arm_watch(watch_slot&);
    void on_watch(watch_slot&, int result);
    void ask(socket&);
    void take_back(socket&);
    void on_send(const sending&, int result);
    void on_queue(socket&, const io_uring_cqe&);
    void on_accept(acceptor&, const io_uring_cqe&);
    void settle_request(socket&);

    const unsigned completions_;
    io_uring ring_{};
    bool open_ = false;
    receive_ring receive_ring_;
    std::vector<sending> sent_[2];         // of this turn and of the previous one
    std::vector<socket*> to_arm_;          // sockets to receive from
    std::vector<socket*> arming_;          // used only by `arm_all`, which swaps it with `to_arm_`
    std::vector<std::uint64_t> timeouts_;  // expiry of the few pending timeout requests
    bool marked_ = false;                  // the turn ends at the completion of the mark
    unsigned plain_waits_ = 0;             // number of waits without `gather`, after one that gathered nothing
};

}  // namespace apus::runtime
