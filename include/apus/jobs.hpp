// SPDX-License-Identifier: Apache-2.0
#pragma once

// Background jobs in a database (SQLite or PostgreSQL): plain structs with a handler, run by any node. Guide:
// docs/background-jobs.md.

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

/// Options of a queue. All nodes of a queue should have the same ones.
struct queue_options {
    std::string name = "default";  ///< 1 to 40 letters, digits, `_`, `-` and `.`.
    unsigned concurrency = 32;     ///< Maximum jobs that run at a time in this process. At least 1.
    duration lease = seconds(15);  ///< Jobs of a node that is silent for this long run elsewhere. At least 1 s.
    duration drain = seconds(20);  ///< Time for running jobs at SIGTERM. Shorter than `serve_options::drain`.
    unsigned rate = 0;             ///< Maximum jobs of the queue that start per `rate_period`, on all nodes. 0: any.
    duration rate_period = seconds(1);  ///< At least 1 ms.
};

/// Options of a handler.
struct handler_options {
    unsigned attempts = 10;                    ///< Attempts until the job becomes a dead letter. At least 1.
    duration deadline = seconds(60);           ///< Of one attempt, which is cancelled then. At least 1 ms.
    duration retry_delay = seconds(1);         ///< Before the second attempt. Doubled for each further one.
    duration max_retry_delay = seconds(3600);  ///< Upper bound of the delay. A random part of up to half is removed.
};

/// Options of one job.
struct enqueue_options {
    duration delay = {};          ///< Time until the earliest start.
    std::string unique_key = {};  ///< While a job of this struct and key waits or runs, no other one is added.
    int priority = 0;             ///< Higher ones start first. Equal ones start in the order of their ids.
};

/// Options of a schedule.
struct schedule_options {
    /// A tick that all nodes have missed fires if it is at most this old: the latest one only.
    duration catch_up = seconds(3600);
    int priority = 0;  ///< Of the jobs.
};

/// Result of `queue::enqueue`.
struct enqueued {
    std::int64_t id;    ///< Of the job, or of the job that has the unique key.
    bool added = true;  ///< False: a job with the unique key exists.
};

/// Executes statements in the transaction that also completes the job.
/// Returned by `context::transaction`.
class transaction : public sql::executor {
public:
    explicit transaction(sql::detail::shared_session s) : executor(std::move(s)) {}  ///< Used by the library.
};

namespace detail {
class attempt;
}

/// The attempt that a handler executes. Valid until the handler's task ends.
class context {
public:
    explicit context(detail::attempt& of) noexcept : of_(of) {}  ///< Used by the library.
    context(const context&) = delete;
    context& operator=(const context&) = delete;

    /// Id of the job: the same in all attempts, so an idempotency key for other systems.
    /// Unique in the database.
    std::int64_t id() const noexcept;
    unsigned attempt() const noexcept;  ///< From 1.

    /// Returns the transaction that commits with the completion of the job.
    /// Its statements take effect exactly once. Begins it on first use: `co_await`. If the attempt fails, is cancelled,
    /// or has lost the job to another node, it is rolled back. Occupies a connection until the handler ends; with
    /// SQLite the only one that writes.
    task<jobs::transaction> transaction();

    /// Stores the progress for operators: `co_await`.
    /// `done`: 0 to 1. `note`: up to 200 bytes; the rest is cut.
    task<> progress(double done, std::string_view note = {});

    /// Ends the attempt, and makes the job a dead letter without further attempts:
    /// `co_await c.discard("no such customer")`.
    failure discard(std::string why);

private:
    detail::attempt& of_;
};

namespace detail {

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
/// A job is a struct of the types of json.hpp, stored as JSON. Its name is that of the struct without namespaces, or
/// `static constexpr std::string_view job_name`. Increase `static constexpr int job_version` (default: 1) when fields
/// change: nodes with an older version leave newer jobs to others. A stored job that cannot be read is a dead letter.
///
/// Each job runs at least once: again after an error, a deadline, or the end of its node. The tables come from
/// `migrate` or `schema`.
class queue {
public:
    /// Throws `std::invalid_argument` for invalid options.
    explicit queue(const sql::database&, const queue_options& = {});

    /// Sets the handler of a struct: `(Job, context&) -> task<>`, or `(Job) -> task<>`.
    /// An error or exception makes the attempt fail. Throws `std::invalid_argument` for invalid options,
    /// `std::logic_error` for a second handler.
    template <class Job, class F>
    void handle(F f, const handler_options& how = {}) const {
        add(detail::type_of<Job>(), detail::erase<Job>(std::move(f)), how);
    }

    /// Adds a job, in a transaction or in the database: `co_await`. It starts after the commit.
    /// Errors: those of statements; 413 for a payload over `database_options::value_size`.
    template <class Job>
    task<enqueued> enqueue(const sql::executor& in, const Job& job, const enqueue_options& how = {}) const {
        return insert(in, detail::type_of<Job>(), to_json_with_secrets(job), how);
    }
    /// The same, in the database of the queue.
    template <class Job>
    task<enqueued> enqueue(const Job& job, const enqueue_options& how = {}) const {
        return insert(store(), detail::type_of<Job>(), to_json_with_secrets(job), how);
    }

    /// Adds the job at each tick of a schedule, once for all nodes.
    /// "0 3 * * 1-5" is each weekday at 3:00 UTC. Fields: minute, hour, day, month, day of the week; with `*`, lists,
    /// ranges, steps, and English names of three letters. `name` identifies the schedule in the database. Throws
    /// `std::invalid_argument` for an invalid expression, and `std::logic_error` for a second schedule of a name.
    template <class Job>
    void schedule(std::string_view name, std::string_view cron, const Job& job,
                  const schedule_options& how = {}) const {
        add(name, cron, detail::type_of<Job>(), to_json_with_secrets(job), how);
    }

    /// Cancels a job: `co_await`. Returns false if there is no such job in this queue.
    /// A waiting job and a dead letter are removed. The task of a running one is cancelled, on any node, as soon as the
    /// node is notified, at the latest after a third of the lease.
    task<bool> cancel(const sql::executor& in, std::int64_t id) const;

    /// Runs jobs and schedules in this process, on one core of the app's server.
    /// When the server stops, running jobs continue up to `queue_options::drain`; then they are cancelled and wait for
    /// another node.
    void start(router& app) const;

    /// The same, on this core, until `stop`; then drains and returns.
    /// For programs without a server. Once.
    task<> run() const;
    void stop() const noexcept;  ///< Ends `run`.

private:
    void add(detail::job_type, detail::erased_handler, const handler_options&) const;
    void add(std::string_view name, std::string_view cron, detail::job_type, std::string payload,
             const schedule_options&) const;
    task<enqueued> insert(sql::executor in, detail::job_type, std::string payload, enqueue_options) const;
    const sql::executor& store() const noexcept;

    apus::detail::shared<detail::queue_owner, detail::queue_parts> parts_;
};

/// Returns the statements that create the tables, for a migration of the program.
/// `engine`: "sqlite" or "postgres"; otherwise throws `std::invalid_argument`.
std::string_view schema(std::string_view engine);

/// Creates the tables if they are missing.
/// Opens its own connection and blocks the thread: for `main` and `serve_options::prepare`. Any number of processes may
/// do so at once. Throws `sql::migration_error`.
void migrate(std::string_view url);

}  // namespace apus::jobs
