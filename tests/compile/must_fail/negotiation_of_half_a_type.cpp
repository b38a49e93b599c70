// SPDX-License-Identifier: Apache-2.0
// error: a media type is a type and a subtype, such as text/html
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    auto shown = apus::as("text/html", [] { return "text"; });
#else
    auto shown = apus::as("html", [] { return "text"; });
#endif
}
