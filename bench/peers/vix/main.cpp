// SPDX-License-Identifier: Apache-2.0

#include <vix.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace {

using vix::App;
using vix::http::Request;
using vix::http::ResponseWrapper;

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

long number(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void hello(Request&, ResponseWrapper& response) { response.text("Hello, World!"); }

void add_texts(App& app) {
    app.get("/bench", hello);
    app.get("/json", [](Request&, ResponseWrapper& response) {
        response.json({"message", "Hello, World!", "id", 42, "ok", true});
    });
}

void add_bodies(App& app) {
    static const std::string small(65'536, 'x');
    static const std::string large(1'048'576, 'x');
    app.get("/body/64k", [](Request&, ResponseWrapper& response) { response.text(small); });
    app.get("/body/1m", [](Request&, ResponseWrapper& response) { response.text(large); });
    app.post("/upload",
             [](Request& request, ResponseWrapper& response) { response.text(std::to_string(request.body().size())); });
}

void add_items(App& app, const std::string& file) {
    std::ifstream in(file);
    if (!in) return;
    const auto all = std::make_shared<const vix::json::Json>(vix::json::Json::parse(in));
    app.get("/json/{count}", [all](Request& request, ResponseWrapper& response) {
        const auto count = std::min<std::size_t>(static_cast<std::size_t>(number(request.param("count"))), all->size());
        const long m = number(request.query_value("m", "1"));
        vix::json::Json items = vix::json::Json::array();
        for (std::size_t i = 0; i < count; ++i) {
            auto& item = items.emplace_back((*all)[i]);
            item["total"] = item["price"].get<long>() * item["quantity"].get<long>() * m;
        }
        response.json(vix::json::Json{{"items", std::move(items)}, {"count", count}});
    });
}

void add_middlewares(App& app) {
    for (int i = 0; i < 10; ++i) app.use("/middlewares", [](Request&, ResponseWrapper&, App::Next next) { next(); });
    app.get("/middlewares", hello);
}

void add_routes(App& app) {
    const int routes = number_from("ROUTES", 0);
    for (int i = 0; i < routes; ++i) {
        const auto path = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        app.get(i % 2 ? path + "/{id}" : path, hello);
    }
}

}  // namespace

int main() {
    const char* data = std::getenv("DATA");
    if (!data) {
        std::cerr << "vix: set DATA to the folder with static, cert.pem and key.pem\n";
        return 1;
    }
    App app;
    add_texts(app);
    add_bodies(app);
    add_items(app, data + std::string("/dataset.json"));
    add_middlewares(app);
    add_routes(app);
    app.static_dir(data + std::string("/static"), "/static");
    app.listen(number_from("PORT", 8080), [] {});

    // TLS is a setting of the whole App, read from the environment.
    if (const int tls_port = number_from("TLS_PORT", 0)) {
        setenv("SERVER_TLS_ENABLED", "true", 1);
        setenv("SERVER_TLS_CERT_FILE", (data + std::string("/cert.pem")).c_str(), 1);
        setenv("SERVER_TLS_KEY_FILE", (data + std::string("/key.pem")).c_str(), 1);
        App secure;
        secure.get("/bench", hello);
        secure.listen(tls_port, [] {});
        secure.wait();
    }
    app.wait();
}
