// SPDX-License-Identifier: Apache-2.0
// A value that middleware sets for a request, as a handler parameter.
#include <apus/app.hpp>

struct user {
    std::string name;
    bool may_edit = false;
};

// Enables handlers to take a `user&`, which middleware sets for the request.
template <>
inline constexpr bool apus::request_value<user> = true;

// Determines the user of a request, and adds the user's name to each response.
struct recognize {
    using sets = user;

    apus::pending_response operator()(apus::request& req, apus::response& out, apus::next_handler next) const {
        const user& found = req.set(user{std::string(req.header("x-user")), req.header("x-user") == "admin"});
        return next.run(req, out, [&found](apus::response& res) { res.header("x-served", found.name); });
    }
};

apus::result<void> only_editors(apus::request& req) {
    if (!req.find<user>()->may_edit) return apus::fail(403, "only editors may do this");
    return {};
}

apus::app make_app() {
    apus::app app;
    app.use(recognize());
    app.get("/me", [](const user& who) { return who.name + "\n"; });

    app.put("/page", apus::with(only_editors),
            [](const user& who, apus::body_text text) { return who.name + " wrote: " + std::string(text); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
