// SPDX-License-Identifier: Apache-2.0
#include "server/log_context.hpp"

#include "base/thrown.hpp"
#include "http/exchange.hpp"
#include "runtime/activity.hpp"
#include "runtime/loop.hpp"
#include "server/failure_log.hpp"
#include "server/process_output.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

using namespace apus;
using test::lines_of;
using test::said_by_process;

namespace {

constexpr char asked[] = "PUT /things/7?a=b HTTP/1.1";

void name(http::exchange& x, const std::string& id) {
    x.bytes = asked;
    x.head.verb_text = {0, 3};
    x.head.target = {4, 13};
    x.id = &id;
}

// Returns the fields after a record's message.
std::string behind(const std::string& line) {
    const auto at = line.find(" thread=");
    return line.substr(std::min(line.size(), line.find(' ', at + 1) + 1));
}

}  // namespace

TEST_CASE("a record within a request has its own fields, then those of the request") {
    const auto text = said_by_process("logfmt", [] {
        runtime::loop l(runtime::make_epoll_backend());
        http::exchange x;
        const std::string id = "id-1";
        name(x, id);
        log::add({"lost", 1});  // ignored, since it is outside of a request
        log::info("outside", {"n", 0});
        {
            const runtime::working_for work(&x);
            log::info("first", {"n", 1});
            std::string tenant = "acme";
            log::add({"tenant", tenant});
            tenant = "gone";
            log::add({"user", 42});
            log::add({"admin", true});
            log::add({"share", 0.5});
            log::add({"debt", -7});
            log::info("second", {"method", "mine"}, {"user", "also mine"});
            log::add({"user", "Ada"});
            log::add({});
            log::warn("third");
        }
        log::info("outside again");
        x.reset();
        const runtime::working_for work(&x);
        log::info("of another");
    });
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 6);
    CHECK(behind(lines[0]) == "n=0");
    CHECK(behind(lines[1]) == "n=1 method=PUT request_id=id-1");
    CHECK(behind(lines[2]) ==
          "method=mine user=\"also mine\" request_id=id-1 tenant=acme admin=true share=0.5 debt=-7");
    CHECK(behind(lines[3]) == "method=PUT request_id=id-1 tenant=acme user=Ada admin=true share=0.5 debt=-7");
    CHECK(!lines[4].contains("tenant"));
    CHECK(!lines[5].contains("tenant"));
}

TEST_CASE("the fields a request adds are bounded") {
    server::log_context of;
    for (int i = 0; i < 100; ++i) of.put({std::string(1, static_cast<char>('a' + i % 20)), i});
    CHECK(of.size() == server::log_context::most);
    CHECK(of.at(0).number() == 80);
    of.put({"a", std::string(100'000, 'x')});
    CHECK(of.at(0).text() == std::string(server::log_context::max_text, 'x') + "...");
    of.put({"a", ""});
    CHECK(of.at(0).text() == "");
}

TEST_CASE("failure records have the added fields") {
    const auto text = said_by_process("logfmt", [] {
        runtime::loop l(runtime::make_epoll_backend());
        http::exchange x;
        const std::string id = "id-1";
        name(x, id);
        server::log_failures();
        const runtime::working_for work(&x);
        log::add({"tenant", "acme"});
        base::report_failure(500, "the disk is full");
        try {
            throw std::runtime_error("a secret");
        } catch (...) {
            detail::error_from_current_exception();
        }
    });
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 2);
    const std::string end = " target=\"/things/7?a=b\" method=PUT request_id=id-1 tenant=acme";
    CHECK(behind(lines[0]) == "status=500 reason=\"the disk is full\"" + end);
    CHECK(behind(lines[1]) == "what=\"a secret\"" + end);
}
