// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>

#include <charconv>
#include <string_view>

namespace {

using drogon::Get;
using drogon::HttpRequestPtr;
using drogon::HttpResponse;
using drogon::HttpResponsePtr;
using drogon::Post;
using peer::answer;

long number(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

HttpResponsePtr plain(std::string text) {
    auto response = HttpResponse::newHttpResponse(drogon::k200OK, drogon::CT_TEXT_PLAIN);
    response->setBody(std::move(text));
    return response;
}

void upload(const HttpRequestPtr&, drogon::RequestStreamPtr&& stream, answer&& send) {
    auto size = std::make_shared<std::size_t>(0);
    stream->setStreamReader(
        drogon::RequestStreamReader::newReader([size](const char*, std::size_t length) { *size += length; },
                                               [size, send = std::move(send)](std::exception_ptr broken) {
                                                   if (!broken) send(plain(std::to_string(*size)));
                                               }));
}

void sum(const HttpRequestPtr& request, answer&& send) {
    send(plain(std::to_string(number(request->getParameter("a")) + number(request->getParameter("b")) +
                              number(request->body()))));
}

}  // namespace

namespace peer {

void hello(const HttpRequestPtr&, answer&& send) { send(plain("Hello, World!")); }

void add_texts() {
    auto& app = drogon::app();
    app.registerHandler("/bench", &hello, {Get});
    app.registerHandler("/json",
                        [](const HttpRequestPtr&, answer&& send) {
                            Json::Value value;
                            value["message"] = "Hello, World!";
                            value["id"] = 42;
                            value["ok"] = true;
                            send(HttpResponse::newHttpJsonResponse(std::move(value)));
                        },
                        {Get});
}

void add_bodies() {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    auto& app = drogon::app();
    app.registerHandler("/body/64k", [](const HttpRequestPtr&, answer&& send) { send(plain(small)); }, {Get});
    app.registerHandler("/body/1m", [](const HttpRequestPtr&, answer&& send) { send(plain(large)); }, {Get});
    app.registerHandler("/upload", &upload, {Post});
    app.registerHandler("/baseline11", &sum, {Get, Post});
}

void add_routes(int routes) {
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        if (i % 2)
            drogon::app().registerHandler(path + "/{id}",
                                          [](const HttpRequestPtr& request, answer&& send, const std::string&) {
                                              hello(request, std::move(send));
                                          },
                                          {Get});
        else drogon::app().registerHandler(path, &hello, {Get});
    }
}

}  // namespace peer
