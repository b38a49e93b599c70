// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <algorithm>

// Limits the memory of all streams of a connection. Over half of the limit, only the stream with the oldest incomplete
// body gets WINDOW_UPDATE frames. Over the limit, handlers wait until responses have been sent, and request bodies are
// rejected.

namespace apus::http::h2 {
namespace {

constexpr std::size_t session_memory = sizeof(protocol) + 256;  // without memory that is counted separately
constexpr std::size_t little = 16 * 1024;                       // streams with at most this many bytes are not limited

}  // namespace

// Returns `eighths` eighths of the connection's memory limit, in bytes.
std::size_t protocol::body_limit(unsigned eighths) const noexcept {
    return static_cast<std::size_t>(core_.bounds.connection_memory / 8 * eighths);
}

void protocol::settle(h2_exchange& x) noexcept {
    const std::size_t now = x.memory();
    constexpr std::size_t much = 64 * 1024;  // larger changes are accounted at once, other changes after the event
    bodies_ += now - x.held;
    x.held = now;
    if (bodies_ > connection_.held() + much) settle_memory();
}

void protocol::settle_memory() noexcept {
    if (head_exchange_) {
        const std::size_t now = head_exchange_->memory();
        bodies_ += now - head_exchange_->held;
        head_exchange_->held = now;
    }
    const std::size_t frames = out_.capacity() + reader_.memory() + cut_.capacity() + streams_.memory();
    connection_.hold(core_, connection_.idle_memory() + session_memory + decoder_.memory() + encoder_.memory() +
                                frames + bodies_ + connection_.output_memory());
}

// Returns true for the oldest stream with an incomplete body. This stream always continues, so that at least one body
// completes.
bool protocol::is_first_body(const h2_exchange& x) const noexcept {
    for (const auto* other = x.next; other; other = other->next)
        if (!other->client_done && !other->responded() && other->held > little) return false;
    return true;
}

// Returns true if WINDOW_UPDATE frames for the stream are deferred.
bool protocol::defers_window(const h2_exchange& x) const noexcept {
    if (x.held <= little) return false;
    if (core_.guard.throttles(connection_)) return true;
    return bodies_ + connection_.output_memory() > body_limit(4) && !is_first_body(x);
}

void protocol::return_deferred_window() noexcept {
    if (core_.guard.throttles(connection_)) return;
    const bool all = bodies_ + connection_.output_memory() <= body_limit(4);
    for (auto* x = first_; x; x = x->next) {
        if (!x->deferred_window || (!all && !is_first_body(*x))) continue;
        deferred_window_ -= x->deferred_window;
        return_window(*x, std::exchange(x->deferred_window, 0));
    }
    check_body_rates();
}

// Begins rate windows for streams on which the client may send again.
void protocol::check_body_rates() noexcept {
    for (auto* x = first_; x; x = x->next)
        if (!x->window && wants_body_bytes(*x)) begin_window(*x);
}

bool protocol::has_room(served_exchange&, std::uint64_t bytes) {
    const bool over = bytes > memory_guard::small_request && bodies_ + connection_.output_memory() > body_limit(8);
    const bool throttled = core_.guard.throttles(connection_) && core_.guard.is_refusing();
    return !over && !throttled && !core_.guard.refuses(connection_, bytes);
}

void protocol::refuse_for_memory(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    std::string().swap(x.collected);
    // If the flow-control window is empty, the response could not be sent and would occupy memory.
    if (x.send_window <= 0) reset(x, error_code::refused_stream);
    else fail(x, memory_guard::refusal());
}

// Returns true if the handler must wait, because unsent responses take too much memory, or because no memory is left.
bool protocol::postpone(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    const bool waits = unsent_exchanges_ &&
                       (bodies_ + connection_.output_memory() > body_limit(8) || core_.guard.throttles(connection_));
    if (!waits && !core_.guard.exhausted()) return false;
    x.postponed = true;
    ++postponed_;
    settle(x);
    return true;
}

void protocol::run_postponed() {
    const auto may_run = [this] {
        return !core_.guard.exhausted() &&
               (!unsent_exchanges_ ||
                (bodies_ + connection_.output_memory() <= body_limit(6) && !core_.guard.throttles(connection_)));
    };
    while (postponed_ && may_run()) {
        h2_exchange* oldest = nullptr;
        for (auto* x = first_; x; x = x->next)
            if (x->postponed) oldest = x;
        oldest->postponed = false;
        --postponed_;
        if (!oldest->responded()) run(*oldest);  // may destroy `oldest`
    }
}

void protocol::review_input() {
    if (phase_ == phase::open && !in_callback_) flush();
}

}  // namespace apus::http::h2
