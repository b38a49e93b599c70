// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "web/described_route.hpp"
#include "web/error_forms.hpp"
#include "web/router.hpp"

#include <apus/app.hpp>
#include <apus/task_scope.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apus::web {

/// What is needed of a route for a few of its requests only.
struct route_facts {
    const std::string* text = nullptr;  ///< As registered, with the prefixes of mounts; null for none.
    error_forms errors;
};

/// A route with everything around it, ready to run. What `exchange::plan` points to. In one cache
/// line, since with many routes each request finds another one.
struct alignas(64) endpoint : http::route_plan {
    detail::step only{};                   ///< The handler, if there is no middleware.
    const detail::step* longer = nullptr;  ///< Else the chain from the outermost middleware to it.
    route_facts* facts = nullptr;

    const detail::step* chain() const noexcept { return longer ? longer : &only; }
};
static_assert(sizeof(endpoint) == 64);

/// An app, made ready to answer: the routes of all its parts in one router, each with its chain.
/// Chains are laid out here once, so a request only follows them.
class application final : public http::service {
public:
    /// Throws `std::logic_error` if two routes match the same paths for the same method, and for a
    /// handler that takes a value which no middleware around it can have set.
    explicit application(app);
    application(const application&) = delete;
    application& operator=(const application&) = delete;

    /// Always true: what has no route is answered by a chain too, so that the middleware sees it.
    bool route(http::exchange& x) override;
    bool run(http::exchange& x) override;
    void give_body(http::exchange& x) noexcept override;

    /// What becomes of the route "/" of an app that is mounted.
    enum class mounted_as : unsigned char {
        prefix,  ///< The prefix itself.
        folder   ///< The prefix with a slash behind it; nothing where there is no prefix.
    };

    /// Adds a step that is no handler of a user's to an app.
    static void add(app&, method, std::string_view route, detail::erased handler, mounted_as);

    /// Has an app told the routes of the one that it is mounted in, when the service is made.
    static void read_routes(app&, route_reader);

    /// The route that a request has been given to, with its prefixes; empty if none has it.
    static std::string_view route_text(request&) noexcept;
    static std::string_view route_text(const http::exchange&) noexcept;

    /// Starts background tasks, on the core's loop. `first_core`: also those that one core runs.
    void start_background(bool first_core);
    void stop_background() noexcept;  ///< Cancels them.

    task<> tasks_ended();          ///< Waits for the tasks of `app::tasks`, of mounted apps too.
    void cancel_tasks() noexcept;  ///< Those; final.

private:
    /// The middleware around some routes, from the outermost app's to their own app's.
    struct surroundings {
        std::vector<detail::step> steps;
        std::vector<const void*> sets;  // what each of them says that it sets
        detail::body_use body = detail::body_use::ignored;
        error_forms errors;
    };
    static void check_needs(const detail::needed_value*, const surroundings&, method, const std::string& route);
    void start_background(app::parts&, bool first_core);
    static void gather_scopes(app::parts&, std::vector<task_scope*>&);
    void gather(const app::parts&, const std::string& prefix, surroundings);
    using notes = std::vector<security_note>;
    static void tell(const app::parts&, const std::string& prefix, const notes& outside);
    static void describe(const app::parts&, const std::string& prefix, const notes& outside,
                         std::vector<described_route>&);
    static notes inside(notes, const app::parts&);
    endpoint endpoint_of(http::route_plan, const surroundings&, detail::step handler);
    endpoint unrouted_endpoint(const surroundings&);
    route_facts* facts_of(const error_forms&);
    void add_missing_below(const std::string& prefix, const error_forms&);
    const endpoint& missing_at(std::string_view path) const noexcept;
    static surroundings inside(surroundings, const app::parts&);

    static detail::pending answer_unrouted(const detail::step* here, request&, response& out);

    app app_;  // owns what the steps point to
    router router_;
    std::vector<endpoint> routed_;        // by the router's numbers
    std::vector<endpoint> other_method_;  // by the same: answers for methods that the path has not
    endpoint missing_;
    struct missing_below {
        std::string prefix;
        endpoint answer;
    };
    std::vector<missing_below> missing_below_;  // prefixes with error forms of their own, longer ones first
    std::deque<route_facts> facts_;
    std::vector<std::unique_ptr<detail::step[]>> chains_;  // the longer ones
    std::optional<task_scope> background_;
};

}  // namespace apus::web
