// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/lock.hpp>

#include "base/reason.hpp"
#include "crypto/random.hpp"
#include "redis/failure.hpp"
#include "redis/key_slot.hpp"
#include "redis/session.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
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

// Releases a lock. Refers to the state only, not to the client, since the end of the client destroys the pool with
// this task. An error needs no action: the lock expires.
task<> unlock_later(std::shared_ptr<const shared_state> state, std::string key, std::string owner) {
    static_cast<void>(
        co_await execute_detached(state, make_command("EVAL", unlock_script().code(), 1, key, owner)).outcome());
}

// Returns the key of the fencing token, which has the same slot of a cluster as the key of the lock.
std::string token_key(const std::string& key) {
    const bool tagged = hashed_part(key).size() != key.size();
    return tagged || key.contains('}') ? key + ":token" : "{" + key + "}:token";
}

// Releases a lock in the background if the attempt ends without a reply, since Redis may have granted the lock.
struct attempt {
    explicit attempt(const held_lock& of) noexcept : what(of) {}
    attempt(const attempt&) = delete;
    attempt& operator=(const attempt&) = delete;
    ~attempt() {
        pool* const p = replied ? nullptr : pool::find_of_this_core(*session_of(what.db).state);
        try {
            if (p) static_cast<void>(p->spawn_cleanup(unlock_later(p->shared(), what.key, what.owner)));
        } catch (const std::bad_alloc&) {
            return;  // the lock expires
        }
    }

    const held_lock& what;
    bool replied = false;
};

// Tries once to acquire the lock. Returns 0 after success, otherwise the milliseconds until the next attempt.
task<std::uint64_t> try_lock(held_lock& what) {
    const std::uint64_t began = time_now();
    std::vector<std::string> keys;  // g++ 12 rejects an initializer list within `co_await`
    keys.push_back(what.key);
    keys.push_back(token_key(what.key));
    attempt unknown(what);
    auto got =
        co_await what.db.eval<std::pair<long long, long long>>(acquire_script(), keys, what.owner, ms(what.how.lease))
            .outcome();
    unknown.replied = got || got.error().status() != 504;
    if (!got) co_await failure(got.error());
    const auto [token, left] = *got;
    if (token == 0) co_return left < 0 ? ms(what.how.lease) : static_cast<std::uint64_t>(left) + 1;
    what.token = token;
    what.expires = began + ms(what.how.lease);
    co_return std::uint64_t{0};
}

}  // namespace

void check_lock(std::string_view name, const lock_options& how) {
    if (name.empty()) throw std::invalid_argument("redis::lock: the name is empty");
    if (how.wait < duration()) throw std::invalid_argument("redis::lock: `wait` must not be negative");
    if (how.lease < milliseconds(100)) throw std::invalid_argument("redis::lock: `lease` must be at least 100 ms");
}

task<held_lock> acquire_lock(client db, std::string name, lock_options how) {
    held_lock made{.db = std::move(db), .how = std::move(how), .key = {}, .owner = crypto::random_hex(16)};
    made.key = made.how.prefix + name;
    const std::uint64_t due = time_now() + ms(made.how.wait);
    std::uint64_t next = co_await try_lock(made);
    if (next == 0) co_return made;
    subscription released = made.db.subscribe(made.key);
    while (time_now() < due) {
        // The first message is a gap, which reports the start of the subscription. The lock may have been released
        // before the subscription, so the gap also leads to an attempt.
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

// After an error, the lock expires at the end of its lease.
task<> release_lock(const held_lock& what) {
    const auto done = co_await what.db.eval<bool>(unlock_script(), what.key, what.owner).outcome();
    if (!done)
        log::warn("redis: releasing a lock failed; its lease will expire", {"reason", base::reason_of(done.error())});
}

}  // namespace apus::redis::detail
