// SPDX-License-Identifier: Apache-2.0
// error: middleware must be (request&, next_handler) -> task<response>, or as a filter (request&) -> result<void>
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        co_return co_await next(req);
    });
#else
    app.use([](apus::request& req, apus::next_handler next) -> apus::task<> { co_await next(req); });
#endif
}
