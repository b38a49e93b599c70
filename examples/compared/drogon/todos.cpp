// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory. The API description, todos.json, is written by hand.
#include <drogon/HttpController.h>
#include <drogon/drogon.h>

#include <map>
#include <mutex>

using namespace drogon;

namespace {

struct NewTodo {
    std::string title;
    int priority = 3;
};

// Returns the number of code points in UTF-8 text.
std::size_t length(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

Json::Value violation(const std::string& field, const std::string& message) {
    Json::Value one;
    one["field"] = field;
    one["message"] = message;
    return one;
}

Json::Value readTodo(const Json::Value& sent, NewTodo& todo) {
    Json::Value errors = Json::arrayValue;
    for (const auto& name : sent.getMemberNames())
        if (name != "title" && name != "priority") errors.append(violation(name, "unknown field"));
    const auto& title = sent["title"];
    if (!title.isString()) errors.append(violation("title", "must be a text"));
    else if (todo.title = title.asString(); todo.title.empty() || length(todo.title) > 200)
        errors.append(violation("title", "must have 1 to 200 characters"));
    if (sent.isMember("priority")) {
        const auto& priority = sent["priority"];
        if (!priority.isInt()) errors.append(violation("priority", "must be an integer"));
        else if (todo.priority = priority.asInt(); todo.priority < 1 || todo.priority > 5)
            errors.append(violation("priority", "must be 1 to 5"));
    }
    return errors;
}

Json::Value toJson(std::uint64_t id, const NewTodo& todo) {
    Json::Value value;
    value["id"] = Json::UInt64(id);
    value["title"] = todo.title;
    value["priority"] = todo.priority;
    return value;
}

HttpResponsePtr status(HttpStatusCode code) {
    auto res = HttpResponse::newHttpResponse();
    res->setStatusCode(code);
    return res;
}

}  // namespace

class Todos : public HttpController<Todos> {
public:
    METHOD_LIST_BEGIN
    ADD_METHOD_TO(Todos::list, "/todos", Get);
    ADD_METHOD_TO(Todos::add, "/todos", Post);
    ADD_METHOD_TO(Todos::show, "/todos/{id}", Get);
    ADD_METHOD_TO(Todos::change, "/todos/{id}", Put);
    ADD_METHOD_TO(Todos::remove, "/todos/{id}", Delete);
    METHOD_LIST_END

    using Send = std::function<void(const HttpResponsePtr&)>;

    void list(const HttpRequestPtr&, Send&& send) {
        Json::Value all = Json::arrayValue;
        std::lock_guard hold(lock_);
        for (const auto& [id, todo] : todos_) all.append(toJson(id, todo));
        send(HttpResponse::newHttpJsonResponse(std::move(all)));
    }

    void add(const HttpRequestPtr& req, Send&& send) {
        NewTodo todo;
        if (auto refused = read(req, todo)) return send(refused);
        std::lock_guard hold(lock_);
        const auto id = ++lastId_;
        auto res = HttpResponse::newHttpJsonResponse(toJson(id, todo));
        res->setStatusCode(k201Created);
        res->addHeader("Location", "/todos/" + std::to_string(id));
        todos_.emplace(id, std::move(todo));
        send(res);
    }

    void show(const HttpRequestPtr&, Send&& send, std::uint64_t id) {
        std::lock_guard hold(lock_);
        const auto found = todos_.find(id);
        if (found == todos_.end()) return send(status(k404NotFound));
        send(HttpResponse::newHttpJsonResponse(toJson(id, found->second)));
    }

    void change(const HttpRequestPtr& req, Send&& send, std::uint64_t id) {
        NewTodo todo;
        if (auto refused = read(req, todo)) return send(refused);
        std::lock_guard hold(lock_);
        const auto found = todos_.find(id);
        if (found == todos_.end()) return send(status(k404NotFound));
        found->second = std::move(todo);
        send(HttpResponse::newHttpJsonResponse(toJson(id, found->second)));
    }

    void remove(const HttpRequestPtr&, Send&& send, std::uint64_t id) {
        std::lock_guard hold(lock_);
        send(status(todos_.erase(id) ? k204NoContent : k404NotFound));
    }

private:
    // Returns the response to an invalid body; null if the body is valid.
    static HttpResponsePtr read(const HttpRequestPtr& req, NewTodo& todo) {
        const auto sent = req->getJsonObject();
        if (!sent || !sent->isObject()) return status(k400BadRequest);
        auto errors = readTodo(*sent, todo);
        if (errors.empty()) return nullptr;
        Json::Value body;
        body["errors"] = std::move(errors);
        auto res = HttpResponse::newHttpJsonResponse(std::move(body));
        res->setStatusCode(k422UnprocessableEntity);
        return res;
    }

    std::mutex lock_;  // handlers run on several threads
    std::map<std::uint64_t, NewTodo> todos_;
    std::uint64_t lastId_ = 0;
};

int main(int, char** argv) {
    app().registerHandler(
        "/openapi.json",
        [](const HttpRequestPtr&, Todos::Send&& send) { send(HttpResponse::newFileResponse("todos.json")); }, {Get});
    app().addListener("127.0.0.1", std::stoi(argv[1])).run();
}
