// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <App.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace peer {

inline int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

inline long number(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

template <class Response>
void plain(Response* res, std::string_view text) {
    res->writeHeader("Content-Type", "text/plain")->end(text);
}

inline const auto hello = [](auto* res, auto*) { plain(res, "Hello, World!"); };

template <class App>
void add_text(App& app) {
    app.get("/bench", hello);
}

template <class App>
void add_bodies(App& app) {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    app.get("/body/64k", [](auto* res, auto*) { plain(res, small); });
    app.get("/body/1m", [](auto* res, auto*) { plain(res, large); });
    app.post("/upload", [](auto* res, auto*) {
        res->onAborted([] {});
        res->onData([res, size = std::size_t{0}](std::string_view piece, bool last) mutable {
            size += piece.size();
            if (last) plain(res, std::to_string(size));
        });
    });
}

template <class App>
void add_sum(App& app) {
    app.get("/baseline11", [](auto* res, auto* req) {
        plain(res, std::to_string(number(req->getQuery("a")) + number(req->getQuery("b"))));
    });
    app.post("/baseline11", [](auto* res, auto* req) {
        const long sum = number(req->getQuery("a")) + number(req->getQuery("b"));
        res->onAborted([] {});
        res->onData([res, sum, body = std::string()](std::string_view piece, bool last) mutable {
            body += piece;
            if (last) plain(res, std::to_string(sum + number(body)));
        });
    });
}

template <class App>
void add_routes(App& app) {
    const int routes = number_from("ROUTES", 0);
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        app.get(i % 2 ? path + "/:id" : path, hello);
    }
}

struct nothing {};

template <class App>
void add_echo(App& app) {
    app.template ws<nothing>(
        "/ws", {.maxPayloadLength = 1 << 20,
                .message = [](auto* ws, std::string_view text, uWS::OpCode code) { ws->send(text, code); }});
}

}  // namespace peer
