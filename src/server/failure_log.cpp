// SPDX-License-Identifier: Apache-2.0
#include "server/failure_log.hpp"

#include "base/thrown.hpp"
#include "server/request_summary.hpp"

#include <apus/log.hpp>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace apus::server {
namespace {

void thrown(std::string_view what) noexcept {
    log::error("a handler threw", {"what", what}, optional_field("target", request_summary::here().target));
}

// Whether a record of overload may be written now. At most one per second is allowed, since a record for each rejected
// request would add load. `left_out`: the number of records omitted before this one.
bool may_log_overload(std::uint64_t& left_out) noexcept {
    static std::atomic<std::int64_t> told = 0;
    static std::atomic<std::uint64_t> more = 0;
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    std::int64_t last = told.load(std::memory_order_relaxed);
    if (last == t.tv_sec || !told.compare_exchange_strong(last, t.tv_sec, std::memory_order_relaxed)) {
        more.fetch_add(1, std::memory_order_relaxed);
        return false;
    }
    left_out = more.exchange(0, std::memory_order_relaxed);
    return true;
}

void failed(int status, std::string_view why, std::string_view cause) noexcept {
    std::uint64_t left_out = 0;
    if ((status == 501 && cause.empty()) || (status == 503 && !may_log_overload(left_out)))
        return;  // 501 without a cause: the client sent an unsupported method
    const auto tell = [&](const auto& record) noexcept {
        record("request failed", {"status", status}, {"reason", why}, optional_field("cause", cause),
               optional_field("target", request_summary::here().target),
               left_out ? log::field("left_out", left_out) : log::field());
    };
    if (status < 500) tell(log::info);
    else if (status == 500) tell(log::error);
    else tell(log::warn);
}

void task_failed(int status, std::string_view why, std::string_view cause) noexcept {
    log::error("a spawned task failed", {"status", status}, {"reason", why}, optional_field("cause", cause),
               optional_field("target", request_summary::here().target));
}

}  // namespace

void log_failures() noexcept {
    base::on_thrown(thrown);
    base::on_failure(failed);
    base::on_task_failure(task_failed);
}

}  // namespace apus::server
