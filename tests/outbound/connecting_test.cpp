// SPDX-License-Identifier: Apache-2.0
#include "outbound/connecting.hpp"

#include "outbound/servers.hpp"

#include <cerrno>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

// A port without a listener.
net::endpoint closed_port() { return net::listener::open(*net::endpoint::parse("127.0.0.1:0")).value().where(); }

}  // namespace

TEST_CASE("addresses are tried in turn, until one responds") {
    own_loop on;
    app_server up(on, app());
    const auto open = *net::endpoint::parse(up.url());
    const struct {
        std::vector<net::endpoint> addresses;
        bool connects;
        int error;
    } cases[] = {
        {{open}, true, 0},
        {{closed_port(), closed_port(), open}, true, 0},
        {{closed_port(), closed_port()}, false, ECONNREFUSED},
        {{}, false, 0},
    };
    for (const auto& c : cases) {
        outbound::connect_errors why;
        auto made = on.wait(outbound::connect_in_turn(on.loop, {.addresses = c.addresses, .keep_alive = true},
                                                      on.loop.now() + 5'000, why));
        REQUIRE(made);
        CHECK((*made != nullptr) == c.connects);
        CHECK(why.error == c.error);
    }
    CHECK(up.accepts == 2);
}

TEST_CASE("no address is tried after the deadline") {
    own_loop on;
    app_server up(on, app());
    const std::vector addresses{*net::endpoint::parse(up.url())};
    outbound::connect_errors why;
    auto made = on.wait(outbound::connect_in_turn(on.loop, {.addresses = addresses}, on.loop.now(), why));
    REQUIRE(made);
    CHECK(*made == nullptr);
    CHECK(why.error == 0);
}
