// SPDX-License-Identifier: Apache-2.0
#include "jobs/worker.hpp"

#include <apus/app.hpp>
#include <apus/jobs.hpp>

#include <atomic>
#include <memory>

namespace apus::jobs {
namespace detail {

struct queue_parts {
    std::atomic<std::size_t> users = 1;
    std::shared_ptr<worker> of;
};

void queue_owner::keep(queue_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }
void queue_owner::let_go(queue_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

}  // namespace detail

namespace {

// Cancels the attempts when the task ends, even if it ends by cancellation.
struct abandon_at_end {
    worker& of;

    explicit abandon_at_end(worker& w) noexcept : of(w) {}
    abandon_at_end(const abandon_at_end&) = delete;
    abandon_at_end& operator=(const abandon_at_end&) = delete;
    ~abandon_at_end() { of.abandon(); }
};

task<> run_and_drain(std::shared_ptr<worker> of) {
    const abandon_at_end at_end(*of);
    co_await of->claim_until_stopped();
    co_await of->drain();
}

struct stop_at_end {
    std::shared_ptr<worker> of;

    explicit stop_at_end(std::shared_ptr<worker> w) noexcept : of(std::move(w)) {}
    stop_at_end(const stop_at_end&) = delete;
    stop_at_end& operator=(const stop_at_end&) = delete;
    ~stop_at_end() { of->stop(); }
};

// At shutdown, the server cancels this task immediately, and the task then stops the worker. The server waits for the
// tasks in `tasks`, so a claim in flight completes and its jobs are not lost.
task<> run_in_server(std::shared_ptr<worker> of, task_scope& tasks) {
    const stop_at_end at_end(of);
    tasks.spawn(run_and_drain(of));
    wake_signal never;
    co_await never.wait();
}

}  // namespace

queue::queue(const sql::database& db, const queue_options& how)
    : parts_(new detail::queue_parts{.of = std::make_shared<worker>(db, how)}) {}

void queue::add(detail::job_type type, detail::erased_handler call, const handler_options& how) const {
    parts_->of->handlers().add(type, call, how);
}

void queue::add(std::string_view name, std::string_view cron, detail::job_type type, std::string payload,
                const schedule_options& how) const {
    parts_->of->schedules().add(name, cron, type, std::move(payload), how);
}

task<enqueued> queue::insert(sql::executor in, detail::job_type type, std::string payload, enqueue_options how) const {
    // The task may outlive this object.
    return [](std::shared_ptr<worker> of, sql::executor to, detail::job_type t, std::string text,
              enqueue_options with) -> task<enqueued> {
        co_return co_await of->rows().insert(std::move(to), t, std::move(text), std::move(with));
    }(parts_->of, std::move(in), type, std::move(payload), std::move(how));
}

task<bool> queue::cancel(const sql::executor& in, std::int64_t id) const {
    return [](std::shared_ptr<worker> of, sql::executor to, std::int64_t job) -> task<bool> {
        co_return co_await of->rows().cancel(std::move(to), job);
    }(parts_->of, in, id);
}

const sql::executor& queue::store() const noexcept { return parts_->of->rows().db(); }

void queue::start(router& app) const {
    app.background([of = parts_->of, &tasks = app.tasks()] { return run_in_server(of, tasks); });
}

task<> queue::run() const { return run_and_drain(parts_->of); }

void queue::stop() const noexcept { parts_->of->stop(); }

}  // namespace apus::jobs
