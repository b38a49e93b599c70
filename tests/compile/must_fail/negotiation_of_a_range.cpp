// SPDX-License-Identifier: Apache-2.0
// error: a media type must be a type and a subtype, such as text/html, without spaces, asterisks or quotes
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/",
            [](apus::negotiation wanted) { return wanted.choose(apus::offer<"text/html">([] { return "text"; })); });
#else
    app.get("/", [](apus::negotiation wanted) { return wanted.choose(apus::offer<"text/*">([] { return "text"; })); });
#endif
}
