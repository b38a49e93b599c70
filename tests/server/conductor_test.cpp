// SPDX-License-Identifier: Apache-2.0
#include "server/conductor.hpp"

#include "server/process_output.hpp"
#include "server/signals.hpp"

#include <apus/app.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

using namespace apus;
using namespace apus::server;
using test::said_by_process;

namespace {

// What a server says whose app is made by `make`, and which ends with this status.
template <class F>
std::string said_by_server(F make, int status, serve_options options = {}) {
    return said_by_process(
        "logfmt",
        [&] {
            close(1);
            options.port = 0;
            int ended = 0;
            {
                conductor one(detail::make_with(make), options, 1);
                ended = one.conduct();
            }
            std::exit(ended);
        },
        status);
}

}  // namespace

TEST_CASE("signals that come while the app is made stop the server when it is") {
    auto stopped = [](std::initializer_list<int> sent) {
        return [signals = std::vector(sent)] {
            for (const int number : signals) kill(getpid(), number);
            return app();
        };
    };
    CHECK(said_by_server(stopped({SIGTERM}), 0).contains("msg=stopped"));
    CHECK(said_by_server(stopped({SIGHUP, SIGINT}), 0).contains("SIGHUP has no effect"));
}

TEST_CASE("an app that cannot be made is told") {
    const auto text = said_by_server([]() -> app { throw std::runtime_error("no database"); }, could_not_begin);
    CHECK(text == "error: no database\n");
}

TEST_CASE("signals are read in place of their effect") {
    using kind = signals::kind;
    signals s;
    CHECK(s.fd() >= 0);
    CHECK(s.read().of == kind::none);
    std::raise(SIGINT);
    const auto interrupted = s.read();
    CHECK(interrupted.of == kind::stop);
    CHECK(interrupted.number == SIGINT);
    std::raise(SIGHUP);
    CHECK(s.read().of == kind::reload);
    CHECK(s.read().of == kind::none);
    std::raise(SIGPIPE);
}
