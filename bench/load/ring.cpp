// SPDX-License-Identifier: Apache-2.0
#include "ring.hpp"

#include <netinet/in.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <system_error>

namespace load {
namespace {

constexpr unsigned submissions = 4096;
constexpr unsigned most_completions = 65'536;  // the kernel's maximum
constexpr unsigned fewest_buffers = 256, most_buffers = 8192;

void must(int result, const char* what) {
    if (result < 0) throw std::system_error(-result, std::generic_category(), what);
}

char* map(std::size_t bytes) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot map memory for buffers");
    return static_cast<char*>(memory);
}

}  // namespace

ring::ring(unsigned connections) {
    io_uring_params setup{};
    setup.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
    setup.cq_entries = std::clamp(std::bit_ceil(2 * connections), 2 * submissions, most_completions);
    must(io_uring_queue_init_params(submissions, &ring_, &setup), "cannot set up io_uring, which needs Linux 6.1");
    try {
        must(io_uring_register_ring_fd(&ring_), "cannot register the ring");
        must(io_uring_register_files_sparse(&ring_, connections), "cannot register a table for this many connections");
        make_buffers(connections);
    } catch (...) {
        release();
        throw;
    }
}

ring::~ring() { release(); }

void ring::release() {
    io_uring_queue_exit(&ring_);
    if (buffers_) ::munmap(buffers_, count_ * sizeof(io_uring_buf));
    if (memory_) ::munmap(memory_, count_ * buffer_bytes);
}

void ring::make_buffers(unsigned connections) {
    // With few connections, the ring has few buffers. The kernel uses them all in turn; a small set stays in the cache.
    count_ = std::clamp(std::bit_ceil(connections), fewest_buffers, most_buffers);
    buffers_ = reinterpret_cast<io_uring_buf_ring*>(map(count_ * sizeof(io_uring_buf)));
    memory_ = map(count_ * buffer_bytes);
    io_uring_buf_reg where{};
    where.ring_addr = reinterpret_cast<std::uint64_t>(buffers_);
    where.ring_entries = count_;
    where.bgid = group;
    must(io_uring_register_buf_ring(&ring_, &where, 0), "cannot register buffers");
    io_uring_buf_ring_init(buffers_);
    for (unsigned i = 0; i < count_; ++i) give_back(std::uint16_t(i));
    io_uring_buf_ring_advance(buffers_, given_back_);
}

io_uring_sqe* ring::entry(did what, std::uint32_t slot) {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    while (!sqe) {
        io_uring_submit(&ring_);
        sqe = io_uring_get_sqe(&ring_);
    }
    // io_uring_prep functions leave the user data unchanged
    sqe->user_data = std::uint64_t(what) << 32 | slot;
    return sqe;
}

// Lets the kernel choose a free buffer of the group for received bytes.
void ring::into_group(io_uring_sqe* sqe) {
    sqe->flags |= IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT;
    sqe->buf_group = group;
}

void ring::attach(std::uint32_t slot, int descriptor) {
    must(io_uring_register_files_update(&ring_, slot, &descriptor, 1), "cannot register a connection");
}

void ring::connect(std::uint32_t slot, const sockaddr_in& address) {
    auto* sqe = entry(did::connect, slot);
    io_uring_prep_connect(sqe, int(slot), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    sqe->flags |= IOSQE_FIXED_FILE;
}

void ring::receive(std::uint32_t slot) {
    auto* sqe = entry(did::receive, slot);
    io_uring_prep_recv_multishot(sqe, int(slot), nullptr, 0, 0);
    into_group(sqe);
}

void ring::receive_once(std::uint32_t slot) {
    auto* sqe = entry(did::receive, slot);
    io_uring_prep_recv(sqe, int(slot), nullptr, 0, 0);
    into_group(sqe);
}

void ring::discard(std::uint32_t slot, std::uint64_t bytes) {
    auto* sqe = entry(did::discard, slot);
    // TCP discards bytes in place (tcp(7), MSG_TRUNC): the kernel checks the address but does not use it. With
    // MSG_WAITALL in addition, Linux 6.18 does not count discarded bytes, and waits for all of them again.
    io_uring_prep_recv(sqe, int(slot), memory_, std::min(bytes, most_discarded), MSG_TRUNC);
    sqe->flags |= IOSQE_FIXED_FILE;
}

void ring::stop_receiving(std::uint32_t slot) {
    auto* sqe = entry(did::cancel, slot);
    io_uring_prep_cancel64(sqe, std::uint64_t(did::receive) << 32 | slot, 0);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
}

void ring::send(std::uint32_t slot, std::string_view bytes) {
    auto* sqe = entry(did::send, slot);
    io_uring_prep_send(sqe, int(slot), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_WAITALL);
    sqe->flags |= IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS;
}

void ring::wait(std::uint64_t nanoseconds) {
    __kernel_timespec limit{.tv_sec = std::int64_t(nanoseconds / 1'000'000'000),
                            .tv_nsec = std::int64_t(nanoseconds % 1'000'000'000)};
    io_uring_cqe* first = nullptr;
    io_uring_submit_and_wait_timeout(&ring_, &first, 1, &limit, nullptr);
}

}  // namespace load
