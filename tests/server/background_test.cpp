// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace apus;

TEST_CASE("periodic work starts at once, does not overlap, and continues after errors") {
    struct row {
        int takes;  // duration in milliseconds
        bool fails;
        const char* log;  // expected log after 9.9 seconds
    };
    const row rows[] = {
        {0, false, "-+-+-+-+-+"}, {500, false, "-+-+-+-+-+"}, {500, true, "-----"}, {2'500, false, "-+-+-"}};
    for (const row& r : rows) {
        CAPTURE(r.takes);
        std::string log;
        app a, mounted;
        mounted.every(seconds(2), [&log, &r]() -> task<> {
            log += '-';
            if (r.takes) co_await apus::sleep_for(milliseconds(r.takes));
            if (r.fails) throw std::runtime_error("fails each time");
            log += '+';
        });
        a.mount(std::move(mounted));
        {
            test::client client(std::move(a));
            client.advance(milliseconds(9'900));
        }
        CHECK(log == r.log);
    }
    CHECK_THROWS_AS(app().every(duration(), []() -> task<> { co_return; }), std::invalid_argument);
}

TEST_CASE("background tasks are cancelled with the app, after tasks of requests") {
    struct noted {
        std::string& log;
        const char* what;
        ~noted() { log += what; }
    };
    std::string log;
    {
        app a;
        a.background([&log]() -> task<> {
            const noted here{log, "background ended. "};
            co_await apus::sleep_for(seconds(3600));
        });
        a.get("/", [&log, &tasks = a.tasks()] {
            auto mail = [](std::string& to, int ms) -> task<> {
                const noted here{to, "mail ended. "};
                co_await apus::sleep_for(milliseconds(ms));
                to += "mail sent. ";
            };
            tasks.spawn(mail(log, 100));
            tasks.spawn(mail(log, 3'600'000));
            return "accepted";
        });
        test::client client(std::move(a));
        CHECK(client.get("/").body == "accepted");
        CHECK(log == "");
        client.advance(seconds(1));
        CHECK(log == "mail sent. mail ended. ");
        log.clear();
    }
    CHECK(log == "background ended. mail ended. ");
}
