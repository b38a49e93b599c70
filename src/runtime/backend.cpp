// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend.hpp"

#include "runtime/socket_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <csignal>
#include <new>
#include <utility>

#include <poll.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace apus::runtime {

backend::~backend() {
    for (const buffer_lease& l : {small_, bulk_, opened_small_, opened_bulk_, gathered_}) buffers_.recycle(l);
}

outgoing& backend::socket_queue(socket& s) {
    if (!s.out_) s.out_ = std::make_unique<outgoing>();
    mark_dirty(s);
    return *s.out_;
}

outgoing& backend::queue_of(socket& s) {
    if (!s.layer_) return socket_queue(s);
    auto& waiting = s.layer_->waiting_;
    if (!waiting) waiting = std::make_unique<outgoing>();
    mark_dirty(s);
    return *waiting;
}

void backend::queue_bytes(socket& s, std::string_view bytes, after then) {
    socket_queue(s).append(bytes);
    if (then != after::keep_open) finish_bytes(s, then);
}

void backend::queue(socket& s, std::string_view bytes) {
    if (!s.closing_) queue_of(s).append(bytes);
}
void backend::queue(socket& s, std::string&& bytes) {
    if (!s.closing_) queue_of(s).append(std::move(bytes));
}
void backend::queue_static(socket& s, std::string_view bytes) {
    if (!s.closing_) queue_of(s).append_static(bytes);
}

void backend::queue_file(socket& s, file_ref file, std::uint64_t at, std::uint64_t size) {
    if (s.closing_) return;
    // sendfile(2) has no flag that prevents SIGPIPE, so the calling thread blocks the signal.
    if (!std::exchange(spared_signal_, true)) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    }
    queue_of(s).append_file(std::move(file), at, size);
}

backend::pushed backend::push(socket& s) {
    while (const std::size_t share = share_of(s)) {
        const ssize_t n = s.out_->send_front(s.fd_, share);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return pushed::blocked;
        if (n < 0) {
            fail_send(s, errno);
            return pushed::nothing_more;
        }
        spend(s, static_cast<std::size_t>(n));
        if (!sent(s, static_cast<std::size_t>(n))) return s.closing_ ? pushed::nothing_more : pushed::all;
    }
    yield(s);
    return pushed::yielded;
}

void backend::yield(socket& s) {
    if (s.closing_ || std::exchange(s.yielded_, true)) return;
    backlog_.push_back(&s);
}

// Serves each socket at most once, in the order in which they yielded. A socket moves to the end of the backlog if it
// has used up its share, or if the result of its last send is not known yet.
void backend::serve_backlog() {
    for (std::size_t n = backlog_.size(); n != 0 && served_ < max_turn_bytes; --n) {
        socket& s = *backlog_.front();
        backlog_.pop_front();
        s.yielded_ = false;
        if (s.closing_) continue;
        if (has_sent(s) || unsettled(s)) {
            yield(s);
            continue;
        }
        const std::size_t before = std::exchange(spent_, 0);  // grants a full share
        flush_queue(s);
        if (!s.closing_) s.receiver_->resumed();
        served_ += spent_;
        spent_ += before;
    }
}

void backend::mark_dirty(socket& s) {
    if (s.dirty_ || s.flushing_) return;
    s.dirty_ = true;
    dirty_.push_back(&s);
}

void backend::put_back(socket& s, std::string_view rest) {
    socket_queue(s).prepend(rest);
    s.receiver_->stalled();
}

// MSG_MORE delays the bytes until shutdown(2), so that data and FIN are one segment and wake the peer once. Without
// shutdown(2), bytes that arrive before close(2) would make it discard the response (docs/decisions/0050).
void backend::send_last(socket& s, std::string_view batch) {
    const ssize_t n = send_to(s.fd_, batch.data(), batch.size(), MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return fail_send(s, errno);
    const std::size_t gone = n < 0 ? 0 : static_cast<std::size_t>(n);
    count_sent(s, gone);
    if (gone < batch.size()) {
        put_back(s, batch.substr(gone));
        return finish_bytes(s, after::close);
    }
    shut(s, SHUT_WR);
    if (!closing_discards_output(s, SIOCOUTQNSD)) close(s);
}

void backend::finish(socket& s, after then) {
    if (s.closing_) return;
    if (!s.layer_) return finish_bytes(s, then);
    if (s.layer_->now() == record_layer::state::secure) {
        s.layer_->then_ = then;
        return mark_dirty(s);
    }
    s.layer_->waiting_.reset();  // the record layer can no longer encrypt this output
    finish_bytes(s, then);
}

void backend::finish_bytes(socket& s, after then) {
    if (s.closing_) return;
    s.then_ = then;
    if (s.unsent() || unsettled(s)) mark_dirty(s);
    else finished(s);
}

void backend::flush_dirty() {
    std::swap(dirty_, flushing_now_);
    for (socket* s : flushing_now_) {
        s->dirty_ = false;
        if (s->closing_ || s->flushing_) continue;
        // A send from the arena must have completed before the next send.
        if (unsettled(*s)) mark_dirty(*s);
        else if (!s->yielded_) flush_queue(*s);
    }
    flushing_now_.clear();
}

// When the total of the turn is used up, output that exceeds the remaining share waits for the backlog. If a part of it
// were sent now, most large responses would take two sends.
bool backend::waits_for_share(const socket& s) const noexcept {
    const std::size_t share = share_of(s);
    return share == 0 || (share <= min_share_bytes && s.unsent() > share);
}

void backend::flush_queue(socket& s) {
    if (s.closing_ || s.flushing_) return;
    if (s.unsent() && waits_for_share(s)) yield(s);
    else if (s.layer_ ? seal_waiting(s) : s.unsent() > 0) flush(s);
    else if (!s.closing_) finished(s);
}

bool backend::sent(socket& s, std::size_t bytes) {
    std::uint64_t& early = traffic_[s.traffic_kind_].unsent;
    const auto counted = std::min<std::uint64_t>(early, bytes);
    early -= counted;
    count_sent(s, bytes - counted);
    if (s.layer_) s.layer_->sent_ += static_cast<std::uint32_t>(bytes);
    s.out_->consume(bytes);
    s.receiver_->progressed(bytes);
    if (s.closing_ || !s.out_->empty()) return !s.closing_;
    if (s.layer_ && seal_waiting(s)) return true;
    if (s.closing_) return false;
    s.out_.reset();
    finished(s);
    if (!s.closing_) s.receiver_->drained();
    return false;
}

void backend::finished(socket& s) {
    const after then = std::exchange(s.then_, after::keep_open);
    if (then == after::half_close || (then == after::close && closing_discards_output(s, SIOCOUTQ))) shut(s, SHUT_WR);
    else if (then == after::close) close(s);
}

// Closing a socket with unread input sends a reset, and so does input that arrives after the close. A reset discards
// output in transit (RFC 9112, 9.6), so such a socket is only half-closed at first. A Unix socket has no such output.
// `output`: SIOCOUTQNSD for output that is not sent; SIOCOUTQ also for output that is not acknowledged. A small
// response is sent at once, and only lost packets could delay it.
bool backend::closing_discards_output(const socket& s, unsigned long output) noexcept {
    int unread = 0, held = 0;
    if (s.ended_) return false;
    if (ioctl(s.fd_, FIONREAD, &unread) == 0 && unread > 0) return true;
    const bool is_tcp = ioctl(s.fd_, SIOCOUTQNSD, &held) == 0;
    return is_tcp && (output == SIOCOUTQNSD || ioctl(s.fd_, output, &held) == 0) && held > 0;
}

void backend::reset(socket& s) {
    if (s.closing_) return;
    linger hard{1, 0};
    setsockopt(s.fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close_socket(s);
}

void backend::deliver_rest(socket& s, received_bytes rest) {
    if (rest.size == 0) return;
    if (s.layer_) return deliver_records(s, {rest.data, rest.size});
    // If the receiver keeps the buffer, the bytes must be at its beginning.
    std::memmove(current_.bytes, rest.data, rest.size);
    s.receiver_->received({current_.bytes, rest.size});
}

void backend::decide_traffic(socket& s, unsigned kind, std::size_t plain) noexcept {
    if (!s.has_undecided_traffic()) return;
    s.begin_traffic_as(kind);
    traffic_[kind].counts.received += s.layer_ ? s.layer_->received_ : plain;
    if (s.layer_) traffic_[kind].counts.sent += s.layer_->sent_;
}

void backend::deliver(socket& s, buffer_lease in, std::size_t size) {
    traffic_[s.traffic_kind_].counts.received += size;
    if (s.layer_) [[unlikely]]
        return deliver_records(s, {in.bytes, size});
    current_ = in;
    kept_ = false;
    s.receiver_->received({in.bytes, size});
}

void backend::set_receive_mode(socket& s, receive_mode how) {
    if (std::exchange(s.mode_, how) != how) s.keeps_ = true;  // set again at the next delivery
}

std::optional<int> backend::read_once(socket& s) {
    const bool bulk = s.mode_ == receive_mode::bulk;
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

void backend::end(socket& s, int error) {
    if (s.ended_ || s.closing_) return;
    if (s.layer_ && !error && !s.layer_->peer_ended()) error = s.layer_->truncation_error();
    s.ended_ = true;
    s.receiver_->ended(error);
}

void backend::fail_send(socket& s, int error) {
    s.ended_ = true;
    s.receiver_->ended(error);
}

std::optional<int> backend::connect(socket& s, const sockaddr* to, socklen_t size) {
    if (::connect(s.fd_, to, size) == 0) return 0;
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    s.connecting_ = true;
    await_connection(s);
    return std::nullopt;
}

void backend::settle_connection(socket& s) {
    int error = 0;
    socklen_t size = sizeof error;
    s.connecting_ = false;
    if (getsockopt(s.fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    s.receiver_->connected(error);
}

watch_slot& backend::make_slot(descriptor_watch& w, readiness wanted) {
    return *slots_.emplace_back(std::make_unique<watch_slot>(watch_slot{&w, wanted}));
}

void backend::drop_slot(const watch_slot& slot) noexcept {
    std::erase_if(slots_, [&](const auto& one) { return one.get() == &slot; });
}

void backend::notify_ready(watch_slot& slot, unsigned events) {
    if (!slot.of) return;
    auto now = static_cast<unsigned>(readiness::none);
    if (events & (POLLERR | POLLHUP)) now = static_cast<unsigned>(readiness::both);
    if (events & POLLIN) now |= static_cast<unsigned>(readiness::in);
    if (events & POLLOUT) now |= static_cast<unsigned>(readiness::out);
    now &= static_cast<unsigned>(slot.wanted);
    if (now != 0) slot.of->ready(static_cast<readiness>(now));
}

void backend::end_turn() {
    leaving_ -= retired_before_.size();
    if (std::ranges::any_of(retired_before_, [](const socket* s) { return s->yielded_; }))
        std::erase_if(backlog_, [](const socket* s) { return s->closing_; });
    for (socket* s : retired_before_) s->receiver_->closed();
    retired_before_.clear();
    std::swap(retired_, retired_before_);
    arena_.recycle();
}

}  // namespace apus::runtime
