// SPDX-License-Identifier: Apache-2.0
// Sessions, and all errors in the form {"error":"..."}.
#include <drogon/drogon.h>
#include <sodium.h>
#include <trantor/utils/ConcurrentTaskQueue.h>

using namespace drogon;

namespace {

using Send = std::function<void(const HttpResponsePtr&)>;

constexpr const char* ann =
    "$argon2id$v=19$m=19456,t=2,p=1$YXB1cy1leGFtcGxlLTE2Yg$7DVnLU7904aoJ0FrbftbL/O4BTk2q08Tx0w2d19DQ/s";

HttpResponsePtr error(HttpStatusCode code, const std::string& text) {
    Json::Value body;
    body["error"] = text;
    auto res = HttpResponse::newHttpJsonResponse(std::move(body));
    res->setStatusCode(code);
    return res;
}

HttpResponsePtr errorPage(HttpStatusCode code) {
    switch (code) {
        case k404NotFound: return error(code, "not found");
        case k405MethodNotAllowed: return error(code, "method not allowed");
        default: return error(code, std::string(statusCodeToString(code)));
    }
}

HttpResponsePtr noContent() {
    auto res = HttpResponse::newHttpResponse();
    res->setStatusCode(k204NoContent);
    return res;
}

// Argon2 takes milliseconds of CPU time. Unknown names are hashed too, so that the time reveals no names.
bool isRight(const std::string& name, const std::string& password) {
    const bool correct = crypto_pwhash_str_verify(ann, password.data(), password.size()) == 0;
    return correct && name == "ann";
}

void login(const HttpRequestPtr& req, Send&& send) {
    const auto sent = req->getJsonObject();
    if (!sent || !sent->isObject() || !(*sent)["name"].isString() || !(*sent)["password"].isString())
        return send(error(k422UnprocessableEntity, "send name and password as JSON"));
    static trantor::ConcurrentTaskQueue threads(2, "passwords");
    threads.runTaskInQueue([req, sent, send = std::move(send)] {
        const auto name = (*sent)["name"].asString();
        if (!isRight(name, (*sent)["password"].asString()))
            return send(error(k401Unauthorized, "wrong name or password"));
        req->session()->changeSessionIdToClient();
        req->session()->insert("user", name);
        send(noContent());
    });
}

void me(const HttpRequestPtr& req, Send&& send) {
    const auto name = req->session()->getOptional<std::string>("user");
    if (!name) return send(error(k401Unauthorized, "log in first"));
    Json::Value body;
    body["name"] = *name;
    send(HttpResponse::newHttpJsonResponse(std::move(body)));
}

void logout(const HttpRequestPtr& req, Send&& send) {
    req->session()->clear();
    send(noContent());
}

}  // namespace

int main(int, char** argv) {
    app()
        .enableSession(std::chrono::minutes(30), Cookie::SameSite::kLax)
        .setCustomErrorHandler(errorPage)
        .registerHandler("/login", &login, {Post})
        .registerHandler("/me", &me, {Get})
        .registerHandler("/logout", &logout, {Post})
        .addListener("127.0.0.1", std::stoi(argv[1]))
        .run();
}
