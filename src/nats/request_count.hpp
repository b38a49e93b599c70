// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/nats_counts.hpp"
#include "runtime/loop.hpp"

#include <apus/nats.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace apus::nats {

/// Counts a request from the constructor to its end.
/// If `ended` is not called, the request counts as cancelled.
class request_count {
public:
    explicit request_count(runtime::instrument_group& counts) noexcept
        : counts_(&counts), begun_(runtime::loop::current().io().clock().nanoseconds()) {
        counts_->add(requests_in_flight);
    }
    request_count(const request_count&) = delete;
    request_count& operator=(const request_count&) = delete;
    ~request_count() { count(requests_cancelled); }

    /// `failed`: null if the response has arrived.
    void ended(const error* failed) noexcept {
        if (!failed) count(requests_succeeded);
        else if (failure_of(*failed)) count(requests_refused);
        else count(failed->status() == 504 ? requests_late : requests_unreachable);
    }

private:
    void count(count_cell how) noexcept {
        auto* const to = std::exchange(counts_, nullptr);
        if (!to || !runtime::loop::exists()) return;
        to->add(how);
        to->subtract(requests_in_flight);
        to->observe(request_durations, runtime::loop::current().io().clock().nanoseconds() - begun_);
    }

    runtime::instrument_group* counts_;
    std::uint64_t begun_;  // in nanoseconds
};

}  // namespace apus::nats
