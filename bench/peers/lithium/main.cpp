// SPDX-License-Identifier: Apache-2.0

#include "symbols.hpp"

#include <lithium_http_server.hh>

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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
        // Lithium's read_body() never finds the end of a body in pieces; its own form parser uses read_whole_body().
        plain(response, std::to_string(request.http_ctx.read_whole_body().size()));
    };
}

void add_sum(li::http_api& api) {
    // Lithium allows one handler per path, so this one handles GET and POST.
    std::string_view path = "/baseline11";
    api(path) = [](li::http_request& request, li::http_response& response) {
        const auto query = request.get_parameters(s::a = int(), s::b = int());
        const std::string_view body = request.http_ctx.read_whole_body();
        int more = 0;
        std::from_chars(body.data(), body.data() + body.size(), more);
        plain(response, std::to_string(query.a + query.b + more));
    };
}

auto rating() { return li::mmm(s::score = int(), s::count = int()); }

template <class Flag>
auto item(Flag active) {
    return li::mmm(s::id = int(), s::name = std::string(), s::category = std::string(), s::price = int(),
                   s::quantity = int(), s::active = active, s::tags = std::vector<std::string>(), s::rating = rating());
}

using read_item = decltype(item(int()));
using kept_item = decltype(item(bool()));
using priced_item = decltype(li::cat(kept_item(), li::mmm(s::total = int())));

// Lithium's JSON reader does not support booleans; only its writer does.
std::vector<kept_item> read_items(std::string text) {
    text = std::regex_replace(text, std::regex(": true\\b"), ": 1");
    text = std::regex_replace(text, std::regex(": false\\b"), ": 0");
    std::vector<read_item> from;
    if (auto failed = li::json_decode(text, from)) {
        std::cerr << "lithium: dataset.json is not as expected: " << failed.what << "\n";
        std::exit(1);
    }
    std::vector<kept_item> items(from.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        li::map(items[i], [&](auto field, auto& value) { value = from[i][field]; });
    return items;
}

void add_items(li::http_api& api, const std::string& file) {
    std::ifstream in(file);
    if (!in) return;
    const auto all = std::make_shared<std::vector<kept_item>>(read_items({std::istreambuf_iterator<char>(in), {}}));
    api.get("/json/{{count}}") = [all](li::http_request& request, li::http_response& response) {
        const int count = std::min(request.url_parameters(s::count = int()).count, static_cast<int>(all->size()));
        const int m = request.get_parameters(s::m = int()).m;
        std::vector<priced_item> items;
        for (const auto& one : std::span(*all).first(static_cast<std::size_t>(count)))
            items.push_back(li::cat(one, li::mmm(s::total = one.price * one.quantity * m)));
        response.write_json(s::items = items, s::count = count);
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
    add_items(api, data + "/dataset.json"s);
    add_routes(api);
    api.add_subapi("/static", li::serve_directory(data + "/static"s));

    const int threads = number_from("THREADS", 1);
    std::thread secure;
    if (const int tls_port = number_from("TLS_PORT", 0)) {
        secure = std::thread([=] {
            li::http_api tls_api;
            tls_api.get("/bench") = hello;
            li::http_serve(tls_api, htons(static_cast<std::uint16_t>(tls_port)), s::ip = "127.0.0.1"s,
                           s::nthreads = threads, s::ssl_key = data + "/key.pem"s,
                           s::ssl_certificate = data + "/cert.pem"s);
        });
    }
    // If an address is given, lithium expects the port in network byte order.
    li::http_serve(api, htons(static_cast<std::uint16_t>(number_from("PORT", 8080))), s::ip = "127.0.0.1"s,
                   s::nthreads = threads);
    if (secure.joinable()) secure.join();
}
