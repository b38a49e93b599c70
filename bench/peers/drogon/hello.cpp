// SPDX-License-Identifier: Apache-2.0

#include <drogon/drogon.h>

int main() {
    drogon::app().registerHandler(
        "/",
        [](const drogon::HttpRequestPtr&, std::function<void(const drogon::HttpResponsePtr&)>&& send) {
            auto response = drogon::HttpResponse::newHttpResponse();
            response->setBody("Hello, World!");
            send(response);
        },
        {drogon::Get});
    drogon::app().addListener("127.0.0.1", 8080).run();
}
