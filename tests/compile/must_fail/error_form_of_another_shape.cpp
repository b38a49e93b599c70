// SPDX-License-Identifier: Apache-2.0
// error: app.on_error must be (request&, const error&) -> a struct, text, response, or an optional or result of these, not a coroutine
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.on_error([](apus::request&, const apus::error&) { return apus::response(500); });
#else
    app.on_error([](apus::request&, const apus::error&) -> apus::task<apus::response> { co_return apus::response(500); });
#endif
}
