// SPDX-License-Identifier: Apache-2.0
#include "postgres/closing.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

namespace apus::postgres {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr unsigned most_threads = 16;  // if all are in use, the connection is closed without cancel requests

struct threads {
    std::mutex lock;
    std::condition_variable changed;
    unsigned running = 0, untold = 0;
};

// Never destroyed: a thread may still wait for a server when the process ends.
threads& all() {
    static auto* it = new threads;
    return *it;
}

// Reads and discards received bytes. Returns false if the server has closed the connection.
bool read_until(int fd, clock::time_point end) {
    std::array<char, 16384> dropped;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(end - clock::now()).count();
        if (left <= 0) return true;
        pollfd p{fd, POLLIN, 0};
        if (::poll(&p, 1, static_cast<int>(left)) <= 0) continue;
        const ssize_t n = ::recv(fd, dropped.data(), dropped.size(), MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return false;
    }
}

void tell(const PGcancel* request) {
    char why[256];
    (void)PQcancel(const_cast<PGcancel*>(request), why, sizeof why);
}

// A cancel request that arrives between two messages has no effect, so the request is repeated. The server reads the
// end of the stream only after it has executed all earlier messages.
void stop(const PGconn* c, const PGcancel* request, const auto& told) {
    tell(request);
    told();
    const int fd = PQsocket(c);
    auto wait = milliseconds(50);
    if (fd < 0) {
        std::this_thread::sleep_for(wait);
        return tell(request);
    }
    // The stream is shut down only after the first request has had time to take effect: PgBouncer discards the requests
    // of clients that have disconnected.
    if (!read_until(fd, clock::now() + wait)) return;
    ::shutdown(fd, SHUT_WR);
    for (; wait < milliseconds(4000); wait *= 2) {
        if (!read_until(fd, clock::now() + wait)) return;
        tell(request);
    }
}

void run(pgconn_ptr c, const cancel_ptr& request) noexcept {
    threads& t = all();
    bool counted = true;
    const auto told = [&] {
        if (!std::exchange(counted, false)) return;
        const std::lock_guard guard(t.lock);
        --t.untold;
        t.changed.notify_all();
    };
    stop(c.get(), request.get(), told);
    told();
    c.reset();
    const std::lock_guard guard(t.lock);
    --t.running;
}

}  // namespace

void close_and_stop(pgconn_ptr c, cancel_ptr request) noexcept {
    threads& t = all();
    {
        const std::lock_guard guard(t.lock);
        if (!c || !request || t.running == most_threads) return;
        ++t.running, ++t.untold;
    }
    try {
        std::thread(run, std::move(c), std::move(request)).detach();
    } catch (const std::exception&) {  // without the thread, the server notices the disconnection only when it writes
        const std::lock_guard guard(t.lock);
        --t.running, --t.untold;
    }
}

void wait_for_closing() noexcept {
    threads& t = all();
    std::unique_lock held(t.lock);
    (void)t.changed.wait_for(held, std::chrono::seconds(1), [&] { return t.untold == 0; });
}

}  // namespace apus::postgres
