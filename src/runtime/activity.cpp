// SPDX-License-Identifier: Apache-2.0
#include "runtime/activity.hpp"

#include <apus/task.hpp>

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::runtime {
namespace {

// Executes a memory barrier on all threads of this process (membarrier(2)). So the event loops, which change `request`
// up to a million times per second, need no fences.
bool fence_all_threads() noexcept {
    static const bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    return registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace

constinit thread_local activity* activity::of_thread = nullptr;

void activity::signal_alarm() noexcept {
    if (const event_fd* b = alarm.exchange(nullptr, std::memory_order_acq_rel)) b->signal();
}

void activity::await_inspector() const noexcept {
    while (inspectors.load(std::memory_order_acquire)) sched_yield();
}

inspection::inspection(activity& of) noexcept : of_(of) {
    of_.inspectors.fetch_add(1, std::memory_order_seq_cst);
    if (fence_all_threads()) request_ = of_.request.load(std::memory_order_acquire);
}

}  // namespace apus::runtime

namespace apus {

void detail::enter_request(const void* request) noexcept {
    if (auto* here = runtime::activity::here()) here->request.store(request, std::memory_order_release);
}

void detail::leave_request() noexcept {
    if (auto* here = runtime::activity::here()) here->work_for(nullptr);
}

}  // namespace apus
