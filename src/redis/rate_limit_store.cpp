// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/rate_limit_store.hpp>

#include <utility>

namespace apus::redis {
namespace {

// The value is the time at which the bucket will be full, in microseconds since 1970. A double represents this number
// exactly. The script reduces a time that is too far ahead, which a limit with other options has stored, or which was
// stored before the clock was set back. If the key has another type, GET returns an error, which counts as a full
// bucket, and SET replaces the key.
const script& take_script() {
    static const script it(R"(
        local interval, capacity = tonumber(ARGV[1]), tonumber(ARGV[1]) * tonumber(ARGV[2])
        local time = redis.call('TIME')
        local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
        local value = redis.pcall('GET', KEYS[1])
        local full_at = type(value) == 'string' and tonumber(value) or 0
        if not (full_at > now) then full_at = now end
        if full_at > now + capacity then full_at = now + capacity end
        local after = full_at + interval
        if after > now + capacity then return {0, full_at - now} end
        redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
        return {1, after - now}
    )");
    return it;
}

}  // namespace

rate_limit_store::rate_limit_store(client db, std::string prefix) : db_(std::move(db)), prefix_(std::move(prefix)) {}

task<rate_limit_answer> rate_limit_store::take(std::string_view key, duration interval, std::uint64_t burst) {
    const auto [allowed, left] = co_await db_.eval<std::pair<bool, long long>>(
        take_script(), prefix_ + std::string(key), interval.nanoseconds() / 1'000, burst);
    co_return rate_limit_answer{allowed, duration::from_nanoseconds(left * 1'000)};
}

}  // namespace apus::redis
