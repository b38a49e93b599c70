// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/duration_histogram.hpp"
#include "base/published.hpp"
#include "codec/trace_context/parent.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace apus::tracing {
class trace;
}

namespace apus::http {

/// A recorded request whose duration is in a bucket of a histogram.
struct exemplar {
    codec::trace_context::trace_id trace{};
    std::uint64_t took = 0;   ///< Nanoseconds.
    std::uint64_t ended = 0;  ///< Nanoseconds since 1970-01-01.
};

/// The last recorded request of each bucket of a `base::duration_histogram`.
/// One thread writes, any thread reads.
using exemplar_set = std::array<base::published<exemplar>, base::duration_histogram::buckets>;

/// Exemplars of a route on one core, which are allocated for the first recorded request.
class lazy_exemplars {
public:
    lazy_exemplars() = default;
    lazy_exemplars(const lazy_exemplars&) = delete;
    lazy_exemplars& operator=(const lazy_exemplars&) = delete;
    ~lazy_exemplars();

    /// Replaces the exemplar of the bucket of a request.
    /// Does nothing if memory is exhausted. `started`: nanoseconds of CLOCK_MONOTONIC. `ended`: nanoseconds since
    /// 1970-01-01.
    void add(const tracing::trace&, std::uint64_t started, std::uint64_t ended) noexcept;
    const exemplar_set* get() const noexcept { return set_.load(std::memory_order_acquire); }  ///< Any thread.

private:
    std::atomic<exemplar_set*> set_ = nullptr;
};

}  // namespace apus::http
