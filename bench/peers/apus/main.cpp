// SPDX-License-Identifier: Apache-2.0
#include "arena/sum.hpp"
#include "arena/upload.hpp"

#include <apus/app.hpp>
#include <apus/files.hpp>

#include <cstdlib>
#include <string>

namespace {

constexpr const char* greeting = "Hello, World!";

void add_bodies(apus::app& app) {
    static const std::string small(64 * 1024, 'x');
    static const std::string large(1024 * 1024, 'x');
    app.get("/body/64k", [] { return apus::response::literal(small); });
    app.get("/body/1m", [] { return apus::response::literal(large); });
}

void add_routes(apus::app& app, int count) {
    for (int i = 0; i < count; ++i) {
        const std::string thing = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        if (i % 2 == 0) app.get(apus::runtime_route{thing}, [] { return greeting; });
        else app.get(apus::runtime_route{thing + "/{id}"}, [](std::string_view) { return greeting; });
    }
}

// Started outside of the suite it has no data, and no files.
void add_files(apus::app& app) {
    if (const char* data = std::getenv("DATA")) app.mount("/static", apus::files(std::string(data) + "/static"));
}

apus::app wrapped() {
    apus::app app;
    for (int i = 0; i < 10; ++i) app.use([](apus::request& req, apus::next next) -> apus::task<apus::response> { co_return co_await next(req); });
    app.get("/", [] { return greeting; });
    return app;
}

apus::app make_app() {
    const char* routes = std::getenv("ROUTES");
    apus::app app;
    app.get("/bench", [] { return greeting; });
    add_bodies(app);
    add_routes(app, routes ? std::atoi(routes) : 0);
    add_files(app);
    arena::add_upload(app);
    arena::add_sums(app);
    app.mount("/middlewares", wrapped());
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv);
}
