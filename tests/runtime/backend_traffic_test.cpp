// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <string>

using namespace apus;
using namespace apus::test;
using runtime::backend;

TEST_CASE("bytes of an undecided socket are counted when their kind is known, exactly once") {
    on_each_backend([](backend& io) {
        noting_stream one(io), other(io);
        one.begin_traffic_as(runtime::socket::undecided_traffic);
        other.begin_traffic_as(1);
        for (auto* s : {&one, &other}) {
            io.receive(*s);
            s->give("question");
            CHECK(turn_until(io, [&] { return s->got == "question"; }));
        }
        CHECK(io.traffic(1).received == 8);
        CHECK(io.traffic(2).received == 0);
        io.decide_traffic(one, 2, 8);
        io.decide_traffic(one, 2, 8);
        io.decide_traffic(other, 2, 8);
        CHECK(io.traffic(2).received == 8);
        one.give("more");
        CHECK(turn_until(io, [&] { return one.got == "questionmore"; }));
        CHECK(io.traffic(2).received == 12);
        CHECK(io.traffic(1).received == 8);
        send_batch(io, one, "answer");
        std::string taken;
        CHECK(turn_until(io, [&] { return (taken += one.take()) == "answer"; }));
        CHECK(io.traffic(2).sent == 6);
    });
}
