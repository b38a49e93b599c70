// SPDX-License-Identifier: Apache-2.0
#include "nats/handshake.hpp"

#include "nats/scripted_nats.hpp"
#include "runtime/security.hpp"

#include <apus/tls.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

/// Connects to a scripted server. Returns "value" or "STATUS cause".
std::string reached(const scripted_nats::options& o, const char* backend, const char* scheme = "nats://",
                    std::uint64_t timeout = 10'000) {
    const scripted_nats server(o);
    core_user u(backend);
    nats::shared_state state{.to = nats::read_url(scheme + server.host()), .options = {}, .tls = {}, .name = {}};
    if (state.to.secure) state.tls = client_tls(client_tls_options());
    const std::uint64_t due = u.at.loop->now() + timeout;
    return core_user::failure(u.run(nats::connect(state, *u.at.loop, state.to.hosts.front(), due)));
}

/// Flushes on a scripted server. Returns "value" or "STATUS cause".
std::string flushed(const scripted_nats::options& o, const char* backend) {
    const scripted_nats server(o);
    nats_user u(server.url(), backend);
    return u.failure(u.client.flush());
}

}  // namespace

TEST_CASE("a NATS server that responds correctly, also byte by byte") {
    on_each_backend([&](const char* backend) {
        for (const std::size_t piece : {0UL, 1UL, 5UL}) {
            const std::vector<scripted_nats::step> steps = {{"", nats_info},
                                                            {"CONNECT {", "+OK\r\nPING\r\n"},
                                                            {"PONG\r\n", nats_info + "PONG\r\n"},
                                                            {"PING\r\n", "PONG\r\n"}};
            // The client sends PING together with CONNECT.
            CHECK(flushed({.steps = scripted_nats::accepted({{"PING\r\n", "PONG\r\n"}}), .piece = piece}, backend) ==
                  "value");
            CHECK(flushed({.steps = steps, .piece = piece}, backend) == "value");
        }
    });
}

TEST_CASE("a NATS server that is not one, or refuses the client: an error in time") {
    using step = scripted_nats::step;
    const std::string oversize = "INFO {\"x\":\"" + std::string(70'000, 'x') + "\"}\r\n";
    const struct {
        std::vector<step> steps;
        std::string failure;
        const char* scheme = "nats://";
        bool closes = false;
        std::uint64_t timeout = 10'000;
    } cases[] = {
        {{}, "503 timeout: NATS does not respond", "nats://", false, 100},
        {{}, "503 NATS has closed the connection", "nats://", true},
        {{{"", "HTTP/1.1 400 Bad Request\r\n\r\n"}}, "503 unknown operation from the NATS server"},
        {{{"", "\x15\x03\x01"}}, "503 unknown operation from the NATS server"},
        {{{"", oversize}}, "503 a line from the NATS server exceeds the limit"},
        {{{"", oversize.substr(0, 66'000)}}, "503 a line from the NATS server exceeds the limit"},
        {{{"", "INFO {\r\n"}}, "503 malformed INFO from the NATS server"},
        {{{"", "INFO []\r\n"}}, "503 malformed INFO from the NATS server"},
        {{{"", "INFO {\"max_payload\":-5}\r\n"}}, "503 malformed INFO from the NATS server"},
        {{{"", "PING\r\n"}}, "503 the NATS server has not begun with INFO"},
        {{{"", "MSG a 1 1\r\n"}}, "503 a message from the NATS server exceeds the limit"},
        {{{"", nats_info + "-ERR 'maximum connections exceeded'\r\n"}},
         "503 the server has refused the connection: maximum connections exceeded"},
        {{{"", nats_info}, {"CONNECT", "-ERR 'Authorization\nViolation'\r\n"}},
         "503 malformed operation from the NATS server"},
        {{{"", nats_info}, {"CONNECT", "-ERR 'Authorization Violation'\r\n"}},
         "503 the server has refused the connection: Authorization Violation"},
        {{{"", nats_info}, {"CONNECT", "MSG a 1 0\r\n\r\n"}}, "503 NATS has sent an unexpected message"},
        {{{"", nats_info}, {"CONNECT", "INFO {\r\n"}}, "503 malformed INFO from the NATS server"},
        {{{"", nats_info}}, "503 timeout: NATS does not respond", "nats://", false, 1'000},
        {{{"", nats_info}}, "503 NATS has closed the connection", "nats://", true},
        {{{"", "INFO {\"auth_required\":true,\"nonce\":\"x\"}\r\n"}},
         "503 the server requires NKeys, which are not supported"},
        {{{"", "INFO {\"tls_required\":true}\r\n"}}, "503 the server requires TLS: use a URL tls://"},
        {{{"", nats_info}}, "503 the server does not support TLS", "tls://"},
        {{{"", "INFO {\"tls_required\":true}\r\nPING\r\n"}},
         "503 the server has sent bytes before the TLS handshake",
         "tls://"},
        {{{"", "INFO {\"tls_available\":true}\r\n"}, {"\x16", "PONG\r\n"}},
         "503 the TLS handshake has failed",
         "tls://"},
        {{{"", "INFO {\"tls_required\":true}\r\n"}, {"\x16"}}, "503 the TLS handshake has failed", "tls://", true},
        {{{"", "INFO {\"tls_required\":true}\r\n"}}, "503 timeout while connecting", "tls://", false, 1'000},
    };
    on_each_backend([&](const char* backend) {
        for (const auto& one : cases) {
            CAPTURE(one.failure);
            CHECK(reached({.steps = one.steps, .closes = one.closes}, backend, one.scheme, one.timeout) == one.failure);
        }
        for (std::size_t cut = 0; cut < nats_info.size(); cut += 3)
            CHECK(reached({.steps = {{"", nats_info.substr(0, cut)}}, .closes = true}, backend) ==
                  "503 NATS has closed the connection");
    });
}

TEST_CASE("NATS over TLS") {
    const std::string file = "/tmp/apus_nats_test_" + std::to_string(getpid()) + ".pem";
    server_tls_options own;
    own.certificates = {{.certificate = file}};
    own.self_signed = true;
    REQUIRE(server_tls(own)->open(false));
    on_each_backend([&](const char* backend) {
        nats_server server("tls { cert_file: \"" + file + "\", key_file: \"" + file + "\" }");
        const std::string port = server.host().substr(server.host().find(':'));
        const auto outcome = [&](const std::string& url, const std::string& authorities) {
            nats_user u(url, backend, {.connect_timeout = milliseconds(1'000), .tls_authorities = authorities});
            return u.failure(u.client.flush());
        };
        CHECK(outcome("tls://localhost" + port, "") == "503 the certificate is not trusted: self-signed certificate");
        CHECK(outcome("nats://localhost" + port, "") == "503 the server requires TLS: use a URL tls://");
        nats_user u("tls://localhost" + port, backend, {.tls_authorities = file});
        auto s = u.client.subscribe("a");
        CHECK(u.next(s) == "gap");
        u.value(u.client.publish("a", std::string(500'000, 'x')));
        CHECK(u.next(s).size() == 500'002);
        server.kill();
        server.start();
        CHECK(u.next(s) == "gap");
        u.value(u.client.publish("a", "y"));
        CHECK(u.next(s) == "a y");
    });
    ::unlink(file.c_str());
}
