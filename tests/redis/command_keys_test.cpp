// SPDX-License-Identifier: Apache-2.0
#include "redis/command_keys.hpp"

#include "redis/key_slot.hpp"
#include "redis/redis_server.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

std::vector<std::string> words(const std::string& line) {
    std::istringstream from(line);
    std::vector<std::string> made;
    for (std::string word; from >> word;) made.push_back(word);
    return made;
}

redis::command_slot slot_of_line(const std::string& line) {
    auto all = words(line);
    redis::detail::command_text command(all.front());
    for (std::size_t i = 1; i < all.size(); ++i) command.add(all[i]);
    return redis::slot_of(command);
}

const char* const one_slot[] = {
    "GET {k}",
    "get {k}",
    "SET {k} v",
    "DEL {k}1 {k}2 {k}3",
    "MGET {k}1 {k}2",
    "MSET {k}1 other {k}2 value",
    "MSETNX {k}1 other {k}2 value",
    "BITOP AND {k}1 {k}2 {k}3",
    "RENAME {k}1 {k}2",
    "COPY {k}1 {k}2",
    "LMOVE {k}1 {k}2 LEFT RIGHT",
    "BLMOVE {k}1 {k}2 LEFT RIGHT 1",
    "BLPOP {k}1 {k}2 1",
    "BZPOPMIN {k}1 {k}2 1",
    "BLMPOP 1 2 {k}1 {k}2 LEFT",
    "BZMPOP 1 2 {k}1 {k}2 MIN",
    "LMPOP 2 {k}1 {k}2 LEFT",
    "ZMPOP 1 {k}1 MIN",
    "EVAL return 2 {k}1 {k}2 argument",
    "EVALSHA digest 1 {k}1 argument",
    "FCALL f 1 {k}1 argument",
    "ZUNIONSTORE {k}1 2 {k}2 {k}3 WEIGHTS 1 2",
    "ZINTERSTORE {k}1 1 {k}2",
    "ZDIFFSTORE {k}1 2 {k}2 {k}3",
    "ZUNION 2 {k}1 {k}2",
    "ZINTERCARD 2 {k}1 {k}2 LIMIT 1",
    "SINTERCARD 2 {k}1 {k}2",
    "SINTERSTORE {k}1 {k}2 {k}3",
    "SMOVE {k}1 {k}2 member",
    "ZRANGESTORE {k}1 {k}2 0 1",
    "GEOSEARCHSTORE {k}1 {k}2 FROMMEMBER m BYRADIUS 1 m",
    "PFMERGE {k}1 {k}2",
    "SORT {k}1 LIMIT 0 1 STORE {k}2",
    "GEORADIUS {k}1 1 2 3 m STORE {k}2",
    "XREAD COUNT 1 STREAMS {k}1 {k}2 0 0",
    "XREADGROUP GROUP g c STREAMS {k}1 >",
    "XADD {k} * a b",
    "XGROUP CREATE {k} g $",
    "XINFO STREAM {k}",
    "OBJECT ENCODING {k}",
    "MEMORY USAGE {k}",
    "HSET {k} field value",
    "ZADD {k} 1 m",
    "EXISTS {k}1 {k}2",
    "TOUCH {k}1 {k}2",
    "WATCH {k}1 {k}2",
    "LCS {k}1 {k}2",
};

}  // namespace

TEST_CASE("the keys of commands are those that Redis reports") {
    redis_server server;
    redis_user u(server.url());
    for (const std::string line : one_slot) {
        CAPTURE(line);
        const auto found = slot_of_line(line);
        CHECK(found.fault == nullptr);
        REQUIRE(found.slot.has_value());
        CHECK(*found.slot == redis::slot_of_key("{k}"));
        // Each key with a tag of its own: the command is refused if it has more than one key.
        std::string other = line;
        for (std::size_t i = other.find("{k}"), n = 0; i != other.npos; i = other.find("{k}"), ++n)
            other.replace(i, 3, "[" + std::to_string(n) + "]");
        const auto keys = u.value(u.client.command<std::vector<std::string>>("COMMAND", "GETKEYS", words(other)));
        CHECK(keys.size() == static_cast<std::size_t>(std::ranges::count(other, '[')));
        CHECK((slot_of_line(other).fault != nullptr) == (keys.size() > 1));
    }
}

TEST_CASE("commands without keys, and commands that concern one node") {
    for (const char* line : {"PING", "PUBLISH channel {k}", "TIME", "ECHO {k}", "EVAL return 0 argument", "UNKNOWN",
                             "EVAL return", "EVAL return x {k}", "EVAL return -1 {k}", "XREAD STREAMS", "BLPOP",
                             "ZUNION", "ZUNION 99999999999999999999 a b"}) {
        CAPTURE(line);
        const auto found = slot_of_line(line);
        CHECK(!found.slot.has_value());
        CHECK(found.fault == nullptr);
    }
    for (const char* line : {"KEYS *", "scan 0", "FLUSHALL", "DBSIZE", "RANDOMKEY", "SCRIPT LOAD x",
                             "MIGRATE h 1 k 0 1", "PUBSUB CHANNELS", "ACL LIST", "SAVE", "BGSAVE", "BGREWRITEAOF",
                             "SLOWLOG GET", "LATENCY LATEST", "MODULE LIST", "LASTSAVE", "DEBUG SLEEP 0", "FAILOVER"})
        CHECK(slot_of_line(line).fault != nullptr);
    CHECK(slot_of_line("XREADGROUP GROUP streams streams STREAMS {k} >").slot == redis::slot_of_key("{k}"));
    CHECK(slot_of_line("MY.MODULE {k} x").slot == redis::slot_of_key("{k}"));
    CHECK(slot_of_line("EVAL return 9 {k}1 {k}2").slot == redis::slot_of_key("{k}"));
}
