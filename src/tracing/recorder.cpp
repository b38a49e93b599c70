// SPDX-License-Identifier: Apache-2.0
#include "tracing/recorder.hpp"

#include <array>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include <sys/random.h>
#include <unistd.h>

namespace apus::tracing {
namespace {

constexpr std::size_t span_overhead = sizeof(std::string) + 16;  // memory of the queue and the allocator per span

std::array<std::uint64_t, 4> seed() noexcept {
    std::array<std::uint64_t, 4> made{};
    if (getrandom(made.data(), sizeof made, 0) == sizeof made) return made;
    return {recorder::now(), static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(gettid()), 1};
}

// Returns the threshold for a probability `share` from 0 to 1: a random 64-bit number is below the threshold with this
// probability.
std::uint64_t threshold_of(double share) noexcept {
    constexpr double all = 18446744073709551616.0;
    return share <= 0 ? 0 : share >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(share * all);
}

template <class Id>
void put_number(Id& id, std::size_t at, std::uint64_t number) noexcept {
    std::memcpy(id.data() + at, &number, sizeof number);
}

}  // namespace

constinit thread_local recorder* recorder::of_thread = nullptr;

recorder::recorder(const recording_options& options)
    : options_(options),
      random_(seed()),
      always_(options.sample >= 1),
      threshold_(threshold_of(options.sample)),
      before_(std::exchange(of_thread, this)) {}

recorder::~recorder() {
    if (of_thread == this) of_thread = before_;
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

std::uint64_t recorder::now() noexcept {
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

void recorder::push(std::string span) noexcept {
    const std::size_t more = span.size() + span_overhead;
    if (bytes_ + more > options_.queue) return drop(1);
    try {
        queue_.push_back(std::move(span));
    } catch (const std::bad_alloc&) {
        return drop(1);
    }
    bytes_ += more;
    if (listener) listener->span_queued();
}

std::vector<std::string> recorder::take(std::size_t most, std::size_t bytes) {
    std::vector<std::string> taken;
    for (std::size_t sum = 0; !queue_.empty() && taken.size() < most && sum < bytes;) {
        sum += queue_.front().size();
        bytes_ -= queue_.front().size() + span_overhead;
        taken.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
    return taken;
}

}  // namespace apus::tracing
