// SPDX-License-Identifier: Apache-2.0
#include "http/h1/core.hpp"

#include "codec/fields/date.hpp"
#include "http/h1/connection.hpp"

#include <cstring>
#include <ctime>

namespace apus::http::h1 {

void date_line::write(std::int64_t unix_seconds) noexcept {
    std::memcpy(text_, "HTTP/1.1 200 OK\r\nDate: ", status_size + 6);
    codec::fields::write_date(unix_seconds, text_ + status_size + 6);
    std::memcpy(text_ + sizeof text_ - 2, "\r\n", 2);
    of_ = unix_seconds;
}

core::core(runtime::loop& on, service& answering, const limits& l) noexcept
    : loop(on), app(answering), bounds(l), head_bounds{l.request_line, l.fields, l.field_bytes} {}

core::~core() {
    delete spare_;
    for (auto* x : free_) delete x;
}

h1_exchange* core::take_from_list() {
    if (free_.empty()) {
        auto* x = new h1_exchange;
        x->attend.of = x;
        x->attend.run = connection::attend;
        return x;
    }
    h1_exchange* x = free_.back();
    free_.pop_back();
    return x;
}

void core::give(h1_exchange* x) noexcept {
    constexpr std::size_t kept = 256;  // of two kilobytes each
    x->reset();
    if (!spare_) return void(spare_ = x);
    if (free_.capacity() < kept) free_.reserve(kept);
    if (free_.size() < kept) free_.push_back(x);
    else delete x;
}

std::uint64_t core::nanoseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

void core::drain() {
    draining = true;
    for (connection* c = first; c;) {
        connection* next = c->next();
        c->drain();
        c = next;
    }
}

}  // namespace apus::http::h1
