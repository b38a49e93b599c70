// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/representation.hpp>
#include <apus/rules.hpp>
#include <apus/secret.hpp>
#include <apus/sql.hpp>

#include <chrono>
#include <doctest/doctest.h>

namespace {

struct celsius {
    std::int64_t tenths = 0;
};

struct measured {
    std::string place;
    celsius most;
    std::optional<celsius> least;
    std::chrono::minutes every;
    apus::secret<apus::text<4, 20>> key;
};

template <class T>
apus::result<T> wait_for(apus::task<T> t) {
    apus::test::running_task<T> running(std::move(t));
    return std::move(running.wait());
}

}  // namespace

template <>
struct apus::representation<celsius> {
    using type = std::int64_t;
    static std::int64_t to(const celsius& c) { return c.tenths; }
    static std::optional<celsius> from(std::int64_t n) { return n < -2731 ? std::nullopt : std::optional(celsius{n}); }
    static constexpr std::string_view expected = "tenths of a degree";
};

TEST_CASE("types of a program and secrets are columns") {
    std::string why;
    apus::runtime::loop loop(apus::runtime::make_backend("", why));
    const apus::sql::database db("sqlite::memory:");
    REQUIRE(wait_for(
        db.run("create table m (place text primary key, most integer, least integer, every integer, key text)")));
    const measured sent{
        .place = "Bern", .most = {385}, .least = {}, .every = std::chrono::minutes(10), .key = "open-sesame"};
    REQUIRE(wait_for(db.run("insert into m values ($1, $2, $3, $4, $5)", sent)));
    const auto got = wait_for(db.one<measured>("select * from m where most = $1 and key = $2", celsius{385}, sent.key));
    REQUIRE(got);
    CHECK(got->most.tenths == 385);
    CHECK(!got->least);
    CHECK(got->every == std::chrono::minutes(10));
    CHECK(got->key.reveal() == "open-sesame");
    CHECK(wait_for(db.one<celsius>("select most from m"))->tenths == 385);

    const auto twice = wait_for(db.run("insert into m values ($1, $2, $3, $4, $5)", sent));
    REQUIRE(!twice);
    CHECK(twice.error().status() == 409);
    CHECK(twice.error().cause() ==
          "SQLSTATE 23505 constraint m.place table m column place: message hidden, a parameter is a secret; statement: "
          "insert into m values "
          "($1, $2, $3, $4, $5)");
    REQUIRE(wait_for(db.run("update m set most = -5000, key = 'abc'")));
    const auto cold = wait_for(db.one<celsius>("select most from m"));
    REQUIRE(!cold);
    CHECK(cold.error().cause().contains("takes tenths of a degree"));
    const auto key = wait_for(db.one<apus::secret<apus::text<4, 20>>>("select key from m"));
    REQUIRE(!key);
    CHECK(!key.error().cause().contains("abc"));
}
