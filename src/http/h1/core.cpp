// SPDX-License-Identifier: Apache-2.0
#include "http/h1/core.hpp"

#include "http/h1/connection.hpp"

namespace apus::http::h1 {

core::core(runtime::loop& on, service& answering, const limits& l) noexcept
    : http::core(on, answering, l), head_bounds{l.request_line, l.fields, l.field_bytes}, free_(on.memory()) {}

core::~core() {
    if (spare_) free_.drop(spare_);
}

h1_exchange* core::take_from_list() { return free_.take(connection::attend); }

void core::give(h1_exchange* x) noexcept {
    if (!x->head.fields.is_whole()) return free_.drop(x);  // was a tunnel: it had better be made anew
    x->reset();
    if (!spare_) spare_ = x;
    else free_.give(x);
}

successor& core::newer() {
    if (!newer_) newer_ = make_http2(*this);
    return *newer_;
}

http::connection& core::open(int fd, runtime::protocols spoken) { return *new connection(*this, fd, spoken); }

}  // namespace apus::http::h1

namespace apus::http {

bool speaks_http2() noexcept { return make_http2 != nullptr; }

}  // namespace apus::http
