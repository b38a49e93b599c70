// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/session_store.hpp>

#include <apus/secret.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace apus::redis {
namespace {

// An empty value marks a removed session, so that a request in flight cannot restore the session. Ids are not reused.
constexpr long long removed_for = 600'000;  // milliseconds

const script& save_script() {
    static const script it(R"(
        if redis.call('GET', KEYS[1]) == '' then return 0 end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return 1
    )");
    return it;
}

}  // namespace

session_store::session_store(client db, std::string prefix) : db_(std::move(db)), prefix_(std::move(prefix)) {}

task<std::optional<std::string>> session_store::load(std::string_view key) {
    auto found = co_await db_.get(key_of(key));
    if (found && found->empty()) found.reset();
    co_return std::move(found);
}

task<> session_store::save(std::string_view key, std::string bytes, duration lifetime) {
    return db_.eval<void>(save_script(), std::vector<std::string>{key_of(key)}, secret<std::string>(std::move(bytes)),
                          std::max<std::int64_t>(lifetime.milliseconds(), 1));
}

// XX: a session without a key in Redis needs no mark, since no other request can know its id.
task<> session_store::remove(std::string_view key) {
    return db_.command<>("SET", key_of(key), "", "XX", "PX", removed_for);
}

}  // namespace apus::redis
