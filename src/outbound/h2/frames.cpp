// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/session.hpp"

#include <algorithm>
#include <utility>

// Handles the frames of the server. An error that affects a single stream ends this stream; any other error ends the
// connection (RFC 9113, 5.4).

namespace apus::outbound::h2 {

using namespace codec::http2;

namespace {

constexpr std::uint32_t small_update = 1024;  // bytes; smaller WINDOW_UPDATE frames count as frames without effect

// Names of the error codes from 0 (RFC 9113, 7).
constexpr std::string_view code_names[] = {"NO_ERROR",
                                           "PROTOCOL_ERROR",
                                           "INTERNAL_ERROR",
                                           "FLOW_CONTROL_ERROR",
                                           "SETTINGS_TIMEOUT",
                                           "STREAM_CLOSED",
                                           "FRAME_SIZE_ERROR",
                                           "REFUSED_STREAM",
                                           "CANCEL",
                                           "COMPRESSION_ERROR",
                                           "CONNECT_ERROR",
                                           "ENHANCE_YOUR_CALM",
                                           "INADEQUATE_SECURITY",
                                           "HTTP_1_1_REQUIRED"};

std::string name_of(std::uint32_t code) {
    return code < std::size(code_names) ? std::string(code_names[code]) : "error " + std::to_string(code);
}

}  // namespace

void session::receive(std::string_view bytes, std::uint64_t now) {
    using step = http::h2::frame_reader::step;
    now_ = now;
    http::h2::frame_reader::item in;
    while (!failure_ && !closed_) {
        switch (reader_.next(bytes, in)) {
            case step::more: return;
            case step::head:
                if (!admit(in.head)) return;
                break;
            case step::frame: take_frame(in.head, in.payload); break;
            case step::data: take_data(in); break;
            case step::invalid_padding:
                return terminate(error_code::protocol_error, "the padding of a frame is longer than the frame");
            case step::invalid_preface: return;
        }
    }
}

// Returns true if this frame is allowed now. Otherwise ends the connection.
bool session::admit(const frame_head& head) {
    if (head.length > default_frame_size)
        return terminate(error_code::frame_size_error, "a frame is larger than SETTINGS_MAX_FRAME_SIZE"), false;
    const bool continues = head.type == frame_type::continuation;
    if (block_id_ ? !continues || head.stream != block_id_ : continues)
        return terminate(error_code::protocol_error, "the frames of a header block are not contiguous"), false;
    if (!settings_received_ && (head.type != frame_type::settings || head.has(flag_ack)))
        return terminate(error_code::protocol_error, "the first frame is not SETTINGS"), false;
    if (head.type == frame_type::push_promise)
        return terminate(error_code::protocol_error, "PUSH_PROMISE although push is disabled"), false;
    if (const error_code fault = fault_of(head); fault != error_code::no_error)
        return terminate(fault, "the size or the stream of a frame is invalid"), false;
    if (head.is_control() && !take_control())
        return terminate(error_code::enhance_your_calm, "too many frames without effect"), false;
    if (head.type == frame_type::data) begin_data(head);
    return !failure_;
}

void session::take_frame(const frame_head& head, std::string_view payload) {
    switch (head.type) {
        case frame_type::headers: return take_headers(head, payload);
        case frame_type::continuation: return take_continuation(head, payload);
        case frame_type::rst_stream: return take_reset(head, payload);
        case frame_type::settings: return take_settings(head, payload);
        case frame_type::ping: return take_ping(head, payload);
        case frame_type::goaway: return take_goaway(payload);
        case frame_type::window_update: return take_window_update(head, payload);
        default: return;  // PRIORITY is deprecated (RFC 9113, 5.3.2); unknown types are ignored (RFC 9113, 4.1)
    }
}

// Counts the whole frame for flow control when its head arrives (RFC 9113, 6.9).
void session::begin_data(const frame_head& head) {
    data_ = nullptr;
    if (is_idle(head.stream)) return terminate(error_code::protocol_error, "DATA on an idle stream");
    stream* s = find(head.stream);
    if (s ? s->ended : history_.was_finished(head.stream))
        return terminate(error_code::stream_closed, "DATA after the end of a response");
    received_ += head.length;
    if (received_ > connection_window)
        return terminate(error_code::flow_control_error, "DATA exceeds the window of the connection");
    if (!s) return;
    s->begun = true;
    s->received_ += head.length;
    if (s->received_ > stream_window)
        return fail(*s, error_code::flow_control_error, "the upstream's response exceeds the window of its stream");
    if (!s->has_head)
        return fail(*s, error_code::protocol_error, "invalid response from the upstream: DATA before the head");
    data_ = s;
}

void session::take_data(const http::h2::frame_reader::item& in) {
    constexpr std::uint32_t bytes_per_control = 1024;  // bytes of a body that permit one more frame without effect
    controls_.refund(static_cast<std::uint32_t>(in.payload.size()) / bytes_per_control);
    if (in.padding) return_window(in.padding);
    if (!data_) return return_window(in.payload.size());
    stream& s = *data_;
    s.returned_ += in.padding;
    s.body_bytes_ += in.payload.size();
    const bool too_long = s.bodiless_ ? s.body_bytes_ > 0 : s.sized_ && s.body_bytes_ > s.length_;
    if (too_long) {
        return_window(in.payload.size());
        return fail(s, error_code::protocol_error,
                    s.bodiless_ ? "invalid response from the upstream: a body after HEAD, or with status 204 or 304"
                                : "invalid response from the upstream: its body is longer than Content-Length");
    }
    if (!in.payload.empty()) {
        s.body_ += in.payload;
        note_event(s);
    }
    if (!in.ends) return;
    data_ = nullptr;
    if (in.head.has(flag_end_stream)) end_response(s);
}

// Called when the whole response has arrived. The stream stays open until the request is sent completely, the server
// resets the stream, or the caller calls `leave`.
void session::end_response(stream& s) {
    if (s.sized_ && !s.bodiless_ && s.body_bytes_ != s.length_)
        return fail(s, error_code::protocol_error,
                    "invalid response from the upstream: its body is shorter than Content-Length");
    s.ended = true;
    if (s.sent_) {
        history_.finished_by_client(s.id_);
        unlist(s);
    }
    note_event(s);
}

void session::take_reset(const frame_head& head, std::string_view payload) {
    if (is_idle(head.stream)) return terminate(error_code::protocol_error, "RST_STREAM on an idle stream");
    stream* s = find(head.stream);
    const std::uint32_t code = read_number<4>(payload.data());
    if (!s) {
        if (!take_control()) terminate(error_code::enhance_your_calm, "too many frames without effect");
        return;
    }
    // A server may stop reading the request after a complete response (RFC 9113, 8.1).
    if (s->ended) {
        s->refuses_body = true;
        history_.finished_by_client(s->id_);
        unlist(*s);
        return note_event(*s);
    }
    if (code == static_cast<std::uint32_t>(error_code::refused_stream))
        return fail_unprocessed(*s, "the upstream refused the request: REFUSED_STREAM");
    abort(*s, error(502, "the upstream reset the request: " + name_of(code)));
}

void session::take_settings(const frame_head& head, std::string_view payload) {
    settings_received_ = true;
    if (head.has(flag_ack)) {
        if (std::exchange(settings_acknowledged_, true))
            terminate(error_code::protocol_error, "unexpected acknowledgement of SETTINGS");
        return;
    }
    std::uint32_t window = static_cast<std::uint32_t>(first_window_);
    for (; !payload.empty(); payload.remove_prefix(setting_size)) {
        const setting_value v = read_setting(payload.data());
        error_code fault = fault_of(v);
        if (v.name == setting::enable_push && v.value != 0) fault = error_code::protocol_error;  // RFC 9113, 6.5.2
        if (fault != error_code::no_error) return terminate(fault, "a setting has an invalid value");
        if (v.name == setting::header_table_size) encoder_.set_peer_limit(v.value);
        if (v.name == setting::max_concurrent_streams) peer_streams_ = v.value;
        if (v.name == setting::max_frame_size) frame_size_ = v.value;
        if (v.name == setting::initial_window_size) window = v.value;
    }
    if (!resize_windows(window))
        return terminate(error_code::flow_control_error, "SETTINGS_INITIAL_WINDOW_SIZE makes a window too large");
    char* to = out_.room(frame_head_size);
    out_.wrote(write_settings_ack(to));
}

// Applies a change of the server's initial stream window (RFC 9113, 6.9.2).
bool session::resize_windows(std::uint32_t initial) {
    const std::int64_t by = std::int64_t{initial} - first_window_;
    if (!by) return true;
    first_window_ = initial;
    for (auto& [id, s] : streams_) {
        s->window_ += by;
        if (s->window_ > max_window) return false;
        enqueue(*s);
    }
    return true;
}

void session::take_ping(const frame_head& head, std::string_view payload) {
    if (head.has(flag_ack)) return;
    char* to = out_.room(ping_size);
    out_.wrote(write_ping_ack(to, payload));
}

// The server did not process streams above the last stream identifier: their requests may be repeated (RFC 9113, 6.8).
void session::take_goaway(std::string_view payload) {
    const std::uint32_t last = read_number<4>(payload.data()) & max_stream;
    leaving_ = true;
    for (auto at = streams_.begin(); at != streams_.end();) {
        stream& s = *at++->second;
        if (s.id_ > last) fail_unprocessed(s, "the upstream closed the connection before it processed the request");
    }
}

void session::take_window_update(const frame_head& head, std::string_view payload) {
    const std::uint32_t by = read_number<4>(payload.data()) & max_window;
    if (head.stream && is_idle(head.stream))
        return terminate(error_code::protocol_error, "WINDOW_UPDATE on an idle stream");
    if (!by) return terminate(error_code::protocol_error, "WINDOW_UPDATE by 0 bytes");
    stream* s = head.stream ? find(head.stream) : nullptr;
    if ((by < small_update || (head.stream && !s)) && !take_control())
        return terminate(error_code::enhance_your_calm, "too many frames without effect");
    if (!head.stream) {
        send_window_ += by;
        if (send_window_ > max_window)
            terminate(error_code::flow_control_error, "WINDOW_UPDATE makes the window of the connection too large");
        return;
    }
    if (!s) return;
    s->window_ += by;
    if (s->window_ > max_window)
        return fail(*s, error_code::flow_control_error,
                    "invalid response from the upstream: WINDOW_UPDATE makes the window of a stream too large");
    enqueue(*s);
}

// Returns bytes of the connection's window to the server.
void session::return_window(std::size_t bytes) {
    returned_ += static_cast<std::uint32_t>(bytes);
    if (returned_ < connection_window / 2 || failure_ || closed_) return;
    char* to = out_.room(window_update_size);
    out_.wrote(write_window_update(to, 0, returned_));
    received_ -= std::exchange(returned_, 0);
}

}  // namespace apus::outbound::h2
