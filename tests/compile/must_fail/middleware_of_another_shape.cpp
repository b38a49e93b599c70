// SPDX-License-Identifier: Apache-2.0
// error: middleware must be (request&, next_handler) -> task<response>, or as a filter (request&) -> result<void>
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.use([](apus::request&) -> apus::result<void> { return {}; });
#else
    app.use([](apus::request&) { return true; });
#endif
}
