// SPDX-License-Identifier: Apache-2.0
#include "http/h1/core.hpp"

#include "http/h1/protocol.hpp"

namespace apus::http::h1 {

core::core(runtime::loop& on, service& answering, const limits& l) noexcept
    : http::core(on, answering, l), head_bounds{l.request_line, l.fields, l.field_bytes}, free_(on.memory()) {}

core::~core() {
    if (spare_) free_.drop(spare_);
}

h1_exchange* core::take_from_list() { return free_.take(); }

void core::recycle(h1_exchange* x) noexcept {
    if (!x->head.fields.is_whole()) return free_.drop(x);  // fields trimmed by `begin_tunnel`
    x->reset();
    if (!spare_) spare_ = x;
    else free_.recycle(x);
}

protocol_upgrade& core::http2() {
    if (!http2_) http2_ = make_http2(*this);
    return *http2_;
}

void core::open(connection& c, runtime::protocols spoken) {
    c.use(*this, std::make_unique<protocol>(*this, c, spoken));
    c.enter(*this);
}

}  // namespace apus::http::h1
