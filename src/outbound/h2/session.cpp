// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/session.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace apus::outbound::h2 {

using namespace codec::http2;

session::session(const codec::http1::head_limits& head) : limits_(head) {
    constexpr std::size_t settings = 3;
    char* to = out_.room(preface.size() + frame_head_size + settings * setting_size + window_update_size);
    std::memcpy(to, preface.data(), preface.size());
    to += preface.size();
    to = write_frame_head(to, {settings * setting_size, frame_type::settings, flag_none, 0});
    to = write_setting(to, {setting::enable_push, 0});
    to = write_setting(to, {setting::initial_window_size, stream_window});
    to = write_setting(to, {setting::max_header_list_size, head.field_bytes + head.request_line});
    out_.wrote(write_window_update(to, 0, connection_window - default_window));
}

stream* session::find(std::uint32_t id) const noexcept {
    const auto at = streams_.find(id);
    return at == streams_.end() ? nullptr : at->second;
}

std::uint32_t session::available() const noexcept {
    if (leaving_ || failure_ || closed_) return 0;
    // Unread bodies of slow readers use the window of the connection; a further request would wait for these readers.
    if (received_ - returned_ > connection_window / 2) return 0;
    const std::uint32_t most = std::min(peer_streams_, max_streams), open = static_cast<std::uint32_t>(streams_.size());
    return most > open ? most - open : 0;
}

bool session::take_control(std::uint64_t n) {
    for (; n > 0; --n)
        if (!controls_.take(now_)) return false;
    return true;
}

void session::note_event(stream& s) {
    if (!s.event_due_ && !s.room_due_) ready_.push_back(&s);
    s.event_due_ = true;
}

void session::note_room(stream& s) {
    if (!s.event_due_ && !s.room_due_) ready_.push_back(&s);
    s.room_due_ = true;
}

bool session::deliver() {
    if (ready_.empty()) return false;
    stream& s = *ready_.front();
    // The call may destroy the stream, so a second event is delivered by the next call of `deliver`.
    if (std::exchange(s.room_due_, false)) {
        if (!s.event_due_) ready_.pop_front();
        s.on_room();
        return true;
    }
    ready_.pop_front();
    s.event_due_ = false;
    s.on_event();
    return true;
}

void session::open(stream& s, const request_head& head, bool ends) {
    constexpr std::uint32_t controls_per_request = 4;
    s.id_ = next_id_;
    next_id_ += 2;
    if (next_id_ > max_stream) leaving_ = true;
    s.to_head_ = head.method == "HEAD";
    s.window_ = first_window_;
    s.listed_ = true;
    s.sent_ = s.out_ends_ = ends;
    streams_.emplace(s.id_, &s);
    controls_.refund(controls_per_request);
    write_request(out_, encoder_, head, s.id_, ends);
}

void session::enqueue(stream& s) {
    const bool has_work = s.unsent() ? s.window_ > 0 : s.out_ends_;
    if (!s.listed_ || s.sent_ || s.queued_ || !has_work) return;
    s.queued_ = true;
    sending_.push_back(&s);
}

void session::send(stream& s, std::string_view bytes) {
    if (!s.listed_ || s.refuses_body || s.out_ends_) return;
    s.out_.erase(0, std::exchange(s.sent_bytes_, 0));
    s.out_ += bytes;
    s.wants_room_ = s.out_.size() > high_water;
    enqueue(s);
}

void session::send_end(stream& s) {
    if (!s.listed_ || s.refuses_body) return;
    s.out_ends_ = true;
    enqueue(s);
}

// Writes one frame of each stream, round robin.
void session::write_data(std::size_t room) {
    const std::size_t most = out_.size() + room;
    while (!sending_.empty() && out_.size() < most && !failure_ && !closed_) {
        stream& s = *sending_.front();
        if (s.unsent() && send_window_ <= 0) return;
        sending_.pop_front();
        s.queued_ = false;
        write_some(s, most - out_.size());
        enqueue(s);
    }
}

bool session::write_some(stream& s, std::size_t room) {
    constexpr std::uint32_t controls_per_frame = 2, max_payload = 32 * 1024;
    const auto windows = static_cast<std::size_t>(std::max<std::int64_t>(std::min(s.window_, send_window_), 0));
    const std::size_t n = std::min({s.unsent(), windows, std::size_t{std::min(frame_size_, max_payload)}, room});
    const bool ends = s.out_ends_ && n == s.unsent();
    if (!n && !ends) return false;
    char* to = out_.room(frame_head_size + n);
    const std::uint8_t flags = ends ? flag_end_stream : flag_none;
    to = write_frame_head(to, {static_cast<std::uint32_t>(n), frame_type::data, flags, s.id_});
    if (n) std::memcpy(to, s.out_.data() + s.sent_bytes_, n);
    out_.wrote(to + n);
    s.sent_bytes_ += n;
    s.window_ -= static_cast<std::int64_t>(n);
    send_window_ -= static_cast<std::int64_t>(n);
    controls_.refund(controls_per_frame);
    if (s.wants_room_ && s.unsent() <= high_water / 2) {
        s.wants_room_ = false;
        note_room(s);
    }
    if (ends) end_sending(s);
    return true;
}

void session::end_sending(stream& s) {
    s.sent_ = true;
    std::string().swap(s.out_);
    s.sent_bytes_ = 0;
    if (s.ended) {
        history_.finished_by_client(s.id_);
        unlist(s);
    }
    note_event(s);
}

void session::take(stream& s, std::string& into) {
    into.clear();
    into.swap(s.body_);
}

void session::return_window(stream& s, std::size_t bytes) {
    return_window(bytes);
    s.returned_ += static_cast<std::uint32_t>(bytes);
    if (!s.listed_ || s.ended || failure_ || closed_ || s.returned_ < stream_window / 2) return;
    char* to = out_.room(window_update_size);
    out_.wrote(write_window_update(to, s.id_, s.returned_));
    s.received_ -= std::exchange(s.returned_, 0);
}

void session::leave(stream& s) {
    if (s.listed_) {
        if (!failure_ && !closed_) write_reset(s.id_, error_code::cancel);
        history_.reset_by_server(s.id_);
        unlist(s);
    }
    return_window(s.body_.size());
    s.body_.clear();
    if (s.event_due_ || s.room_due_) std::erase(ready_, &s);
    s.event_due_ = s.room_due_ = false;
}

// Removes the stream from all containers except `ready_`.
void session::unlist(stream& s) {
    if (std::exchange(s.queued_, false)) std::erase(sending_, &s);
    s.listed_ = false;
    streams_.erase(s.id_);
    if (data_ == &s) data_ = nullptr;
    if (block_ == &s) block_ = nullptr;
}

void session::write_reset(std::uint32_t id, error_code code) {
    char* to = out_.room(rst_stream_size);
    out_.wrote(write_rst_stream(to, id, code));
}

void session::abort(stream& s, error why) {
    if (!s.failure) s.failure = std::move(why);
    history_.reset_by_server(s.id_);
    unlist(s);
    note_event(s);
}

// Resets a stream whose response is invalid.
void session::fail(stream& s, error_code code, std::string why) {
    write_reset(s.id_, code);
    abort(s, error(502, std::move(why)));
}

void session::fail_unprocessed(stream& s, std::string why) {
    s.unprocessed = !s.begun;
    abort(s, error(502, std::move(why)));
}

void session::end(const error& why) {
    leaving_ = closed_ = true;
    while (!streams_.empty()) {
        stream& s = *streams_.begin()->second;
        if (s.ended) unlist(s), s.refuses_body = true;
        else s.lost = true, abort(s, why);
    }
}

// Ends the connection because the server has violated the protocol.
void session::terminate(error_code code, std::string_view why) {
    if (failure_) return;
    failure_ = error(502, "the upstream violates HTTP/2: " + std::string(why));
    char* to = out_.room(goaway_size);
    out_.wrote(write_goaway(to, 0, code));
    end(*failure_);
}

void session::close() {
    if (failure_ || closed_) return;
    leaving_ = true;
    char* to = out_.room(goaway_size);
    out_.wrote(write_goaway(to, 0, error_code::no_error));
}

}  // namespace apus::outbound::h2
