// SPDX-License-Identifier: Apache-2.0
#include "http/exemplars.hpp"

#include "tracing/trace.hpp"

#include <new>

namespace apus::http {

lazy_exemplars::~lazy_exemplars() { delete set_.load(std::memory_order_relaxed); }

// The bucket may differ from that of the histogram, which measures the duration later, when the response is sent.
void lazy_exemplars::add(const tracing::trace& of, std::uint64_t started, std::uint64_t ended) noexcept {
    auto* to = set_.load(std::memory_order_relaxed);
    if (!to) {
        to = new (std::nothrow) exemplar_set;
        if (!to) return;
        set_.store(to, std::memory_order_release);
    }
    const std::uint64_t start = of.clock.unix_time(started), took = ended > start ? ended - start : 0;
    (*to)[base::duration_histogram::bucket_of(took)].write({.trace = of.id(), .took = took, .ended = ended});
}

}  // namespace apus::http
