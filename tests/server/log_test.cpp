// SPDX-License-Identifier: Apache-2.0
#include <apus/log.hpp>

#include "server/process_output.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using test::lines_of;
using test::said_by_process;

namespace {

std::string levels_said(const char* setting) {
    auto text = said_by_process(setting, [] {
        log::trace("t");
        log::debug("d");
        log::info("i");
        log::warn("w");
        log::error("e");
    });
    std::string seen;
    for (auto& line : lines_of(text)) seen += line.substr(line.find("msg=") + 4, 1);
    return seen;
}

}  // namespace

TEST_CASE("each level includes higher ones, and the last records are written before exit") {
    CHECK(levels_said("logfmt,trace") == "tdiwe");
    CHECK(levels_said("logfmt,debug") == "diwe");
    CHECK(levels_said("logfmt") == "iwe");
    CHECK(levels_said("logfmt,warn") == "we");
    CHECK(levels_said("logfmt,error") == "e");
    CHECK(levels_said("logfmt,off") == "");
}

TEST_CASE("a program writes JSON unless its output is a terminal") {
    auto text = said_by_process("", [] {
        const std::string name = "Ada";
        log::info("user created", {"id", 42}, {"name", name}, {"admin", true}, {"score", 0.5});
    });
    CHECK(text.starts_with("{\"time\":\"2"));
    CHECK(text.find("\"level\":\"info\",\"msg\":\"user created\",\"thread\":\"") != std::string::npos);
    CHECK(text.ends_with("\",\"id\":42,\"name\":\"Ada\",\"admin\":true,\"score\":0.5}\n"));
}

TEST_CASE("a program may set its log level") {
    auto text = said_by_process("logfmt,error", [] {
        log::info("unseen");
        log::show(log::level::debug);
        log::debug("seen");
    });
    CHECK(lines_of(text).size() == 1);
    CHECK(text.find("msg=seen") != std::string::npos);
    CHECK(said_by_process("logfmt,debug", [] {
              log::show(log::level::error);
              log::warn("unseen");
          }) == "");
}

TEST_CASE("an invalid setting is reported and does not disable logging") {
    auto lines = lines_of(said_by_process("loud", [] { log::info("seen"); }));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("\"value\":\"loud\"") != std::string::npos);
    CHECK(lines[1].find("\"msg\":\"seen\"") != std::string::npos);
}

TEST_CASE("the access log has a record for a request") {
    auto text = said_by_process("logfmt", [] {
        log::access(
            {.method = "GET", .target = "/a b\n", .status = 404, .bytes = 12, .microseconds = 345, .peer = "::1"});
    });
    CHECK(text.ends_with(" method=GET target=\"/a b\\n\" status=404 bytes=12 us=345 peer=::1\n"));
    CHECK(text.find(" level=info msg=request ") != std::string::npos);
}

TEST_CASE("flush waits for all records") {
    auto text = said_by_process("logfmt", [] {
        log::info("first");
        if (!log::flush(seconds(20))) std::_Exit(1);
        std::_Exit(0);
    });
    CHECK(text.find("msg=first") != std::string::npos);
}
