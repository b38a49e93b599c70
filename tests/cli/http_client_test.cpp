// SPDX-License-Identifier: Apache-2.0
#include "cli/system/http_client.hpp"

#include "cli/system/descriptor.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace apus::cli;

namespace {

// Accepts one connection, sends an answer, and then closes the connection, or keeps it open until the client leaves.
class one_answer {
public:
    one_answer(std::string_view answer, bool closes) {
        sockaddr_in any{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
        socklen_t size = sizeof any;
        REQUIRE(bind(listener_.fd, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0);
        REQUIRE(listen(listener_.fd, 1) == 0);
        REQUIRE(getsockname(listener_.fd, reinterpret_cast<sockaddr*>(&any), &size) == 0);
        port_ = ntohs(any.sin_port);
        answers_ = std::thread([this, answer, closes] {
            const system::descriptor client{accept(listener_.fd, nullptr, nullptr)};
            char request[4096];
            if (recv(client.fd, request, sizeof request, 0) <= 0) return;
            send(client.fd, answer.data(), answer.size(), MSG_NOSIGNAL);
            while (!closes && recv(client.fd, request, sizeof request, 0) > 0) {}
        });
    }
    ~one_answer() { answers_.join(); }
    one_answer(const one_answer&) = delete;
    one_answer& operator=(const one_answer&) = delete;

    std::string address() const { return std::to_string(port_); }

private:
    system::descriptor listener_{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    int port_ = 0;
    std::thread answers_;
};

std::string failure_of(std::string_view address, std::chrono::milliseconds longest) {
    try {
        system::http_client(address).get("/", "*/*", longest);
    } catch (const system::http_client::error& why) {
        return why.what();
    }
    return "no failure";
}

}  // namespace

TEST_CASE("http_client: a complete response") {
    const one_answer server("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", true);
    const auto got =
        system::http_client("http://127.0.0.1:" + server.address() + "/").get("/x", "*/*", std::chrono::seconds(60));
    CHECK(got.status == 404);
    CHECK(got.body == "gone");
}

TEST_CASE("http_client: servers that do not respond, or not completely") {
    const struct {
        std::string_view answer;
        bool closes;
        std::string_view failure;
    } rows[] = {
        {"", false, "the server does not respond"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhal", false, "the server does not respond"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhal", true, "the response is truncated"},
        {"", true, "the response is not HTTP/1.1, so this is not an Apus server"},
        {"SSH-2.0-OpenSSH_9.2\r\n", true, "the response is not HTTP/1.1, so this is not an Apus server"},
        {"HTTP/1.1 200 OK\r\nContent-Le", true, "the response is not HTTP/1.1, so this is not an Apus server"},
    };
    for (const auto& [answer, closes, failure] : rows) {
        CAPTURE(answer);
        CAPTURE(closes);
        const one_answer server(answer, closes);
        CHECK(failure_of(server.address(), closes ? std::chrono::seconds(60) : std::chrono::milliseconds(200)) ==
              failure);
    }
}

TEST_CASE("http_client: addresses that are invalid, or where nothing listens") {
    const struct {
        std::string_view address, failure;
    } rows[] = {
        {"", "the address is invalid"},
        {"localhost:", "the address is invalid"},
        {"localhost:http", "the address is invalid"},
        {":123456", "the address is invalid"},
        {"127.0.0.1:1", "Connection refused"},
        {"unix:", "the path is invalid"},
        {"unix:/no/such/socket", "No such file or directory"},
    };
    for (const auto& [address, failure] : rows) {
        CAPTURE(address);
        CHECK(failure_of(address, std::chrono::seconds(60)) == failure);
    }
    CHECK(failure_of("unix:/" + std::string(200, 'x'), std::chrono::seconds(60)) == "the path is invalid");
}
