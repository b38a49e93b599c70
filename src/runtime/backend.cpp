// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend.hpp"

#include "runtime/socket_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <csignal>
#include <new>
#include <utility>

#include <sys/socket.h>

namespace apus::runtime {

backend::~backend() {
    for (const buffer_lease& l : {small_, bulk_, opened_small_, opened_bulk_, gathered_}) buffers_.give(l);
}

outgoing& backend::socket_queue(stream& s) {
    if (!s.out_) s.out_ = std::make_unique<outgoing>();
    mark_dirty(s);
    return *s.out_;
}

outgoing& backend::queue_of(stream& s) {
    if (!s.layer_) return socket_queue(s);
    auto& waiting = s.layer_->waiting_;
    if (!waiting) waiting = std::make_unique<outgoing>();
    mark_dirty(s);
    return *waiting;
}

void backend::queue_bytes(stream& s, std::string_view bytes, after then) {
    socket_queue(s).append(bytes);
    if (then != after::go_on) finish_bytes(s, then);
}

void backend::queue(stream& s, std::string_view bytes) {
    if (!s.closing_) queue_of(s).append(bytes);
}
void backend::queue(stream& s, std::string&& bytes) {
    if (!s.closing_) queue_of(s).append(std::move(bytes));
}
void backend::queue_static(stream& s, std::string_view bytes) {
    if (!s.closing_) queue_of(s).append_static(bytes);
}

void backend::queue_file(stream& s, file_ref file, std::uint64_t at, std::uint64_t size) {
    if (s.closing_) return;
    // sendfile has no flag against SIGPIPE, so the threads that call it do not take the signal.
    if (!std::exchange(spared_signal_, true)) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    }
    queue_of(s).append_file(std::move(file), at, size);
}

backend::pushed backend::push(stream& s) {
    while (const std::size_t share = share_of(s)) {
        const ssize_t n = s.out_->send_front(s.fd_, share);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return pushed::blocked;
        if (n < 0) {
            cut(s, errno);
            return pushed::nothing_more;
        }
        spend(s, static_cast<std::size_t>(n));
        if (!sent(s, static_cast<std::size_t>(n))) return s.closing_ ? pushed::nothing_more : pushed::all;
    }
    yield(s);
    return pushed::yielded;
}

void backend::yield(stream& s) {
    if (s.closing_ || std::exchange(s.yielded_, true)) return;
    backlog_.push_back(&s);
}

// Each stream once at most, in the order in which they yielded. A stream that had its share of this turn goes to
// the back, as does one whose last send is not settled.
void backend::serve_backlog() {
    for (std::size_t n = backlog_.size(); n != 0 && served_ < turn_most; --n) {
        stream& s = *backlog_.front();
        backlog_.pop_front();
        s.yielded_ = false;
        if (s.closing_) continue;
        if (has_sent(s) || unsettled(s)) {
            yield(s);
            continue;
        }
        const std::size_t before = std::exchange(spent_, 0);  // its share is a whole one
        flush_queue(s);
        if (!s.closing_) s.resumed();
        served_ += spent_;
        spent_ += before;
    }
}

void backend::mark_dirty(stream& s) {
    if (s.dirty_ || s.flushing_) return;
    s.dirty_ = true;
    dirty_.push_back(&s);
}

void backend::put_back(stream& s, std::string_view rest) {
    socket_queue(s).prepend(rest);
    s.stalled();
}

void backend::finish(stream& s, after then) {
    if (s.closing_) return;
    if (!s.layer_) return finish_bytes(s, then);
    if (s.layer_->now() == record_layer::state::secure) {
        s.layer_->then_ = then;
        return mark_dirty(s);
    }
    s.layer_->waiting_.reset();  // nobody could read it
    finish_bytes(s, then);
}

void backend::finish_bytes(stream& s, after then) {
    if (s.closing_) return;
    s.then_ = then;
    if (s.unsent() || unsettled(s)) mark_dirty(s);
    else finished(s);
}

void backend::flush_dirty() {
    std::swap(dirty_, flushing_now_);
    for (stream* s : flushing_now_) {
        s->dirty_ = false;
        if (s->closing_ || s->flushing_) continue;
        // What was sent from the arena must be known to have gone before anything may follow it.
        if (unsettled(*s)) mark_dirty(*s);
        else if (!s->yielded_) flush_queue(*s);
    }
    flushing_now_.clear();
}

void backend::flush_queue(stream& s) {
    if (s.closing_ || s.flushing_) return;
    if (s.unsent() && !share_of(s)) yield(s);
    else if (s.layer_ ? seal_waiting(s) : s.unsent() > 0) flush(s);
    else if (!s.closing_) finished(s);
}

bool backend::sent(stream& s, std::size_t bytes) {
    s.out_->consume(bytes);
    s.progressed(bytes);
    if (s.closing_ || !s.out_->empty()) return !s.closing_;
    if (s.layer_ && seal_waiting(s)) return true;
    if (s.closing_) return false;
    s.out_.reset();
    finished(s);
    if (!s.closing_) s.drained();
    return false;
}

void backend::finished(stream& s) {
    if (s.then_ == after::half_close) shut(s, SHUT_WR);
    else if (s.then_ == after::close) close(s);
    s.then_ = after::go_on;
}

void backend::reset(stream& s) {
    if (s.closing_) return;
    linger hard{1, 0};
    setsockopt(s.fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close_socket(s);
}

void backend::hand_over(stream& from, stream& to) {
    if (from.closing_) return;
    to.sent_in_ = from.sent_in_;
    to.intake_ = from.intake_;
    to.then_ = from.then_;
    to.ended_ = from.ended_;
    to.met_ = true;
    to.keeps_ = from.keeps_;
    to.out_ = std::move(from.out_);
    if (from.layer_) to.secure_by(std::move(from.layer_));
    to.dirty_ = from.dirty_;
    from.dirty_ = false;
    std::replace(dirty_.begin(), dirty_.end(), &from, &to);
    to.yielded_ = std::exchange(from.yielded_, false);
    if (to.yielded_) std::replace(backlog_.begin(), backlog_.end(), &from, &to);
    to.spent_in_ = from.spent_in_;
    to.spent_ = from.spent_;
    from.closing_ = true;
    from.wants_bytes_ = false;
    ++leaving_;
    take_requests(from, to);
    from.fd_ = -1;
}

void backend::pass_on(stream& to, received_bytes rest) {
    if (rest.size == 0) return;
    if (to.layer_) return deliver_opened(to, {rest.data, rest.size});
    // Who keeps the buffer takes what it got for its beginning.
    std::memmove(current_.bytes, rest.data, rest.size);
    to.received({current_.bytes, rest.size});
}

void backend::deliver(stream& s, buffer_lease in, std::size_t size) {
    if (s.layer_) [[unlikely]]
        return deliver_opened(s, {in.bytes, size});
    current_ = in;
    kept_ = false;
    s.received({in.bytes, size});
}

void backend::fetch(stream& s, intake how) {
    if (std::exchange(s.intake_, how) != how) s.keeps_ = true;  // unless it shows otherwise
}

std::optional<int> backend::read_once(stream& s) {
    const bool bulk = s.intake_ == intake::in_bulk;
    buffer_lease& into = bulk ? bulk_ : small_;
    if (!into.bytes && bulk) into = {static_cast<char*>(::operator new(bulk_size)), bulk_size};
    else if (!into.bytes) into = {buffers_.take(), buffer_pool::buffer_size};
    const ssize_t n = receive_from(s.fd_, into.bytes, bulk && s.keeps_ ? kept_bulk_size : into.capacity);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    if (n <= 0) return n < 0 ? errno : 0;
    deliver(s, into, static_cast<std::size_t>(n));
    s.keeps_ = kept_;
    if (kept_) into = {};
    return std::nullopt;
}

void backend::end(stream& s, int error) {
    if (s.ended_ || s.closing_) return;
    if (s.layer_ && !error && !s.layer_->peer_ended()) error = s.layer_->cut_off();
    s.ended_ = true;
    s.ended(error);
}

void backend::cut(stream& s, int error) {
    s.ended_ = true;
    s.ended(error);
}

std::optional<int> backend::connect(stream& s, const sockaddr* to, socklen_t size) {
    if (::connect(s.fd_, to, size) == 0) return 0;
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    s.connecting_ = true;
    await_connection(s);
    return std::nullopt;
}

void backend::settle_connection(stream& s) {
    int error = 0;
    socklen_t size = sizeof error;
    s.connecting_ = false;
    if (getsockopt(s.fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    s.connected(error);
}

void backend::end_turn() {
    leaving_ -= buried_before_.size();
    if (std::ranges::any_of(buried_before_, [](const stream* s) { return s->yielded_; }))
        std::erase_if(backlog_, [](const stream* s) { return s->closing_; });
    for (stream* s : buried_before_) s->closed();
    buried_before_.clear();
    std::swap(buried_, buried_before_);
    arena_.recycle();
}

}  // namespace apus::runtime
