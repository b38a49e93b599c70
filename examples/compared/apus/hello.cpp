// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "Hello, world!\n"; });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
