// SPDX-License-Identifier: Apache-2.0

#include <vix.hpp>

int main() {
    vix::App app;
    app.get("/", [](vix::Request&, vix::Response& response) { response.text("Hello, World!"); });
    app.run(8080);
}
