// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/response_cache_store.hpp>

#include <apus/secret.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace apus::redis {
namespace {

// The clock of a store has two numbers: `epoch`, when its key was created, and `last`, the last version of a tag.
// Versions increase also after a restart of Redis, since they are at least the time in microseconds. A double
// represents them exactly. A response that a handler began before the epoch is not stored, since Redis may have lost
// drops. A key of another type counts as missing and is replaced.
//
// The version of a tag begins with 'd' if the tag was dropped, and with 'c' if it was created for a response. A missing
// tag was not dropped while the handler ran: the key of a dropped tag lives longer than `longest_handler`.
//
// Without memory, Redis refuses only the first write of a script, and only a write that needs memory. Therefore `put`
// begins with such a write, and `drop` with another one: responses can be dropped, and the keys are small.
constexpr std::string_view clock_code = R"(
        local function number(n) return string.format('%.0f', n) end
        local time = redis.call('TIME')
        local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
        local function valid(n) return n and string.match(n, '^%d+$') and tonumber(n) < 9e15 end
        local function clock_of(key)
            local clock = redis.pcall('HMGET', key, 'epoch', 'last')
            if clock.err or not valid(clock[1]) or not valid(clock[2]) then
                clock = {number(now), number(now)}
                redis.call('DEL', key)
                redis.call('HSET', key, 'epoch', clock[1], 'last', clock[2])
            end
            return clock
        end
        local function next_version(key)
            local last = number(math.max(tonumber(clock_of(key)[2]) + 1, now))
            redis.call('HSET', key, 'last', last)
            return last
        end
)";

script with_clock(std::string_view code) { return script(std::string(clock_code).append(code)); }

// KEYS: entry, clock. ARGV: prefix of tags.
const script& find_script() {
    static const script it = with_clock(R"(
        local clock = clock_of(KEYS[2])
        local began = clock[1] .. ' ' .. clock[2] .. ' ' .. number(now)
        local left = redis.call('PTTL', KEYS[1])
        if left == -2 then return {began, '0', ''} end
        local entry = redis.pcall('HMGET', KEYS[1], 'bytes', 'tags')
        if entry.err or left < 1 or not entry[1] or not entry[2] then return {began, '0', 'invalid'} end
        for tag, version in string.gmatch(entry[2], '(%S+) (%S+)') do
            if redis.pcall('GET', ARGV[1] .. tag) ~= version then return {began, '0', ''} end
        end
        return {began, tostring(left), entry[1]}
    )");
    return it;
}

// KEYS: entry, clock. ARGV: prefix of tags, result of `find`, lifetime, longest time of a handler in us, bytes, tags.
const script& put_script() {
    static const script it = with_clock(R"(
        local epoch, last, at = string.match(ARGV[2], '^(%d+) (%d+) (%d+)$')
        if not epoch or redis.pcall('HGET', KEYS[2], 'epoch') ~= epoch then return 0 end
        if math.abs(now - tonumber(at)) > tonumber(ARGV[4]) then return 0 end
        local versions = {}
        for i = 6, #ARGV do
            local version = redis.pcall('GET', ARGV[1] .. ARGV[i])
            local kind, n = string.match(type(version) == 'string' and version or '', '^([cd])(%d+)$')
            if kind == 'd' and tonumber(n) > tonumber(last) then return 0 end
            versions[i] = kind and version
        end
        redis.call('HSET', KEYS[2], 'epoch', epoch)  -- refused without memory
        local created
        local tags = {}
        for i = 6, #ARGV do
            local name = ARGV[1] .. ARGV[i]
            if versions[i] then
                redis.call('PEXPIRE', name, ARGV[3], 'GT')
            else
                created = created or 'c' .. next_version(KEYS[2])
                versions[i] = created
                redis.call('SET', name, created, 'PX', ARGV[3])
            end
            tags[#tags + 1] = ARGV[i] .. ' ' .. versions[i]
        end
        redis.call('DEL', KEYS[1])
        redis.call('HSET', KEYS[1], 'bytes', ARGV[5], 'tags', table.concat(tags, ' '))
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
        return 1
    )");
    return it;
}

// KEYS: clock. ARGV: prefix of tags, lifetime of their keys, tags.
const script& drop_script() {
    static const script it = with_clock(R"(
        for i = 3, #ARGV do redis.call('DEL', ARGV[1] .. ARGV[i]) end  -- not refused
        local version = 'd' .. next_version(KEYS[1])
        for i = 3, #ARGV do redis.call('SET', ARGV[1] .. ARGV[i], version, 'PX', ARGV[2]) end
        return 1
    )");
    return it;
}

// At least twice `longest_handler`, so that drops are known while a handler runs.
constexpr duration life_of_dropped_tag = seconds(120);

// Limits of replies of `find`: more milliseconds than the longest lifetime of a response (max-age and
// stale-while-revalidate have at most 2^31 seconds each), and bytes of three numbers.
constexpr long long longest_left = 4'400'000'000'000;
constexpr std::size_t longest_began = 64;

long long lifetime_of(duration d) { return std::max<std::int64_t>(d.milliseconds(), 1); }

std::vector<std::string> keys_of(const std::string& prefix, const std::string& key) {
    return {prefix + "r:" + key, prefix + "clock"};
}

}  // namespace

response_cache_store::response_cache_store(client db, std::string_view name)
    : db_(std::move(db)),
      prefix_(std::string("{").append(name).append("}:")) {  // with braces, a cluster stores all keys in one slot
    if (name.empty() || name.find_first_of("{}") != std::string_view::npos)
        throw std::invalid_argument("redis::response_cache_store: the name must have at least a byte, and no braces");
}

task<response_cache_store::found> response_cache_store::find(std::string key) {
    auto reply = co_await db_.eval<std::vector<std::string>>(find_script(), keys_of(prefix_, key), prefix_ + "t:");
    found made;
    long long left = 0;
    const std::string text = reply.size() == 3 ? std::move(reply[1]) : std::string();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), left);
    const bool valid = error == std::errc() && end == text.data() + text.size() && left >= 0 && left <= longest_left;
    if (!valid || reply[0].size() > longest_began) co_await fail(500, "Redis returned an invalid reply");
    made.began = std::move(reply[0]);
    made.left = milliseconds(left);
    made.bytes = std::move(reply[2]);
    co_return made;
}

// The bytes are a `secret`, so that errors do not repeat them.
task<bool> response_cache_store::put(entry what) {
    return db_.eval<bool>(put_script(), keys_of(prefix_, what.key), prefix_ + "t:", what.began,
                          lifetime_of(what.lifetime), longest_handler.nanoseconds() / 1'000,
                          secret<std::string>(std::move(what.bytes)), what.tags);
}

task<> response_cache_store::drop(std::vector<std::string> tags) {
    return db_.eval<void>(drop_script(), prefix_ + "clock", prefix_ + "t:", lifetime_of(life_of_dropped_tag), tags);
}

}  // namespace apus::redis
