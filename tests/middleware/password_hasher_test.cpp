// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/password.hpp>
#include <apus/test.hpp>

#include "crypto/argon2id.hpp"
#include "runtime/blocking.hpp"
#include "runtime/running_task.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;

namespace {

// Returns the verdict of a handler that verifies a password, or the status of its error.
std::string seen(std::string password, std::string kept, password_hasher by) {
    app a;
    a.get("/", [password, kept, by]() -> task<std::string> {
        const password_verdict v = co_await by.verify(password, kept);
        co_return std::string(v.correct ? "correct" : "wrong") + (v.outdated ? " outdated" : "");
    });
    test::client to(std::move(a));
    const auto got = to.get("/");
    return got.status == 200 ? got.body : std::to_string(got.status);
}

std::string hashed(const std::string& password, password_hasher by) {
    app a;
    a.get("/", [password, by] { return by.hash(password); });
    test::client to(std::move(a));
    const auto got = to.get("/");
    return got.status == 200 ? got.body : std::to_string(got.status);
}

std::string mistake(const password_hasher_options& how) {
    try {
        const password_hasher made(how);
        return "none";
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("a password matches its hash, and no other one does") {
    const password_hasher by;
    const std::string kept = hashed("correct horse", by);
    CHECK(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    CHECK(hashed("correct horse", by) != kept);
    CHECK(seen("correct horse", kept, by) == "correct");
    for (const char* other : {"correct horsE", "correct horse ", "", "correct hors"})
        CHECK(seen(other, kept, by) == "wrong");
}

TEST_CASE("sizes of passwords") {
    const password_hasher by;
    CHECK(hashed("", by) == "422");
    CHECK(hashed(std::string(1'025, 'x'), by) == "422");
    const std::string longest(1'024, 'x'), kept = hashed(longest, by);
    CHECK(seen(longest, kept, by) == "correct");
    CHECK(seen(longest + 'x', kept, by) == "wrong");
    const std::string with_nul("a\0b", 3);
    CHECK(seen(with_nul, hashed(with_nul, by), by) == "correct");
    CHECK(seen(std::string("a\0c", 3), hashed(with_nul, by), by) == "wrong");
}

TEST_CASE("an unknown user matches no password") {
    const password_hasher by;
    for (const char* guess : {"", "nobody's", "password"}) CHECK(seen(guess, "", by) == "wrong");
    const std::string nobody = crypto::argon2id_of_nobody({19'456, 2});
    CHECK(crypto::argon2id_cost_of(nobody) == crypto::argon2id_cost{19'456, 2});
    CHECK_FALSE(crypto::is_argon2id_of(nobody, "password"));
}

TEST_CASE("hashes of another cost are outdated") {
    const password_hasher now, before(password_hasher_options{.memory = 12'288, .passes = 3});
    const std::string kept = hashed("correct horse", before);
    CHECK(seen("correct horse", kept, now) == "correct outdated");
    CHECK(seen("wrong horse", kept, now) == "wrong");
    CHECK(seen("correct horse", kept, before) == "correct");
}

TEST_CASE("hashes of other programs are accepted, invalid ones are a program error") {
    const password_hasher by;
    // Created by the reference implementation, argon2-cffi 25.1, with one lane and with four lanes.
    CHECK(seen("password",
               "$argon2id$v=19$m=8192,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$/X5EVS2D22ucK8nb1tiP4PrNEd9GVKwh/oAT/XoF68M",
               by) == "correct outdated");
    CHECK(seen("password", "$argon2id$v=19$m=8192,t=2,p=4$c29tZXNhbHRzb21lc2FsdA$BStbC8vrH/uilctgsqTtPBLJBrEoX3BE",
               by) == "correct outdated");
    for (const char* kept :
         {"plain", "$2b$12$abcdefghijklmnopqrstuv", "$argon2id$", "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
          "$argon2id$v=19$m=19456,t=17,p=1$c2FsdHNhbHQ$aGFzaA", "$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
          "$argon2id$v=16$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
          "$argon2id$v=19$m=99999999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA"}) {
        CAPTURE(std::string(kept));
        CHECK(seen("password", kept, by) == "500");
    }
    CHECK(seen("password", "$argon2id$v=19$m=19456,t=2,p=1$broken", by) == "wrong");
}

TEST_CASE("checks over the queue limit are refused, all others run") {
    runtime::blocking_threads threads;
    runtime::loop loop(runtime::make_epoll_backend());
    const password_hasher by(password_hasher_options{.running = 1, .waiting = 2});
    test::running_task first(by.hash("password")), second(by.hash("password")), third(by.hash("password")),
        fourth(by.hash("password"));
    REQUIRE(fourth.ended());
    CHECK(fourth.wait().error().status() == 503);
    for (auto* one : {&first, &second, &third}) {
        CHECK_FALSE(one->ended());
        CHECK(one->wait().has_value());
    }
}

TEST_CASE("a check that waits too long is refused") {
    runtime::blocking_threads threads;
    runtime::loop loop(runtime::make_epoll_backend());
    const password_hasher by(password_hasher_options{.running = 1, .wait = duration()});
    test::running_task first(by.hash("password")), second(by.hash("password"));
    CHECK(second.wait().error().status() == 503);
    CHECK(first.wait().has_value());
}

TEST_CASE("an abandoned check keeps its slot until its memory is free") {
    runtime::blocking_threads threads;
    runtime::loop loop(runtime::make_epoll_backend());
    const password_hasher by(password_hasher_options{.running = 1, .waiting = 1});
    for (int i = 0; i < 3; ++i) test::running_task cancelled(by.hash("password"));
    test::running_task next(by.hash("password"));
    CHECK(next.wait().has_value());
}

TEST_CASE("options that are too weak or too expensive") {
    const std::string little =
        "password_hasher: too little memory for this number of passes; 19456 KiB with 2 passes suffice";
    CHECK(mistake({}) == "none");
    CHECK(mistake({.memory = 47'104, .passes = 1}) == "none");
    CHECK(mistake({.memory = 47'103, .passes = 1}) == little);
    CHECK(mistake({.memory = 19'455, .passes = 2}) == little);
    CHECK(mistake({.memory = 7'168, .passes = 9}) == "none");
    CHECK(mistake({.memory = 7'167, .passes = 16}) == little);
    CHECK(mistake({.memory = 1'048'577}) == "password_hasher: memory must be at most 1048576 KiB");
    CHECK(mistake({.passes = 0}) == "password_hasher: passes must be from 1 to 16");
    CHECK(mistake({.passes = 17}) == "password_hasher: passes must be from 1 to 16");
    CHECK(mistake({.running = 0}) == "password_hasher: running must be at least 1");
}
