// SPDX-License-Identifier: Apache-2.0
#include "runtime/activity.hpp"
#include "web/application.hpp"
#include "web/captures.hpp"

#include <string_view>

// The part of `application` that runs for each request. The rest runs when an app is created, and is compiled for size
// (cmake/cold.cmake).

namespace apus::web {
namespace {

// Whether the server does not implement the method (RFC 9110, 15.6.2). CONNECT is not implemented, as the server is not
// a proxy. QUERY is known but has no routes, so its response is 405, as for other methods without a route.
bool not_implemented(const http::exchange& x) noexcept {
    return x.head.verb == method::connect || (x.head.verb == method::other && x.in.method_text() != "QUERY");
}

void allow(response& out, int status, method_set routes) {
    if (status == 204) out.status(204);
    else detail::refuse(error(status, "this method is not allowed for the path"), out);
    out.header("allow", allow_field(routes));
}

}  // namespace

const endpoint& application::missing_at(std::string_view path) const noexcept {
    for (const auto& below : mounts_not_found_)
        if (path.starts_with(below.prefix) && (path.size() == below.prefix.size() || path[below.prefix.size()] == '/'))
            return below.answer;
    return missing_;
}

std::string_view application::route_text(request& req) noexcept { return route_text(detail::exchange_of(req)); }

std::string_view application::route_text(const http::exchange& x) noexcept {
    const auto* at = static_cast<const endpoint*>(x.plan);
    return at && at->facts()->text ? std::string_view(*at->facts()->text) : std::string_view();
}

std::string_view application::target_in_logs(const http::exchange& x) noexcept {
    const auto* at = static_cast<const endpoint*>(x.plan);
    if (!at || at->in_logs == http::logged::target) return x.text(x.head.target);
    return at->in_logs == http::logged::path ? x.text(x.head.path) : route_text(x);
}

void application::route(http::exchange& x) {
    const method verb = x.head.verb;
    const router::match found = router_.find(verb, x.text(x.head.path), x.captures);
    x.capture_count = found.captures;
    if (found.route != router::none && found.captures == 0) [[likely]]
        x.plan = &routed_[found.route];
    else set_plan(x, found);
}

void application::set_plan(http::exchange& x, const router::match& found) {
    if (found.route != router::none) {
        x.plan = &routed_[found.route];
        if (decode_captures(x)) return;
        // A path that cannot be decoded matches no route, but may still contain a secret.
        const bool hidden = x.plan->in_logs == http::logged::route;
        x.plan = hidden ? &other_method_[found.route] : &missing_at(x.text(x.head.path));
    } else if (found.other == router::none || not_implemented(x)) {
        x.plan = &missing_at(x.text(x.head.path));
    } else {
        x.plan = &other_method_[found.other];
    }
}

bool application::run(http::exchange& x) {
    const auto& e = static_cast<const endpoint&>(*x.plan);
    const runtime::working_for work(&x);
    const detail::pending waiting = detail::advance(e.chain(), x.in, x.answer);
    return !waiting || run_task(x, waiting);
}

bool application::run_task(http::exchange& x, detail::pending waiting) {
    if (!x.start(waiting.promise().get_return_object())) return false;
    add_error_body(x);
    return true;
}

void application::add_error_body(http::exchange& x) noexcept {
    if (!x.answer.refusal()) return;
    const int status = x.answer.status();
    const runtime::working_for work(&x);
    try {
        web::add_error_body(x.in, static_cast<const endpoint*>(x.plan ? x.plan : &missing_)->facts()->errors, x.answer);
    } catch (...) {
        x.answer.clear();
        x.answer.status(status);
    }
}

// Looks up the path again. Only requests without a route need this second lookup.
detail::pending application::answer_unrouted(const detail::step* here, request& req, response& out) {
    const auto& self = *static_cast<const application*>(here->self);
    const http::exchange& x = detail::exchange_of(req);
    if (not_implemented(x)) return detail::refuse(error(501, "the server does not support this method").expose(), out);
    if (x.head.form == codec::http1::target_form::asterisk) return out.status(204), detail::pending();

    std::string_view captures[http::max_captures];
    const router::match found = self.router_.find(x.head.verb, x.text(x.head.path), captures);
    if (found.other == router::none) detail::put_missing(out);
    else allow(out, x.head.verb == method::options ? 204 : 405, found.allowed);
    return {};
}

}  // namespace apus::web
