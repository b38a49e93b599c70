// SPDX-License-Identifier: Apache-2.0
// Routes that require a token, and a header field on every response.
#include <apus/app.hpp>
#include <apus/secret.hpp>

// A filter: requests with the token pass, others get 401.
auto require_token(const std::string& token) {
    return [expected = "Bearer " + token](apus::request& req) -> apus::result<void> {
        if (!apus::constant_time_equal(req.header("authorization"), expected))
            return apus::fail(401, "send a valid bearer token").header("www-authenticate", "Bearer");
        return {};
    };
}

// Middleware that sees all responses, also those for errors, and the 404 of unknown paths.
apus::task<apus::response> forbid_sniffing(apus::request& req, apus::next_handler next) {
    apus::response res = co_await next(req);
    res.header("x-content-type-options", "nosniff");
    co_return res;
}

// The form of the library's own middleware: needs a coroutine only if the handler waits.
struct server_name {
    using sets = void;

    apus::pending_response operator()(apus::request& req, apus::response& out, apus::next_handler next) const {
        if (req.header("x-tea") == "yes") return apus::fail(418, "this is a teapot");
        return next.run(req, out, [](apus::response& res) { res.header("server", "example"); });
    }
};

apus::app make_app() {
    apus::app app;
    app.use(forbid_sniffing, server_name());
    app.get("/", [] { return "hello\n"; });
    app.get("/secret", apus::with(require_token("s3cret")), [] { return "for one route\n"; });

    auto admin = app.group("/admin");
    admin.use(require_token("s3cret"));
    admin.get("/stats", [] { return "fine\n"; });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
