// SPDX-License-Identifier: Apache-2.0
#include "http/h1/core.hpp"

#include "http/h1/connection.hpp"
#include "http/h2/core.hpp"

namespace apus::http::h1 {

core::core(runtime::loop& on, service& answering, const limits& l) noexcept
    : http::core(on, answering, l), head_bounds{l.request_line, l.fields, l.field_bytes} {}

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

h2::core& core::newer() {
    if (!newer_) newer_ = std::make_unique<h2::core>(*this);
    return *newer_;
}

http::connection& core::open(int fd) { return *new connection(*this, fd); }

}  // namespace apus::http::h1
