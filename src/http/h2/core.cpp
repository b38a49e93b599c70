// SPDX-License-Identifier: Apache-2.0
#include "http/h2/core.hpp"

#include "http/h2/connection.hpp"

#include <new>

namespace apus::http::h2 {

core::core(http::core& of)
    : shared(of),
      memory(&of.loop.memory()),
      head_bounds{of.bounds.request_line, of.bounds.fields, of.bounds.field_bytes},
      free_(of.loop.memory()) {
    if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0) throw std::bad_alloc();
    connection::set_callbacks(callbacks);
    // A client gets its window back when the handler has read, not when the bytes have come.
    nghttp2_option_set_no_auto_window_update(options, 1);
    nghttp2_option_set_no_closed_streams(options, 1);
    nghttp2_option_set_max_reserved_remote_streams(options, 0);
    nghttp2_option_set_builtin_recv_extension_type(options, NGHTTP2_PRIORITY_UPDATE);
    nghttp2_option_set_max_outbound_ack(options, connection::unsent_acks);
    nghttp2_option_set_max_continuations(options, connection::continuations);
    // Resets are counted by the connection, whoever of the two brings them about.
    nghttp2_option_set_stream_reset_rate_limit(options, ~std::uint64_t{0} >> 1, 1'000'000);
}

core::~core() {
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_option_del(options);
}

void core::take_over(http::connection& before, std::string_view first) {
    auto* next = new connection(*this, before);
    shared.loop.io().hand_over(before, *next);
    next->begin(first);
}

h2_exchange* core::take() { return free_.take(connection::attend); }

void core::give(h2_exchange* x) noexcept {
    x->reset();
    free_.give(x);
}

}  // namespace apus::http::h2

namespace apus::http {

std::unique_ptr<successor> make_http2(core& of) { return std::make_unique<h2::core>(of); }

}  // namespace apus::http
