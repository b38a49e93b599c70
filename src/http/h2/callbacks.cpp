// SPDX-License-Identifier: Apache-2.0
#include "http/h2/connection.hpp"

#include <utility>

// What the session tells while it reads: frames that are well formed, field by field and piece by
// piece. It has refused already what RFC 9113 wants refused, section 8 included.

namespace apus::http::h2 {
namespace {

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(bytes), size};
}

constexpr std::int32_t small_update = 1024;  // bytes of window for which a frame of its own is a nuisance
constexpr std::uint32_t bytes_earn = 1024;   // of a body, for one more of such frames

// The session lets through five, each once.
pseudo pseudo_of(std::string_view name) noexcept {
    switch (name[1]) {
        case 'm': return pseudo::method;
        case 's': return pseudo::scheme;
        case 'a': return pseudo::authority;
        default: return name.size() == 5 ? pseudo::path : pseudo::protocol;
    }
}

}  // namespace

// `noexcept`: an exception must not unwind frames of C (docs/decisions/0026).
void connection::set_callbacks(nghttp2_session_callbacks* c) {
    static constexpr auto self = [](void* of) { return static_cast<connection*>(of); };
    nghttp2_session_callbacks_set_on_begin_frame_callback(
        c, [](nghttp2_session*, const nghttp2_frame_hd* head, void* of) noexcept {
            return self(of)->on_begin_frame(*head);
        });
    nghttp2_session_callbacks_set_on_begin_headers_callback(
        c, [](nghttp2_session*, const nghttp2_frame* frame, void* of) noexcept {
            return self(of)->on_begin_headers(*frame);
        });
    nghttp2_session_callbacks_set_on_header_callback(
        c, [](nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
              const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* of) noexcept {
            return self(of)->on_header(*frame, text_of(name, name_size), text_of(value, value_size));
        });
    nghttp2_session_callbacks_set_on_invalid_header_callback(
        c, [](nghttp2_session*, const nghttp2_frame*, const std::uint8_t*, std::size_t, const std::uint8_t*,
              std::size_t, std::uint8_t, void* of) noexcept {
            ++self(of)->core_.counts.refusals;
            return static_cast<int>(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE);
        });
    nghttp2_session_callbacks_set_on_frame_recv_callback(
        c, [](nghttp2_session*, const nghttp2_frame* frame, void* of) noexcept { return self(of)->on_frame(*frame); });
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(
        c, [](nghttp2_session*, const nghttp2_frame* frame, int, void* of) noexcept {
            ++self(of)->core_.counts.refusals;
            self(of)->history_.reset_by_server(frame->hd.stream_id);
            return 0;
        });
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        c, [](nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes, std::size_t size,
              void* of) noexcept { return self(of)->on_data(stream, text_of(bytes, size)); });
    nghttp2_session_callbacks_set_on_stream_close_callback(
        c, [](nghttp2_session*, std::int32_t stream, std::uint32_t code, void* of) noexcept {
            return self(of)->on_close(stream, code);
        });
    nghttp2_session_callbacks_set_send_data_callback(c, send_data);
    nghttp2_session_callbacks_set_on_frame_send_callback(
        c, [](nghttp2_session*, const nghttp2_frame* frame, void* of) noexcept {
            self(of)->on_sent(*frame);
            return 0;
        });
}

h2_exchange* connection::of_stream(std::int32_t id) const noexcept {
    return static_cast<h2_exchange*>(nghttp2_session_get_stream_user_data(session_, id));
}

// The client does something too often: it is told, and the connection ends.
int connection::too_much(std::uint64_t& counted) {
    if (!std::exchange(calmed_, true)) ++counted;
    nghttp2_session_terminate_session(session_, NGHTTP2_ENHANCE_YOUR_CALM);
    return 0;
}

// Frames that cost work and bring nothing, some of which the session would not tell of.
void connection::note_frame(const frame_head& head) {
    switch (head.type) {
        case NGHTTP2_DATA:
            if (history_.was_finished(head.stream)) nghttp2_session_terminate_session(session_, NGHTTP2_STREAM_CLOSED);
            if (head.length || (head.flags & NGHTTP2_FLAG_END_STREAM)) return;
            break;
        case NGHTTP2_HEADERS:
        case NGHTTP2_CONTINUATION:
        case NGHTTP2_WINDOW_UPDATE: return;
        case NGHTTP2_RST_STREAM: history_.finished_by_client(head.stream); return;
        case NGHTTP2_PRIORITY:
            // The session ignores them all since they mean nothing any more; this one is still an error (RFC 9113,
            // 6.3).
            if (head.stream == 0) nghttp2_session_terminate_session(session_, NGHTTP2_PROTOCOL_ERROR);
            break;
        default: break;  // PING, SETTINGS, GOAWAY, PRIORITY_UPDATE, and what nobody knows
    }
    if (!controls_.take(core_.loop.now())) too_much(core_.counts.h2_floods);
}

// A head on a stream that is closed, or was skipped (RFC 9113, 5.1 and 5.1.1), which the session ignores.
int connection::on_begin_frame(const nghttp2_frame_hd& head) {
    if (head.type != NGHTTP2_HEADERS) return 0;
    const bool late = head.stream_id <= last_stream_ && head.stream_id % 2 == 1 && !of_stream(head.stream_id);
    if (late && !history_.was_reset(head.stream_id))
        nghttp2_session_terminate_session(
            session_, history_.was_finished(head.stream_id) ? NGHTTP2_STREAM_CLOSED : NGHTTP2_PROTOCOL_ERROR);
    return 0;
}

void connection::on_window_update(const nghttp2_frame& frame) {
    if (frame.window_update.window_size_increment < small_update && !controls_.take(core_.loop.now()))
        too_much(core_.counts.h2_floods);
}

int connection::on_begin_headers(const nghttp2_frame& frame) {
    if (frame.headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    last_stream_ = frame.hd.stream_id;
    if (open_ >= core_.bounds.h2_streams) return refuse_stream(last_stream_);
    h2_exchange* x = own_.take();
    x->stream = frame.hd.stream_id;
    x->via = this;
    x->fields.begin();
    x->next = first_;
    if (first_) first_->at = &x->next;
    x->at = &first_;
    first_ = x;
    ++open_;
    nghttp2_session_set_stream_user_data(session_, x->stream, x);
    return 0;
}

// Over the number allowed (RFC 9113, 5.1.2). It counts as a reset: else it could be repeated for ever.
int connection::refuse_stream(std::int32_t id) {
    ++core_.counts.refusals;
    history_.reset_by_server(id);
    if (!resets_.take(core_.loop.now())) too_much(core_.counts.h2_resets);
    else nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_REFUSED_STREAM);
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int connection::on_header(const nghttp2_frame& frame, std::string_view name, std::string_view value) {
    // The session would have to look for it each time.
    h2_exchange* x = heading_ && heading_->stream == frame.hd.stream_id ? heading_ : of_stream(frame.hd.stream_id);
    if (!x) return 0;
    heading_ = x;
    if (frame.headers.cat != NGHTTP2_HCAT_REQUEST) {
        add_trailer(*x, name, value);
        return 0;
    }
    if (name.front() == ':') x->fields.add(pseudo_of(name), value, own_.head_bounds);
    else x->fields.add(name, value, own_.head_bounds, x->head);
    // A few bytes of HPACK may stand for megabytes: the rest is not even looked at.
    constexpr std::size_t far_over = 4;
    if (x->fields.seen() <= far_over * (core_.bounds.field_bytes + core_.bounds.request_line)) return 0;
    ++core_.counts.h2_floods;
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int connection::on_frame(const nghttp2_frame& frame) {
    if (frame.hd.type == NGHTTP2_WINDOW_UPDATE) on_window_update(frame);
    if (frame.hd.type == NGHTTP2_RST_STREAM)
        if (h2_exchange* x = of_stream(frame.hd.stream_id)) x->client_done = true;
    if (frame.hd.type != NGHTTP2_HEADERS && frame.hd.type != NGHTTP2_DATA) return 0;
    h2_exchange* x = of_stream(frame.hd.stream_id);
    const bool ends = (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (!x) return 0;
    x->client_done = x->client_done || ends;
    if (frame.hd.type == NGHTTP2_HEADERS && frame.headers.cat == NGHTTP2_HCAT_REQUEST) begin_request(*x);
    else if (ends) end_body(*x);
    return 0;
}

int connection::on_data(std::int32_t id, std::string_view bytes) {
    controls_.earn(static_cast<std::uint32_t>(bytes.size()) / bytes_earn);
    h2_exchange* x = of_stream(id);
    if (x) take_body(*x, bytes);
    else nghttp2_session_consume(session_, id, bytes.size());
    return 0;
}

void connection::on_sent(const nghttp2_frame& frame) {
    if ((frame.hd.type != NGHTTP2_DATA && frame.hd.type != NGHTTP2_HEADERS) ||
        !(frame.hd.flags & NGHTTP2_FLAG_END_STREAM))
        return;
    if (h2_exchange* x = of_stream(frame.hd.stream_id)) sent_all(*x);
}

int connection::on_close(std::int32_t id, std::uint32_t code) {
    h2_exchange* x = of_stream(id);
    if (!x) return 0;
    // Whoever resets: a client that has the server do it costs as much as one that does (CVE-2023-44487,
    // CVE-2025-8671).
    const bool cut_off = code != NGHTTP2_NO_ERROR || !x->ended;
    if (x->client_done) history_.finished_by_client(id);
    else history_.reset_by_server(id);
    release(*x);
    if (cut_off && !resets_.take(core_.loop.now())) return too_much(core_.counts.h2_resets);
    return 0;
}

}  // namespace apus::http::h2
