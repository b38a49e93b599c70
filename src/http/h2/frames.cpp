// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <utility>

// Handles the frames of the client: DATA piece by piece, other frames as a whole. A connection error ends the
// connection; a stream error resets the stream (RFC 9113, 5.4).

namespace apus::http::h2 {

using namespace codec::http2;

// Returns true if this frame is allowed now. Otherwise ends the connection.
bool protocol::admit(const frame_head& head) {
    if (head.length > default_frame_size) return fail_connection(error_code::frame_size_error), false;
    // The frames of a header block must be contiguous (RFC 9113, 4.3).
    const bool continues = head.type == frame_type::continuation;
    if (block_stream_ ? !continues || head.stream != block_stream_ : continues)
        return fail_connection(error_code::protocol_error), false;
    // RFC 9113, 3.4.
    if (!settings_received_ && (head.type != frame_type::settings || head.has(flag_ack)))
        return fail_connection(error_code::protocol_error), false;
    const error_code fault = fault_of(head);
    if (fault != error_code::no_error) return fail_connection(fault), false;
    if (head.is_control() && !controls_.take(core_.loop.now())) return end_flood(core_.counts.h2_floods), false;
    if (head.type == frame_type::data) begin_data(head);
    return !terminated_;
}

void protocol::take_frame(const frame_head& head, std::string_view payload) {
    switch (head.type) {
        case frame_type::headers: return take_headers(head, payload);
        case frame_type::continuation: return take_continuation(head, payload);
        case frame_type::rst_stream: return take_reset(head, payload);
        case frame_type::settings: return take_settings(head, payload);
        case frame_type::ping: return take_ping(head, payload);
        case frame_type::goaway: goaway_received_ = true; return;
        case frame_type::window_update: return take_window_update(head, payload);
        case frame_type::priority_update: return take_priority_update(payload);
        default: return;  // PRIORITY is obsolete (RFC 9113, 5.3.2)
    }
}

// Counts the whole frame for flow control when its head arrives (RFC 9113, 6.9).
void protocol::begin_data(const frame_head& head) {
    h2_exchange* x = streams_.find(head.stream);
    if (!x && is_idle(head.stream)) return fail_connection(error_code::protocol_error);
    const bool after_end = x ? x->client_done : history_ && history_->was_finished(head.stream);
    if (after_end) return fail_connection(error_code::stream_closed);
    data_ = receive_flow(x, head.length) ? x : nullptr;
}

void protocol::take_data(const frame_reader::item& in) {
    constexpr std::uint32_t bytes_earn = 1024;  // this many body bytes allow the client one more frame without effect
    controls_.refund(static_cast<std::uint32_t>(in.payload.size()) / bytes_earn);
    if (!data_) return return_window(in.payload.size() + in.padding);
    h2_exchange& x = *data_;
    if (in.padding) return_window(in.padding), return_window(x, in.padding);
    if (x.sized && x.body_bytes + in.payload.size() > x.head.content_length) {
        return_window(in.payload.size());
        return reject_body(x);
    }
    if (!in.payload.empty()) take_body(x, in.payload);
    if (!in.ends || !std::exchange(data_, nullptr)) return;
    if (in.head.has(flag_end_stream)) end_request(x);
}

// Called when the client has sent its whole request.
void protocol::end_request(h2_exchange& x) {
    if (x.sized && x.body_bytes != x.head.content_length) return reject_body(x);
    x.client_done = true;
    if (x.ended) close_stream(x, false);
    else end_body(x);
}

// Resets the stream: the size of the body differs from content-length, or its trailers are malformed (RFC 9113, 8.1.1).
void protocol::reject_body(h2_exchange& x) {
    ++core_.counts.refusals;
    reset(x, error_code::protocol_error);
}

void protocol::take_reset(const frame_head& head, std::string_view payload) {
    if (is_idle(head.stream)) return fail_connection(error_code::protocol_error);
    h2_exchange* x = streams_.find(head.stream);
    if (!x) {
        history().finished_by_client(head.stream);
        if (!controls_.take(core_.loop.now())) end_flood(core_.counts.h2_floods);
        return;
    }
    x->client_done = true;
    close_stream(*x, read_number<4>(payload.data()) != 0 || !x->ended);
}

void protocol::take_settings(const frame_head& head, std::string_view payload) {
    settings_received_ = true;
    if (head.has(flag_ack)) {
        // The server sends exactly one SETTINGS, so a second acknowledgement is an error.
        if (std::exchange(settings_known_, true)) fail_connection(error_code::protocol_error);
        return;
    }
    std::uint32_t window = static_cast<std::uint32_t>(first_window_);
    for (; !payload.empty(); payload.remove_prefix(setting_size)) {
        const setting_value s = read_setting(payload.data());
        if (const error_code fault = fault_of(s); fault != error_code::no_error) return fail_connection(fault);
        if (s.name == setting::header_table_size) encoder_.set_peer_limit(s.value);
        if (s.name == setting::initial_window_size) window = s.value;
    }
    if (!resize_windows(window)) return fail_connection(error_code::flow_control_error);
    char* to = output().room(frame_head_size);
    out_.wrote(write_settings_ack(to));
    note_ack();
}

void protocol::take_ping(const frame_head& head, std::string_view payload) {
    if (head.has(flag_ack)) return;
    char* to = output().room(ping_size);
    out_.wrote(write_ping_ack(to, payload));
    note_ack();
}

// Limits the unsent acknowledgements of a client that does not read.
void protocol::note_ack() {
    if (++acks_ <= unsent_acks) return;
    end_flood(core_.counts.h2_floods);
    broken_ = true;
}

void protocol::take_priority_update(std::string_view payload) {
    const std::uint32_t stream = read_number<4>(payload.data()) & max_stream;
    payload.remove_prefix(4);
    if (stream % 2 == 0) return fail_connection(error_code::protocol_error);
    if (h2_exchange* x = streams_.find(stream)) {
        x->order = {};
        codec::fields::read_priority(payload, x->order);
        sending_.move_back(*x);
    } else if (stream > last_stream_) {
        if (!priorities_) priorities_ = std::make_unique<early_priorities>();
        priorities_->note(stream, payload);
    }
}

void protocol::fail_connection(error_code code) {
    ++core_.counts.refusals;
    terminate(code);
}

// Sends a GOAWAY with this error and stops reading. The connection ends when the GOAWAY is sent.
void protocol::terminate(error_code code) {
    if (std::exchange(terminated_, true)) return;
    send_goaway(processed_stream_, code);
}

// Ends the connection because the client exceeds a rate limit.
void protocol::end_flood(base::counter& counted) {
    if (!std::exchange(flood_counted_, true)) ++counted;
    terminate(error_code::enhance_your_calm);
}

void protocol::send_goaway(std::uint32_t last, error_code code) {
    char* to = output().room(goaway_size);
    out_.wrote(write_goaway(to, last, code));
    core_.loop.later(*this);
}

}  // namespace apus::http::h2
