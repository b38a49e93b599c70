// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/idempotency_store.hpp>

#include <apus/secret.hpp>

#include <algorithm>
#include <utility>

namespace apus::redis {
namespace {

const script& complete_script() {
    static const script it(R"(
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
        return 1
    )");
    return it;
}

const script& release_script() {
    static const script it(R"(
        if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
        return 1
    )");
    return it;
}

long long milliseconds_of(duration d) { return std::max<std::int64_t>(d.milliseconds(), 1); }

}  // namespace

idempotency_store::idempotency_store(client db, std::string prefix) : db_(std::move(db)), prefix_(std::move(prefix)) {}

// SET with NX and GET (Redis 7 or later) sets the key only if the key does not exist, and returns the previous value.
task<std::optional<std::string>> idempotency_store::claim(std::string_view key, std::string_view claim,
                                                          duration lease) {
    return db_.command<std::optional<std::string>>("SET", prefix_ + std::string(key), claim, "NX", "GET", "PX",
                                                   milliseconds_of(lease));
}

// The value is a `secret`, so that errors do not repeat it: responses may contain personal data.
task<bool> idempotency_store::complete(std::string_view key, std::string_view claim, std::string_view value,
                                       duration lifetime) {
    return db_.eval<bool>(complete_script(), prefix_ + std::string(key), claim, secret<std::string>(std::string(value)),
                          milliseconds_of(lifetime));
}

task<> idempotency_store::release(std::string_view key, std::string_view claim) {
    return db_.eval<void>(release_script(), prefix_ + std::string(key), claim);
}

}  // namespace apus::redis
