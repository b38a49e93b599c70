// SPDX-License-Identifier: Apache-2.0
#include "server/log_sink.hpp"

#include "runtime/worker_signals.hpp"

#include <array>
#include <ctime>
#include <exception>
#include <string>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace apus::server {
namespace {

// The ring into which this thread writes, until the thread ends or uses another sink.
struct ring_slot {
    std::shared_ptr<log_ring> ring;
    std::uint64_t sink = 0;

    ~ring_slot();
};

constinit thread_local bool thread_ends = false;  // the slot is destroyed; destructors may still write records

ring_slot::~ring_slot() {
    if (ring) ring->close();
    thread_ends = true;
}

thread_local ring_slot slot;

std::uint64_t next_id() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::string name_of_this_thread() {
    std::array<char, 16> name{};  // the kernel's limit
    pthread_getname_np(pthread_self(), name.data(), name.size());
    return name.data();
}

std::int64_t unix_milliseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

}  // namespace

log_sink::log_sink(options o)
    : options_(o), id_(next_id()), output_(o.fd), wakeup_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

log_sink::~log_sink() {
    flush(std::chrono::seconds(1));
    stops_.store(true);
    wake_writer();
    if (thread_.joinable()) thread_.join();
    close(wakeup_);
}

void log_sink::record(log::level level, std::string_view message, std::span<const log::field> fields) noexcept {
    log_ring* ring = thread_ring();
    if (!ring) {
        no_ring_.fetch_add(1);
        return wake(false);
    }
    char line[max_log_line];
    const std::size_t size =
        write_log_line({unix_milliseconds(), level, message, ring->thread(), fields}, options_.format, line);
    ring->push({line, size});
    wake(level >= log::level::error || ring->more_than_half_full());
}

// The writer does not hold the lock while it waits for the output.
std::uint64_t log_sink::dropped_in_total() const noexcept {
    const std::lock_guard lock(mutex_);
    std::uint64_t all = total_ + no_ring_.load();
    for (const auto& ring : rings_) all += ring->dropped();
    return all;
}

log_ring* log_sink::thread_ring() noexcept {
    if (thread_ends) return nullptr;
    if (slot.sink == id_) return slot.ring.get();
    try {
        auto ring = open_ring();
        if (slot.ring) slot.ring->close();
        slot.ring = std::move(ring);
        slot.sink = id_;
    } catch (const std::exception&) {  // no memory, or the thread cannot be created
        return nullptr;
    }
    return slot.ring.get();
}

// The writer thread blocks all signals: the program's signal handlers must not run on it, and a write to a closed pipe
// must not raise SIGPIPE.
std::shared_ptr<log_ring> log_sink::open_ring() {
    auto ring = std::make_shared<log_ring>(options_.ring_bytes, name_of_this_thread());
    std::lock_guard lock(mutex_);
    rings_.reserve(rings_.size() + 1);
    if (!thread_.joinable()) {
        const runtime::worker_signals blocked;
        thread_ = std::thread([this] { run(); });
        pthread_setname_np(thread_.native_handle(), "apus-log");
    }
    rings_.push_back(ring);
    return ring;
}

// A polling writer wakes up within 10 ms by itself, so most records need no system call.
void log_sink::wake(bool urgent) noexcept {
    const writer_state m = state_.load(std::memory_order_seq_cst);
    if (m == writer_state::running || (m == writer_state::polling && !urgent)) return;
    if (state_.exchange(writer_state::running, std::memory_order_seq_cst) != writer_state::running) wake_writer();
}

void log_sink::wake_writer() const noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] auto n = write(wakeup_, &one, sizeof one);  // fails only if the eventfd is already readable
}

void log_sink::await_wakeup(int milliseconds) const noexcept {
    pollfd p = {wakeup_, POLLIN, 0};
    poll(&p, 1, milliseconds);
    std::uint64_t rings;
    [[maybe_unused]] auto n = read(wakeup_, &rings, sizeof rings);
}

void log_sink::write_now(log::level level, std::string_view message,
                         std::span<const log::field> fields) const noexcept {
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 50'000'000};
    constexpr int patience = 200;  // milliseconds
    wake_writer();
    nanosleep(&moment, nullptr);
    char thread[16] = {};
    prctl(PR_GET_NAME, thread);
    char line[max_log_line];
    const std::size_t size =
        write_log_line({unix_milliseconds(), level, message, thread, fields}, options_.format, line);
    pollfd p = {options_.fd, POLLOUT, 0};
    if (poll(&p, 1, patience) != 1) return;
    [[maybe_unused]] auto n = write(options_.fd, line, size);
}

bool log_sink::flush(std::chrono::nanoseconds longest) noexcept {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) return true;
    const std::uint64_t asked = ++flush_asked_;
    wake_writer();
    return flushed_.wait_for(lock, longest, [&] { return flush_done_ >= asked; });
}

}  // namespace apus::server
