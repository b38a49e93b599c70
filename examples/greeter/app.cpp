// SPDX-License-Identifier: Apache-2.0
#include "greeter/app.hpp"

namespace greeter {
namespace {

std::string greet(std::string_view name) { return "Hello, " + std::string(name) + "!\n"; }

apus::result<std::string> greet_often(std::string_view name, unsigned times) {
    if (times > 10) return apus::fail(400, "at most 10 greetings at once");
    std::string all;
    for (unsigned i = 0; i < times; ++i) all += greet(name);
    return all;
}

}  // namespace

apus::app make_app() {
    apus::app app;
    app.get("/hello/{name}", greet);
    app.get("/hello/{name}/{times}", greet_often);
    return app;
}

}  // namespace greeter
