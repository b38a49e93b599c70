// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/uring_backend.hpp"

#include <algorithm>

#include <sys/syscall.h>
#include <unistd.h>

// Submits requests and waits for events.

namespace apus::runtime {
namespace {

constexpr unsigned feature_min_timeout = 1U << 15U;  // IORING_FEAT_MIN_TIMEOUT, since Linux 6.12

constexpr unsigned many_expected = 16;     // responses; with fewer, a core often waits for a single one
constexpr unsigned gathered = 16;          // events that end a wait at once
constexpr std::uint32_t gather_time = 50;  // microseconds
constexpr unsigned waits_until_retry = 16;

}  // namespace

// A timeout per wait would set and cancel a kernel timer in every turn. Most deadlines are far away and are postponed
// before they expire, so one timeout request for the nearest deadline suffices for many turns.
void uring_backend::arm_timeout(std::int64_t wait) {
    std::uint64_t due = clock_.now() - clock_.ahead() + static_cast<std::uint64_t>(wait);
    if (std::any_of(timeouts_.begin(), timeouts_.end(), [due](auto t) { return t <= due; })) return;
    __kernel_timespec t{static_cast<long long>(due / 1000), static_cast<long long>(due % 1000 * 1'000'000)};
    auto* sqe = request(due << 3 | of_timeout);
    io_uring_prep_timeout(sqe, &t, 0, IORING_TIMEOUT_ABS);
    timeouts_.push_back(due);
    io_uring_submit(&ring_);  // the kernel copies `t` here
}

void uring_backend::submit(std::int64_t wait) {
    if (wait == 0) return void(io_uring_submit_and_get_events(&ring_));
    if (wait > 0) arm_timeout(wait);
    if (expected_ < many_expected || !(ring_.features & feature_min_timeout))
        return void(io_uring_submit_and_wait(&ring_, 1));
    if (plain_waits_ == 0) return gather();
    --plain_waits_;
    io_uring_submit_and_wait(&ring_, 1);
}

// Waits for 50 us or several events, and then until there is an event. A wake-up costs as much as a database statement,
// and responses that are read together are sent together. If there was only one event in that time, as with slow
// statements, later waits are not prolonged for a while.
void uring_backend::gather() {
    io_uring_submit(&ring_);
    if (io_uring_sq_ready(&ring_) || io_uring_cq_ready(&ring_) >= gathered) return;
    const __kernel_timespec longest{86'400, 0};  // without a timeout, the kernel returns after 50 us
    io_uring_getevents_arg how{};
    how.sigmask_sz = _NSIG / 8;
    how.pad = gather_time;  // `min_wait_usec` in newer headers
    how.ts = reinterpret_cast<std::uintptr_t>(&longest);
    constexpr unsigned flags = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;
    // By a system call, since liburing 2.3 does not know this parameter.
    syscall(SYS_io_uring_enter, ring_.ring_fd, 0, gathered, flags, &how, sizeof how);
    if (io_uring_cq_ready(&ring_) < 2) plain_waits_ = waits_until_retry;
}

}  // namespace apus::runtime
