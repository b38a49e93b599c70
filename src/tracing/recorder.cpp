// SPDX-License-Identifier: Apache-2.0
#include "tracing/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

namespace apus::tracing {
namespace {

template <class Id>
void put_number(Id& id, std::size_t at, std::uint64_t number) noexcept {
    std::memcpy(id.data() + at, &number, sizeof number);
}

std::uint64_t nanoseconds_of(clockid_t clock) noexcept {
    timespec t;
    clock_gettime(clock, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

constinit thread_local recorder* recorder::of_thread = nullptr;

recorder::recorder(const recording_options& options)
    : export_queue(options.queue),
      options_(options),
      decides_late_(options.keep_errors || options.keep_slower),
      random_(random::seed()),
      log_unsampled_(std::log1p(-std::clamp(options.sample, 0.0, 1.0))),
      until_sampled_(next_distance()),
      before_(std::exchange(of_thread, this)) {}

recorder::~recorder() {
    if (of_thread == this) of_thread = before_;
}

// If each trace is sampled with a constant probability, independently of the others, the distances between sampled
// traces have a geometric distribution.
std::uint64_t recorder::next_distance() noexcept {
    constexpr std::uint64_t never = ~std::uint64_t{0};
    constexpr double most = 9e18;
    if (log_unsampled_ == 0) return never;  // `sample` is 0
    // A random number above 0 and up to 1, of 53 bits.
    const double number = (static_cast<double>(random_.next() >> 11U) + 1) * 0x1p-53;
    const double skipped = std::log(number) / log_unsampled_;  // 0 if `sample` is 1: the divisor is infinite
    return skipped >= most ? never : static_cast<std::uint64_t>(skipped) + 1;
}

codec::trace_context::trace_id recorder::new_trace_id() noexcept {
    codec::trace_context::trace_id made;
    put_number(made, 0, random_.next());
    put_number(made, sizeof(std::uint64_t), random_.next() | 1);  // an id of zeros is invalid
    return made;
}

codec::trace_context::span_id recorder::new_span_id() noexcept {
    codec::trace_context::span_id made;
    const std::uint64_t number = random_.next();
    put_number(made, 0, number ? number : 1);
    return made;
}

std::uint64_t recorder::now() noexcept { return nanoseconds_of(CLOCK_REALTIME); }

span_clock::span_clock() noexcept
    : created_(nanoseconds_of(CLOCK_MONOTONIC)), offset_(nanoseconds_of(CLOCK_REALTIME) - created_) {}

std::uint64_t span_clock::now() const noexcept { return nanoseconds_of(CLOCK_MONOTONIC) + offset_; }

}  // namespace apus::tracing
