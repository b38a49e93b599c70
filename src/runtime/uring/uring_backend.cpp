// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/uring_backend.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace apus::runtime {
namespace {

std::uint64_t name_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
constexpr int send_flags = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL;

}  // namespace

uring_backend::~uring_backend() {
    if (open_) io_uring_queue_exit(&ring_);
}

io_uring_sqe* uring_backend::request(std::uint64_t user_data) {
    io_uring_sqe* sqe;
    while (!(sqe = io_uring_get_sqe(&ring_))) io_uring_submit(&ring_);
    // The prep functions leave the user data alone.
    sqe->user_data = user_data;
    return sqe;
}

void uring_backend::accept(acceptor& a) {
    a.accepting_ = true;
    arm_accept(a);
}

void uring_backend::arm_accept(acceptor& a) {
    io_uring_prep_multishot_accept(request(name_of(&a) | of_accept), a.fd_, nullptr, nullptr,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void uring_backend::stop_accepting(acceptor& a) {
    if (std::exchange(a.accepting_, false)) cancel(name_of(&a) | of_accept);
}

void uring_backend::cancel(std::uint64_t user_data) {
    auto* sqe = request(of_nothing);
    io_uring_prep_cancel64(sqe, user_data, 0);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
}

void uring_backend::receive(stream& s) {
    if (std::exchange(s.wants_bytes_, true) || s.receiving_ != stream::request::none || s.closing_ || s.ended_) return;
    arm_receive(s);
}

// Buffers of the ring are small, and would take a completion for every few kilobytes. Large ones
// for all who might send much would take their turns in memory that is out of the cache by then.
void uring_backend::fetch(stream& s, intake how) {
    const intake before = s.fetched();
    backend::fetch(s, how);
    if (before == intake::as_it_comes && how != before && !s.closing_) take_back(s);
}

void uring_backend::arm_receive(stream& s) {
    s.receiving_ = stream::request::queued;
    ++s.pending_;
    to_arm_.push_back(&s);
}

// A completion of a fresh request to receive may overtake that of an earlier send, and what it
// brings could then be answered before the rest of the send is queued. So these requests are made
// when it is known who has sent in this turn, and wait for the next one where somebody has.
void uring_backend::arm_all() {
    std::swap(to_arm_, arming_);
    for (stream* s : arming_) arm(*s);
    arming_.clear();
}

void uring_backend::arm(stream& s) {
    if (!s.closing_ && s.wants_bytes_ && !s.ended_) return unsettled(s) ? to_arm_.push_back(&s) : ask(s);
    s.receiving_ = stream::request::none;
    if (!--s.pending_ && s.closing_) bury(s);
}

// A connection may live for one request only, so the first bytes are asked for alone: to ask for
// whatever comes would have to be taken back when it closes. When it is taken back from a peer that sends
// much, a hundred buffers may have come: a peer that has filled one is asked for one at a time for a while.
void uring_backend::ask(stream& s) {
    if (s.intake_ != intake::as_it_comes) {
        s.receiving_ = stream::request::readiness;
        io_uring_prep_poll_add(request(name_of(&s) | of_readiness), s.fd_, POLLIN);
        return;
    }
    s.receiving_ = stream::request::bytes;
    auto* sqe = request(name_of(&s) | of_receive);
    if (s.met_ && s.singly_ == 0) io_uring_prep_recv_multishot(sqe, s.fd_, nullptr, 0, 0);
    else io_uring_prep_recv(sqe, s.fd_, nullptr, 0, 0);
    s.met_ = true;
    sqe->flags |= IOSQE_BUFFER_SELECT;
    sqe->buf_group = receive_ring::group;
}

void uring_backend::pause(stream& s) {
    if (std::exchange(s.wants_bytes_, false) && !s.closing_) take_back(s);
}

// What is only queued is looked at again before it is asked for.
void uring_backend::take_back(stream& s) {
    if (s.receiving_ == stream::request::bytes) cancel(name_of(&s) | of_receive);
    else if (s.receiving_ == stream::request::readiness) cancel(name_of(&s) | of_readiness);
}

void uring_backend::send_bytes(stream& s, std::string_view batch, after then) {
    if (s.closing_) return;
    if (s.unsent() || s.flushing_ || unsettled(s)) {
        return queue_bytes(s, batch, then);
    }
    auto& sent = sent_[turn_ & 1];
    auto* sqe = request(sent.size() << 4 | (turn_ & 1) << 3 | of_send);
    io_uring_prep_send(sqe, s.fd_, batch.data(), batch.size(), send_flags);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
    sent.push_back({&s, batch});
    s.sent_in_ = turn_;
    if (then != after::go_on) finish_bytes(s, then);  // in the next turn, when the send is settled
}

// Not as a request: the kernel leaves that to a thread, which may find another socket under the
// same number by then.
void uring_backend::shut(stream& s, int how) { shutdown(s.fd_, how); }

void uring_backend::await_connection(stream& s) {
    s.receiving_ = stream::request::readiness;
    ++s.pending_;
    io_uring_prep_poll_add(request(name_of(&s) | of_readiness), s.fd_, POLLOUT);
}

void uring_backend::flush(stream& s) {
    if (s.out_->holds_file() || s.half_open_ || s.ended_) return flush_by_calls(s);
    const std::size_t share = share_of(s);
    spend(s, std::min(s.out_->size(), share));
    io_uring_prep_sendmsg(request(name_of(&s) | of_queue), s.fd_, &s.out_->front(share), MSG_NOSIGNAL);
    s.flushing_ = true;
    ++s.pending_;
}

// The kernel gives a splice to a thread of its own each time. sendfile on a socket that does not
// wait, when there is room, costs less (docs/decisions/0013).
void uring_backend::flush_by_calls(stream& s) {
    if (push(s) == pushed::blocked) await_room(s);
}

// The kernel takes the end of the peer's side for an event that every request waits for: one that waits for
// room ends at once, again and again. A request for many events is told of it once, then of room.
void uring_backend::await_room(stream& s) {
    auto* sqe = request(name_of(&s) | of_queue);
    if (s.half_open_ || s.ended_) io_uring_prep_poll_multishot(sqe, s.fd_, POLLOUT);
    else io_uring_prep_poll_add(sqe, s.fd_, POLLOUT);
    s.awaits_room_ = true;
    s.flushing_ = true;
    ++s.pending_;
}

void uring_backend::close_socket(stream& s) {
    if (std::exchange(s.closing_, true)) return;
    ++leaving_;
    take_back(s);
    if (s.flushing_) {
        cancel(name_of(&s) | of_queue);
        for (const auto& p : successions_)
            if (p.to == &s) cancel(name_of(p.from) | of_queue);
    }
    auto* sqe = request(of_nothing);
    io_uring_prep_close(sqe, s.fd_);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
    if (!s.pending_) bury(s);
}

void uring_backend::take_requests(stream& from, stream& to) {
    // What `from` has taken over itself goes on to its heir.
    unsigned of_others = 0;
    for (auto& p : successions_)
        if (p.to == &from) p.to = &to, of_others += p.from->pending_;
    if (from.receiving_ == stream::request::queued) {
        std::replace(to_arm_.begin(), to_arm_.end(), &from, &to);
        --from.pending_;
        ++to.pending_;
        to.receiving_ = stream::request::queued;
    } else if (from.receiving_ != stream::request::none) {
        take_back(from);
        to.receiving_ = stream::request::inherited;
    }
    to.flushing_ = from.flushing_;
    to.awaits_room_ = from.awaits_room_;
    to.singly_ = from.singly_;
    to.half_open_ = from.half_open_;
    for (auto& of_turn : sent_)
        for (auto& p : of_turn)
            if (p.to == &from) p.to = &to;
    // Also what it does not wait for: the kernel sends from its queue.
    to.pending_ = static_cast<std::uint8_t>(to.pending_ + from.pending_);
    from.pending_ = static_cast<std::uint8_t>(from.pending_ - of_others);
    if (from.pending_) successions_.push_back({&from, &to});
    else bury(from);
}

stream* uring_backend::heir_of(const stream& named) noexcept {
    for (const auto& p : successions_)
        if (p.from == &named) return p.to;
    return nullptr;
}

// A request is over. Gives whom it concerns: the stream that it names, or who took that one over.
stream& uring_backend::settle_request(stream& named) {
    const bool last = !--named.pending_;
    if (!named.closing_) return named;
    if (last) bury(named);
    stream* heir = heir_of(named);
    if (!heir) return named;
    if (last) std::erase_if(successions_, [&](const auto& p) { return p.from == &named; });
    if (!--heir->pending_ && heir->closing_) bury(*heir);
    return *heir;
}

void uring_backend::on_receive(stream& named, const io_uring_cqe& cqe) {
    stream* to = &named;
    if (!(cqe.flags & IORING_CQE_F_MORE)) {
        to = &settle_request(named);
        to->receiving_ = stream::request::none;
    } else if (named.closing_) {
        if (stream* heir = heir_of(named)) to = heir;
    }
    stream& s = *to;
    bool has_buffer = cqe.flags & IORING_CQE_F_BUFFER;
    unsigned id = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
    kept_ = false;
    if (s.closing_) {
        // nobody is interested any more
    } else if (cqe.res > 0) {
        if (static_cast<std::size_t>(cqe.res) == buffer_pool::buffer_size) s.singly_ = 8;
        else if (s.singly_ != 0) --s.singly_;
        deliver(s, {receive_ring_.buffer(id), buffer_pool::buffer_size}, static_cast<std::size_t>(cqe.res));
    } else if (cqe.res == -ENOBUFS) {
        receive_ring_.ran_out();
        read_without_ring(s);
    } else if (cqe.res != -ECANCELED && cqe.res != -EINTR) {
        end(s, -cqe.res);
    }
    if (has_buffer) receive_ring_.recycle(id, kept_);
    arm_again(s);
}

// Where clients send more than the ring's buffers hold, those that ask at the wrong time would get none again and again.
// Not while a send may be unsettled, as with requests to receive.
void uring_backend::read_without_ring(stream& s) {
    if (!s.wants_bytes_ || s.ended_ || unsettled(s) || s.sent_in_ + 1 == turn_) return;
    if (const auto error = read_once(s)) end(s, *error);
    kept_ = false;
}

void uring_backend::arm_again(stream& s) {
    if (s.wants_bytes_ && s.receiving_ == stream::request::none && !s.closing_ && !s.ended_) arm_receive(s);
}

void uring_backend::on_readiness(stream& named, int result) {
    stream& s = settle_request(named);
    s.receiving_ = stream::request::none;
    if (s.closing_) return;
    if (s.connecting_) {
        if (result == -EINTR) await_connection(s);
        else settle_connection(s);
        return;
    }
    if (result < 0 && result != -ECANCELED && result != -EINTR) end(s, -result);
    if (result >= 0 && s.wants_bytes_)
        if (const auto error = read_once(s)) end(s, *error);
    arm_again(s);
}

void uring_backend::on_send(const sending& of, int result) {
    stream& s = *of.to;
    if (s.closing_) return;
    if (result < 0 && result != -EAGAIN && result != -EINTR) return cut(s, -result);
    put_back(s, of.batch.substr(static_cast<std::size_t>(std::max(result, 0))));
}

void uring_backend::on_queue(stream& named, const io_uring_cqe& cqe) {
    constexpr int room = POLLOUT | POLLERR | POLLHUP;
    if (cqe.flags & IORING_CQE_F_MORE) {
        if (cqe.res & room) cancel(name_of(&named) | of_queue);  // its end follows
        return;
    }
    stream& s = settle_request(named);
    const bool awaited = std::exchange(s.awaits_room_, false);
    s.flushing_ = false;
    if (s.closing_) return;
    const bool interrupted = cqe.res == -EINTR || (awaited && cqe.res == -ECANCELED);
    const bool no_room = awaited ? cqe.res > 0 && !(cqe.res & room) : cqe.res == -EAGAIN;
    if (no_room) {
        s.half_open_ = true;
        return await_room(s);
    }
    const bool again = interrupted || (awaited && cqe.res > 0);
    if (!again && cqe.res < 0) return cut(s, -cqe.res);
    if (!again && !sent(s, static_cast<std::size_t>(cqe.res))) return;
    if (may_go_on(s)) flush(s);
    else yield(s);
}

void uring_backend::on_accept(acceptor& a, const io_uring_cqe& cqe) {
    if (cqe.res >= 0) {
        a.accepted(cqe.res);  // also one that came while accepting was being stopped
    } else if (a.accepting_ && cqe.res != -ECANCELED && cqe.res != -ECONNABORTED && cqe.res != -EINTR) {
        a.accepting_ = false;
        a.failed(-cqe.res);
    }
    if (!(cqe.flags & IORING_CQE_F_MORE) && a.accepting_) arm_accept(a);
}

void uring_backend::dispatch(const io_uring_cqe& cqe) {
    std::uint64_t name = cqe.user_data & ~tag_mask;
    switch (static_cast<tag>(cqe.user_data & tag_mask)) {
        case of_receive: return on_receive(*reinterpret_cast<stream*>(name), cqe);
        case of_send: return on_send(sent_[cqe.user_data >> 3 & 1][cqe.user_data >> 4], cqe.res);
        case of_queue: return on_queue(*reinterpret_cast<stream*>(name), cqe);
        case of_accept: return on_accept(*reinterpret_cast<acceptor*>(name), cqe);
        case of_wake_up:
            bell_->silence();
            if (!(cqe.flags & IORING_CQE_F_MORE)) arm_wake_up();
            return;
        case of_timeout: std::erase(timeouts_, cqe.user_data >> 3); return;
        case of_nothing:
            if (name) marked_ = false;
            return;
        case of_readiness: return on_readiness(*reinterpret_cast<stream*>(name), cqe.res);
    }
}

// A wait with a timeout of its own would set and cancel a timer of the kernel each time. Deadlines
// are mostly far and move away, so one request for the nearest serves for many turns.
void uring_backend::arm_timeout(std::int64_t wait) {
    std::uint64_t due = clock_.now() - clock_.ahead() + static_cast<std::uint64_t>(wait);
    if (std::any_of(timeouts_.begin(), timeouts_.end(), [due](auto t) { return t <= due; })) return;
    __kernel_timespec t{static_cast<long long>(due / 1000), static_cast<long long>(due % 1000 * 1'000'000)};
    auto* sqe = request(due << 3 | of_timeout);
    io_uring_prep_timeout(sqe, &t, 0, IORING_TIMEOUT_ABS);
    timeouts_.push_back(due);
    io_uring_submit(&ring_);  // the kernel copies `t` here
}

int uring_backend::submit(std::int64_t wait) {
    if (wait == 0) return io_uring_submit_and_get_events(&ring_);
    if (wait > 0) arm_timeout(wait);
    return io_uring_submit_and_wait(&ring_, 1);
}

// As many completions as the queue holds, so that peers cannot keep the loop here. Gives whether there are no more:
// the kernel keeps what the queue has no room for, and brings it at the next submission.
bool uring_backend::dispatch_all() {
    io_uring_cqe* cqe;
    unsigned head, n = 0;
    io_uring_for_each_cqe(&ring_, head, cqe) {
        ++n;
        dispatch(*cqe);
    }
    receive_ring_.publish();
    io_uring_cq_advance(&ring_, n);
    return !io_uring_cq_has_overflow(&ring_);
}

// A request that ends at once, and whose completion comes after all those that there are.
void uring_backend::mark() {
    io_uring_prep_nop(request(name_of(this) | of_nothing));
    marked_ = true;
}

void uring_backend::turn(std::int64_t wait) {
    flush_queues();
    arm_all();
    submit(must_hurry() || marked_ || !to_arm_.empty() ? 0 : wait);
    clock_.update();
    // Where the kernel lacks memory for all requests, some sends have not begun: the turn goes on.
    if (io_uring_sq_ready(&ring_)) return void(dispatch_all());
    // Where completions are left over, those of sends from the arena may be among them: the turn goes on until the
    // mark.
    const bool goes_on = marked_;
    if (!goes_on) begin_turn();
    if (!dispatch_all() && !goes_on) mark();
    if (marked_) return;
    sent_[~turn_ & 1].clear();  // of the turn before
    end_turn();
}

void uring_backend::arm_wake_up() { io_uring_prep_poll_multishot(request(of_wake_up), bell_->fd(), POLLIN); }

}  // namespace apus::runtime
