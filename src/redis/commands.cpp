// SPDX-License-Identifier: Apache-2.0
#include "redis/commands.hpp"

#include <algorithm>
#include <array>

namespace apus::redis {
namespace {

using names = std::string_view;

// All lists of names are sorted, for a binary search.
constexpr names changes_state[] = {
    "AUTH",       "CLIENT", "DISCARD",      "EXEC",      "HELLO",        "MONITOR",   "MULTI",
    "PSUBSCRIBE", "PSYNC",  "PUNSUBSCRIBE", "QUIT",      "READONLY",     "READWRITE", "REPLCONF",
    "RESET",      "SELECT", "SSUBSCRIBE",   "SUBSCRIBE", "SUNSUBSCRIBE", "SYNC",      "UNSUBSCRIBE"};
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
static_assert(std::ranges::is_sorted(changes_state) && std::ranges::is_sorted(blocks) && std::ranges::is_sorted(reads));

template <class List>
bool contains(const List& all, std::string_view command) noexcept {
    std::array<char, 24> upper;
    if (command.size() > upper.size()) return false;
    std::ranges::transform(command, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return std::ranges::binary_search(all, std::string_view(upper.data(), command.size()));
}

}  // namespace

const char* fault_of(std::string_view command, bool reserved) noexcept {
    if (contains(changes_state, command))
        return "this command changes the state of the connection: use the URL of the client, run_atomically or "
               "subscribe";
    if (!reserved && contains(blocks, command))
        return "this command cannot be sent on a shared connection: use client::reserve";
    return nullptr;
}

bool only_reads(std::string_view command) noexcept { return contains(reads, command); }

}  // namespace apus::redis
