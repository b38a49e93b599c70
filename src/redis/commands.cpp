// SPDX-License-Identifier: Apache-2.0
#include "redis/commands.hpp"

#include <algorithm>
#include <array>

namespace apus::redis {
namespace {

using names = std::string_view;

// All lists of names are sorted, for a binary search.
constexpr names changes_state[] = {
    "ASKING",     "AUTH",       "CLIENT",       "DISCARD",      "EXEC",     "HELLO",      "MONITOR",  "MULTI",
    "PSUBSCRIBE", "PSYNC",      "PUNSUBSCRIBE", "QUIT",         "READONLY", "READWRITE",  "REPLCONF", "RESET",
    "SELECT",     "SSUBSCRIBE", "SUBSCRIBE",    "SUNSUBSCRIBE", "SYNC",     "UNSUBSCRIBE"};
constexpr names blocks[] = {"BLMOVE",   "BLMPOP",  "BLPOP", "BRPOP",   "BRPOPLPUSH", "BZMPOP", "BZPOPMAX",
                            "BZPOPMIN", "UNWATCH", "WAIT",  "WAITAOF", "WATCH",      "XREAD",  "XREADGROUP"};
constexpr names reads[] = {"BITCOUNT",    "BITPOS",         "DBSIZE",
                           "DUMP",        "ECHO",           "EXISTS",
                           "EXPIRETIME",  "GEODIST",        "GEOHASH",
                           "GEOPOS",      "GEOSEARCH",      "GET",
                           "GETBIT",      "GETRANGE",       "HEXISTS",
                           "HGET",        "HGETALL",        "HKEYS",
                           "HLEN",        "HMGET",          "HSCAN",
                           "HSTRLEN",     "HVALS",          "INFO",
                           "KEYS",        "LINDEX",         "LLEN",
                           "LPOS",        "LRANGE",         "MGET",
                           "PEXPIRETIME", "PFCOUNT",        "PING",
                           "PTTL",        "RANDOMKEY",      "SCAN",
                           "SCARD",       "SDIFF",          "SINTER",
                           "SINTERCARD",  "SISMEMBER",      "SMEMBERS",
                           "SMISMEMBER",  "SRANDMEMBER",    "SSCAN",
                           "STRLEN",      "SUNION",         "TIME",
                           "TTL",         "TYPE",           "XLEN",
                           "XPENDING",    "XRANGE",         "XREVRANGE",
                           "ZCARD",       "ZCOUNT",         "ZDIFF",
                           "ZINTER",      "ZINTERCARD",     "ZLEXCOUNT",
                           "ZMSCORE",     "ZRANDMEMBER",    "ZRANGE",
                           "ZRANGEBYLEX", "ZRANGEBYSCORE",  "ZRANK",
                           "ZREVRANGE",   "ZREVRANGEBYLEX", "ZREVRANGEBYSCORE",
                           "ZREVRANK",    "ZSCAN",          "ZSCORE",
                           "ZUNION"};
constexpr names cacheable[] = {"BITCOUNT",
                               "BITPOS",
                               "GEODIST",
                               "GEOPOS",
                               "GET",
                               "GETBIT",
                               "GETRANGE",
                               "HEXISTS",
                               "HGET",
                               "HGETALL",
                               "HKEYS",
                               "HLEN",
                               "HMGET",
                               "HSTRLEN",
                               "HVALS",
                               "LINDEX",
                               "LLEN",
                               "LPOS",
                               "LRANGE",
                               "SCARD",
                               "SISMEMBER",
                               "SMEMBERS",
                               "SMISMEMBER",
                               "STRLEN",
                               "TYPE",
                               "XLEN",
                               "XRANGE",
                               "XREVRANGE",
                               "ZCARD",
                               "ZCOUNT",
                               "ZLEXCOUNT",
                               "ZMSCORE",
                               "ZRANGE",
                               "ZRANGEBYLEX",
                               "ZRANGEBYSCORE",
                               "ZRANK",
                               "ZREVRANGE",
                               "ZREVRANGEBYLEX",
                               "ZREVRANGEBYSCORE",
                               "ZREVRANK",
                               "ZSCORE"};
static_assert(std::ranges::is_sorted(cacheable));
static_assert(std::ranges::is_sorted(changes_state) && std::ranges::is_sorted(blocks) && std::ranges::is_sorted(reads));

template <class List>
bool contains(const List& all, std::string_view command) noexcept {
    return std::ranges::binary_search(all, upper_name(command).text());
}

}  // namespace

upper_name::upper_name(std::string_view command) noexcept {
    if (command.size() > room_.size()) return;
    size_ = command.size();
    std::ranges::transform(command, room_.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
}

const char* fault_of(std::string_view command, bool reserved) noexcept {
    if (contains(changes_state, command))
        return "this command changes the state of the connection: use the URL of the client, run_atomically or "
               "subscribe";
    if (!reserved && contains(blocks, command))
        return "this command cannot be sent on a shared connection: use client::reserve";
    return nullptr;
}

bool only_reads(std::string_view command) noexcept { return contains(reads, command); }

bool is_cacheable(std::string_view command) noexcept { return contains(cacheable, command); }

}  // namespace apus::redis
