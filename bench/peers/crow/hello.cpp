// SPDX-License-Identifier: Apache-2.0

#include <crow.h>

int main() {
    crow::SimpleApp app;
    CROW_ROUTE(app, "/")([] { return "Hello, World!"; });
    app.port(8080).multithreaded().run();
}
