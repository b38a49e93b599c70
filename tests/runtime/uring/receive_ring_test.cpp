// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/receive_ring.hpp"

#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <set>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

using apus::runtime::buffer_pool;
using apus::runtime::receive_ring;

namespace {

// An io_uring with a buffer ring, and a socket with bytes to receive.
struct receiving {
    io_uring ring{};
    bool open = io_uring_queue_init(256, &ring, 0) == 0;
    int pair[2] = {-1, -1};

    receiving() {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
        const std::string bytes(200'000, 'x');
        CHECK(send(pair[1], bytes.data(), bytes.size(), MSG_DONTWAIT) > 100'000);
    }
    ~receiving() {
        if (open) io_uring_queue_exit(&ring);
        close(pair[0]);
        close(pair[1]);
    }

    // Receives at most 100 bytes into a buffer that the kernel selects. Returns the buffer's number, or -errno.
    int one() {
        auto* sqe = io_uring_get_sqe(&ring);
        io_uring_prep_recv(sqe, pair[0], nullptr, 100, 0);
        sqe->flags |= IOSQE_BUFFER_SELECT;
        sqe->buf_group = receive_ring::group;
        io_uring_submit_and_wait(&ring, 1);
        io_uring_cqe* cqe = nullptr;
        io_uring_peek_cqe(&ring, &cqe);
        const int got = cqe->res < 0 ? cqe->res : static_cast<int>(cqe->flags >> IORING_CQE_BUFFER_SHIFT);
        io_uring_cqe_seen(&ring, cqe);
        return got;
    }
};

}  // namespace

TEST_CASE("a ring starts with few buffers and doubles when it runs out") {
    receiving from;
    if (!from.open) return apus::support::skip_uring("io_uring_setup(2) fails");
    buffer_pool pool;
    receive_ring buffers(from.ring, pool);
    REQUIRE(buffers.open() == 0);
    std::set<int> used;
    for (std::size_t have : {32U, 64U, 128U, 256U}) {
        while (used.size() < have) {
            const int id = from.one();
            REQUIRE(id >= 0);
            CHECK(used.insert(id).second);
            CHECK(std::string_view(buffers.buffer(static_cast<unsigned>(id)), 100) == std::string(100, 'x'));
        }
        CHECK(from.one() == -ENOBUFS);
        for (int told = 0; told < 50; ++told) buffers.ran_out();  // reported once by each waiting socket
        buffers.publish();
        CHECK(buffers.size() == 2 * have);
    }
}

TEST_CASE("returned buffers are reused, taken ones are not") {
    receiving from;
    if (!from.open) return apus::support::skip_uring("io_uring_setup(2) fails");
    buffer_pool pool;
    receive_ring buffers(from.ring, pool);
    REQUIRE(buffers.open() == 0);
    const int first = from.one();
    REQUIRE(first >= 0);
    char* const taken = buffers.buffer(static_cast<unsigned>(first));
    buffers.recycle(static_cast<unsigned>(first), true);
    buffers.publish();
    CHECK(buffers.buffer(static_cast<unsigned>(first)) != taken);
    // Far more receives than buffers, so that each buffer is reused.
    for (int i = 0; i < 200; ++i) {
        const int id = from.one();
        REQUIRE(id >= 0);
        CHECK(buffers.buffer(static_cast<unsigned>(id)) != taken);
        buffers.recycle(static_cast<unsigned>(id), false);
        buffers.publish();
    }
    CHECK(std::string_view(taken, 100) == std::string(100, 'x'));
    pool.recycle(taken);
}
