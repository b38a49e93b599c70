// SPDX-License-Identifier: Apache-2.0

// The minimum cost of epoll: one epoll_wait for all ready sockets, then a read and a write for each.
#include "listening.hpp"
#include "requests.hpp"

#include <cerrno>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace limit {
namespace {

struct connection {
    progress input;
    kind sending = kind::none;
    std::uint64_t unsent = 0;  // for `sending`: bytes of its responses that are not sent yet
    bool watched = false;
    bool closed = false;
};

struct loop {
    int listener;
    int poll = epoll_create1(0);
    answers said{};
    std::vector<connection> connections{};
    std::vector<char> input = std::vector<char>(64 << 10);
};

void watch(const loop& in, int operation, int descriptor, std::uint32_t events) {
    epoll_event event{.events = events, .data = {.fd = descriptor}};
    if (epoll_ctl(in.poll, operation, descriptor, &event)) give_up("epoll_ctl", errno);
}

void watch(const loop& in, connection& of, int descriptor, std::uint32_t events) {
    watch(in, std::exchange(of.watched, true) ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events);
}

void close_now(connection& of, int descriptor) {
    of.closed = true;
    close(descriptor);
}

void finish(connection& of, int descriptor) {
    if (of.input.closes) close_now(of, descriptor);
}

/// With MSG_MORE, the kernel delays the last response until the close, and sends it together with the FIN.
int flags_of(const connection& of) { return MSG_NOSIGNAL | (of.input.closes ? MSG_MORE : 0); }

/// Writes pending output of `of`. Returns true if the socket accepted all of it.
bool write_on(const loop& in, connection& of, int descriptor) {
    const auto& [bytes, one] = in.said.of(of.sending);
    while (of.unsent) {
        auto begin = (one - of.unsent % one) % one;
        auto size = std::min<std::uint64_t>(of.unsent, bytes.size() - begin);
        auto sent = send(descriptor, bytes.data() + begin, size, flags_of(of));
        if (sent < 0) return errno != EAGAIN;  // a lost connection is closed by the next read
        of.unsent -= std::uint64_t(sent);
    }
    return true;
}

void answer(loop& in, connection& of, int descriptor, const demand& wanted) {
    if (wanted.asked == kind::upload) {
        auto bytes = in.said.uploaded(of.input.body_size);
        send(descriptor, bytes.data(), bytes.size(), flags_of(of));
        return finish(of, descriptor);
    }
    of.sending = wanted.asked;
    of.unsent = in.said.of(wanted.asked).one * wanted.answers;
    of.input.closes = wanted.closes;
    if (write_on(in, of, descriptor)) return finish(of, descriptor);
    // Does not read until the client has received its responses.
    watch(in, of, descriptor, EPOLLOUT);
}

void on_ready(loop& in, int descriptor) {
    auto& of = in.connections[std::size_t(descriptor)];
    if (of.unsent) {
        if (!write_on(in, of, descriptor)) return;
        of.unsent = 0;
        watch(in, of, descriptor, EPOLLIN);
        return finish(of, descriptor);
    }
    auto got = recv(descriptor, in.input.data(), in.input.size(), 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return close_now(of, descriptor);
    auto wanted = read_piece(of.input, {in.input.data(), std::size_t(got)});
    if (wanted.answers) answer(in, of, descriptor, wanted);
    else if (wanted.closes) close_now(of, descriptor);
}

/// When a connection is accepted, its first request has usually arrived. If that request closes the connection, the
/// connection is never watched.
void accept_all(loop& in) {
    for (;;) {
        int taken = accept4(in.listener, nullptr, nullptr, SOCK_NONBLOCK);
        if (taken < 0) return;
        turn_on(taken, IPPROTO_TCP, TCP_NODELAY);
        auto& of = at_descriptor(in.connections, taken) = {};
        on_ready(in, taken);
        if (!of.closed && !of.watched) watch(in, of, taken, EPOLLIN);
    }
}

[[noreturn]] void serve(int port) {
    loop here{.listener = listen_at(port, SOCK_NONBLOCK)};
    watch(here, EPOLL_CTL_ADD, here.listener, EPOLLIN);
    epoll_event ready[512];
    for (;;) {
        int count = epoll_wait(here.poll, ready, 512, -1);
        here.said.refresh();
        for (int i = 0; i < count; ++i) {
            if (ready[i].data.fd == here.listener) accept_all(here);
            else on_ready(here, ready[i].data.fd);
        }
    }
}

}  // namespace
}  // namespace limit

int main(int count, char** arguments) { return limit::run(count, arguments, limit::serve); }
