// SPDX-License-Identifier: Apache-2.0
#pragma once

// Background jobs in a database (SQLite or PostgreSQL). A job is a plain struct, which a handler processes on any node.
// Guide: docs/background-jobs.md.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/json.hpp>
#include <apus/sql.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus {

class router;

}  // namespace apus

namespace apus::jobs {

/// Options of a queue. All nodes of a queue should use the same options.
struct queue_options {
    std::string name = "default";  ///< 1 to 40 letters, digits, `_`, `-` and `.`.
    unsigned concurrency = 32;     ///< Maximum jobs that run at a time in this process. At least 1.
    duration lease = seconds(15);  ///< Time without a heartbeat until other nodes take over a job. At least 1 s.
    duration drain = seconds(20);  ///< Time for running jobs after SIGTERM. Choose less than `serve_options::drain`.
    unsigned rate = 0;             ///< Maximum jobs that start per `rate_period`, on all nodes together. 0: no limit.
    duration rate_period = seconds(1);  ///< At least 1 ms.
};

/// Options of a handler.
struct handler_options {
    unsigned attempts = 10;                    ///< Attempts until the job becomes a dead letter. At least 1.
    duration deadline = seconds(60);           ///< Time for one attempt; then the attempt is cancelled. At least 1 ms.
    duration retry_delay = seconds(1);         ///< Delay of the second attempt. Doubles for each further attempt.
    duration max_retry_delay = seconds(3600);  ///< Maximum delay. Jitter shortens each delay by up to half.
    /// Maximum attempts at a time in this process. 0: only the queue's.
    /// A queue whose slots do not suffice for all limits keeps some slots for each handler, so that jobs that hang do
    /// not stop other handlers.
    unsigned concurrency = 0;
};

/// Options of one job.
struct enqueue_options {
    duration delay = {};          ///< Time until the earliest start.
    std::string unique_key = {};  ///< At most one job per struct and key waits or runs at a time.
    /// Jobs of higher priority start first; at equal priority, in id order.
    /// Compared among the jobs of all handlers without `handler_options::concurrency`, and among the jobs of each
    /// handler with it, since these have their own slots.
    int priority = 0;
    /// Jobs of a lane run one after the other, in id order. Empty: no lane.
    /// A job starts when all earlier jobs of its lane have completed or are dead letters. Other lanes do not wait.
    /// `priority` has no effect within a lane. At most 255 bytes, otherwise 400.
    std::string lane = {};
};

/// Options of a schedule.
struct schedule_options {
    /// Maximum age of a missed tick that still adds a job.
    /// If all nodes missed several ticks, only the latest tick adds a job.
    duration catch_up = seconds(3600);
    int priority = 0;  ///< Priority of the added jobs.
};

/// Result of `queue::enqueue`.
struct enqueued {
    std::int64_t id;    ///< Id of the added job, or of the job that has the unique key.
    bool added = true;  ///< False: a job with the unique key exists.
};

/// Executes statements in the transaction that also marks the job as completed.
/// Returned by `context::transaction`.
class transaction : public sql::executor {
public:
    explicit transaction(sql::detail::shared_session s) : executor(std::move(s)) {}  ///< Used by the library.
};

namespace detail {
class attempt;
}

/// One attempt of a job, for its handler. Valid until the handler's task ends.
class context {
public:
    explicit context(detail::attempt& of) noexcept : of_(of) {}  ///< Used by the library.
    context(const context&) = delete;
    context& operator=(const context&) = delete;

    /// Returns the id of the job, which is unique in the database.
    /// All attempts have the same id, so it can be an idempotency key for other systems.
    std::int64_t id() const noexcept;
    unsigned attempt() const noexcept;  ///< Number of the attempt, from 1.

    /// Returns the transaction that commits together with the completion of the job.
    /// The first `co_await` begins it. Its statements take effect exactly once. If the attempt fails, is cancelled, or
    /// has lost the job to another node, the transaction is rolled back. A transaction occupies a connection until the
    /// handler ends; with SQLite, this is the only connection that writes.
    task<jobs::transaction> transaction();

    /// Stores the progress of the job, which operators can read.
    /// Awaitable. `done`: 0 to 1. `note`: truncated to 200 bytes.
    task<> progress(double done, std::string_view note = {});

    /// Ends the attempt, and makes the job a dead letter without further attempts.
    /// Example: `co_await c.discard("no such customer")`.
    failure discard(std::string why);

    /// Ends the attempt as failed. The next attempt starts after `least` or later.
    /// For a server that has asked for a delay: `co_await c.retry_after(seconds(30), "429")`. `least` is limited by
    /// `handler_options::max_retry_delay`, and has no effect at the last attempt.
    failure retry_after(duration least, std::string why);

private:
    detail::attempt& of_;
};

namespace detail {

struct queue_access;
struct queue_parts;
struct queue_owner {
    static void keep(queue_parts*) noexcept;
    static void let_go(queue_parts*) noexcept;
};

/// Name and version of a job's struct.
struct job_type {
    std::string_view name;
    int version;
};

template <class Job>
consteval job_type type_of() {
    static_assert(apus::detail::schema_aggregate<Job>, "a job must be a struct with the fields of schema.hpp");
    job_type made{apus::detail::schema_table<Job>.name, 1};
    if constexpr (requires { std::string_view(Job::job_name); }) made.name = Job::job_name;
    if constexpr (requires { int(Job::job_version); }) made.version = Job::job_version;
    return made;
}

/// A type-erased handler.
struct erased_handler {
    void* self;
    task<> (*run)(void* self, std::string_view payload, context&);
    void (*destroy)(void* self) noexcept;
};

failure unreadable(context&, const error& why);

template <class Job, class F>
task<> run_handler(void* self, std::string_view payload, context& c) {
    F& f = *static_cast<F*>(self);
    auto job = from_json<Job>(payload);
    if (!job) co_await unreadable(c, job.error());
    if constexpr (std::is_invocable_v<F&, Job, context&>) co_await f(*std::move(job), c);
    else co_await f(*std::move(job));
}

template <class Job, class F>
erased_handler erase(F f) {
    static_assert(
        requires(F& g, Job j, context& c) { requires std::is_same_v<decltype(g(std::move(j), c)), task<>>; } ||
            requires(F& g, Job j) { requires std::is_same_v<decltype(g(std::move(j))), task<>>; },
        "the handler of a job must be (Job, apus::jobs::context&) -> apus::task<>, or (Job) -> apus::task<>");
    return {.self = new F(std::move(f)), .run = run_handler<Job, F>, .destroy = [](void* self) noexcept {
                delete static_cast<F*>(self);
            }};
}

}  // namespace detail

/// A queue of jobs in a database, and the handlers that run them.
/// Copies refer to the same queue. Belongs to one core: create it in `make_app`.
///
/// A job is a struct of the types of json.hpp, stored as JSON. Its name is the name of the struct without namespaces,
/// or `static constexpr std::string_view job_name`. Increase `static constexpr int job_version` (default: 1) when
/// fields change: a node with an older version leaves newer jobs to other nodes. A stored job that cannot be parsed
/// becomes a dead letter.
///
/// Each job runs at least once; it runs again after an error, a deadline, or the failure of its node. Create the tables
/// with `migrate` or `schema`.
class queue {
public:
    /// Throws `std::invalid_argument` for invalid options.
    explicit queue(const sql::database&, const queue_options& = {});

    /// Sets the handler of a struct: `(Job, context&) -> task<>`, or `(Job) -> task<>`.
    /// An error or exception of the handler fails the attempt. Throws `std::invalid_argument` for invalid options, and
    /// `std::logic_error` for a second handler of the struct.
    template <class Job, class F>
    void handle(F f, const handler_options& how = {}) const {
        add(detail::type_of<Job>(), detail::erase<Job>(std::move(f)), how);
    }

    /// Adds a job, in a transaction or directly in the database.
    /// Awaitable. The job starts after the commit. Errors: the errors of SQL statements; 413 for a payload over
    /// `database_options::value_size`.
    template <class Job>
    task<enqueued> enqueue(const sql::executor& in, const Job& job, const enqueue_options& how = {}) const {
        return insert(in, detail::type_of<Job>(), to_json_with_secrets(job), how);
    }
    /// Adds a job directly in the database of the queue.
    template <class Job>
    task<enqueued> enqueue(const Job& job, const enqueue_options& how = {}) const {
        return insert(store(), detail::type_of<Job>(), to_json_with_secrets(job), how);
    }

    /// Adds the job at each tick of a schedule, once for all nodes.
    /// "0 3 * * 1-5" is each weekday at 3:00 UTC. Fields: minute, hour, day, month, day of the week; with `*`, lists,
    /// ranges, steps, and English names of three letters. `name` identifies the schedule in the database. Throws
    /// `std::invalid_argument` for an invalid expression, and `std::logic_error` for a second schedule with the same
    /// name.
    template <class Job>
    void schedule(std::string_view name, std::string_view cron, const Job& job,
                  const schedule_options& how = {}) const {
        add(name, cron, detail::type_of<Job>(), to_json_with_secrets(job), how);
    }

    /// Cancels a job.
    /// Awaitable. Returns false if this queue does not have the job. Removes a waiting job or a dead letter. Cancels
    /// the task of a running job, on any node, as soon as the node is notified, at the latest after a third of the
    /// lease.
    task<bool> cancel(const sql::executor& in, std::int64_t id) const;

    /// Runs jobs and schedules in this process, on one core of the app's server.
    /// When the server stops, running jobs continue for up to `queue_options::drain`. Jobs that still run are then
    /// cancelled, and wait for another node.
    void start(router& app) const;

    /// Runs jobs and schedules on this core until `stop`; then drains and returns.
    /// For programs without a server. Call it once.
    task<> run() const;
    void stop() const noexcept;  ///< Ends `run`.

private:
    friend struct detail::queue_access;
    void add(detail::job_type, detail::erased_handler, const handler_options&) const;
    void add(std::string_view name, std::string_view cron, detail::job_type, std::string payload,
             const schedule_options&) const;
    task<enqueued> insert(sql::executor in, detail::job_type, std::string payload, enqueue_options) const;
    const sql::executor& store() const noexcept;

    apus::detail::shared<detail::queue_owner, detail::queue_parts> parts_;
};

/// Returns the statements that create the tables, for a migration of the program.
/// `engine`: "sqlite" or "postgres". `from`: 0, or the version of existing tables, which the statements then change.
/// Version 2 has the column `trace`. Version 3, the current one, has lanes, which use triggers. Throws
/// `std::invalid_argument` for other arguments.
std::string_view schema(std::string_view engine, int from = 0);

/// Creates the tables if they are missing, and changes tables of an earlier version.
/// Opens its own connection and blocks the thread: call it in `main` or `serve_options::prepare`. Any number of
/// processes may call it at the same time. Throws `sql::migration_error`.
void migrate(std::string_view url);

}  // namespace apus::jobs
