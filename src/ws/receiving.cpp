// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"
#include "codec/websocket/close.hpp"
#include "codec/websocket/mask.hpp"
#include "codec/websocket/refusals.hpp"
#include "http/body_limit.hpp"
#include "ws/session.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

// Parses received bytes into messages.

namespace apus::ws {

using namespace codec::websocket;

namespace {

constexpr std::size_t kept_room = 16 * 1024;  // maximum capacity of `gathered` that is kept for the next message
constexpr std::uint64_t flush_size = 8;       // size of the flush marker that may end each compressed frame

// Returns the maximum compressed size of a message of `message` bytes. Incompressible data reaches this size.
constexpr std::uint64_t max_compressed(std::uint64_t message) noexcept {
    const std::uint64_t most = std::min(message, std::uint64_t{1} << 60);
    return most + most / 1024 + 64;
}

}  // namespace

bool session::receive_ready() noexcept {
    try {
        if (is_throttled())
            rate_window_end_ = 0;  // the peer may have been unable to send because this side did not read
        discard_message();
        while (!over_ && !read_more() && !over_) {
            if (has_held() && !in_held_) {
                at_ = rare_->held.data();
                end_ = at_ + rare_->held.size();
                in_held_ = true;
                continue;
            }
            if (std::exchange(in_held_, false)) std::string().swap(rare_->held);
            transport_.request_more_body(x_);
            if (!take_piece()) break;
        }
        if (!has_message_) begin_rate_window();
    } catch (const std::bad_alloc&) {
        end(1006, "out of memory");
    }
    note_memory();
    return has_message_ || over_;
}

// Takes the next received piece, if there is one, and releases the previous piece.
bool session::take_piece() noexcept {
    if (x_.body.empty()) {
        if (x_.body_ended && !over_) end(1006, {});
        return false;
    }
    // The core has lent the buffer with these bytes, so they can be unmasked in place.
    at_ = const_cast<char*>(x_.body.data());
    end_ = at_ + x_.body.size();
    x_.body = {};
    x_.body_lent = true;
    last_received_at_ = loop_.now();
    return true;
}

std::optional<websocket_message> session::take() noexcept {
    waiting_ = false;
    if (!has_message_) {
        if (!over_) end(1006, {});
        return {};
    }
    // From now on the session answers control frames even if the handler is not receiving.
    if (!has_held()) x_.reader = std::noop_coroutine();
    return message_;
}

// Handles the control frames at the front of the input.
void session::answer_control_frames() noexcept {
    try {
        while (!over_ && (in_frame_ || read_head()) && is_control(frame_.what) && take_control()) {}
    } catch (const std::bad_alloc&) {
        end(1006, "out of memory");
    }
}

void session::discard_message() noexcept {
    if (!has_message_) return;
    has_message_ = false;
    if (rare_) detail::clear_text(rare_->gathered, kept_room);
}

bool session::next(http::exchange&) noexcept {
    const bool resumes = waiting_ ? next_piece() : background();
    note_memory();
    return resumes;
}

bool session::next_piece() noexcept {
    try {
        if (!take_piece()) return over_;
        if (read_more()) return true;
        x_.body_lent = false;
        begin_rate_window();
        return over_;
    } catch (const std::bad_alloc&) {
        end(1006, "out of memory");
        return true;
    }
}

// Handles input while the handler is not receiving. Returns false: the transport resumes no coroutine.
bool session::background() noexcept {
    std::string_view came = std::exchange(x_.body, {});
    last_received_at_ = loop_.now();
    try {
        std::string joined;
        if (at_ != end_) came = joined.assign(at_, available()).append(came);
        at_ = const_cast<char*>(came.data());
        end_ = at_ + came.size();
        answer_control_frames();
        if (at_ != end_ || has_held()) rare().held.assign(at_, available());
        begin_rate_window();
    } catch (const std::bad_alloc&) {
        end(1006, "out of memory");
    }
    at_ = end_ = nullptr;
    if (has_held() || over_) x_.reader = {};
    return false;
}

bool session::read_more() {
    while (in_frame_ || read_head()) {
        if (is_control(frame_.what) ? !take_control() : !take_data()) return false;
        if (has_message_) return true;
    }
    return false;
}

bool session::read_head() {
    if (at_ == end_) return false;
    codec::parsed<frame_head> got;
    if (head_size_ == 0) [[likely]] {
        got = read_frame_head({at_, available()}, rules_);
        if (got.state == codec::outcome::done) at_ += got.used;
    } else {
        const std::size_t more = std::min(codec::websocket::max_frame_head - head_size_, available());
        std::memcpy(rare_->head_bytes + head_size_, at_, more);
        got = read_frame_head({rare_->head_bytes, head_size_ + more}, rules_);
        if (got.state == codec::outcome::done) at_ += got.used - std::exchange(head_size_, 0);
    }
    if (got.state == codec::outcome::bad) return fail(*got.why), false;
    if (got.state == codec::outcome::partial) {
        if (head_size_ == 0) std::memcpy(rare().head_bytes, at_, available());
        head_size_ = static_cast<std::uint8_t>(head_size_ + available());
        at_ = end_;
        return false;
    }
    frame_ = got.value;
    return begin_frame();
}

bool session::begin_frame() {
    in_frame_ = true;
    taken_ = 0;
    if (rare_) rare_->control.clear();
    if (is_control(frame_.what)) return true;
    const bool continues = frame_.what == opcode::continuation;
    const codec::refusal* why = nullptr;
    if (continues != in_message_) why = continues ? &refusals::nothing_to_continue : &refusals::message_not_ended;
    else if (how_.frame != 0 && frame_.size > how_.frame) why = &refusals::frame_too_large;
    else if (!continues)
        kind_ = frame_.what, compressed_ = frame_.compressed, fragments_ = 1, payloads_ = 0, rate_window_end_ = 0,
        text_.reset();
    else if (++fragments_ > how_.fragments) why = &refusals::too_many_fragments;
    // For compressed messages, the decompressor checks the size.
    if (!why && !compressed_ && frame_.size > how_.message - std::min<std::uint64_t>(how_.message, gathered_size()))
        why = &refusals::message_too_large;
    // The compressed size of a message is limited too, since a client could send empty deflate blocks without end. Each
    // frame may end with a flush marker.
    if (!why) payloads_ += frame_.size;
    if (!why && compressed_ && payloads_ > max_compressed(how_.message) + std::uint64_t{fragments_} * flush_size)
        why = &refusals::message_too_large;
    if (why) fail(*why);
    return !why;
}

bool session::take_data() {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(available(), frame_.size - taken_));
    apply_mask(at_, n, frame_.mask, taken_);
    const std::string_view piece(at_, n);
    at_ += n;
    came_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(came_ + std::uint64_t{n}, UINT32_MAX));
    if (frame_.final && !in_message_ && n == frame_.size && !compressed_) [[likely]] {
        in_frame_ = false;
        if (kind_ == opcode::text && !base::is_utf8(piece)) return fail(refusals::not_utf8), false;
        return give(piece);
    }
    taken_ += n;
    if (compressed_ ? !inflate(piece) : !gather(piece)) return false;
    x_.expects = frame_.size - taken_;
    if (x_.expects != 0) return false;
    in_frame_ = false;
    in_message_ = !frame_.final;
    if (in_message_) return true;
    if (kind_ == opcode::text && !text_.complete()) return fail(refusals::not_utf8), false;
    return give(rare().gathered);
}

// Appends a part of an uncompressed message. Returns false if the session is over, as does `inflate`.
bool session::gather(std::string_view piece) {
    if (kind_ == opcode::text && !text_.append(piece)) return fail(refusals::not_utf8), false;
    auto& gathered = rare().gathered;
    http::append_piece(gathered, piece, gathered.size() + piece.size() + (frame_.size - taken_));
    return true;
}

bool session::inflate(std::string_view piece) {
    using inflater = compression::message_inflater;
    const auto& terms = deflate_->terms;
    const bool from_client = role_ == role::server;
    if (!deflate_->in)
        deflate_->in = std::make_unique<inflater>(from_client ? terms.client_bits : terms.server_bits,
                                                  from_client ? terms.client_keeps : terms.server_keeps);
    auto& gathered = rare().gathered;
    const std::size_t before = gathered.size();
    const auto outcome = deflate_->in->take(piece, frame_.final && taken_ == frame_.size, gathered, how_.message);
    if (outcome == inflater::outcome::too_large) return fail(refusals::message_too_large), false;
    if (outcome == inflater::outcome::bad) return fail(refusals::not_deflate), false;
    if (kind_ == opcode::text && !text_.append(std::string_view(gathered).substr(before)))
        return fail(refusals::not_utf8), false;
    return true;
}

bool session::give(std::string_view bytes) noexcept {
    if (span_) span_->received(bytes.size());
    message_ = {bytes, kind_ == opcode::binary};
    has_message_ = true;
    last_message_at_ = loop_.now();
    return true;
}

// Returns false if bytes of the frame are missing, or if the session is over.
bool session::take_control() {
    const std::size_t before = rare_ ? rare_->control.size() : 0;
    const std::size_t n = std::min<std::size_t>(available(), frame_.size - before);
    apply_mask(at_, n, frame_.mask, before);
    std::string_view payload(at_, n);
    at_ += n;
    if (n < frame_.size) {
        auto& control = rare().control;
        control.append(payload);
        if (control.size() < frame_.size) return false;
        payload = control;
    }
    in_frame_ = false;
    if (frame_.what == opcode::close) answer_close(payload);
    // Pings are not answered while too much output is unsent, since then the peer does not read.
    else if (frame_.what == opcode::ping && !close_sent_ && can_write()) put(opcode::pong, payload);
    return !over_;
}

void session::answer_close(std::string_view payload) {
    const auto said = read_close(payload);
    if (said.state == codec::outcome::bad) return fail(*said.why);
    if (!close_sent_) put_close(said.value.code, {});
    if (!said.value.text.empty()) rare().reason = said.value.text;
    end(said.value.code, said.value.text.empty() ? std::string_view() : rare().reason);
}

}  // namespace apus::ws
