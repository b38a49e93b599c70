// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/json.hpp>
#include <apus/security_headers.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace apus;
using test::wire;

namespace {

struct note {
    std::string text;
    double number = 1;
};

std::string expected(std::size_t size) { return "{\"text\":\"" + std::string(size, 'x') + "\",\"number\":1}"; }

app notes_app() {
    app a;
    const auto make = [](std::size_t size) { return note{std::string(size, 'x')}; };
    a.get("/{size}", make);
    a.get("/wrapped/{size}", with(security_headers()), make);
    a.get("/later/{size}", [make](std::size_t size) -> task<note> { co_return make(size); });
    a.get("/created/{size}", [make](std::size_t size) { return created(make(size)).at("/7"); });
    a.get("/found/{size}", [make](std::size_t size) -> std::optional<note> {
        if (size == 0) return std::nullopt;
        return make(size);
    });
    a.get("/nan/{size}",
          [](std::size_t size) { return note{std::string(size, 'x'), std::numeric_limits<double>::quiet_NaN()}; });
    return a;
}

// Removes the next response from `all`, and returns its body if Content-Length is correct.
std::string next_body(std::string& all, std::string_view status = "HTTP/1.1 200 OK\r\n") {
    const auto end = all.find("\r\n\r\n");
    if (!all.starts_with(status) || end == all.npos) return "no head: " + all.substr(0, 200);
    const std::string head = all.substr(0, end + 2);
    const auto at = head.find("\r\nContent-Length: ");
    if (at == head.npos || head.find("Content-Length", at + 4) != head.npos) return "no size: " + head;
    const std::size_t size = std::stoul(head.substr(at + 18));
    if (!head.contains("\r\nContent-Type: application/")) return "no type: " + head;
    std::string body = all.substr(end + 4, size);
    all.erase(0, end + 4 + size);
    return body.size() == size ? body : "cut: " + body;
}

std::string get(std::string_view path, std::string_view rest = "") {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(rest) + "\r\n";
}

constexpr std::size_t sizes[] = {1,    1,    80,     9,      500, 1,      980,    975,    976,     977, 4000, 9999,
                                 4200, 9000, 16'000, 16'360, 7,   16'361, 16'384, 40'000, 100'000, 3,   0};

}  // namespace

TEST_CASE("JSON of any size has its Content-Length, whatever the size of the route's previous response") {
    for (const std::string path : {"/", "/wrapped/", "/later/"}) {
        CAPTURE(path);
        wire w(notes_app());
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            w.send(get(path + std::to_string(size)));
            std::string all = w.until(",\"number\":1}");
            CHECK(next_body(all) == expected(size));
            CHECK(all.empty());
        }
    }
}

TEST_CASE("JSON responses to pipelined requests") {
    wire w(notes_app());
    std::string requests;
    for (const std::size_t size : sizes) requests += get("/" + std::to_string(size));
    w.send(requests + get("/created/5", "Connection: close\r\n"));
    std::string all = w.rest();
    for (const std::size_t size : sizes) CHECK(next_body(all) == expected(size));
    CHECK(next_body(all, "HTTP/1.1 201 Created\r\n") == expected(5));
    CHECK(all.empty());
}

TEST_CASE("JSON responses with header fields that are added after the body") {
    wire w(notes_app());
    for (const std::size_t size : sizes) {
        w.send(get("/created/" + std::to_string(size)));
        std::string all = w.until(",\"number\":1}");
        CHECK(all.contains("\r\nlocation: /7\r\n"));
        CHECK(next_body(all, "HTTP/1.1 201 Created\r\n") == expected(size));
    }
}

TEST_CASE("JSON responses to HEAD and to HTTP/1.0, and with Connection: close") {
    const auto all_of = [](const std::string& request) {
        wire w(notes_app());
        w.send(request);
        return w.rest();
    };
    std::string head = all_of("HEAD /80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(head.contains("\r\nContent-Length: " + std::to_string(expected(80).size()) + "\r\n"));
    CHECK(head.ends_with("\r\n\r\n"));
    std::string last = all_of(get("/80", "Connection: close\r\n"));
    CHECK(last.contains("\r\nConnection: close\r\n\r\n{"));
    CHECK(next_body(last) == expected(80));
    std::string old = all_of("GET /80 HTTP/1.0\r\n\r\n");
    CHECK(next_body(old) == expected(80));
    std::string kept = all_of("GET /80 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /81 HTTP/1.0\r\n\r\n");
    CHECK(kept.contains("\r\nConnection: keep-alive\r\n\r\n{"));
    CHECK(next_body(kept) == expected(80));
    CHECK(next_body(kept) == expected(81));
}

TEST_CASE("an error while JSON is printed, and an error instead of JSON") {
    wire w(notes_app());
    for (const std::size_t size : {10U, 5000U, 50'000U}) {
        w.send(get("/nan/" + std::to_string(size)) + get("/found/0") + get("/found/10"));
        std::string all = w.until(",\"number\":1}");
        CHECK(next_body(all, "HTTP/1.1 500 Internal Server Error\r\n").contains("\"status\":500"));
        CHECK(next_body(all, "HTTP/1.1 404 Not Found\r\n").contains("\"status\":404"));
        CHECK(next_body(all) == expected(10));
    }
}
