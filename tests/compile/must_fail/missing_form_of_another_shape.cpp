// SPDX-License-Identifier: Apache-2.0
// error: app.not_found must be (request&) or (request&, const error&) -> response, optional<response> or result<response>, not a coroutine
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.not_found([](apus::request&) { return apus::html("no"); });
#else
    app.not_found([](apus::request&) { return "no"; });
#endif
}
