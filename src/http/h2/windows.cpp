// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <algorithm>
#include <utility>

// Flow control (RFC 9113, 5.2 and 6.9) in both directions. WINDOW_UPDATE is sent when half of a window is consumed.

namespace apus::http::h2 {

using namespace codec::http2;

namespace {

constexpr std::uint32_t small_update = 1024;  // smaller WINDOW_UPDATE frames count as control frames

}  // namespace

// Until the client has acknowledged the server's SETTINGS, the client may use the default window of the protocol.
std::uint32_t protocol::stream_window() const noexcept {
    const std::uint32_t ours = core_.bounds.h2_stream_window;
    return settings_known_ ? ours : std::max(ours, default_window);
}

// Counts the bytes of a frame for flow control. `x` is null for a closed stream. Returns true if `x` may use the bytes.
bool protocol::receive_flow(h2_exchange* x, std::uint32_t bytes) {
    received_ += bytes;
    if (received_ > std::max(core_.bounds.h2_connection_window, default_window))
        return fail_connection(error_code::flow_control_error), false;
    if (!x) return false;
    x->received += bytes;
    if (!bytes || x->received <= stream_window()) return true;
    ++core_.counts.refusals;
    reset(*x, error_code::flow_control_error);
    return false;
}

// Returns bytes of the connection's flow-control window to the client.
void protocol::return_window(std::size_t bytes) {
    consumed_ += static_cast<std::uint32_t>(bytes);
    if (!bytes || consumed_ < core_.bounds.h2_connection_window / 2 || terminated_ || phase_ == phase::leaving) return;
    char* to = output().room(window_update_size);
    out_.wrote(write_window_update(to, 0, consumed_));
    received_ -= std::exchange(consumed_, 0);
}

// Returns bytes of the stream's flow-control window to the client, unless the client has sent its whole request.
void protocol::return_window(h2_exchange& x, std::size_t bytes) {
    x.consumed += static_cast<std::uint32_t>(bytes);
    if (!bytes || x.client_done || x.doomed || x.consumed < stream_window() / 2) return;
    char* to = output().room(window_update_size);
    out_.wrote(write_window_update(to, x.stream, x.consumed));
    x.received -= std::exchange(x.consumed, 0);
}

void protocol::take_window_update(const frame_head& head, std::string_view payload) {
    const std::uint32_t by = read_number<4>(payload.data()) & max_window;
    h2_exchange* x = head.stream ? streams_.find(head.stream) : nullptr;
    if (!by || (head.stream && !x && is_idle(head.stream))) return fail_connection(error_code::protocol_error);
    if (by < small_update && !controls_.take(core_.loop.now())) return end_flood(core_.counts.h2_floods);
    if (head.stream && !x) return;
    std::int32_t& window = x ? x->send_window : send_window_;
    if (std::int64_t{window} + by > max_window) {
        if (!x) return fail_connection(error_code::flow_control_error);
        ++core_.counts.refusals;
        return reset(*x, error_code::flow_control_error);
    }
    window += static_cast<std::int32_t>(by);
    if (x) enqueue(*x);
}

// Applies a change of the client's initial stream window (RFC 9113, 6.9.2). Returns false if a window becomes too
// large.
bool protocol::resize_windows(std::uint32_t initial) {
    const std::int64_t by = std::int64_t{initial} - first_window_;
    if (!by) return true;
    first_window_ = static_cast<std::int32_t>(initial);
    for (auto* x = first_; x; x = x->next) {
        if (x->doomed) continue;
        const std::int64_t now = x->send_window + by;
        if (now > max_window) return false;
        x->send_window = static_cast<std::int32_t>(std::max<std::int64_t>(now, -std::int64_t{max_window}));
        enqueue(*x);
    }
    return true;
}

}  // namespace apus::http::h2
