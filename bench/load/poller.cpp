// SPDX-License-Identifier: Apache-2.0
#include "poller.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>

namespace load {
namespace {

constexpr std::uint32_t incoming = EPOLLIN | EPOLLRDHUP;

int error_of(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

// With MSG_TRUNC, TCP discards received bytes without copying them (tcp(7)). The system call is used directly, because
// sanitizers intercept the libc function and assume that the bytes were written.
ssize_t dropped(int socket, std::uint64_t bytes) {
    return ::syscall(SYS_recvfrom, socket, nullptr, bytes, MSG_TRUNC, nullptr, nullptr);
}

}  // namespace

poller::poller(unsigned connections)
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), places_(connections), buffer_(std::make_unique<char[]>(buffer_bytes)) {
    if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "cannot set up epoll");
}

poller::~poller() { ::close(epoll_); }

void poller::attach(std::uint32_t slot, int descriptor) {
    watch(slot, 0);
    auto& p = places_[slot];
    p = {.descriptor = descriptor, .generation = p.generation + 1};
    if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

void poller::watch(std::uint32_t slot, std::uint32_t events) {
    auto& p = places_[slot];
    if (events == p.watched) return;
    const int what = events == 0 ? EPOLL_CTL_DEL : p.watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    epoll_event asked{.events = events, .data = {.u64 = std::uint64_t(p.generation) << 32 | slot}};
    if (::epoll_ctl(epoll_, what, p.descriptor, &asked) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot watch a connection");
    p.watched = events;
}

void poller::connect(std::uint32_t slot, const sockaddr_in& address) {
    auto& p = places_[slot];
    if (::connect(p.descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        known_.push_back({did::connect, slot, 0, false, {}});
    } else if (errno == EINPROGRESS) {
        p.what = wants::connection;
        watch(slot, EPOLLOUT);
    } else {
        known_.push_back({did::connect, slot, -errno, false, {}});
    }
}

void poller::receive(std::uint32_t slot) {
    auto& p = places_[slot];
    p.what = wants::all;
    if (p.watched == 0) watch(slot, incoming);
}

void poller::receive_once(std::uint32_t slot) {
    receive(slot);
    places_[slot].what = wants::a_piece;
}

void poller::discard(std::uint32_t slot, std::uint64_t bytes) {
    receive(slot);
    places_[slot].what = wants::to_drop;
    places_[slot].dropped_at_most = std::min(bytes, most_discarded);
}

void poller::stop_receiving(std::uint32_t slot) {
    places_[slot].what = wants::nothing;
    known_.push_back({did::receive, slot, -ECANCELED, false, {}});
}

void poller::send(std::uint32_t slot, std::string_view bytes) {
    auto& p = places_[slot];
    p.unsent.push_back(bytes);
    if (p.unsent.size() == 1) flush(slot);
}

void poller::flush(std::uint32_t slot) {
    auto& p = places_[slot];
    while (!p.unsent.empty()) {
        auto& next = p.unsent.front();
        const auto sent = ::send(p.descriptor, next.data(), next.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) return watch(slot, incoming | EPOLLOUT);
        if (sent < 0) {
            known_.push_back({did::send, slot, -errno, false, {}});
            p.unsent.clear();
            break;
        }
        next.remove_prefix(std::size_t(sent));
        if (next.empty()) p.unsent.erase(p.unsent.begin());
    }
    if (p.watched & EPOLLOUT) watch(slot, incoming);
}

// Checks a socket after an event. Returns false if no requested operation can make progress.
bool poller::look_at(std::uint32_t slot, std::uint32_t events, event& e) {
    auto& p = places_[slot];
    if (p.what == wants::connection) {
        p.what = wants::nothing;
        e = {did::connect, slot, -error_of(p.descriptor), false, {}};
        watch(slot, 0);  // no events until a receive operation is requested
        return true;
    }
    if (events & EPOLLOUT) flush(slot);
    if (p.what == wants::nothing || (events & ~std::uint32_t(EPOLLOUT)) == 0) return false;
    e = {p.what == wants::to_drop ? did::discard : did::receive, slot, 0, p.what == wants::all, {}};
    receive_now(p, e);
    if (e.result == -EAGAIN) return false;
    if (e.result <= 0) watch(slot, 0);
    return true;
}

void poller::receive_now(place& p, event& e) {
    const auto got = e.what == did::discard ? dropped(p.descriptor, p.dropped_at_most)
                                            : ::recv(p.descriptor, buffer_.get(), buffer_bytes, 0);
    e.result = got < 0 ? -errno : int(got);
    if (e.result == -EAGAIN) return;
    if (e.result > 0 && e.what == did::receive) e.data = {buffer_.get(), std::size_t(got)};
    if (e.result <= 0) e.more = false;
    if (!e.more) p.what = wants::nothing;
}

void poller::wait(std::uint64_t nanoseconds) {
    if (!known_.empty()) nanoseconds = 0;
    const timespec limit{.tv_sec = std::int64_t(nanoseconds / 1'000'000'000),
                         .tv_nsec = std::int64_t(nanoseconds % 1'000'000'000)};
    if (has_precise_wait_) {
        ready_ = ::epoll_pwait2(epoll_, happened_, most_at_once, &limit, nullptr);
        has_precise_wait_ = ready_ >= 0 || errno == EINTR;
    }
    if (!has_precise_wait_) {  // Linux before 5.11 lacks epoll_pwait2, and older seccomp filters forbid it
        pollfd any{.fd = epoll_, .events = POLLIN, .revents = 0};
        ready_ = ::ppoll(&any, 1, &limit, nullptr) > 0 ? ::epoll_wait(epoll_, happened_, most_at_once, 0) : 0;
    }
    ready_ = std::max(ready_, 0);
}

}  // namespace load
