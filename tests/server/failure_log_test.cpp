// SPDX-License-Identifier: Apache-2.0
#include "server/failure_log.hpp"

#include "base/thrown.hpp"
#include "http/exchange.hpp"
#include "runtime/activity.hpp"
#include "runtime/loop.hpp"
#include "server/request_summary.hpp"
#include "server/process_output.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace apus;
using server::request_summary;
using test::lines_of;
using test::said_by_process;

namespace {

constexpr char head[] = "PUT /things/7?a=b HTTP/1.1";

void fill(http::exchange& x, const std::string& id) {
    x.bytes = head;
    x.head.verb_text = {0, 3};
    x.head.target = {4, 13};
    x.id = &id;
}

void throw_and_tell() {
    try {
        throw std::runtime_error("a secret");
    } catch (...) {
        detail::error_from_current_exception();
    }
}

}  // namespace

TEST_CASE("a request is identified while its code runs") {
    runtime::loop l(runtime::make_epoll_backend());
    http::exchange x;
    const std::string id = "id-1";
    fill(x, id);
    CHECK(request_summary::here().method.empty());
    {
        const runtime::working_for work(&x);
        const auto named = request_summary::here();
        CHECK(named.method == "PUT");
        CHECK(named.target == "/things/7?a=b");
        CHECK(named.route == "");
        CHECK(named.id == "id-1");
    }
    CHECK(request_summary::here().id.empty());
}

TEST_CASE("failures are logged once, with their request if any") {
    const auto text = said_by_process("logfmt", [] {
        runtime::loop l(runtime::make_epoll_backend());
        http::exchange x;
        const std::string id = "id-1";
        fill(x, id);
        server::log_failures();
        throw_and_tell();
        const runtime::working_for work(&x);
        throw_and_tell();
        base::report_failure(500, "internal error");  // the same failure was already reported as an exception
        base::report_failure(500, "the disk is full");
        base::report_failure(501, "no such method");
        base::report_failure(404, "no such thing");
        base::report_failure(502, "the upstream is down");
        base::report_failure(409, "the seat is taken", "row 12 is locked by worker 3");
    });
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].ends_with("what=\"a secret\""));
    CHECK(lines[1].ends_with("what=\"a secret\" target=\"/things/7?a=b\" method=PUT request_id=id-1"));
    CHECK(lines[2].contains("level=error msg=\"request failed\""));
    CHECK(lines[2].ends_with(
        "status=500 reason=\"the disk is full\" target=\"/things/7?a=b\" method=PUT request_id=id-1"));
    CHECK(lines[3].contains("level=warn msg=\"request failed\""));
    CHECK(lines[4].contains("level=info msg=\"request failed\""));
    CHECK(lines[4].contains("status=409 reason=\"the seat is taken\" cause=\"row 12 is locked by worker 3\""));
}

TEST_CASE("overload is logged at most once a second") {
    const auto text = said_by_process("logfmt", [] {
        server::log_failures();
        for (int i = 0; i < 10'000; ++i) base::report_failure(503, "too many requests in progress");
    });
    const auto lines = lines_of(text);
    CHECK(lines.size() >= 1);
    CHECK(lines.size() <= 10);  // at most one per second
}
