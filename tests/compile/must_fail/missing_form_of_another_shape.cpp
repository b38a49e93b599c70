// SPDX-License-Identifier: Apache-2.0
// error: app.not_found must be (request&) or (request&, const error&) -> a struct, text, response, or an optional or result of these, not a coroutine
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.not_found([](apus::request&) { return apus::response::html("no"); });
#else
    app.not_found([](int) { return "no"; });
#endif
}
