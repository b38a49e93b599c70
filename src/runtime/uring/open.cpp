// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/uring_backend.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Opens the ring, and checks whether kernel and container support all features that the backend needs.

namespace apus::runtime {
namespace {

constexpr unsigned submissions = 512;

// Requests and flags of this backend. The filter of system calls does not see the requests of a ring (decision 0053).
constexpr std::uint8_t needed_requests[] = {IORING_OP_NOP,     IORING_OP_ACCEPT,       IORING_OP_RECV,
                                            IORING_OP_SEND,    IORING_OP_SENDMSG,      IORING_OP_POLL_ADD,
                                            IORING_OP_TIMEOUT, IORING_OP_ASYNC_CANCEL, IORING_OP_CLOSE};
constexpr std::uint8_t needed_flags = IOSQE_CQE_SKIP_SUCCESS | IOSQE_BUFFER_SELECT;
constexpr std::uint8_t needed_registrations[] = {IORING_REGISTER_PBUF_RING, IORING_UNREGISTER_PBUF_RING,
                                                 IORING_REGISTER_RING_FDS, IORING_UNREGISTER_RING_FDS};

// Restricts the ring to the requests and flags of this backend. Returns 0 or a negative errno.
int restrict(io_uring& ring) {
    std::vector<io_uring_restriction> all;
    const auto add = [&](std::uint16_t kind, std::uint8_t value) {
        io_uring_restriction one{};
        one.opcode = kind;
        one.sqe_op = value;
        all.push_back(one);
    };
    for (const auto value : needed_requests) add(IORING_RESTRICTION_SQE_OP, value);
    for (const auto value : needed_registrations) add(IORING_RESTRICTION_REGISTER_OP, value);
    add(IORING_RESTRICTION_SQE_FLAGS_ALLOWED, needed_flags);
    // By system calls, since the library of liburing 2.3 does not export the functions that its header declares.
    const auto fd = static_cast<unsigned>(ring.ring_fd);
    if (syscall(SYS_io_uring_register, fd, IORING_REGISTER_RESTRICTIONS, all.data(), all.size()) != 0) return -errno;
    return syscall(SYS_io_uring_register, fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0) == 0 ? 0 : -errno;
}

}  // namespace

bool uring_backend::open(std::string& why, bool confined) {
    io_uring_params p{};
    p.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE;
    if (confined) p.flags |= IORING_SETUP_R_DISABLED;
    p.cq_entries = completions_;
    if (int error = io_uring_queue_init_params(submissions, &ring_, &p)) {
        why = std::string("io_uring cannot be set up: ") + std::strerror(-error) +
              (error == -EINVAL ? " (Linux 6.1 or newer is needed)" : "");
        return false;
    }
    open_ = true;
    if (int error = confined ? restrict(ring_) : 0) {
        why = std::string("io_uring cannot be restricted: ") + std::strerror(-error);
        return false;
    }
    io_uring_register_ring_fd(&ring_);  // optional optimization
    if (int error = receive_ring_.open()) {
        why = std::string("io_uring does not support buffer rings: ") + std::strerror(-error);
        return false;
    }
    if (!supports_bundled_sends()) {
        why = "io_uring does not report the number of bytes sent";
        return false;
    }
    arm_wake_up();
    return true;
}

// Sends more than the socket buffer holds, with the same flags as `send_bytes`, and checks the result.
bool uring_backend::supports_bundled_sends() {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return false;
    const int little = 1;  // the kernel raises this to its minimum; a small buffer keeps the check fast
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
    std::string much(1 << 16, 'x');
    auto* sqe = request(of_nothing);
    io_uring_prep_send(sqe, pair[0], much.data(), much.size(), MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
    io_uring_submit_and_get_events(&ring_);
    io_uring_cqe* cqe = nullptr;
    bool told = io_uring_peek_cqe(&ring_, &cqe) == 0 && cqe->res > 0;
    std::size_t went = told ? static_cast<std::size_t>(cqe->res) : 0;
    if (cqe) io_uring_cqe_seen(&ring_, cqe);
    std::size_t came = 0;
    for (ssize_t n; (n = recv(pair[1], much.data(), much.size(), MSG_DONTWAIT)) > 0;)
        came += static_cast<std::size_t>(n);
    ::close(pair[0]);
    ::close(pair[1]);
    return told && went == came && went < much.size();
}

std::unique_ptr<backend> make_uring_backend(std::string& why, bool confined) {
    auto b = std::make_unique<uring_backend>();
    return b->open(why, confined) ? std::move(b) : nullptr;
}

std::unique_ptr<backend> make_backend(std::string_view wanted, std::string& why, bool confined) {
    if (!wanted.empty() && wanted != "uring" && wanted != "epoll") return why = "expected uring or epoll", nullptr;
    if (wanted != "epoll") {
        if (auto b = make_uring_backend(why, confined)) return b;
        if (wanted == "uring") return nullptr;
    }
    return make_epoll_backend();
}

}  // namespace apus::runtime
