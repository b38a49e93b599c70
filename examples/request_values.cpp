// SPDX-License-Identifier: Apache-2.0
// What middleware finds out about a request, as a parameter of handlers.
#include <apus/app.hpp>

struct user {
    std::string name;
    bool may_edit = false;
};

// From here on a handler may take a `user&`: what middleware has set for the request.
template <>
inline constexpr bool apus::request_value<user> = true;

// Knows who asks, and says on each response who was served.
struct recognize {
    bool before(apus::request& req, apus::response&) const {
        req.set(user{std::string(req.header("x-user")), req.header("x-user") == "admin"});
        return true;
    }
    void after(apus::request& req, apus::response& res) const { res.header("x-served", req.find<user>()->name); }
};

apus::result<void> only_editors(apus::request& req) {
    if (!req.find<user>()->may_edit) return apus::fail(403, "only editors may do this");
    return {};
}

apus::app make_app() {
    apus::app app;
    app.use(recognize());
    app.get("/me", [](const user& who) { return who.name + "\n"; });

    apus::app editing;
    editing.use(only_editors);
    editing.put("/page",
                [](const user& who, apus::body_text text) { return who.name + " wrote: " + std::string(text); });
    app.mount(std::move(editing));
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
