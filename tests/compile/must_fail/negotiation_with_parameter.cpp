// SPDX-License-Identifier: Apache-2.0
// error: the function of a representation must take no arguments, and must not be mutable
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/",
            [](apus::negotiation wanted) { return wanted.choose(apus::offer<"text/html">([] { return "text"; })); });
#else
    app.get("/", [](apus::negotiation wanted) {
        return wanted.choose(apus::offer<"text/html">([](int) { return "text"; }));
    });
#endif
}
