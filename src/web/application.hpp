// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "web/router.hpp"

#include <apus/app.hpp>

#include <string>
#include <vector>

namespace apus::web {

/// A route with everything around it, ready to run. What `exchange::plan` points to.
struct endpoint : http::route_plan {
    std::vector<detail::step> chain;  ///< From the outermost middleware to the handler.
    std::string route;                ///< As registered, with the prefixes of mounts; empty for none.
};

/// An app, made ready to answer: the routes of all its parts in one router, each with its chain.
/// Chains are laid out here once, so a request only follows them.
class application final : public http::service {
public:
    /// Throws `std::logic_error` if two routes match the same paths for the same method.
    explicit application(app);
    application(const application&) = delete;
    application& operator=(const application&) = delete;

    /// Always true: what has no route is answered by a chain too, so that the middleware sees it.
    bool route(http::exchange& x) override;
    bool run(http::exchange& x) override;

private:
    /// The middleware around some routes, from the outermost app's to their own app's.
    struct surroundings {
        std::vector<detail::step> steps;
        detail::body_use body = detail::body_use::ignored;
    };
    void gather(const app::parts&, const std::string& prefix, surroundings);
    endpoint unrouted_endpoint(const surroundings&) const;
    static surroundings inside(surroundings, const app::parts&);

    static detail::pending answer_unrouted(const detail::step* here, request&, response& out);

    app app_;  // owns what the steps point to
    router router_;
    std::vector<endpoint> routed_;        // by the router's numbers
    std::vector<endpoint> other_method_;  // by the same: answers for methods that the path has not
    endpoint missing_;
};

}  // namespace apus::web
