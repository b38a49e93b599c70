// SPDX-License-Identifier: Apache-2.0
// Revalidation of cached copies, detection of conflicting changes, and redirects.
#include <apus/app.hpp>
#include <apus/conditional.hpp>
#include <apus/redirect.hpp>

namespace {

struct page {
    std::string text = "Nothing yet.\n";
    unsigned version = 1;

    std::string etag() const { return '"' + std::to_string(version) + '"'; }
};

apus::response show(const page& p, apus::request& req) {
    const std::string etag = p.etag();
    if (auto done = apus::check_preconditions(req, {.etag = etag})) return *std::move(done);

    auto res = apus::response::text(p.text);
    apus::set_validators(res, {.etag = etag});
    return res;
}

apus::response change(page& p, apus::request& req, apus::body_text body) {
    const std::string etag = p.etag();
    if (req.header("if-match").empty()) return apus::response(428);
    if (auto done = apus::check_preconditions(req, {.etag = etag})) return *std::move(done);

    p.text = body.bytes;
    ++p.version;
    return apus::redirect(303, "/page");
}

apus::app make_app() {
    static page shared;  // this program runs on one core

    apus::app app;
    app.get("/page", [](apus::request& req) { return show(shared, req); });
    app.put("/page", [](apus::request& req, apus::body_text body) { return change(shared, req, body); });
    app.get("/", [] { return apus::response::html("<!doctype html><a href=\"/page\">the page</a>"); });
    app.get("/return", [](apus::request& req) { return apus::redirect_within(303, req.query()); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv, {.cores = 1}); }
