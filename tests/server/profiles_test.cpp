// SPDX-License-Identifier: Apache-2.0
#include "server/profiles.hpp"

#include "profiling/cpu_sampler.hpp"
#include "runtime/blocking.hpp"
#include "server/blocked_times.hpp"

#include <apus/app.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

namespace {

server::blocked_times blocked;
const runtime::blocking_threads threads;

app make_app() {
    app made;
    server::add_profiles(made, blocked, threads);
    return made;
}

}  // namespace

TEST_CASE("the duration of a profile is limited") {
    test::client client(make_app());
    for (const std::string seconds : {"0", "61", "-1", "x", "1.5", "99999999999999999999"})
        CHECK(client.get("/debug/pprof/profile?seconds=" + seconds).status == 422);
}

TEST_CASE("a CPU profile is refused while another one is recorded") {
    test::client client(make_app());
    const auto other = profiling::cpu_sampler::start(nullptr);
    REQUIRE(other);
    const auto refused = client.get("/debug/pprof/profile?seconds=1");
    CHECK(refused.status == 409);
    CHECK(refused.body.contains("another CPU profile is being recorded"));
}

TEST_CASE("a heap profile needs a program with APUS_PROFILE_HEAP") {
    test::client client(make_app());
    CHECK(client.get("/debug/pprof/heap").status == 404);
}

TEST_CASE("a block profile has the times of blocked cores") {
    test::client client(make_app());
    blocked.add({}, "/slow/{id}", {1, 250});
    const auto answer = client.get("/debug/pprof/block");
    CHECK(answer.status == 200);
    for (const char* text : {"contentions", "delay", "/slow/{id}", "blocked core, without a stack"})
        CHECK(answer.body.contains(text));
}
