// SPDX-License-Identifier: Apache-2.0
#include "nats/address.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace apus::nats;

namespace {

/// Returns a URL as "tls host:port host:port|user|password|token", or "! error".
std::string shown(const std::string& url) {
    try {
        const address made = read_url(url);
        std::string text = made.secure ? "tls" : "plain";
        for (const auto& one : made.hosts) text += " " + to_text(one);
        return text + "|" + made.user + "|" + made.password + "|" + made.token;
    } catch (const std::invalid_argument& why) {
        return std::string("! ") + why.what();
    }
}

}  // namespace

TEST_CASE("URLs of NATS") {
    CHECK(shown("nats://h") == "plain h:4222|||");
    CHECK(shown("nats://h:7/") == "plain h:7|||");
    CHECK(shown("tls://example.com") == "tls example.com:4222|||");
    CHECK(shown("nats://ann:p%40ss%2Fword@[::1]:7") == "plain [::1]:7|ann|p@ss/word|");
    CHECK(shown("nats://s%20cret@h") == "plain h:4222|||s cret");
    CHECK(shown("nats://a,b:7,[::1]") == "plain a:4222 b:7 [::1]:4222|||");
    CHECK(shown("tls://u:p@a,b") == "tls a:4222 b:4222|u|p|");
}

TEST_CASE("invalid URLs of NATS, without passwords in messages") {
    std::string many = "nats://h";
    for (std::size_t i = 1; i < max_hosts; ++i) many += ",h";
    CHECK(shown(many).starts_with("plain"));
    for (const std::string& url : {std::string(),
                                   std::string("nats"),
                                   std::string("http://h"),
                                   std::string("nats:/h"),
                                   std::string("nats://"),
                                   std::string("nats://:7"),
                                   std::string("nats://h:"),
                                   std::string("nats://h:0"),
                                   std::string("nats://h:65536"),
                                   std::string("nats://a,"),
                                   std::string("nats://,a"),
                                   std::string("nats://h/x"),
                                   std::string("nats://h?x"),
                                   std::string("nats://h#x"),
                                   std::string("nats://@h"),
                                   std::string("nats://u:@h"),
                                   std::string("nats://:secret@h"),
                                   std::string("nats://u:secret%@h"),
                                   std::string("nats://u:secret@"),
                                   std::string("nats://secret@h:x"),
                                   std::string("nats://a b"),
                                   std::string("nats://a\r\n"),
                                   many + ",h"}) {
        CAPTURE(url);
        CHECK(shown(url).starts_with("! invalid NATS URL: "));
        CHECK(!shown(url).contains("secret"));
    }
}
