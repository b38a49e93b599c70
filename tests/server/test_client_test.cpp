// SPDX-License-Identifier: Apache-2.0
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "hello\n"; });
    app.get("/users/{id}", [](int id) { return "user " + std::to_string(id); });
    app.get("/field", [](apus::request& req) { return std::string(req.header("x-a")) + " from " + std::string(req.host()); });
    app.post("/echo", [](apus::body_text body) { return std::string(body.bytes); });
    app.put("/count", [](apus::request& req) -> apus::task<std::string> {
        std::size_t bytes = 0;
        while (true) {
            std::string_view piece = co_await req.read();
            if (piece.empty()) break;
            bytes += piece.size();
        }
        co_return std::to_string(bytes);
    });
    app.get("/stream", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("one ");
            co_await out.write("two");
            out.trailer("x-sum", "7");
        });
    });
    return app;
}

}  // namespace

TEST_CASE("a client asks an app by the real protocol") {
    apus::test::client client(make_app());
    const auto home = client.get("/");
    CHECK(home.status == 200);
    CHECK(home.body == "hello\n");
    CHECK(home.header("Content-Length") == "6");
    CHECK_FALSE(home.header("date").empty());
    CHECK_FALSE(home.closed);
    CHECK(client.get("/users/7").body == "user 7");
    CHECK(client.get("/users/x").status == 400);
    CHECK(client.post("/echo", "the body").body == "the body");
    CHECK(client.post("/echo", "").body == "");
    CHECK(client.get("/field", {{"x-a", "b"}, {"host", "there"}}).body == "b from there");
    CHECK(client.options("/echo").header("allow") == "POST, OPTIONS");
}

TEST_CASE("an answer to HEAD has the fields of one to GET, and no body") {
    apus::test::client client(make_app());
    const auto head = client.head("/");
    CHECK(head.status == 200);
    CHECK(head.header("content-length") == "6");
    CHECK(head.body.empty());
    CHECK(client.get("/").body == "hello\n");
}

TEST_CASE("bodies may be large, both ways, and chunked with trailers") {
    apus::test::client client(make_app());
    const std::string large(900'000, 'x');
    CHECK(client.put("/count", large).body == "900000");
    CHECK(client.post("/echo", large).body == large);
    const auto streamed = client.get("/stream");
    CHECK(streamed.body == "one two");
    CHECK(streamed.trailer_field("X-Sum") == "7");
}

TEST_CASE("bytes are sent as they are") {
    apus::test::client client(make_app());
    CHECK(client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /users/1 HTTP/1.1\r\nhost: a\r\n\r\n").body == "hello\n");
    CHECK(client.receive().body == "user 1");
    const auto refused = client.send("GET / HTTP/1.1\r\nbad field\r\n\r\n");
    CHECK(refused.status == 400);
    CHECK(refused.closed);
    CHECK(client.get("/").status == 200);  // on another connection
}

TEST_CASE("a client sets the limits, and does not wait for ever") {
    apus::limits small;
    small.body = 10;
    apus::test::client client(make_app(), {.bounds = small, .patience = apus::milliseconds(50)});
    CHECK(client.post("/echo", "eleven bytes").status == 413);
    CHECK_THROWS_WITH(client.send("GET / HTTP/1.1\r\nho"), "no answer within 50 ms");
}

TEST_CASE("clients of one thread do not see each other") {
    apus::test::client one(make_app());
    apus::test::client other(make_app());
    CHECK(one.get("/").status == 200);
    CHECK(other.get("/users/1").body == "user 1");
    one = apus::test::client(make_app());
    CHECK(one.get("/").status == 200);
    CHECK(other.get("/").status == 200);
}

TEST_CASE("a client posts forms and uploads") {
    apus::app app;
    app.post("/", [](apus::request& req) -> apus::task<std::string> {
        const std::string type(req.header("content-type"));
        auto body = co_await req.body();
        co_return type + "|" + body;
    });
    apus::test::client client(std::move(app));
    CHECK(client.form("/", {{"a", "b c"}}).expect(200).body == "application/x-www-form-urlencoded|a=b+c");
    CHECK(client.upload("/", {{"f", "text", "a.txt"}}).body.starts_with("multipart/form-data; boundary=apus-boundary|--apus-boundary\r\n"));
}

TEST_CASE("a client keeps cookies if it is told to") {
    for (bool keeps : {false, true}) {
        apus::app app;
        app.get("/set", [] {
            apus::response res;
            res.header("set-cookie", "a=1").header("set-cookie", "b=2; Path=/");
            return res;
        });
        app.get("/", [](apus::request& req) { return "[" + std::string(req.header("cookie")) + "]"; });
        apus::test::client client(std::move(app), {.cookies = keeps});
        CHECK(client.get("/").body == "[]");
        client.get("/set");
        CHECK(client.get("/").body == (keeps ? "[a=1; b=2]" : "[]"));
        CHECK(client.get("/", {{"cookie", "own=1"}}).body == "[own=1]");
        CHECK(client.cookie("b") == (keeps ? "2" : ""));
        client.forget_cookies();
        CHECK(client.get("/").body == "[]");
    }
}

TEST_CASE("an answer with another status than expected shows what was asked and what came") {
    apus::test::client client(make_app());
    CHECK(client.get("/").expect(200).body == "hello\n");
    std::string said;
    try {
        client.post("/echo", std::string(5000, 'x')).expect(201);
    } catch (const std::runtime_error& e) {
        said = e.what();
    }
    CHECK(said.starts_with("the answer has status 200, not 201:\nPOST /echo HTTP/1.1\r\nhost: localhost\r\n"));
    CHECK(said.contains("bytes more]\nHTTP/1.1 200 OK\r\n"));
    CHECK(said.size() < 4500);
}
