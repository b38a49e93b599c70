// SPDX-License-Identifier: Apache-2.0
// Weather from another server, with a fallback response if that server fails or is slow.
#include <drogon/drogon.h>

#include <cstdlib>

using namespace drogon;

namespace {

HttpResponsePtr report(const std::string& city, const std::string& sky, bool live) {
    Json::Value body;
    body["city"] = city;
    body["sky"] = sky;
    body["live"] = live;
    return HttpResponse::newHttpJsonResponse(std::move(body));
}

Task<HttpResponsePtr> weather(HttpRequestPtr, std::string city) {
    // A separate client: after a timeout, the next request of a shared client would wait for the late response.
    const auto http = HttpClient::newHttpClient(std::getenv("UPSTREAM"));
    auto ask = HttpRequest::newHttpRequest();
    ask->setPathEncode(false);
    ask->setPath("/cities/" + utils::urlEncodeComponent(city));
    try {
        const auto answer = co_await http->sendRequestCoro(ask, 0.5);
        if (answer->getStatusCode() == k404NotFound) co_return HttpResponse::newNotFoundResponse();
        const auto sent = answer->getJsonObject();
        if (answer->getStatusCode() == k200OK && sent && sent->isObject() && (*sent)["sky"].isString())
            co_return report(city, (*sent)["sky"].asString(), true);
        LOG_WARN << "upstream: invalid answer, status " << answer->getStatusCode();
    } catch (const HttpException& why) {
        LOG_WARN << "upstream: " << why.what();
    }
    co_return report(city, "unknown", false);
}

}  // namespace

int main(int, char** argv) {
    app().registerHandler("/weather/{city}", &weather, {Get});
    app().addListener("127.0.0.1", std::stoi(argv[1])).run();
}
