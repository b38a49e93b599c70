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
    // The prep functions do not change the user data.
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

void uring_backend::receive(socket& s) {
    if (std::exchange(s.wants_bytes_, true) || s.receiving_ != socket::request::none || s.closing_ || s.ended_) return;
    arm_receive(s);
}

// Bulk data is not received into the ring, whose buffers are small: every few kilobytes would need a completion. Large
// buffers in the ring would not fit into the CPU cache.
void uring_backend::set_receive_mode(socket& s, receive_mode how) {
    const receive_mode before = s.mode();
    backend::set_receive_mode(s, how);
    if (before == receive_mode::small && how != before && !s.closing_) take_back(s);
}

void uring_backend::arm_receive(socket& s) {
    s.receiving_ = socket::request::queued;
    ++s.pending_;
    to_arm_.push_back(&s);
}

// A new receive request may complete before an earlier send of its socket; then the response to the new input would be
// queued before the rest of that send. So receive requests are submitted when all sends of a turn are known, and
// sockets that send in this turn receive in the next turn.
void uring_backend::arm_all() {
    std::swap(to_arm_, arming_);
    for (socket* s : arming_) arm(*s);
    arming_.clear();
}

void uring_backend::arm(socket& s) {
    if (!s.closing_ && s.wants_bytes_ && !s.ended_) return unsettled(s) ? to_arm_.push_back(&s) : ask(s);
    s.receiving_ = socket::request::none;
    if (!--s.pending_ && s.closing_) retire(s);
}

// The first receive of a connection is single-shot, because a multishot request would have to be cancelled if the
// connection closes after one request. After a full buffer, the next receives are single-shot too: with much input in
// flight, a multishot request may fill a hundred buffers before it is cancelled.
void uring_backend::ask(socket& s) {
    if (s.mode_ != receive_mode::small) {
        s.receiving_ = socket::request::readiness;
        io_uring_prep_poll_add(request(name_of(&s) | of_readiness), s.fd_, POLLIN);
        return;
    }
    s.receiving_ = socket::request::bytes;
    auto* sqe = request(name_of(&s) | of_receive);
    if (s.met_ && s.singly_ == 0) io_uring_prep_recv_multishot(sqe, s.fd_, nullptr, 0, 0);
    else io_uring_prep_recv(sqe, s.fd_, nullptr, 0, 0);
    s.met_ = true;
    sqe->flags |= IOSQE_BUFFER_SELECT;
    sqe->buf_group = receive_ring::group;
}

void uring_backend::pause(socket& s) {
    if (std::exchange(s.wants_bytes_, false) && !s.closing_) take_back(s);
}

// Cancels the receive request. If the request is only queued, `arm` drops it.
void uring_backend::take_back(socket& s) {
    if (s.receiving_ == socket::request::bytes) cancel(name_of(&s) | of_receive);
    else if (s.receiving_ == socket::request::readiness) cancel(name_of(&s) | of_readiness);
}

void uring_backend::send_bytes(socket& s, std::string_view batch, after then) {
    if (s.closing_) return;
    if (s.unsent() || s.flushing_ || unsettled(s)) {
        return queue_bytes(s, batch, then);
    }
    if (then == after::close) return send_last(s, batch);
    auto& sent = sent_[turn_ & 1];
    auto* sqe = request(sent.size() << 4 | (turn_ & 1) << 3 | of_send);
    io_uring_prep_send(sqe, s.fd_, batch.data(), batch.size(), send_flags);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
    sent.push_back({&s, batch});
    count_sent(s, batch.size());  // only failures and partial sends are reported
    s.sent_in_ = turn_;
    if (then != after::keep_open) finish_bytes(s, then);  // acts in the next turn, when the result is known
}

// Calls shutdown(2) directly. io_uring would run it later on a worker thread, when the descriptor may already refer to
// another socket.
void uring_backend::shut(socket& s, int how) { shutdown(s.fd_, how); }

void uring_backend::await_connection(socket& s) {
    s.receiving_ = socket::request::readiness;
    ++s.pending_;
    io_uring_prep_poll_add(request(name_of(&s) | of_readiness), s.fd_, POLLOUT);
}

void uring_backend::flush(socket& s) {
    if (s.out_->holds_file() || s.half_open_ || s.ended_) return flush_by_calls(s);
    const std::size_t share = share_of(s);
    spend(s, std::min(s.out_->size(), share));
    io_uring_prep_sendmsg(request(name_of(&s) | of_queue), s.fd_, &s.out_->front(share), MSG_NOSIGNAL);
    s.flushing_ = true;
    ++s.pending_;
}

// io_uring runs each splice on a worker thread. This costs more than a non-blocking sendfile(2) on a writable socket
// (docs/decisions/0013).
void uring_backend::flush_by_calls(socket& s) {
    if (push(s) == pushed::blocked) await_room(s);
}

// After the peer has shut down sending, every single-shot poll request completes at once, so a wait for POLLOUT would
// spin. A multishot request reports the shutdown once, and then only POLLOUT.
void uring_backend::await_room(socket& s) {
    auto* sqe = request(name_of(&s) | of_queue);
    if (s.half_open_ || s.ended_) io_uring_prep_poll_multishot(sqe, s.fd_, POLLOUT);
    else io_uring_prep_poll_add(sqe, s.fd_, POLLOUT);
    s.awaits_room_ = true;
    s.flushing_ = true;
    ++s.pending_;
}

void uring_backend::close_socket(socket& s) {
    if (std::exchange(s.closing_, true)) return;
    ++leaving_;
    take_back(s);
    if (s.flushing_) cancel(name_of(&s) | of_queue);
    auto* sqe = request(of_nothing);
    io_uring_prep_close(sqe, s.fd_);
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
    if (!s.pending_) retire(s);
}

// Called when a request has completed.
void uring_backend::settle_request(socket& s) {
    if (!--s.pending_ && s.closing_) retire(s);
}

void uring_backend::on_receive(socket& s, const io_uring_cqe& cqe) {
    if (!(cqe.flags & IORING_CQE_F_MORE)) {
        settle_request(s);
        s.receiving_ = socket::request::none;
    }
    bool has_buffer = cqe.flags & IORING_CQE_F_BUFFER;
    unsigned id = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
    kept_ = false;
    if (s.closing_) {
        // the socket is closing
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

// Reads by a system call when the ring is out of buffers. If clients send more than the ring holds, receive requests
// could fail repeatedly. Does not read while the result of a send may be unknown; see `arm_all`.
void uring_backend::read_without_ring(socket& s) {
    if (!s.wants_bytes_ || s.ended_ || unsettled(s) || s.sent_in_ + 1 == turn_) return;
    if (const auto error = read_once(s)) end(s, *error);
    kept_ = false;
}

void uring_backend::arm_again(socket& s) {
    if (s.wants_bytes_ && s.receiving_ == socket::request::none && !s.closing_ && !s.ended_) arm_receive(s);
}

void uring_backend::on_readiness(socket& s, int result) {
    settle_request(s);
    s.receiving_ = socket::request::none;
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
    socket& s = *of.to;
    const std::string_view rest = of.batch.substr(static_cast<std::size_t>(std::max(result, 0)));
    count_unsent(s, rest.size());
    if (s.closing_) return;
    if (result < 0 && result != -EAGAIN && result != -EINTR) return fail_send(s, -result);
    put_back(s, rest);
}

void uring_backend::on_queue(socket& s, const io_uring_cqe& cqe) {
    constexpr int room = POLLOUT | POLLERR | POLLHUP;
    if (cqe.flags & IORING_CQE_F_MORE) {
        if (cqe.res & room) cancel(name_of(&s) | of_queue);  // the final completion follows
        return;
    }
    settle_request(s);
    const bool awaited = s.awaits_room_;
    s.awaits_room_ = s.flushing_ = false;
    if (s.closing_) return;
    const bool interrupted = cqe.res == -EINTR || (awaited && cqe.res == -ECANCELED);
    const bool no_room = awaited ? cqe.res > 0 && !(cqe.res & room) : cqe.res == -EAGAIN;
    if (no_room) {
        s.half_open_ = true;
        return await_room(s);
    }
    const bool again = interrupted || (awaited && cqe.res > 0);
    if (!again && cqe.res < 0) return fail_send(s, -cqe.res);
    if (!again && !sent(s, static_cast<std::size_t>(cqe.res))) return;
    if (has_budget(s)) flush(s);
    else yield(s);
}

void uring_backend::on_accept(acceptor& a, const io_uring_cqe& cqe) {
    if (cqe.res >= 0) {
        a.accepted(cqe.res);  // even if accepting is being cancelled
    } else if (a.accepting_ && cqe.res != -ECANCELED && cqe.res != -ECONNABORTED && cqe.res != -EINTR) {
        a.accepting_ = false;
        a.failed(-cqe.res);
    }
    if (!(cqe.flags & IORING_CQE_F_MORE) && a.accepting_) arm_accept(a);
}

void uring_backend::dispatch(const io_uring_cqe& cqe) {
    std::uint64_t name = cqe.user_data & ~tag_mask;
    switch (static_cast<tag>(cqe.user_data & tag_mask)) {
        case of_receive: return on_receive(*reinterpret_cast<socket*>(name), cqe);
        case of_send: return on_send(sent_[cqe.user_data >> 3 & 1][cqe.user_data >> 4], cqe.res);
        case of_queue: return on_queue(*reinterpret_cast<socket*>(name), cqe);
        case of_accept: return on_accept(*reinterpret_cast<acceptor*>(name), cqe);
        case of_wake_up:
            if (name) return on_watch(*reinterpret_cast<watch_slot*>(name), cqe.res);
            wakeup_->clear();
            if (!(cqe.flags & IORING_CQE_F_MORE)) arm_wake_up();
            return;
        case of_timeout: std::erase(timeouts_, cqe.user_data >> 3); return;
        case of_nothing:
            if (name) marked_ = false;
            return;
        case of_readiness: return on_readiness(*reinterpret_cast<socket*>(name), cqe.res);
    }
}

// Handles at most as many completions as the queue holds, so that peers cannot block the loop. Returns true if no
// completion is left. The kernel keeps overflowed completions until the next submission.
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

// Submits a no-op request, whose completion comes after all earlier completions.
void uring_backend::mark() {
    io_uring_prep_nop(request(name_of(this) | of_nothing));
    marked_ = true;
}

void uring_backend::turn(std::int64_t wait) {
    flush_queues();
    arm_all();
    submit(has_pending_work() || marked_ || !to_arm_.empty() ? 0 : wait);
    clock_.update();
    // If the kernel had not enough memory for all requests, some sends have not started, so this turn is not over.
    if (io_uring_sq_ready(&ring_)) return void(dispatch_all());
    // The remaining completions may include sends from the arena, so the turn continues until the mark.
    const bool goes_on = marked_;
    if (!goes_on) begin_turn();
    if (!dispatch_all() && !goes_on) mark();
    if (marked_) return;
    sent_[~turn_ & 1].clear();  // sends of the previous turn
    end_turn();
}

void uring_backend::arm_wake_up() { io_uring_prep_poll_multishot(request(of_wake_up), wakeup_->fd(), POLLIN); }

}  // namespace apus::runtime
