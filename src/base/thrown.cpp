// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"

#include <apus/task.hpp>

#include <atomic>
#include <exception>
#include <new>

namespace apus {
namespace {

std::atomic<base::thrown_hook> listener = nullptr;
std::atomic<base::failure_hook> failure_listener = nullptr, task_failure_listener = nullptr;

// Details of error responses for exceptions.
constexpr std::string_view thrown_detail = "internal error", no_memory = "out of memory";

void tell(std::string_view what) noexcept {
    if (auto hook = listener.load(std::memory_order_acquire)) hook(what);
}

}  // namespace

base::thrown_hook base::on_thrown(thrown_hook hook) noexcept {
    return listener.exchange(hook, std::memory_order_acq_rel);
}

base::failure_hook base::on_failure(failure_hook hook) noexcept {
    return failure_listener.exchange(hook, std::memory_order_acq_rel);
}

void base::report_failure(int status, std::string_view detail, std::string_view cause) noexcept {
    if (cause.empty() && (status < 500 || detail == thrown_detail || detail == no_memory)) return;
    if (auto hook = failure_listener.load(std::memory_order_acquire)) hook(status, detail, cause);
}

base::failure_hook base::on_task_failure(failure_hook hook) noexcept {
    return task_failure_listener.exchange(hook, std::memory_order_acq_rel);
}

void base::report_task_failure(int status, std::string_view detail, std::string_view cause) noexcept {
    if (detail == thrown_detail || detail == no_memory) return;
    if (auto hook = task_failure_listener.load(std::memory_order_acquire)) hook(status, detail, cause);
}

// Memory may be exhausted, so `thrown_detail` and `no_memory` are short enough for a string without an allocation.
error detail::error_from_current_exception() {
    try {
        throw;
    } catch (const std::bad_alloc& e) {
        tell(e.what());
        return error(503, std::string(no_memory)).expose();
    } catch (const std::exception& e) {
        tell(e.what());
    } catch (...) {
        tell("an exception not derived from std::exception");
    }
    return error(500, std::string(thrown_detail)).expose();
}

}  // namespace apus
