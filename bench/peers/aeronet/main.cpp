// SPDX-License-Identifier: Apache-2.0

#include "json.hpp"

#include <aeronet/aeronet-server.hpp>
#include <aeronet/http-json.hpp>
#include <aeronet/static-file-handler.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace aeronet;

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

long number(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

HttpResponse hello(const HttpRequestView& request) { return request.makeResponse("Hello, World!"); }

void add_bodies(Router& router) {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    router.setPath(http::Method::GET, "/body/64k", [](const HttpRequestView& request) {
        return request.makeResponse(http::StatusCodeOK).bodyStatic(small);
    });
    router.setPath(http::Method::GET, "/body/1m", [](const HttpRequestView& request) {
        return request.makeResponse(http::StatusCodeOK).bodyStatic(large);
    });
    router.setPath(http::Method::POST, "/upload", [](HttpRequestView& request) -> RequestTask<HttpResponse> {
        std::size_t size = 0;
        while (request.hasMoreBody()) {
            const std::string_view piece = co_await request.readBodyAsync();
            if (piece.empty()) break;
            size += piece.size();
        }
        co_return HttpResponse(http::StatusCodeOK).body(std::to_string(size));
    });
}

void add_json(Router& router, const std::string& dataset) {
    router.setPath(http::Method::GET, "/json", [](const HttpRequestView& request) {
        auto response = request.makeResponse(http::StatusCodeOK);
        response.bodyJson(peer::greeting{"Hello, World!", 42, true});
        return response;
    });
    router.setPath(http::Method::GET, "/json/{count}",
                   [all = peer::read_items(dataset)](const HttpRequestView& request) {
                       const auto count = static_cast<std::size_t>(number(request.pathParamValueOrEmpty("count")));
                       auto response = request.makeResponse(http::StatusCodeOK);
                       response.bodyJson(peer::priced(all, count, request.queryParamInt<int>("m").value_or(1)));
                       return response;
                   });
}

HttpResponse sum(const HttpRequestView& request) {
    const long query = request.queryParamInt<long>("a").value_or(0) + request.queryParamInt<long>("b").value_or(0);
    return request.makeResponse(std::to_string(query + number(request.body())));
}

void add_routes(Router& router) {
    const int routes = number_from("ROUTES", 0);
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        router.setPath(http::Method::GET, i % 2 ? path + "/{id}" : path, hello);
    }
}

void add_middlewares(Router& router) {
    auto& route = router.setPath(http::Method::GET, "/middlewares", hello);
    for (int i = 0; i < 10; ++i) route.before([](HttpRequestView&) { return MiddlewareResult::Continue(); });
}

std::unique_ptr<websocket::WebSocketHandler> echo(const HttpRequestView&) {
    auto handler = std::make_unique<websocket::WebSocketHandler>();
    auto* socket = handler.get();
    websocket::WebSocketCallbacks callbacks;
    callbacks.onMessage = [socket](std::span<const std::byte> message, bool binary) {
        if (binary) socket->sendBinary(message);
        else socket->sendText({reinterpret_cast<const char*>(message.data()), message.size()});
    };
    handler->setCallbacks(std::move(callbacks));
    return handler;
}

HttpServerConfig settings(int port) {
    Http2Config http2;
    http2.enable = true;
    http2.enableH2c = true;
    HttpServerConfig config;
    config.withPort(static_cast<std::uint16_t>(port))
        .withNbThreads(static_cast<std::uint32_t>(number_from("THREADS", 1)));
    config.withMaxBodyBytes(33'554'432).withMaxRequestsPerConnection(UINT32_MAX).withHttp2(http2).withTcpNoDelay();
    config.keepAliveTimeout = std::chrono::seconds(60);
    return config;
}

}  // namespace

int main() {
    const char* data = std::getenv("DATA");
    if (!data) {
        std::cerr << "aeronet: set DATA to the folder with static, cert.pem and key.pem\n";
        return 1;
    }
    SignalHandler::Enable();
    std::signal(SIGPIPE, SIG_IGN);  // as in aeronet's own benchmark, since aeronet sends with write and writev

    Router router;
    router.setPath(http::Method::GET, "/bench", hello);
    router.setPath(http::Method::GET | http::Method::POST, "/baseline11", sum);
    router.setPath(http::Method::GET, "/static/*", StaticFileHandler(data));
    router.setWebSocket("/ws", WebSocketEndpoint::WithFactory(echo));
    add_json(router, data + std::string("/dataset.json"));
    add_bodies(router);
    add_middlewares(router);
    add_routes(router);

    std::optional<HttpServer> secure;
    if (const int tls_port = number_from("TLS_PORT", 0)) {
        Router tls_router;
        tls_router.setPath(http::Method::GET, "/bench", hello);
        auto config = settings(tls_port);
        config.withTlsCertKey(data + std::string("/cert.pem"), data + std::string("/key.pem"));
        config.withTlsAlpnProtocols({"h2", "http/1.1"});
        secure.emplace(std::move(config), std::move(tls_router));
        secure->start();
    }
    HttpServer(settings(number_from("PORT", 8080)), std::move(router)).run();
}
