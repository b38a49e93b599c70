// SPDX-License-Identifier: Apache-2.0
// error: at least one representation is required
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/",
            [](apus::negotiation wanted) { return wanted.choose(apus::offer<"text/plain">([] { return "text"; })); });
#else
    app.get("/", [](apus::negotiation wanted) { return wanted.choose(); });
#endif
}
