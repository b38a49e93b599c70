// SPDX-License-Identifier: Apache-2.0
#include "codec/postgres/integer.hpp"
#include "postgres/database.hpp"
#include "postgres/scripted_server.hpp"

#include <chrono>
#include <list>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

/// Returns the result of a statement on this server, "! STATUS ..." or rows. Checks the time.
std::string asked(const scripted_server::options& o, const char* backend, int wait = 150) {
    const scripted_server server(o);
    database db(server.url(), backend, {.connect_timeout = milliseconds(wait), .connections = 1});
    db.wait = static_cast<std::uint64_t>(wait);
    const auto began = std::chrono::steady_clock::now();
    auto statement = db.statement("select 1");
    statement.result_size = 1 << 20;
    const auto got = db.run(db.engine->execute(std::move(statement)));
    std::string shown;
    try {
        shown = database::shown(got);
    } catch (const std::runtime_error& why) {
        shown = std::string("! ") + why.what();
    }
    // Includes time for a busy machine.
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::milliseconds(wait) + std::chrono::seconds(2));
    return shown;
}

const std::string row = message('D', number2(1) + number4(4) + number4(42));
const std::string done = message('2', "") + row + message('C', std::string("SELECT 1\0", 9)) + message('Z', "I");

std::string failure_of(std::string_view severity, std::string_view state) {
    std::string body = "S" + std::string(severity) + '\0' + "V" + std::string(severity) + '\0' + "C" +
                       std::string(state) + '\0' + "Mno" + '\0';
    return message('E', body + '\0');
}

}  // namespace

TEST_CASE("a server that sends valid messages, also byte by byte") {
    for (const char* backend : {"epoll", "uring"})
        for (const std::size_t piece : {0UL, 1UL, 5UL})
            CHECK(asked({.says = {welcome(), prepared_answer(), done}, .piece = piece}, backend, 5'000) == "42");
}

TEST_CASE("a server that sends nothing, closes, or truncates its messages: an error in time") {
    const std::string all = welcome() + prepared_answer() + done;
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        CHECK(asked({}, backend).starts_with("! 50"));
        CHECK(asked({.says = {welcome()}}, backend).starts_with("! 504"));
        CHECK(asked({.says = {welcome(), prepared_answer()}}, backend).starts_with("! 504"));
        for (std::size_t cut = 0; cut < done.size(); cut += 3)
            CHECK(asked({.says = {welcome(), prepared_answer(), done.substr(0, cut)}, .closes = true}, backend)
                      .starts_with("! 503"));
        for (std::size_t cut = 0; cut < welcome().size(); cut += 5)
            CHECK(asked({.says = {welcome().substr(0, cut)}, .closes = true}, backend).starts_with("! 50"));
    }
}

TEST_CASE("a server that sends invalid messages: an error in time, and no crash") {
    const std::vector<std::string> senseless = {
        done + done,
        row + done,
        message('Z', "I"),
        message('Z', "T"),
        message('G', std::string("\0\0\0", 3)),
        message('H', std::string("\0\0\0", 3)),
        message('2', "") + message('H', std::string("\0\0\1\0\0", 5)) + message('d', "x") + message('Z', "I"),
        message('2', "") + message('G', std::string("\0\0\1\0\0", 5)) + message('Z', "I"),
        message('W', std::string("\0\0\0", 3)),
        message('2', "") + message('D', number2(9) + number4(4)) + message('Z', "I"),
        message('2', "") + message('D', number2(1) + number4(0x7fffffff)) + message('Z', "I"),
        message('2', "") + message('D', "", 0x7fffffff),
        message('2', "") + one_column() + row,
        message('2', "") + row,
        message('2', "") + message('2', "") + row,
        message('1', "") + done,
        message('3', "") + done,
        message('2', "") + row + message('I', ""),
        message('2', "") + row + message('s', "") + message('Z', "I"),
        message('2', "") + message('C', "SELECT 1"),
        message('2', "") + row + message('Z', "I"),
        message('2', "") + row + message('C', std::string("SELECT 1\0", 9)) + row,
        message('2', "") + row + message('C', std::string("SELECT 1\0", 9)) + message('Z', "X"),
        message('2', "") + row + message('C', std::string("SELECT 1\0", 9)) + message('Z', "II"),
        failure_of("ERROR", "XX000") + row,
        failure_of("ERROR", "XX000") + failure_of("ERROR", "XX000") + message('Z', "I"),
        message('E', "SERROR"),
        message('E', ""),
        message('T', "", 0x7ffffff0),
        message('E', "", 0x7fffffff),
        message('Q', "x", 3),
        message('2', "", 0),
        message('v', number4(0)),
        message('2', "") + message('T', number2(65535)) + message('Z', "I"),
        message('2', "") + message('C', std::string("UPDATE 99999999999999999999\0", 28)) + message('Z', "I"),
        failure_of("FATAL", "57P01"),
        failure_of("ERROR", "XX000"),
        failure_of("PANIC", ""),
        std::string(100'000, '\0'),
        std::string(100'000, '\xff'),
    };
    for (const char* backend : {"epoll", "uring"})
        for (const std::string& s : senseless)
            for (const auto& says : {std::vector{welcome(), prepared_answer(), s}, {welcome(), s}, {s}}) {
                CAPTURE(backend);
                const std::string shown = s.substr(0, 20);
                CAPTURE(shown);
                const std::string got = asked({.says = says, .closes = says.size() == 2}, backend);
                CHECK((got.starts_with("! ") || got == "42" || got == "0" || got.empty()));
            }
}

TEST_CASE("unsolicited messages may arrive at any point") {
    const std::string notice = message('N', std::string("SNOTICE\0C00000\0Mx\0\0", 19));
    const std::string aside =
        notice + message('S', std::string("TimeZone\0UTC\0", 13)) + message('A', number4(1) + std::string("a\0b\0", 4));
    const auto with = [&](const std::string& messages) {
        std::string all = aside;
        for (std::size_t at = 0; at < messages.size();) {
            const std::size_t size = 1 + codec::postgres::load<std::uint32_t>(messages.data() + at + 1);
            all += messages.substr(at, size) + aside;
            at += size;
        }
        return all;
    };
    for (const char* backend : {"epoll", "uring"})
        for (const std::size_t piece : {0UL, 7UL})
            CHECK(asked({.says = {welcome(), with(prepared_answer()), with(done)}, .piece = piece}, backend, 5'000) ==
                  "42");
}

TEST_CASE("an error in the middle of rows fails only its own statement") {
    for (const char* backend : {"epoll", "uring"}) {
        const scripted_server server(
            {.says = {welcome(), prepared_answer(),
                      message('2', "") + row + row + failure_of("ERROR", "22012") + message('Z', "I"), done}});
        database db(server.url(), backend, {.connections = 1});
        CHECK(db.query("select 1").starts_with("! 500 SQLSTATE 22012"));
        CHECK(db.query("select 1") == "42");
    }
}

TEST_CASE("the statements of a turn are sent together, and each has its own result") {
    on_each_backend(
        [](database& db) {
            db.query("select $1::int", 0);
            std::list<running_task<sql::outcome>> all;
            for (int i = 0; i < 200; ++i)
                all.emplace_back(db.engine->execute(db.statement("select 100 / $1::int", i % 7)));
            int i = 0;
            for (auto& one : all) {
                const int n = i++ % 7;
                CHECK(
                    database::shown(one.wait()).starts_with(n == 0 ? "! 500 SQLSTATE 22012" : std::to_string(100 / n)));
            }
        },
        {.connections = 2});
}

TEST_CASE("a server that sends without end: the received bytes are limited") {
    const std::string text = message('D', number2(1) + number4(100'000) + std::string(100'000, 'x'));
    std::string rows = message('2', ""), notices, notifications;
    for (int i = 0; i < 300; ++i) rows += text;
    for (int i = 0; i < 20'000; ++i) notifications += message('A', number4(1) + std::string("a\0b\0", 4));
    const std::string notice = message('N', std::string("SNOTICE\0VNOTICE\0C00000\0Mx\0\0", 27));
    for (int i = 0; i < 20'000; ++i) notices += notice;
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        CHECK(asked({.says = {welcome(), prepared_answer(), rows}}, backend, 5'000).starts_with("! 500"));
        CHECK(asked({.says = {welcome(), prepared_answer(), notices + done}}, backend, 5'000) == "42");
        CHECK(asked({.says = {welcome(), prepared_answer(), notifications + done}}, backend, 5'000) == "42");
    }
}

TEST_CASE("a result of nearly as many bytes as are allowed is read") {
    on_each_backend([](database& db) {
        for (const char* text :
             {"select repeat('x', 9000000)", "select repeat('x', 900) from generate_series(1, 9000)"}) {
            auto large = db.statement(text);
            large.result_size = 16'000'000;
            const auto got = db.run(db.engine->execute(std::move(large)));
            REQUIRE(got);
            CHECK(got->found->size() > 0);
        }
    });
}

TEST_CASE("COPY as a statement is an error, and the database continues to work") {
    on_each_backend([](database& db) {
        db.query("create table t (n int)");
        db.wait = 2'000;
        CHECK(db.query("copy t from stdin").starts_with("! 500 SQLSTATE 0A000"));
        CHECK(db.query("copy t to stdout").starts_with("! 500 SQLSTATE 0A000"));
        CHECK(db.query("select 1") == "1");
    });
}
