// SPDX-License-Identifier: Apache-2.0
#pragma once

// Locks on Redis, shared by all processes, with fencing tokens.

#include <apus/redis.hpp>
#include <apus/when_any.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace apus::redis {

/// Timeouts and key prefix of a lock.
struct lock_options {
    /// Maximum wait for the lock; then 503 with Retry-After. 0: one attempt.
    duration wait = seconds(5);
    /// Time after which Redis releases a lock that its holder no longer renews. At least 100 ms.
    /// The holder renews the lock three times per lease.
    duration lease = seconds(10);
    std::string prefix = "lock:";  ///< Prefix of the lock's keys and channel in Redis.
};

namespace detail {

/// A lock that is held.
struct held_lock {
    client db;
    lock_options how;
    std::string key, owner;
    long long token = 0;
    /// Time at which the lock counts as lost if it is not renewed, in milliseconds of the loop's clock.
    /// Not later than the expiry in Redis.
    std::uint64_t expires = 0;
};

task<held_lock> acquire_lock(client db, std::string name, lock_options how);
task<> renew_lock(held_lock& what);  // ends with an error when the lock is lost
task<> release_lock(const held_lock& what);
void check_lock(std::string_view name, const lock_options& how);

template <class T>
struct value_of_task;
template <class T>
struct value_of_task<task<T>> {
    using type = T;
};

template <class T, class F>
task<T> run_locked(client db, std::string name, lock_options how, F f) {
    held_lock held = co_await acquire_lock(std::move(db), std::move(name), std::move(how));
    // `renew_lock` ends only with an error, when the lock is lost. So a value is always the value of `f`.
    auto first = co_await when_any(f(held.token), renew_lock(held)).outcome();
    co_await release_lock(held);
    if (!first) co_await failure(std::move(first.error()));
    if constexpr (!std::is_void_v<T>) co_return std::get<0>(*std::move(first));
}

}  // namespace detail

/// A named lock that at most one task holds, among all processes that use the same Redis.
/// Any core may use it. Copies are the same lock. When the lock is released, a message notifies the waiting tasks;
/// without a message, they try again when the lease ends. The waiting tasks acquire the lock in no particular order.
///
/// Two tasks may hold the lock for a time if the lease ends, or if Redis loses data: for example, a holder that the
/// kernel has suspended does not know that its lease has ended. Pass the fencing token with each change, and let the
/// database reject tokens lower than the highest token so far.
class lock {
public:
    /// Throws `std::invalid_argument` for an empty name, and for invalid options.
    /// On a cluster, a name that contains `}` needs a prefix with a hash tag, such as `{locks}:`.
    lock(client db, std::string name, lock_options how = {})
        : db_(std::move(db)), name_(std::move(name)), how_(std::move(how)) {
        detail::check_lock(name_, how_);
    }

    /// Acquires the lock, runs the task `f(token)`, and releases the lock: `co_await`.
    /// `token` is a long long: the fencing token, greater than the tokens of all earlier holders. Returns the value or
    /// the error of the task of `f`. If the lock is lost while this task runs, or Redis is unreachable for the whole
    /// lease, the task is cancelled, and the error is 503. If the task of `run` is destroyed while `f` runs, the lock
    /// is kept until its lease ends, since calls of `blocking` and commands in flight may still take effect. Other
    /// errors are as for `executor`.
    template <class F>
    auto run(F f) const {
        using returned = typename detail::value_of_task<decltype(f(0LL))>::type;
        return detail::run_locked<returned>(db_, name_, how_, std::move(f));
    }

private:
    client db_;
    std::string name_;
    lock_options how_;
};

}  // namespace apus::redis
