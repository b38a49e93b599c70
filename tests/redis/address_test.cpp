// SPDX-License-Identifier: Apache-2.0
#include "redis/address.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::redis::read_url;

namespace {

std::string shown(const std::string& url) {
    try {
        const auto a = read_url(url);
        return (a.secure ? "tls " : "") + (a.path.empty() ? a.host + "|" + std::to_string(a.port) : a.path) + "|" +
               a.user + "|" + a.password + "|" + std::to_string(a.database);
    } catch (const std::invalid_argument& why) {
        return std::string("! ") + why.what();
    }
}

std::string hosts(const std::string& url) {
    const auto a = read_url(url);
    std::string made(a.kind == apus::redis::topology::sentinel ? "sentinel" : "cluster");
    for (const auto& one : a.hosts) made += " " + to_text(one);
    return made + " " + a.service + "|" + a.user + "|" + a.password + "|" + std::to_string(a.database);
}

}  // namespace

TEST_CASE("URLs of sentinels and clusters") {
    CHECK(hosts("redis+sentinel://a/main") == "sentinel a:26379 main|||0");
    CHECK(hosts("redis+sentinel://u:p@a:1,b,[::1]:2/my%2Fmain/3") == "sentinel a:1 b:26379 [::1]:2 my/main|u|p|3");
    CHECK(read_url("rediss+sentinel://a/main").secure);
    CHECK(hosts("redis+cluster://a:1,b") == "cluster a:1 b:6379 |||0");
    CHECK(hosts("rediss+cluster://:p@a/") == "cluster a:6379 ||p|0");
    for (const char* url :
         {"redis+sentinel://a", "redis+sentinel://a/", "redis+sentinel:///main", "redis+sentinel://a,/main",
          "redis+sentinel://a,b:0/main", "redis+sentinel://a/main/x", "redis+sentinel://a/main/1/2",
          "redis+cluster://a/1", "redis+cluster://", "redis+cluster://a,,b", "redis+other://a", "redis://a,b",
          "sentinel://a", "+sentinel://a/main"}) {
        CAPTURE(url);
        CHECK(shown(url).starts_with("! invalid Redis URL: "));
    }
    std::string many = "redis+cluster://h";
    for (int i = 1; i < 32; ++i) many += ",h";
    CHECK(read_url(many).hosts.size() == 32);
    CHECK(shown(many + ",h").contains("over 32 hosts"));
}

TEST_CASE("URLs of Redis") {
    CHECK(shown("redis://localhost") == "localhost|6379|||0");
    CHECK(shown("redis://localhost/") == "localhost|6379|||0");
    CHECK(shown("redis://10.0.0.1:7000/15") == "10.0.0.1|7000|||15");
    CHECK(shown("rediss://user:pass@example.com:6380/2") == "tls example.com|6380|user|pass|2");
    CHECK(shown("redis://:pass@h") == "h|6379||pass|0");
    CHECK(shown("redis://u:p%40%3A%2F@h") == "h|6379|u|p@:/|0");
    CHECK(shown("redis://u:a@b@h") == "h|6379|u|a@b|0");
    CHECK(shown("redis://[::1]:7/1") == "::1|7|||1");
    CHECK(shown("redis://[::1]") == "::1|6379|||0");
    CHECK(shown("unix:/run/redis.sock") == "/run/redis.sock|||0");
    CHECK(shown("unix:/run/redis.sock?db=3") == "/run/redis.sock|||3");
    CHECK(shown("unix:///run/redis.sock") == "/run/redis.sock|||0");
    CHECK(shown("unix://user:pass@/run/r%20x.sock?db=1") == "/run/r x.sock|user|pass|1");
}

TEST_CASE("invalid URLs of Redis, without passwords in messages") {
    for (const char* url : {"",
                            "redis",
                            "http://h",
                            "redis:/h",
                            "redis://",
                            "redis://:6379",
                            "redis://h:",
                            "redis://h:0",
                            "redis://h:65536",
                            "redis://h:x",
                            "redis://h:-1",
                            "redis://h/x",
                            "redis://h/-1",
                            "redis://h/1000001",
                            "redis://h/1/2",
                            "redis://h?db=1",
                            "redis://h#1",
                            "redis://[::1",
                            "redis://[::1]x",
                            "redis://user@h",
                            "redis://user:@h",
                            "redis://u:%@h",
                            "redis://u:%00@h",
                            "redis://a b",
                            "redis://a%20b",
                            "unix:",
                            "unix:relative",
                            "unix://host/path",
                            "unix:/a?db=x",
                            "unix:/a?x=1",
                            "redis://u:secret@",
                            "redis://u:secret@h:x"}) {
        CAPTURE(url);
        CHECK(shown(url).starts_with("! invalid Redis URL: "));
        CHECK(!shown(url).contains("secret"));
    }
    CHECK(shown("unix:/" + std::string(107, 'x')).starts_with("! "));
    CHECK(shown("unix:/" + std::string(106, 'x')).starts_with("/xxx"));
}
