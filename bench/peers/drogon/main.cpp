// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

void configure(const std::string& data, const std::string& out) {
    auto& app = drogon::app();
    app.setLogLevel(trantor::Logger::kWarn).setThreadNum(static_cast<std::size_t>(number_from("THREADS", 1)));
    app.addListener("127.0.0.1", static_cast<std::uint16_t>(number_from("PORT", 8080)));
    if (const int tls_port = number_from("TLS_PORT", 0))
        app.addListener("127.0.0.1", static_cast<std::uint16_t>(tls_port), true, data + "/cert.pem", data + "/key.pem");
    app.setDocumentRoot(data).setFileTypes({"txt", "bin", "css", "html", "js", "json", "svg", "webp", "woff2"});
    app.setUploadPath(out + "/uploads");
    app.enableRequestStream().setClientMaxBodySize(33'554'432);
    app.setClientMaxWebSocketMessageSize(1'048'576);
}

}  // namespace

int main() {
    const char* data = std::getenv("DATA");
    const char* out = std::getenv("OUT");
    if (!data || !out) {
        std::cerr << "drogon: set DATA to the folder with static, cert.pem and key.pem, and OUT to one to write in\n";
        return 1;
    }
    configure(data, out);
    peer::add_texts();
    peer::add_bodies();
    peer::add_middlewares();
    peer::add_routes(number_from("ROUTES", 0));
    const auto items = data + std::string("/dataset.json");
    if (std::filesystem::exists(items)) peer::add_items(items);
    if (const char* database = std::getenv("DATABASE_URL"))
        peer::add_database(database, static_cast<std::size_t>(std::max(
                                         1, number_from("DATABASE_MAX_CONN", 16) / number_from("THREADS", 1))));
    drogon::app().run();
}
