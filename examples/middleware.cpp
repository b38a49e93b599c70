// SPDX-License-Identifier: Apache-2.0
// A part of a service behind a token, and a field on every response.
#include <apus/app.hpp>

// Whether two texts are the same, without telling by its time where they differ.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned differs = a.size() != b.size();
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i]);
    return differs == 0;
}

// A filter: passes on requests that carry the token, and answers the others with 401.
auto require_token(const std::string& token) {
    return [expected = "Bearer " + token](apus::request& req) -> apus::result<void> {
        if (!same_secret(req.header("authorization"), expected))
            return apus::fail(401, "send a valid bearer token").header("www-authenticate", "Bearer");
        return {};
    };
}

// Middleware that sees the response: also that of an error, and the 404 of a path without route.
apus::task<apus::response> forbid_sniffing(apus::request& req, apus::next next) {
    apus::response res = co_await next(req);
    res.header("x-content-type-options", "nosniff");
    co_return res;
}

apus::app make_app() {
    apus::app admin;
    admin.use(require_token("s3cret"));
    admin.get("/stats", [] { return "fine\n"; });

    apus::app app;
    app.use(forbid_sniffing);
    app.mount("/admin", std::move(admin));
    app.get("/", [] { return "hello\n"; });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
