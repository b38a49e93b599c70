// SPDX-License-Identifier: Apache-2.0
#include "jobs/cron.hpp"
#include "jobs/handlers.hpp"
#include "jobs/membership.hpp"
#include "jobs/worker.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::jobs::beat_observer;
using apus::jobs::cron;
using apus::jobs::retry_delay;

namespace {

constexpr std::int64_t day = 86'400;
constexpr std::int64_t monday = 4 * day;  // 1970-01-05

std::int64_t next(const char* expression, std::int64_t at) {
    const auto made = cron::parse(expression);
    REQUIRE_MESSAGE(made, expression);
    return made->after(at).value_or(-1);
}

}  // namespace

TEST_CASE("cron: expressions are parsed strictly") {
    for (const char* valid : {"* * * * *", "0 3 * * 1-5", "*/15 0-6/2 1,15 jan,JUL sun", "59 23 31 12 7",
                              "0  0 29  2 *", "0 0 * * mon-fri", "0-59/59 * * * *"})
        CHECK_MESSAGE(cron::parse(valid), valid);
    for (const char* invalid : {"",
                                " ",
                                "*",
                                "* * * *",
                                "* * * * * *",
                                " * * * * *",
                                "* * * * * ",
                                "60 * * * *",
                                "* 24 * * *",
                                "* * 0 * *",
                                "* * 32 * *",
                                "* * * 0 *",
                                "* * * 13 *",
                                "* * * * 8",
                                "-1 * * * *",
                                "5-1 * * * *",
                                "1- * * * *",
                                "1,,2 * * * *",
                                ", * * * *",
                                "*/0 * * * *",
                                "*/60 * * * *",
                                "5/2 * * * *",
                                "1-5/ * * * *",
                                "a * * * *",
                                "* * * janu *",
                                "* * * * monday",
                                "**  * * * *",
                                "@daily",
                                "00000 * * * *",
                                "*\t* * * *",
                                "0 0 31 2 *",
                                "0 0 30 feb *",
                                "0 0 31 4,6,9,11 *"})
        CHECK_MESSAGE(!cron::parse(invalid), invalid);
    CHECK(cron::parse("60 * * * *").error() == "invalid minute");
    CHECK(cron::parse("0 0 31 2 *").error() == "no day matches the expression");
}

TEST_CASE("cron: the next and the last tick") {
    CHECK(next("* * * * *", 0) == 60);
    CHECK(next("* * * * *", 59) == 60);
    CHECK(next("30 3 * * *", 0) == 3 * 3600 + 30 * 60);
    CHECK(next("30 3 * * *", 3 * 3600 + 30 * 60) == day + 3 * 3600 + 30 * 60);
    CHECK(next("0 0 * * mon", 0) == monday);
    CHECK(next("0 0 * * 7", monday) == monday + 6 * day);
    CHECK(next("0 0 1 * *", monday) == 31 * day);
    CHECK(next("0 0 13 * fri", 0) == day);                      // either day matches
    CHECK(next("0 0 */2 * mon", 0) == monday);                  // `*/2` does not count as a restriction
    CHECK(next("0 0 29 2 *", 951'782'400) == 1'078'012'800);    // 2000-02-29 to 2004-02-29
    CHECK(next("0 0 29 2 *", 4'000'000'000) == 4'233'686'400);  // 2096-10-02 to 2104-02-29: 2100 has no such day
    const auto weekly = cron::parse("0 0 * * mon");
    CHECK(weekly->at_or_before(monday) == monday);
    CHECK(weekly->at_or_before(monday - 1) == monday - 7 * day);
    CHECK(weekly->at_or_before(monday + 5 * day + 1) == monday);
    CHECK(weekly->at_or_before(-1) == monday - 7 * day);
}

TEST_CASE("jobs: the delay of retries doubles up to its maximum, and a random part is removed") {
    const apus::jobs::handler_options how{.retry_delay = apus::seconds(1), .max_retry_delay = apus::seconds(60)};
    CHECK(retry_delay(how, 1, 0) == 1'000);
    CHECK(retry_delay(how, 2, 0) == 2'000);
    CHECK(retry_delay(how, 6, 0) == 32'000);
    CHECK(retry_delay(how, 7, 0) == 60'000);
    CHECK(retry_delay(how, 1'000'000, 0) == 60'000);
    CHECK(retry_delay(how, 2, 1) == 1'000);
    CHECK(retry_delay({.retry_delay = {}}, 9, 0.5) == 0);
}

TEST_CASE("jobs: a node is dead if its beat stays the same for the lease while the table can be read") {
    beat_observer o(1'000);
    const auto dead = [&](std::int64_t a, std::int64_t b, std::uint64_t now) {
        std::string names;
        for (const auto& row : o.dead({{"a", a}, {"b", b}}, now)) names += row.id;
        return names;
    };
    CHECK(dead(1, 1, 10'000) == "");
    CHECK(dead(2, 1, 10'400) == "");
    CHECK(dead(3, 1, 10'800) == "");
    CHECK(dead(4, 1, 11'000) == "b");
    CHECK(dead(4, 2, 11'300) == "");
    CHECK(dead(4, 2, 60'000) == "");  // no read in between: the nodes, too, may have lost the database
    CHECK(dead(4, 2, 60'999) == "");
    CHECK(dead(4, 2, 61'001) == "ab");
}
