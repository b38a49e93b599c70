// SPDX-License-Identifier: Apache-2.0

#include <App.h>

int main() {
    uWS::App().get("/", [](auto* res, auto*) { res->end("Hello, World!"); }).listen(8080, [](auto*) {}).run();
}
