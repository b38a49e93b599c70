// SPDX-License-Identifier: Apache-2.0
#include "postgres/database.hpp"

#include <cstdlib>
#include <list>
#include <string>

using namespace apus;
using support::postgres_server;
using test::database;

namespace {

/// Returns the result of a statement on a new connection: rows, or "! STATUS cause".
std::string asked(const std::string& url, const std::string& sql = "select 1") {
    database db(url, "", {.connect_timeout = seconds(5)});
    return db.query(sql);
}

std::string host(const postgres_server& s) { return "127.0.0.1:" + std::to_string(s.port()); }

/// Whether a shell command succeeds.
bool runs(const std::string& command) { return std::system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0; }

/// Enables TLS on the server, with a new certificate for localhost.
/// root.crt in the server's folder contains the certificate too.
void use_tls(postgres_server& server) {
    const std::string at = server.folder() + "/data/server", root = server.folder() + "/root.crt";
    const std::string make =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
        at + ".key -out " + at + ".crt";
    REQUIRE(runs(make + " && cp " + at + ".crt " + root + " && chmod 644 " + root + " && chmod 600 " + at +
                 ".key && chown --reference=" + server.folder() + "/data " + at + ".key " + at + ".crt"));
    server.run("alter system set ssl = on");
    server.stop();
    server.start();
}

}  // namespace

TEST_CASE("passwords by SCRAM: the right one connects, a wrong one is an error and not repeated") {
    postgres_server server({.settings = {"password_encryption=scram-sha-256"},
                            .hba = "host all app 127.0.0.1/32 scram-sha-256\nlocal all app scram-sha-256\n",
                            .tcp = true});
    server.run("create role app login password 'p@ss'");
    const auto url = [&](const char* password) {
        return "postgres://app:" + std::string(password) + "@" + host(server) + "/postgres?sslmode=disable";
    };
    CHECK(asked(url("p%40ss"), "select current_user") == "app");
    const std::string refused = asked(url("other"));
    CHECK(refused.starts_with("! 503"));
    CHECK(refused.contains("password authentication failed"));
    CHECK_FALSE(refused.contains("other"));
    const std::string socket = server.url();
    CHECK(asked("postgres://app:p%40ss@" + socket.substr(socket.find('@') + 1), "select current_user") == "app");
}

TEST_CASE("TLS: verify-full connects to the host of the certificate and to no other") {
    postgres_server server({.settings = {},
                            .hba = "hostssl all all 127.0.0.1/32 trust\nhostnossl all all 127.0.0.1/32 reject\n",
                            .tcp = true});
    const std::string trusted = "&sslrootcert=" + server.folder() + "/root.crt";
    const std::string port = ":" + std::to_string(server.port()) + "/postgres?hostaddr=127.0.0.1&sslmode=";
    const char* const secure = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    use_tls(server);
    CHECK(asked("postgres://postgres@localhost" + port + "verify-full" + trusted, secure) == "true");
    CHECK(asked("postgres://postgres@example.test" + port + "verify-full" + trusted).starts_with("! 503"));
    CHECK(asked("postgres://postgres@localhost" + port + "disable").starts_with("! 503"));
    // The server gets a certificate that the client does not trust.
    REQUIRE(runs("cp " + server.folder() + "/root.crt " + server.folder() + "/old.crt"));
    use_tls(server);
    CHECK(asked("postgres://postgres@localhost" + port + "verify-full&sslrootcert=" + server.folder() + "/old.crt")
              .starts_with("! 503"));
}

TEST_CASE("large parameters and results, and many statements at once, over TLS") {
    postgres_server server({.settings = {}, .hba = "hostssl all all 127.0.0.1/32 trust\n", .tcp = true});
    use_tls(server);
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        database db("postgres://postgres@" + host(server) + "/postgres?sslmode=require", backend, {.connections = 2});
        CHECK(db.query("select length($1)", std::string(1'000'000, 'x')) == "1000000");
        CHECK(db.query("select repeat('x', 3000000)").size() == 3'000'000);
        CHECK(db.query("select n from generate_series(1, 100000) n").size() == 588'894);
        std::list<test::running_task<sql::outcome>> all;
        for (int i = 0; i < 300; ++i)
            all.emplace_back(db.engine->execute(db.statement("select $1::int, repeat('x', 1000)", i)));
        int i = 0;
        for (auto& one : all) CHECK(database::shown(one.wait()).starts_with(std::to_string(i++) + "|xxx"));
    }
}

TEST_CASE("a statement is cancelled over TLS as well") {
    postgres_server server({.settings = {}, .hba = "hostssl all all 127.0.0.1/32 trust\n", .tcp = true});
    use_tls(server);
    test::database db("postgres://postgres@" + host(server) + "/postgres?sslmode=require", "", {.connections = 1});
    db.wait = 200;
    CHECK(db.query("select pg_sleep(100)").starts_with("! 504"));
    db.wait = 10'000;
    CHECK(db.query("select 1") == "1");
}

TEST_CASE("several hosts: the writable one is used, and another one after a failover") {
    const support::postgres_options listening{.settings = {}, .hba = "", .tcp = true};
    postgres_server one(listening), other(listening);
    const auto set_read_only = [&](const std::string& how) {
        one.run("alter system set default_transaction_read_only = " + how);
        one.run("select pg_reload_conf()");
    };
    set_read_only("on");
    const std::string url = "postgres://postgres@" + host(one) + "," + host(other) +
                            "/postgres?sslmode=disable&target_session_attrs=read-write";
    database db(url, "", {.connections = 2});
    const char* const which = "select inet_server_port()";
    REQUIRE(db.turn_until([&] { return db.query(which) == std::to_string(other.port()); }));
    other.kill();
    set_read_only("off");
    CHECK(db.turn_until([&] { return db.query(which) == std::to_string(one.port()); }));
}
