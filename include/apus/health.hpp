// SPDX-License-Identifier: Apache-2.0
#pragma once

// Health checks. `app.check` in app.hpp adds checks; the server of `serve_options::admin` answers probes.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <string>

namespace apus {

class app;

/// Options of a health check.
struct check_options {
    duration timeout = seconds(2);  ///< After this time the check is cancelled, which counts as a failure.
    duration max_age = seconds(1);  ///< Probes within this time after a run get the result of that run.
    bool required = true;           ///< False: the check is reported, but a failure does not make the process unready.
    bool liveness = false;          ///< Whether `/livez` runs the check too. Only for failures that a restart repairs.
};

/// Check that fails if the file system of `path` has less than `bytes` available.
/// It also fails if the file system cannot be read. `app.check("disk", apus::disk_space("/var/lib/shop", 1 << 30))`.
/// Runs in `apus::blocking`. If the file system does not answer, the check occupies one thread until it does, and fails
/// meanwhile.
class disk_space {
public:
    disk_space(std::string path, std::uint64_t bytes);
    task<> operator()() const;

private:
    struct reading;
    friend class detail::shared<disk_space, reading>;
    static void keep(reading*) noexcept;
    static void let_go(reading*) noexcept;

    std::string path_;
    std::uint64_t bytes_;
    detail::shared<disk_space, reading> reading_;
};

/// Check that executes `select 1` in a database.
/// `app.check("database", apus::database_answers(db))`. `Database` is `apus::sql::database` (sql.hpp).
template <class Database>
class database_answers {
public:
    explicit database_answers(Database db) : db_(std::move(db)) {}
    task<> operator()() const { co_await db_.template one<int>("select 1"); }

private:
    Database db_;
};

/// Check that Redis answers PING; of a cluster, one of the nodes.
/// `app.check("redis", apus::redis_answers(db))`. `Client` is `apus::redis::client` (redis.hpp).
template <class Client>
class redis_answers {
public:
    explicit redis_answers(Client db) : db_(std::move(db)) {}
    task<> operator()() const { return db_.template command<void>("PING"); }

private:
    Client db_;
};

/// Check that the NATS server answers PING.
/// `app.check("nats", apus::nats_answers(bus))`. `Client` is `apus::nats::client` (nats.hpp).
template <class Client>
class nats_answers {
public:
    explicit nats_answers(Client bus) : bus_(std::move(bus)) {}
    task<> operator()() const { return bus_.flush(); }

private:
    Client bus_;
};

/// Returns an app with the routes `/livez` and `/readyz`, to mount into a public app.
/// `app.mount("/internal", apus::health_endpoints())`. Without this app, only the server of
/// `serve_options::admin` answers probes.
app health_endpoints();

namespace detail {

/// Adapts a check, which returns a task, a result or bool, to a function that returns a task.
template <class F>
struct health_check {
    F run;

    task<> operator()() {
        using returned = decltype(run());
        if constexpr (requires { typename returned::promise_type; }) {
            co_await run();
        } else if constexpr (std::is_same_v<returned, bool>) {
            if (!run()) co_await fail(503, "the check returned false");
        } else {
            static_assert(requires(returned r) { r.has_value(); }, "a check must return task<>, result<void> or bool");
            co_await run();
        }
    }
};

}  // namespace detail
}  // namespace apus
