// SPDX-License-Identifier: Apache-2.0
// error: a representation is made without waiting: co_await what it needs before choosing
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::negotiation wanted) { return wanted.choose(apus::as<"text/plain">([] { return "text"; })); });
#else
    app.get("/", [](apus::negotiation wanted) { return wanted.choose(apus::as<"text/plain">([]() -> apus::task<std::string> { co_return "text"; })); });
#endif
}
