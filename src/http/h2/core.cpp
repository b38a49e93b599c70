// SPDX-License-Identifier: Apache-2.0
#include "http/h2/core.hpp"

#include "codec/hpack/literal.hpp"
#include "http/h2/protocol.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace apus::http::h2 {

core::core(http::core& of)
    : shared(of),
      head_bounds{of.bounds.request_line, of.bounds.fields, of.bounds.field_bytes},
      free_(of.loop.memory()) {}

void core::upgrade(connection& c, std::string_view first) {
    auto next = std::make_unique<protocol>(*this, c);
    auto& begun = *next;
    c.use(shared, std::move(next));
    c.decide_traffic(shared.loop.io(), connection::http2_traffic);
    begun.begin(first);
}

h2_exchange* core::take() { return free_.take(); }

void core::recycle(h2_exchange* x) noexcept {
    x->reset();
    free_.recycle(x);
}

char* core::write_date(char* to) {
    namespace hpack = codec::hpack;
    constexpr std::size_t value_size = 29;  // RFC 9110, 5.6.7
    static_assert(hpack::max_literal(4, value_size) <= date_room);
    const std::int64_t now = shared.loop.io().clock().unix_seconds();
    if (now != date_of_) {
        char* end =
            hpack::write_literal(date_, codec::fields::field_id::date, shared.date.value(now), hpack::coding::huffman);
        date_size_ = static_cast<std::size_t>(end - date_);
        date_of_ = now;
    }
    std::memcpy(to, date_, date_room);
    return to + date_size_;
}

}  // namespace apus::http::h2

namespace apus::http {

std::unique_ptr<protocol_upgrade> make_http2(core& of) { return std::make_unique<h2::core>(of); }

}  // namespace apus::http
