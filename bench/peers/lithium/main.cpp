// SPDX-License-Identifier: Apache-2.0

#include <lithium_http_server.hh>

#include <arpa/inet.h>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#ifndef LI_SYMBOL_a
#define LI_SYMBOL_a
LI_SYMBOL(a)
#endif
#ifndef LI_SYMBOL_b
#define LI_SYMBOL_b
LI_SYMBOL(b)
#endif
#ifndef LI_SYMBOL_id
#define LI_SYMBOL_id
LI_SYMBOL(id)
#endif
#ifndef LI_SYMBOL_message
#define LI_SYMBOL_message
LI_SYMBOL(message)
#endif
#ifndef LI_SYMBOL_ok
#define LI_SYMBOL_ok
LI_SYMBOL(ok)
#endif

namespace {

using namespace std::string_literals;

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

void plain(li::http_response& response, std::string_view text) {
    response.set_header("Content-Type", "text/plain");
    response.write(text);
}

void hello(li::http_request&, li::http_response& response) { plain(response, "Hello, World!"); }

void add_bodies(li::http_api& api) {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    api.get("/body/64k") = [](li::http_request&, li::http_response& response) { plain(response, small); };
    api.get("/body/1m") = [](li::http_request&, li::http_response& response) { plain(response, large); };
    api.post("/upload") = [](li::http_request& request, li::http_response& response) {
        // Its read_body(), which would give pieces, never finds the end: this is what its own parameters use.
        plain(response, std::to_string(request.http_ctx.read_whole_body().size()));
    };
}

void add_sum(li::http_api& api) {
    // A path has one handler here, so this one serves GET and POST.
    std::string_view path = "/baseline11";
    api(path) = [](li::http_request& request, li::http_response& response) {
        const auto query = request.get_parameters(s::a = int(), s::b = int());
        const std::string_view body = request.http_ctx.read_whole_body();
        int more = 0;
        std::from_chars(body.data(), body.data() + body.size(), more);
        plain(response, std::to_string(query.a + query.b + more));
    };
}

void add_routes(li::http_api& api) {
    const int routes = number_from("ROUTES", 0);
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        api.get(i % 2 ? path + "/{{id}}" : path) = hello;
    }
}

}  // namespace

int main() {
    const char* data = std::getenv("DATA");
    if (!data) {
        std::cerr << "lithium: set DATA to the folder with static, cert.pem and key.pem\n";
        return 1;
    }
    li::http_api api;
    api.get("/bench") = hello;
    api.get("/json") = [](li::http_request&, li::http_response& response) {
        response.write_json(s::message = "Hello, World!"s, s::id = 42, s::ok = true);
    };
    add_bodies(api);
    add_sum(api);
    add_routes(api);
    api.add_subapi("/static", li::serve_directory(data + "/static"s));

    const int threads = number_from("THREADS", 1);
    std::thread secure;
    if (const int tls_port = number_from("TLS_PORT", 0)) {
        secure = std::thread([=] {
            li::http_api tls_api;
            tls_api.get("/bench") = hello;
            li::http_serve(tls_api, htons(static_cast<std::uint16_t>(tls_port)), s::ip = "127.0.0.1"s, s::nthreads = threads,
                           s::ssl_key = data + "/key.pem"s, s::ssl_certificate = data + "/cert.pem"s);
        });
    }
    // With an address it takes the port as it goes over the wire.
    li::http_serve(api, htons(static_cast<std::uint16_t>(number_from("PORT", 8080))), s::ip = "127.0.0.1"s, s::nthreads = threads);
    if (secure.joinable()) secure.join();
}
