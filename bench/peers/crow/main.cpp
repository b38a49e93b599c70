// SPDX-License-Identifier: Apache-2.0

#include <crow.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace {

// Crow's local middleware, which runs only for routes that name it.
template <int>
struct pass : crow::ILocalMiddleware {
    struct context {};
    void before_handle(crow::request&, crow::response&, context&) {}
    void after_handle(crow::request&, crow::response&, context&) {}
};

using application = crow::App<pass<0>, pass<1>, pass<2>, pass<3>, pass<4>, pass<5>, pass<6>, pass<7>, pass<8>, pass<9>>;

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

long number(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

crow::response plain(std::string text) { return {"txt", std::move(text)}; }

crow::response hello() { return plain("Hello, World!"); }

void add_texts(application& app) {
    CROW_ROUTE(app, "/bench")(hello);
    CROW_ROUTE(app, "/json")
    ([] {
        crow::json::wvalue answer;
        answer["message"] = "Hello, World!";
        answer["id"] = 42;
        answer["ok"] = true;
        return answer;
    });
    CROW_ROUTE(app, "/middlewares")
        .CROW_MIDDLEWARES(app, pass<0>, pass<1>, pass<2>, pass<3>, pass<4>, pass<5>, pass<6>, pass<7>, pass<8>,
                          pass<9>)(hello);
}

void add_bodies(application& app) {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    CROW_ROUTE(app, "/body/64k")([] { return plain(small); });
    CROW_ROUTE(app, "/body/1m")([] { return plain(large); });
    CROW_ROUTE(app, "/upload").methods(crow::HTTPMethod::Post)([](const crow::request& request) {
        return plain(std::to_string(request.body.size()));
    });
    CROW_ROUTE(app, "/baseline11")
        .methods(crow::HTTPMethod::Get, crow::HTTPMethod::Post)([](const crow::request& request) {
            const char* a = request.url_params.get("a");
            const char* b = request.url_params.get("b");
            return plain(std::to_string(number(a ? a : "") + number(b ? b : "") + number(request.body)));
        });
}

void add_items(application& app, const std::string& file) {
    std::ifstream in(file);
    if (!in) return;
    const auto all =
        std::make_shared<crow::json::rvalue>(crow::json::load(std::string(std::istreambuf_iterator<char>(in), {})));
    CROW_ROUTE(app, "/json/<uint>")
    ([all](const crow::request& request, unsigned count) {
        const char* text = request.url_params.get("m");
        const long m = text ? number(text) : 1;
        crow::json::wvalue::list items;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, all->size()); ++i) {
            const auto& one = (*all)[i];
            crow::json::wvalue item(one);
            item["total"] = one["price"].i() * one["quantity"].i() * m;
            items.push_back(std::move(item));
        }
        crow::json::wvalue answer;
        answer["count"] = items.size();
        answer["items"] = std::move(items);
        return answer;
    });
}

void add_routes(application& app) {
    const int routes = number_from("ROUTES", 0);
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        if (i % 2) app.route_dynamic(path + "/<string>")([](std::string) { return hello(); });
        else app.route_dynamic(path)([] { return hello(); });
    }
}

void send(crow::websocket::connection& to, const std::string& message, bool binary) {
    if (binary) to.send_binary(message);
    else to.send_text(message);
}

struct everybody {
    std::mutex guard;
    std::unordered_set<crow::websocket::connection*> members;
};

void add_sockets(application& app, everybody& all) {
    CROW_WEBSOCKET_ROUTE(app, "/ws").onmessage(send);
    CROW_WEBSOCKET_ROUTE(app, "/broadcast")
        .onopen([&all](crow::websocket::connection& member) {
            const std::lock_guard lock(all.guard);
            all.members.insert(&member);
        })
        .onclose([&all](crow::websocket::connection& member, const std::string&, std::uint16_t) {
            const std::lock_guard lock(all.guard);
            all.members.erase(&member);
        })
        .onmessage([&all](crow::websocket::connection&, const std::string& message, bool binary) {
            const std::lock_guard lock(all.guard);
            for (auto* member : all.members) send(*member, message, binary);
        });
}

}  // namespace

int main() {
    // Crow uses one of its threads only for accepting.
    const auto threads = static_cast<unsigned>(number_from("THREADS", 1)) + 1;
    const auto data = std::getenv("DATA");
    if (!data) {
        std::cerr << "crow: set DATA to the folder with static, cert.pem and key.pem\n";
        return 1;
    }

    crow::SimpleApp secure;
    std::future<void> secure_ends;
    if (const int tls_port = number_from("TLS_PORT", 0)) {
        CROW_ROUTE(secure, "/bench")(hello);
        secure.loglevel(crow::LogLevel::Warning)
            .bindaddr("127.0.0.1")
            .port(static_cast<std::uint16_t>(tls_port))
            .concurrency(threads);
        secure.timeout(60).ssl_file(data + std::string("/cert.pem"), data + std::string("/key.pem"));
        secure_ends = secure.run_async();
    }

    everybody all;
    application app;
    add_texts(app);
    add_bodies(app);
    add_items(app, data + std::string("/dataset.json"));
    add_routes(app);
    add_sockets(app, all);
    app.loglevel(crow::LogLevel::Warning)
        .bindaddr("127.0.0.1")
        .port(static_cast<std::uint16_t>(number_from("PORT", 8080)));
    app.concurrency(threads).timeout(60).run();
}
