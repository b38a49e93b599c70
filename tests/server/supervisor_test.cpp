// SPDX-License-Identifier: Apache-2.0
#include "server/supervisor.hpp"

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

// Returns the output of a server with the app from `make`, which must exit with this status.
template <class F>
std::string said_by_server(F make, int status, serve_options options = {}) {
    return said_by_process(
        "logfmt",
        [&] {
            close(1);
            options.port = 0;
            int ended = 0;
            {
                supervisor one(detail::make_with(make), options, 1);
                ended = one.run();
            }
            std::exit(ended);
        },
        status);
}

}  // namespace

TEST_CASE("signals during startup stop the server once it has started") {
    auto stopped = [](std::initializer_list<int> sent) {
        return [signals = std::vector(sent)] {
            for (const int number : signals) kill(getpid(), number);
            return app();
        };
    };
    CHECK(said_by_server(stopped({SIGTERM}), 0).contains("msg=stopped"));
    CHECK(said_by_server(stopped({SIGHUP, SIGINT}), 0).contains("SIGHUP has no effect"));
}

TEST_CASE("failing to make the app is reported") {
    const auto text = said_by_server([]() -> app { throw std::runtime_error("no database"); }, start_failed);
    CHECK(text == "error: no database\n");
}

TEST_CASE("signals are read instead of taking effect") {
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
