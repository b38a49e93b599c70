// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/lock.hpp>

#include "crypto/random.hpp"
#include "redis/call.hpp"
#include "redis/failure.hpp"
#include "redis/session.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace apus::redis::detail {
namespace {

// Acquires the lock and returns {fencing token, 0}. If the lock is held, returns {0, milliseconds until it expires}.
// The first token is the time in microseconds, so that tokens increase even if Redis loses its data.
const script& acquire_script() {
    static const script it(R"(
        if redis.call('EXISTS', KEYS[1]) == 1 then return {0, redis.call('PTTL', KEYS[1])} end
        local time = redis.call('TIME')
        redis.call('SET', KEYS[2], string.format('%.0f', time[1] * 1000000 + time[2]), 'NX')
        local token = redis.call('INCR', KEYS[2])
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return {token, 0}
    )");
    return it;
}

const script& renew_script() {
    static const script it(R"(
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
    )");
    return it;
}

const script& unlock_script() {
    static const script it(R"(
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('DEL', KEYS[1])
        redis.call('PUBLISH', KEYS[1], '')
        return 1
    )");
    return it;
}

std::uint64_t time_now() noexcept { return runtime::loop::current().now(); }
std::uint64_t ms(duration d) noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(d.milliseconds(), 0));
}

task<> pause_for(std::uint64_t milliseconds) {
    co_await sleep_for(apus::milliseconds(static_cast<std::int64_t>(milliseconds)));
}

error not_acquired() {
    error made(503, "the resource is in use");
    made.expose().header("retry-after", "1").cause("a lock on Redis was not acquired in time");
    return made;
}

error lock_lost(std::string_view why) {
    error made(503, "the resource is in use");
    made.expose().header("retry-after", "1").cause("a lock on Redis was lost: " + std::string(why));
    return made;
}

// Waits until a message reports a release of the lock, but at most `longest` milliseconds.
task<> wait_for_release(subscription& released, std::uint64_t longest) {
    co_await when_any(released.next(), pause_for(longest));
}

// Tries once to acquire the lock. Returns 0 after success, otherwise the milliseconds until the next attempt.
task<std::uint64_t> try_lock(held_lock& what) {
    const std::uint64_t began = time_now();
    what.may_be_held = true;        // remains set if the task is cancelled before the reply
    std::vector<std::string> keys;  // g++ 12 rejects an initializer list within `co_await`
    keys.push_back(what.key);
    keys.push_back(what.key + ":token");
    const auto [token, left] =
        co_await what.db.eval<std::pair<long long, long long>>(acquire_script(), keys, what.owner, ms(what.how.lease));
    what.may_be_held = token != 0;
    if (token == 0) co_return left < 0 ? ms(what.how.lease) : static_cast<std::uint64_t>(left) + 1;
    what.token = token;
    what.expires = began + ms(what.how.lease);
    co_return std::uint64_t{0};
}

// Releases a lock. Refers to the pool only, not to the client, since the end of the client destroys the pool with this
// task.
task<> unlock_later(pool& p, std::string key, std::string owner) {
    std::string wire;
    make_command("EVAL", unlock_script().code(), 1, key, owner).append_to(wire);
    call c(p, "EVAL", std::move(wire), 1, p.after(p.options().command_timeout));
    co_await c;
    if (c.failed) log::warn("redis: releasing a lock failed; its lease will expire", {"reason", c.failed->cause()});
}

}  // namespace

held_lock::held_lock(client c, std::string_view name, lock_options o)
    : db(std::move(c)), how(std::move(o)), key(how.prefix + std::string(name)), owner(crypto::random_hex(16)) {}

held_lock::held_lock(held_lock&& from) noexcept
    : db(std::move(from.db)),
      how(std::move(from.how)),
      key(std::move(from.key)),
      owner(std::move(from.owner)),
      token(from.token),
      expires(from.expires),
      may_be_held(std::exchange(from.may_be_held, false)) {}

// If the release cannot be started, the lock is released when its lease ends.
held_lock::~held_lock() {
    pool* p = may_be_held ? pool::find_of_this_core(*session_of(db).state) : nullptr;
    try {
        if (p && !p->spawn_cleanup(unlock_later(*p, std::move(key), std::move(owner))))
            log::warn("redis: the lock of a cancelled task is not released before its lease ends");
    } catch (const std::bad_alloc&) {}
}

void check_lock(std::string_view name, const lock_options& how) {
    if (name.empty()) throw std::invalid_argument("redis::lock: the name is empty");
    if (how.wait < duration()) throw std::invalid_argument("redis::lock: `wait` must not be negative");
    if (how.lease < milliseconds(100)) throw std::invalid_argument("redis::lock: `lease` must be at least 100 ms");
}

task<held_lock> acquire_lock(client db, std::string name, lock_options how) {
    held_lock made(std::move(db), name, std::move(how));
    const std::uint64_t due = time_now() + ms(made.how.wait);
    std::uint64_t next = co_await try_lock(made);
    if (next == 0) co_return made;
    subscription released = made.db.subscribe(made.key);
    while (time_now() < due) {
        // The first message is a gap, which reports the start of the subscription. The lock may have been released
        // before, so the gap too leads to an attempt.
        co_await wait_for_release(released, std::min(next, due - time_now()));
        next = co_await try_lock(made);
        if (next == 0) co_return made;
    }
    co_await failure(not_acquired());
    co_return made;
}

task<> renew_lock(held_lock& what) {
    const std::uint64_t third = ms(what.how.lease) / 3;
    while (true) {
        co_await pause_for(std::min(third, what.expires - std::min(what.expires, time_now())));
        const std::uint64_t began = time_now();
        if (began >= what.expires) co_await failure(lock_lost("Redis was unreachable for the whole lease"));
        const auto got = co_await when_any(what.db.eval<bool>(renew_script(), what.key, what.owner, ms(what.how.lease)),
                                           pause_for(what.expires - began))
                             .outcome();
        if (got && got->index() == 0 && !std::get<0>(*got))
            co_await failure(lock_lost("its key has expired or was removed"));
        if (got && got->index() == 0) what.expires = began + ms(what.how.lease);
    }
}

// After an error, the lock is released when its lease ends.
task<> release_lock(held_lock& what) {
    const auto done = co_await what.db.eval<bool>(unlock_script(), what.key, what.owner).outcome();
    what.may_be_held = false;
    if (!done) log::warn("redis: releasing a lock failed; its lease will expire", {"reason", done.error().cause()});
}

}  // namespace apus::redis::detail
