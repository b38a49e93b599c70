// SPDX-License-Identifier: Apache-2.0
#include "ws/session.hpp"

#include "codec/websocket/close.hpp"
#include "codec/websocket/mask.hpp"
#include "codec/websocket/refusals.hpp"
#include "crypto/random.hpp"
#include "http/request_trace.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace apus::ws {

using namespace codec::websocket;

namespace {

// Smaller payloads are copied behind their frame head, so that both are sent with one write.
constexpr std::size_t max_joined = 1024;
constexpr codec::refusal too_slow{1008, "the message arrives too slowly"};
constexpr codec::refusal given_up{1006, "the WebSocket was not closed in time"};

std::uint64_t milliseconds_of(duration d) noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(d.milliseconds(), 1));
}

// Measured with an idle session: this object, and what the coroutines that receive messages need in addition to the
// memory of any suspended handler.
constexpr std::size_t session_memory = 768;

}  // namespace

session::session(http::exchange& on, const websocket_options& how, role as)
    : x_(on),
      transport_(*on.via),
      loop_(runtime::loop::current()),
      role_(as),
      how_(how),
      rules_{as == role::server, false} {
    x_.filter = this;
    x_.on_drain = this;
    x_.kept = session_memory;
    x_.reader = std::noop_coroutine();
    last_received_at_ = last_message_at_ = loop_.now();
    if (tracing::recorder::here()) begin_span();
    fire = [](runtime::timer& t) noexcept { static_cast<session&>(t).tick(); };
    // A server that is shutting down opens sessions only before a restart. It tells their clients to reconnect.
    if (role_ == role::server && transport_.stopping()) drain(http::drain_cause::restart);
    set_clock();
}

// A client session is one of several operations of the current request; a server session is all that its request does.
void session::begin_span() noexcept {
    using tracing::open_span;
    span_ = session_span::begin(http::recorded_trace(role_ == role::server ? &x_ : http::exchange_here()),
                                role_ == role::server ? open_span::nesting::scope : open_span::nesting::leaf);
}

session::~session() {
    if (span_) span_->end(over_ ? code_ : 1006, subprotocol);
    if (handle_) handle_->session_ = nullptr;
    loop_.timers().remove(*this);
    x_.filter = nullptr;
    x_.on_drain = nullptr;
    x_.reader = x_.writer = {};
    for (auto* w = attached_; w;) {
        auto* gone = std::exchange(w, w->next_);
        gone->at_ = nullptr;
        gone->session_ended();
    }
    if (writable_waiter_) writable_waiter_.destroy();
    x_.expects = 0;
    x_.kept = 0;
}

// Updates the session's share in the memory account. The connection reads the share at the end of its event.
void session::note_memory() noexcept {
    std::size_t bytes = session_memory;
    if (rare_) bytes += sizeof *rare_ + rare_->gathered.capacity() + rare_->held.capacity() + rare_->control.capacity();
    if (deflate_ && deflate_->in)
        bytes += compression::message_inflater::memory(role_ == role::server ? deflate_->terms.client_bits
                                                                             : deflate_->terms.server_bits);
    if (deflate_ && deflate_->out) bytes += compression::message_deflater::memory(window_bits());
    x_.kept = bytes;
}

void session::wait(std::coroutine_handle<> reader) noexcept {
    waiting_ = true;
    x_.reader = reader;
    if (!drain_at_) return;
    drain_at_ = loop_.now();
    set_clock();
}

void session::stop_waiting() noexcept {
    waiting_ = false;
    if (x_.reader) x_.reader = std::noop_coroutine();
}

void session::compress(const deflate_terms& terms) {
    deflate_ = std::make_unique<compressing>(terms);
    rules_.compressed = true;
}

void session::attach(waiting_writer& w) noexcept {
    w.next_ = attached_;
    w.at_ = &attached_;
    if (attached_) attached_->at_ = &w.next_;
    attached_ = &w;
}

void session::detach(waiting_writer& w) noexcept {
    if (!w.at_) return;
    *w.at_ = w.next_;
    if (w.next_) w.next_->at_ = w.at_;
    w.at_ = nullptr;
}

void session::call_when_writable() {
    if (!writable_waiter_) writable_waiter_ = make_writable_waiter(*this).self;
    x_.writer = writable_waiter_;
}

void session::wait_writable(std::coroutine_handle<> writer) {
    writer_ = writer;
    call_when_writable();
}

// Resumes the next coroutine only after this coroutine is suspended, since the next coroutine may destroy the session
// and thereby this coroutine.
writable_waiter session::make_writable_waiter(session& of) {
    struct then {
        std::coroutine_handle<> next;
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return next; }
        void await_resume() const noexcept {}
    };
    while (true) {
        then room{of.has_room()};
        co_await room;
    }
}

// Returns the coroutine to resume: the handler, if it waits in `send` and no attached writer has more to write.
std::coroutine_handle<> session::has_room() {
    bool all = true;
    for (auto* w = attached_; w; w = w->next_) all = w->on_writable() && all;
    if (all && (can_write() || over_)) return writer_ ? std::exchange(writer_, {}) : std::noop_coroutine();
    x_.writer = writable_waiter_;
    return std::noop_coroutine();
}

unsigned session::window_bits() const noexcept {
    if (!deflate_) return 0;
    return role_ == role::server ? deflate_->terms.server_bits : deflate_->terms.client_bits;
}

void session::note_frames(std::size_t messages, std::size_t bytes, bool compressed) noexcept {
    if (span_) span_->sent(messages, bytes);
    last_message_at_ = loop_.now();
    if (compressed) deflate_->others_wrote = true;
}

bool session::send(opcode what, std::string_view bytes) {
    if (!is_open()) return false;
    if (span_) span_->sent(1, bytes.size());
    if (deflate_ && bytes.size() >= std::max(how_.compress_from, 1U)) {
        const auto& terms = deflate_->terms;
        if (!deflate_->out)
            deflate_->out = std::make_unique<compression::message_deflater>(
                window_bits(), role_ == role::server ? terms.server_keeps : terms.client_keeps);
        else if (deflate_->others_wrote) deflate_->out->forget();
        deflate_->others_wrote = false;
        std::string small;
        deflate_->out->put(bytes, small);
        note_memory();
        put(what, small, true);
    } else {
        put(what, bytes);
    }
    last_message_at_ = loop_.now();
    return true;
}

void session::put(opcode what, std::string_view payload, bool compressed) {
    frame_head head{payload.size(), 0, what, true, compressed};
    if (role_ == role::client) return put_masked(head, payload);
    char bytes[max_frame_head + max_joined];
    char* end = write_frame_head(bytes, head);
    if (payload.size() <= max_joined) {
        if (!payload.empty()) std::memcpy(end, payload.data(), payload.size());
        return transport_.write(x_, {bytes, static_cast<std::size_t>(end - bytes) + payload.size()});
    }
    transport_.write(x_, {bytes, static_cast<std::size_t>(end - bytes)});
    transport_.write(x_, payload);
}

// Masks the frame with an unpredictable key (RFC 6455, 10.3).
void session::put_masked(frame_head head, std::string_view payload) {
    unsigned char random[sizeof head.mask];
    crypto::fill_random(random);
    std::memcpy(&head.mask, random, sizeof random);
    std::string frame(max_frame_head + payload.size(), '\0');
    char* end = write_masked_frame_head(frame.data(), head);
    if (!payload.empty()) std::memcpy(end, payload.data(), payload.size());
    apply_mask(end, payload.size(), head.mask);
    transport_.write(x_, {frame.data(), static_cast<std::size_t>(end - frame.data()) + payload.size()});
}

void session::put_close(unsigned code, std::string_view reason) {
    char payload[max_control_size];
    const char* end = code == 1005 ? payload : write_close(payload, {static_cast<std::uint16_t>(code), reason});
    put(opcode::close, {payload, static_cast<std::size_t>(end - payload)});
    close_sent_ = true;
    if (span_) span_->sent_close(code);
}

void session::close(unsigned code, std::string_view reason) {
    if (!may_be_sent(code))
        throw std::invalid_argument("invalid WebSocket close code " + std::to_string(code) +
                                    ": reserved, must not be sent");
    if (!is_open()) return;
    put_close(code, reason);
    give_up_at_ = loop_.now() + milliseconds_of(how_.close);
    set_clock();
}

// Closes the session at once if the handler is receiving. Otherwise the handler is processing a message: the session is
// closed when the handler receives again, or after a second.
void session::drain(http::drain_cause why) noexcept {
    constexpr std::uint64_t longest = 1000;  // milliseconds
    restarts_ = why == http::drain_cause::restart;
    if (waiting_) return close_for_drain();
    drain_at_ = loop_.now() + longest;
    set_clock();
}

void session::close_for_drain() {
    drain_at_ = 0;
    if (!restarts_) close(1001, "the server stops");
    else if (!rare_ || rare_->resume_hint.empty()) close(1012, "the server restarts");
    else close(1012, rare_->resume_hint);
}

// Handles a protocol error of the peer: sends a Close frame and stops reading (RFC 6455, 7.1.7).
void session::fail(const codec::refusal& why) {
    if (!close_sent_) put_close(static_cast<unsigned>(why.status), why.reason);
    end(static_cast<unsigned>(why.status), why.reason);
}

void session::end(unsigned code, std::string_view static_reason) {
    over_ = true;
    at_ = end_ = nullptr;
    x_.expects = 0;
    code_ = static_cast<std::uint16_t>(code);
    reason_ = static_reason;
    give_up_at_ = loop_.now() + milliseconds_of(how_.close);
    set_clock();
}

// Do not use the session after this call: the resumed coroutine may destroy the session.
void session::wake() noexcept {
    if (waiting_ && x_.reader) std::exchange(x_.reader, {}).resume();
}

std::uint64_t session::due() const noexcept {
    if (give_up_at_) return give_up_at_;
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    if (how_.ping > duration())
        next = last_ping_at_ > last_received_at_ ? last_ping_at_ + milliseconds_of(how_.pong)
                                                 : last_received_at_ + milliseconds_of(how_.ping);
    if (how_.idle > duration()) next = std::min(next, last_message_at_ + milliseconds_of(how_.idle));
    if (rate_window_end_) next = std::min(next, rate_window_end_);
    if (drain_at_) next = std::min(next, drain_at_);
    return next;
}

// Called when all input is consumed. If a frame or message is incomplete, starts to measure the rate of its rest.
void session::begin_rate_window() noexcept {
    if (!in_message()) return void(rate_window_end_ = 0);
    if (rate_window_end_ || how_.message_rate == 0 || over_) return;
    rate_window_end_ = loop_.now() + milliseconds_of(how_.rate_window);
    came_ = 0;
    set_clock();
}

// If the message arrives too slowly, ends the session and returns true. Time in which the handler does not receive is
// not counted, as the session then does not read.
bool session::is_below_min_rate(std::uint64_t now) {
    if (!rate_window_end_ || now < rate_window_end_) return false;
    rate_window_end_ = 0;
    if (!in_message() || is_throttled()) return false;
    const bool slow = std::uint64_t{came_} * 1000 < how_.message_rate * milliseconds_of(how_.rate_window);
    if (slow) fail(too_slow);
    else begin_rate_window();
    return slow;
}

// A message moves the deadline, but does not set the timer again, because this would cost time for each message. If the
// timer fires before the deadline, `tick` sets the timer again.
void session::set_clock() noexcept {
    const std::uint64_t next = due();
    if (next == std::numeric_limits<std::uint64_t>::max()) return;
    if (!waits() || next < timer::due) loop_.timers().add(*this, next);
}

void session::tick() noexcept {
    const std::uint64_t now = loop_.now();
    // While the session does not read, missing bytes do not show that the peer has disconnected.
    if (is_throttled()) last_received_at_ = now;
    if (now < due()) return set_clock();
    try {
        if (give_up_at_) {
            if (over_) return transport_.refuse_body(x_, given_up);
            end(1006, {});
            return wake();
        }
        if (drain_at_ && now >= drain_at_) return close_for_drain();
        if (is_below_min_rate(now)) return wake();
        if (how_.idle > duration() && now >= last_message_at_ + milliseconds_of(how_.idle))
            return close(1001, "no message for too long");
        if (now < due()) return set_clock();
        if (last_ping_at_ > last_received_at_) {
            end(1006, "no answer to a ping");
            return wake();
        }
        if (can_write()) put(opcode::ping, {});
        last_ping_at_ = std::max(now, last_received_at_ + 1);
        set_clock();
    } catch (...) {
        transport_.refuse_body(x_, given_up);
    }
}

}  // namespace apus::ws
