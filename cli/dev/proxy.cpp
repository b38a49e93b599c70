// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/proxy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ascii.hpp"
#include "codec/http1/host.hpp"
#include "cli/dev/proxied_request.hpp"
#include "cli/dev/head.hpp"
#include "cli/dev/page.hpp"
#include "cli/system/thread_without_signals.hpp"
#include "cli/errors/failure.hpp"

namespace apus::cli::dev {

struct proxy::connection : proxied_request {
    using proxied_request::proxied_request;

    // Forwards the request, or keeps it until an application is ready. `look` updates the state, and returns true if
    // the application has changed: the previous application may exit before this thread is notified of the change.
    template <class Look>
    void serve(proxy& of, const state& now, Look&& look) {
        if (!has_request()) return;
        if (const std::string host = host_of(head()); !of.accepts_host(host)) return answer(host_refusal(host));
        const std::string_view target = target_of(head());
        if (target == "/__apus/dev.js") return answer(response("200 OK", "text/javascript", script()));
        if (target == "/__apus/events")
            return begin_answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n" +
                state_event(now.generation, now.failure));
        if (target.starts_with("/__apus/"))
            return answer(response("404 Not Found", "text/plain", "`apus dev` has no such path.\n"));
        if (now.port) of.asked_ = std::chrono::steady_clock::now().time_since_epoch();
        if (now.port && forward_to_port(now.port)) return;
        if (look()) return serve(of, now, look);
        if (now.port)
            return answer(failure_response(
                "503 Service Unavailable", "The application has exited",
                now.failure.empty() ? "The terminal shows its output. The next change restarts it." : now.failure));
        if (!now.failure.empty())
            answer(failure_response("503 Service Unavailable", "The application cannot start", now.failure));
    }
};

namespace {

constexpr std::size_t reserved_descriptors = 64;  // descriptors for files, compilers and programs
constexpr int pause = 100;                        // milliseconds before the next accept if no descriptor is free
constexpr int poll_interval = 500;

std::string url_of(int socket) {
    sockaddr_storage at{};
    socklen_t size = sizeof at;
    getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size);
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getnameinfo(reinterpret_cast<sockaddr*>(&at), size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return {};
    const bool v6 = std::strchr(host, ':') != nullptr;
    return std::string("http://") + (v6 ? "[" : "") + host + (v6 ? "]" : "") + ":" + port;
}

int listen_on(const std::string& host, std::uint16_t port) {
    addrinfo wish{};
    wish.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    wish.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const std::string where = host + ":" + std::to_string(port);
    if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wish, &found); error != 0)
        throw errors::failure("E0311", "cannot listen on `" + where + "`: " + gai_strerror(error),
                              "`--host` must be an address of this machine");
    const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    // Accepted sockets inherit TCP_NODELAY, which avoids delays of small WebSocket messages.
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const bool listens = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 4096) == 0;
    const int why = errno;
    freeaddrinfo(found);
    if (!listens) {
        close(fd);
        throw errors::failure("E0311", "cannot listen on `" + where + "`: " + std::strerror(why),
                              "`--port 0` selects a free port; `ss -ltnp` shows the listening processes");
    }
    return fd;
}

std::vector<std::string> lower_case(std::vector<std::string> names) {
    for (std::string& name : names) std::ranges::transform(name, name.begin(), base::lowered);
    return names;
}

// Returns the maximum number of connections. Each connection uses two descriptors.
std::size_t connections_within_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
    const auto all = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 65536));
    return all > reserved_descriptors + 16 ? (all - reserved_descriptors) / 2 : 8;
}

}  // namespace

proxy::proxy(const std::string& host, std::uint16_t port, const std::vector<std::string>& names, terminal::shell& shell)
    : shell_(shell),
      most_(connections_within_limit()),
      listener_(listen_on(host, port)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      url_(url_of(listener_)),
      names_(lower_case(names)) {
    names_.push_back(lower_case({host}).front());
    thread_ = system::thread_without_signals([this] { run(); });
}

proxy::~proxy() {
    ends_ = true;
    reload();
    thread_.join();
    connections_.clear();
    close(listener_);
    close(wake_);
}

void proxy::change(void (*how)(state&, std::uint16_t, std::string&), std::uint16_t port, std::string text) {
    {
        const std::lock_guard hold(lock_);
        how(state_, port, text);
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(wake_, &one, sizeof one);
}

void proxy::forward_to(std::uint16_t port) {
    change([](state& s, std::uint16_t p, std::string&) { s = {p, s.generation + 1, {}}; }, port, {});
}

void proxy::show_failure(std::string text) {
    change([](state& s, std::uint16_t, std::string& t) { s.failure = std::move(t); }, 0, std::move(text));
}

void proxy::reload() {
    change([](state& s, std::uint16_t, std::string&) { ++s.generation, s.failure.clear(); }, 0, {});
}

void proxy::accept_all() {
    pauses_ = false;
    while (can_accept()) {
        const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            pauses_ = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
            break;
        }
        connections_.emplace_back(fd);
    }
    if (!can_accept() && !std::exchange(told_, true)) warn_about_limit();
}

void proxy::warn_about_limit() {
    if (pauses_) return shell_.warning("too many open files on this machine (ENFILE): new connections wait");
    shell_.warning(std::to_string(most_) +
                   " connections are open, the maximum for the file descriptor limit: new connections wait "
                   "until one closes. `ulimit -n` raises the limit");
}

bool proxy::accepts_host(std::string_view host) const {
    return host.empty() || codec::http1::is_local_host(host) || std::ranges::find(names_, host) != names_.end();
}

bool proxy::update_state() {
    const std::lock_guard hold(lock_);
    const std::uint16_t before = std::exchange(now_, state_).port;
    return now_.port != before;
}

void proxy::notify_listeners() {
    std::uint64_t count;
    if (read(wake_, &count, sizeof count) <= 0) return;
    update_state();
    for (connection& one : connections_)
        if (one.takes_events()) one.begin_answer(state_event(now_.generation, now_.failure));
}

void proxy::serve_all(const std::vector<pollfd>& came) {
    const pollfd* of_one = came.data() + 2;
    for (auto one = connections_.begin(); one != connections_.end(); of_one += 2) {
        if (of_one[0].revents || of_one[1].revents) one->move(of_one);
        if (one->lingers()) one->end_after_timeout();
        one->serve(*this, now_, [this] { return update_state(); });
        one = one->is_over() ? connections_.erase(one) : std::next(one);
    }
}

void proxy::run() {
    while (!ends_) {
        std::vector<pollfd> waits{{can_accept() ? listener_ : -1, POLLIN, 0}, {wake_, POLLIN, 0}};
        bool lingers = false;
        for (const connection& one : connections_) {
            pollfd both[2];
            one.waits(both);
            waits.insert(waits.end(), both, both + 2);
            lingers |= one.lingers();
        }
        if (poll(waits.data(), waits.size(), pauses_ ? pause : lingers ? poll_interval : -1) < 0) continue;
        notify_listeners();
        serve_all(waits);
        accept_all();
    }
}

}  // namespace apus::cli::dev
