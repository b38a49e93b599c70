// SPDX-License-Identifier: Apache-2.0
#include "server/request_summary.hpp"

#include "http/exchange.hpp"
#include "runtime/activity.hpp"
#include "web/application.hpp"

namespace apus::server {

request_summary request_summary::of(const void* exchange) noexcept {
    if (!exchange) return {};
    const auto& x = *static_cast<const http::exchange*>(exchange);
    return {x.text(x.head.verb_text), web::application::target_in_logs(x), web::application::route_text(x),
            x.given_id()};
}

request_summary request_summary::here() noexcept {
    const auto* doing = runtime::activity::here();
    return of(doing ? doing->request.load(std::memory_order_relaxed) : nullptr);
}

}  // namespace apus::server
