// SPDX-License-Identifier: Apache-2.0
#include "runtime/blocking.hpp"

#include "runtime/carried_context.hpp"
#include "runtime/coarse_clock.hpp"
#include "runtime/loop.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/signal_stack.hpp"
#include "runtime/worker_signals.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>

namespace apus {

constinit runtime::carried_context::copy_function runtime::carried_context::copy = nullptr;
constinit thread_local const runtime::carried_context* runtime::carried_context::of_thread = nullptr;

namespace runtime {
namespace {

enum pool_cell : unsigned {
    calls_started,
    calls_refused,
    calls_in_flight,
    calls_waited,
    pool_cells
};

constexpr std::string_view pool_labels[] = {"pool"};
constexpr instrument pool_rows[] = {
    instrument::counter("apus_blocking_pool_calls_total", "Calls of a blocking_pool.", calls_started),
    instrument::counter("apus_blocking_pool_refused_total", "Calls rejected because the queue of a pool was full.",
                        calls_refused),
    instrument::gauge("apus_blocking_pool_in_flight", "Calls of a blocking_pool that wait for a thread or run.",
                      calls_in_flight),
    instrument::seconds("apus_blocking_pool_wait_seconds_total",
                        "Time that completed calls of a blocking_pool waited for a thread.", calls_waited),
};
constexpr instrument_set pool_counts{pool_labels, pool_rows, pool_cells};

// Returns the numbers of a pool on this core, or null if memory is exhausted.
instrument_group* counts_of_pool(std::string_view name) noexcept {
    try {
        return &loop::current().instruments().of(pool_counts, {name});
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace
}  // namespace runtime

namespace detail {

/// A call in progress.
/// The pool's lock guards `state` and `abandoned`. An abandoned entry is deleted by the worker thread that runs the
/// call or, if the call has already been posted to the core, by the core.
struct blocking_entry : runtime::posted_call {
    enum class stage {
        queued,
        running,
        sent
    };

    blocking_call* call;
    blocking_work* work;
    runtime::loop* owner;
    std::unique_ptr<const runtime::carried_context> context;
    blocking_entry* after = nullptr;
    blocking_entry* before = nullptr;
    std::uint64_t queued_at = 0;                  // nanoseconds
    std::uint64_t waited = 0;                     // nanoseconds until a thread began the call
    runtime::instrument_group* counts = nullptr;  // of a pool on this core; used by the core only
    stage state = stage::queued;
    bool abandoned = false;

    blocking_entry(blocking_call* by, blocking_work* what, const void* request) noexcept
        : posted_call{nullptr, arrived}, call(by), work(what), owner(&runtime::loop::current()) {
        if (request && runtime::carried_context::copy) context = runtime::carried_context::copy(request);
    }

    // Counts the end of the call, or of the wait for it.
    void end_count() noexcept {
        auto* const to = std::exchange(counts, nullptr);
        if (!to) return;
        to->subtract(runtime::calls_in_flight);
        to->add(runtime::calls_waited, waited);
    }

    static void destroy(blocking_entry* t) noexcept {
        t->work->destroy(*t->work);
        delete t;
    }

    static void arrived(posted_call& l) noexcept {
        auto* t = static_cast<blocking_entry*>(&l);
        if (t->abandoned) return destroy(t);
        t->end_count();
        t->call->ticket_ = nullptr;
        auto* work = t->work;
        delete t;
        work->finish(*work).resume();
    }
};

}  // namespace detail

namespace {

using detail::blocking_entry;
using detail::blocking_parts;

std::uint64_t nanoseconds_now() noexcept { return runtime::coarse_clock::nanoseconds_of(CLOCK_MONOTONIC); }

unsigned default_threads() { return std::max(4U, std::thread::hardware_concurrency()); }

}  // namespace

/// The threads of a pool, and the calls that wait for a thread.
/// Owned by its pool and by its calls. The process-wide instance is never destroyed, because a thread may still run
/// during static destruction.
class detail::blocking_parts {
public:
    static blocking_parts& of_process() {
        static auto* it = new blocking_parts;
        return *it;
    }
    static blocking_parts& of(blocking_parts* own) { return own ? *own : of_process(); }

    static void drop(blocking_parts* of) noexcept {
        if (of->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete of;
    }

    std::atomic<std::size_t> users = 1;
    std::string name;  // in metrics; empty for the threads of the process

    const char* queue(blocking_entry& t) noexcept;
    void abandon(blocking_entry* t) noexcept;
    void hold(blocking_limits limits);
    void stop() noexcept;
    std::size_t running() noexcept;
    runtime::blocking_threads::figures now() noexcept;
    void release_threads();

private:
    bool start_thread() noexcept;
    void work();
    void refuse_all() noexcept;
    blocking_entry& take_first() noexcept;
    void unlink(blocking_entry& t) noexcept;
    void finish_job(blocking_entry& t, std::unique_lock<std::mutex>& lock) noexcept;

    std::size_t free() const noexcept { return threads_.size() - busy_; }

    std::mutex holding_;  // locked before `mutex_`
    unsigned holders_ = 0;

    std::mutex mutex_;
    std::condition_variable more_;
    blocking_entry* first_ = nullptr;
    blocking_entry* last_ = nullptr;
    std::size_t waiting_ = 0;
    std::size_t busy_ = 0;  // threads that run a call; the others are free
    std::uint64_t calls_ = 0, refused_ = 0, waited_ = 0;
    bool stops_ = false;
    blocking_limits limits_;
    std::vector<std::thread> threads_;
};

// Queues the call and returns null, or returns the reason why the call is rejected.
const char* blocking_parts::queue(blocking_entry& t) noexcept {
    std::lock_guard lock(mutex_);
    if (stops_) return "the server stops";
    if (waiting_ >= free() && !start_thread() && threads_.empty()) return ++refused_, "cannot start a thread";
    if (waiting_ >= free() + limits_.queue) return ++refused_, "too many blocking calls are waiting";

    t.before = last_;
    (last_ ? last_->after : first_) = &t;
    last_ = &t;
    t.queued_at = nanoseconds_now();
    ++waiting_;
    more_.notify_one();
    return nullptr;
}

bool blocking_parts::start_thread() noexcept {
    const unsigned most = limits_.threads ? limits_.threads : default_threads();
    if (threads_.size() >= most) return false;
    const runtime::worker_signals blocked;
    try {
        // The thread sets its own name: for another thread, the C library writes to a file, which the sandbox refuses.
        threads_.emplace_back([this] {
            pthread_setname_np(pthread_self(), "apus-blocking");
            work();
        });
        return true;
    } catch (const std::exception&) {  // no memory, or no more threads
        return false;
    }
}

void blocking_parts::unlink(blocking_entry& t) noexcept {
    (t.before ? t.before->after : first_) = t.after;
    (t.after ? t.after->before : last_) = t.before;
    --waiting_;
}

blocking_entry& blocking_parts::take_first() noexcept {
    auto& t = *first_;
    unlink(t);
    t.state = blocking_entry::stage::running;
    return t;
}

// Posts the call while the lock is held: the waiting task cannot be cancelled meanwhile, so its core still exists.
void blocking_parts::finish_job(blocking_entry& t, std::unique_lock<std::mutex>& lock) noexcept {
    if (!t.abandoned) {
        t.state = blocking_entry::stage::sent;
        t.owner->post(t);
        return;
    }
    lock.unlock();
    blocking_entry::destroy(&t);
    lock.lock();
}

void blocking_parts::work() {
    const runtime::signal_stack stack;
    std::unique_lock lock(mutex_);
    for (;;) {
        more_.wait(lock, [this] { return first_ || stops_; });
        if (stops_) return;
        auto& t = take_first();
        ++calls_;
        t.waited = nanoseconds_now() - t.queued_at;
        waited_ += t.waited;
        ++busy_;
        lock.unlock();
        {
            const runtime::carried_scope of_request(t.context.get());
            t.work->run(*t.work);
        }
        lock.lock();
        --busy_;
        finish_job(t, lock);
    }
}

void blocking_parts::abandon(blocking_entry* t) noexcept {
    {
        // A running call may be measured meanwhile, and then counts without its wait.
        if (auto* const to = std::exchange(t->counts, nullptr)) to->subtract(runtime::calls_in_flight);
        std::lock_guard lock(mutex_);
        if (t->state != blocking_entry::stage::queued) {
            t->abandoned = true;
            return;
        }
        unlink(*t);
    }
    blocking_entry::destroy(t);
}

void blocking_parts::hold(blocking_limits limits) {
    std::scoped_lock lock(holding_, mutex_);
    if (holders_++ == 0) limits_ = limits;
}

void blocking_parts::stop() noexcept {
    std::scoped_lock whole(holding_);
    if (holders_ == 1) refuse_all();
}

std::size_t blocking_parts::running() noexcept {
    std::lock_guard lock(mutex_);
    return busy_;
}

runtime::blocking_threads::figures blocking_parts::now() noexcept {
    std::lock_guard lock(mutex_);
    return {threads_.size(), busy_, waiting_, calls_, refused_, waited_};
}

void blocking_parts::refuse_all() noexcept {
    std::unique_lock lock(mutex_);
    stops_ = true;
    while (first_) {
        auto& t = take_first();
        t.work->refuse(*t.work, "the server stops");
        finish_job(t, lock);
    }
    more_.notify_all();
}

void blocking_parts::release_threads() {
    std::lock_guard whole(holding_);  // prevents a new `hold` until the threads have ended
    if (--holders_ != 0) return;
    refuse_all();
    std::unique_lock lock(mutex_);
    auto threads = std::exchange(threads_, {});
    lock.unlock();
    for (auto& t : threads) t.join();
    lock.lock();
    stops_ = this != &of_process();  // the process-wide pool may be used again
    limits_ = {};
}

blocking_pool::blocking_pool(const blocking_limits& limits, std::string_view name) : parts_(new blocking_parts) {
    parts_->name = name;
    parts_->hold(limits);
}
blocking_pool::~blocking_pool() {
    parts_->release_threads();
    blocking_parts::drop(parts_);
}
std::size_t blocking_pool::running() const noexcept { return parts_->running(); }

void detail::blocking_call::keep() noexcept { in_->users.fetch_add(1, std::memory_order_relaxed); }
void detail::blocking_call::let_go() noexcept { blocking_parts::drop(in_); }

bool detail::blocking_call::start(const void* request) noexcept {
    const char* why = "out of memory";
    if (auto* t = new (std::nothrow) blocking_entry(this, work_, request)) {
        ticket_ = t;
        auto* const counts = in_ ? runtime::counts_of_pool(in_->name) : nullptr;
        t->counts = counts;
        if (counts) counts->add(runtime::calls_in_flight);
        why = blocking_parts::of(in_).queue(*t);
        if (counts) counts->add(why ? runtime::calls_refused : runtime::calls_started);
        if (!why) return true;
        if (counts) counts->subtract(runtime::calls_in_flight);
        ticket_ = nullptr;
        delete t;
    }
    work_->refuse(*work_, why);
    return false;
}

void detail::blocking_call::leave() noexcept {
    if (ticket_) blocking_parts::of(in_).abandon(ticket_);
    else work_->destroy(*work_);
}

runtime::blocking_threads::blocking_threads(blocking_limits limits) { blocking_parts::of_process().hold(limits); }
void runtime::blocking_threads::stop() noexcept { blocking_parts::of_process().stop(); }
std::size_t runtime::blocking_threads::running() const noexcept { return blocking_parts::of_process().running(); }
runtime::blocking_threads::figures runtime::blocking_threads::now() const noexcept {
    return blocking_parts::of_process().now();
}
runtime::blocking_threads::~blocking_threads() { blocking_parts::of_process().release_threads(); }

}  // namespace apus
