// SPDX-License-Identifier: Apache-2.0
// Defaults of a server, which its command line can override.
#include <apus/app.hpp>

namespace {

apus::app make_app() {
    apus::app app;
    app.get("/", [](apus::request& req) { return "hello, " + std::string(req.remote_address()) + "\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    options.host = "127.0.0.1";
    options.port = 9000;
    options.cores = 2;
    options.access_log = true;
    options.drain = apus::seconds(10);
    return apus::serve(make_app, argc, argv, options);
}
