// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend.hpp"
#include "runtime/socket_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace apus::runtime {

/// Backend on epoll: the kernel reports readable and writable sockets.
/// A send is a system call that takes as many bytes as possible. The rest is copied, so that unsent output does not
/// refer to memory of the arena. Readable sockets are processed in small groups: read all, handle all, send all. So the
/// code of each step, also in the kernel, stays in the CPU cache.
class epoll_backend final : public backend {
public:
    epoll_backend();
    ~epoll_backend() override;

    const char* name() const noexcept override { return "epoll"; }
    void accept(acceptor&) override;
    void stop_accepting(acceptor&) override;
    void receive(socket&) override;
    void pause(socket&) override;
    void watch(descriptor_watch&, readiness wanted) override;
    void turn(std::int64_t wait) override;

private:
    // The low bits of an event's data are the type of its target; 0 for a socket.
    static constexpr std::uint64_t kinds = 7;
    static constexpr std::uint64_t is_acceptor = 1;
    static constexpr std::uint64_t is_wake_up = 2;
    static constexpr std::uint64_t is_watch = 4;

    void await_connection(socket& s) override { watch(s); }
    void send_bytes(socket&, std::string_view batch, after) override;
    void close_socket(socket&) override;
    static constexpr int max_group = 32;
    struct reading {
        socket* from;
        ssize_t result;  // return value of recv
        int error;
        char* buffer = nullptr;  // kept for the next group
    };
    struct sending {
        socket* to;  // null: the batch is already sent
        std::string_view batch;
        after then;
    };

    void flush(socket&) override;
    void flush_on(socket&);
    void shut(socket& s, int how) override { shutdown(s.fd_, how); }
    void watch(socket&);
    void dispatch(const epoll_event&);
    void take_connections(acceptor&);
    void read(socket&);
    void end_input(socket&, int error);
    void lost(socket&);
    void on_connection(socket&);
    int read_group(const epoll_event* events, int n);
    void handle_group(int n);
    void deliver_reading(reading&);
    void send_now(socket&, std::string_view batch, after);
    sending* held_send(const socket&);

    int epoll_;
    reading group_[max_group];
    std::vector<sending> sends_;                // sends of the group that is being handled
    std::vector<const watch_slot*> unwatched_;  // events of this turn may refer to them
    bool handling_group_ = false;
};

epoll_backend::~epoll_backend() {
    for (auto& r : group_)
        if (r.buffer) buffers_.recycle(r.buffer);
    ::close(epoll_);
}

epoll_backend::epoll_backend() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    epoll_event e{EPOLLIN, {.u64 = is_wake_up}};
    if (epoll_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wakeup_->fd(), &e) < 0)
        throw std::system_error(errno, std::generic_category(), "epoll");
}

void epoll_backend::accept(acceptor& a) {
    // EPOLLEXCLUSIVE: if cores share a listening socket, a new connection does not wake all of these cores.
    epoll_event e{EPOLLIN | EPOLLEXCLUSIVE, {.u64 = reinterpret_cast<std::uintptr_t>(&a) | is_acceptor}};
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, a.fd_, &e) < 0) a.failed(errno);
    else a.accepting_ = true;
}

void epoll_backend::stop_accepting(acceptor& a) {
    if (std::exchange(a.accepting_, false)) epoll_ctl(epoll_, EPOLL_CTL_DEL, a.fd_, nullptr);
}

void epoll_backend::take_connections(acceptor& a) {
    // Limited, so that many new connections cannot block existing ones.
    for (int n = 0; n < 64 && a.accepting_; ++n) {
        int fd = accept4(a.fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) a.accepted(fd);
        else if (errno == EAGAIN) return;
        else if (errno != ECONNABORTED && errno != EINTR) {
            int error = errno;
            stop_accepting(a);
            a.failed(error);
        }
    }
}

void epoll_backend::watch(socket& s) {
    bool in = s.wants_bytes_ && !s.ended_;
    epoll_event e{(in ? EPOLLIN : 0u) | (s.flushing_ || s.connecting_ ? EPOLLOUT : 0u), {.ptr = &s}};
    if (s.receiving_ == socket::request::bytes) epoll_ctl(epoll_, EPOLL_CTL_MOD, s.fd_, &e);
    else if (epoll_ctl(epoll_, EPOLL_CTL_ADD, s.fd_, &e) < 0) end(s, errno);
    else s.receiving_ = socket::request::bytes;
}

void epoll_backend::receive(socket& s) {
    if (std::exchange(s.wants_bytes_, true) || s.closing_) return;
    // The first bytes have usually arrived when a connection is accepted. If the connection then ends, it is never
    // added to epoll.
    if (!s.met_) {
        s.met_ = true;
        read(s);
    }
    if (!s.closing_ && s.wants_bytes_) watch(s);
}

void epoll_backend::pause(socket& s) {
    if (!std::exchange(s.wants_bytes_, false) || s.closing_) return;
    watch(s);
}

void epoll_backend::send_bytes(socket& s, std::string_view batch, after then) {
    if (s.closing_) return;
    if (handling_group_ && !s.unsent() && !unsettled(s)) {
        s.sent_in_ = turn_;
        return sends_.push_back({&s, batch, then});
    }
    if (sending* before = held_send(s)) {
        before->to = nullptr;
        send_now(s, before->batch, before->then);
    }
    if (s.closing_) return;
    if (!s.unsent()) return send_now(s, batch, then);
    queue_bytes(s, batch, then);
}

epoll_backend::sending* epoll_backend::held_send(const socket& s) {
    if (!handling_group_ || !unsettled(s)) return nullptr;
    const auto found = std::find_if(sends_.begin(), sends_.end(), [&](const sending& p) { return p.to == &s; });
    return found == sends_.end() ? nullptr : &*found;
}

// The unsent rest moves to the front of the queue, before output that was queued meanwhile.
void epoll_backend::send_now(socket& s, std::string_view batch, after then) {
    s.sent_in_ = turn_ - 1;
    if (then == after::close) return send_last(s, batch);
    const ssize_t n = send_to(s.fd_, batch.data(), batch.size(), MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return fail_send(s, errno);
    const std::size_t gone = n < 0 ? 0 : static_cast<std::size_t>(n);
    count_sent(s, gone);
    if (gone < batch.size()) put_back(s, batch.substr(gone));
    if (then != after::keep_open) finish_bytes(s, then);
}

void epoll_backend::flush(socket& s) {
    // `flushing_` is false during `push`, so that output which the receiver queues meanwhile is sent at the end of the
    // turn.
    const bool watched = s.flushing_;
    s.flushing_ = false;
    const pushed how = push(s);
    if (how == pushed::nothing_more) return;
    s.flushing_ = how == pushed::blocked;
    if (s.flushing_ != watched) watch(s);
}

void epoll_backend::flush_on(socket& s) {
    if (has_budget(s)) return flush(s);
    s.flushing_ = false;
    watch(s);
    yield(s);
}

void epoll_backend::close_socket(socket& s) {
    if (std::exchange(s.closing_, true)) return;
    ++leaving_;
    if (const sending* last = held_send(s)) {
        const ssize_t n = send_to(s.fd_, last->batch.data(), last->batch.size(), MSG_NOSIGNAL);
        if (n > 0) count_sent(s, static_cast<std::size_t>(n));
    }
    // Closing the descriptor does not suffice: while a child process has a copy of it, before `exec`, epoll would
    // report events of a socket that is destroyed.
    if (s.receiving_ == socket::request::bytes) epoll_ctl(epoll_, EPOLL_CTL_DEL, s.fd_, nullptr);
    ::close(s.fd_);
    retire(s);
}

void epoll_backend::read(socket& s) {
    if (const auto error = read_once(s)) end_input(s, *error);
}

void epoll_backend::end_input(socket& s, int error) {
    s.wants_bytes_ = false;
    if (s.receiving_ != socket::request::none) watch(s);
    end(s, error);
}

// Reads from the sockets of the first events, until an event that needs other handling. Returns the number of sockets.
int epoll_backend::read_group(const epoll_event* events, int n) {
    int taken = 0;
    for (; taken < std::min(n, max_group); ++taken) {
        const epoll_event& e = events[taken];
        if (e.events != EPOLLIN || e.data.u64 & kinds) break;
        auto& s = *static_cast<socket*>(e.data.ptr);
        if (s.closing_ || s.connecting_ || !s.wants_bytes_ || s.flushing_ || s.mode_ != receive_mode::small) break;
        reading& r = group_[taken];
        if (!r.buffer) r.buffer = buffers_.take();
        r.from = &s;
        r.result = receive_from(s.fd_, r.buffer, buffer_pool::buffer_size);
        r.error = r.result < 0 ? errno : 0;
    }
    return taken;
}

void epoll_backend::deliver_reading(reading& r) {
    socket& s = *r.from;
    if (s.closing_ || s.ended_) return;
    if (r.result > 0) {
        deliver(s, {r.buffer, buffer_pool::buffer_size}, static_cast<std::size_t>(r.result));
        if (kept_) r.buffer = nullptr;
    } else if (r.result == 0 || (r.error != EAGAIN && r.error != EINTR)) {
        end_input(s, r.error);
    }
}

void epoll_backend::handle_group(int n) {
    handling_group_ = true;
    for (int i = 0; i < n; ++i) deliver_reading(group_[i]);
    handling_group_ = false;
    for (const sending& p : sends_)
        if (p.to && !p.to->closing_) send_now(*p.to, p.batch, p.then);
    sends_.clear();
}

// Reports the reset of a paused socket, and removes the socket from epoll, which would report the reset in every turn.
void epoll_backend::lost(socket& s) {
    epoll_ctl(epoll_, EPOLL_CTL_DEL, s.fd_, nullptr);
    end(s, ECONNRESET);
}

void epoll_backend::on_connection(socket& s) {
    s.connecting_ = false;
    watch(s);
    settle_connection(s);
}

void epoll_backend::dispatch(const epoll_event& e) {
    if (e.data.u64 == is_wake_up) {
        wakeup_->clear();
    } else if (e.data.u64 & is_acceptor) {
        take_connections(*reinterpret_cast<acceptor*>(e.data.u64 & ~kinds));
    } else if (e.data.u64 & is_watch) {
        notify_ready(*reinterpret_cast<watch_slot*>(e.data.u64 & ~kinds), e.events);
    } else {
        auto& s = *static_cast<socket*>(e.data.ptr);
        if (!s.closing_ && s.connecting_) return on_connection(s);
        if (!s.closing_ && (e.events & (EPOLLOUT | EPOLLERR)) && s.flushing_) flush_on(s);
        if (s.closing_) return;
        if ((e.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && s.wants_bytes_) read(s);
        else if (e.events & (EPOLLHUP | EPOLLERR)) lost(s);
    }
}

void epoll_backend::turn(std::int64_t wait) {
    constexpr int batch = 256;
    epoll_event events[batch];
    flush_queues();
    int n = epoll_wait(epoll_, events, batch, has_pending_work() ? 0 : static_cast<int>(wait));
    clock_.update();
    begin_turn();
    for (int i = 0; i < n;) {
        if (const int read = read_group(events + i, n - i)) {
            handle_group(read);
            i += read;
        } else {
            dispatch(events[i++]);
        }
    }
    for (const watch_slot* slot : unwatched_) drop_slot(*slot);
    unwatched_.clear();
    end_turn();
}

void epoll_backend::watch(descriptor_watch& w, readiness wanted) {
    const unsigned events = (has(wanted, readiness::in) ? EPOLLIN : 0u) | (has(wanted, readiness::out) ? EPOLLOUT : 0u);
    if (events == 0 && w.slot_) {
        epoll_ctl(epoll_, EPOLL_CTL_DEL, w.fd_, nullptr);
        w.slot_->of = nullptr;
        unwatched_.push_back(std::exchange(w.slot_, nullptr));
    }
    if (events == 0) return;
    const int how = w.slot_ ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (!w.slot_) w.slot_ = &make_slot(w, wanted);
    w.slot_->wanted = wanted;
    epoll_event e{events, {.u64 = reinterpret_cast<std::uintptr_t>(w.slot_) | is_watch}};
    if (epoll_ctl(epoll_, how, w.fd_, &e) < 0) throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

std::unique_ptr<backend> make_epoll_backend() { return std::make_unique<epoll_backend>(); }

}  // namespace apus::runtime
