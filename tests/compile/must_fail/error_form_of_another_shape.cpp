// SPDX-License-Identifier: Apache-2.0
// error: app.on_error must be (request&, const error&) -> response, optional<response> or result<response>, not a coroutine
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.on_error([](apus::request&, const apus::error&) { return apus::response(500); });
#else
    app.on_error([](apus::request&, const apus::error&) -> apus::task<apus::response> { co_return apus::response(500); });
#endif
}
