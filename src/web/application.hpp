// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "http/metrics.hpp"
#include "web/app_parts.hpp"
#include "web/described_route.hpp"
#include "web/error_handlers.hpp"
#include "web/router.hpp"

#include <apus/app.hpp>
#include <apus/task_scope.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apus::web {

/// Rarely used data of a route, and its counters.
struct route_facts : http::route_record {
    explicit route_facts(const error_handlers& given) noexcept : errors(given) {}
    route_facts(const route_facts&) = delete;
    route_facts& operator=(const route_facts&) = delete;

    /// The route as registered, with the prefixes of mounts; null for paths without a route.
    const std::string* text = nullptr;
    error_handlers errors;
};

/// A route with its middleware, ready to run; the target of `exchange::plan`.
/// Fits in one cache line, since with many routes most requests use a different endpoint than the previous request.
struct alignas(64) endpoint : http::route_plan {
    detail::step only{};                   ///< The handler of a route without middleware.
    const detail::step* longer = nullptr;  ///< Null, or the chain from the outermost middleware to the handler.

    route_facts* facts() const noexcept { return static_cast<route_facts*>(record); }
    const detail::step* chain() const noexcept { return longer ? longer : &only; }
};
static_assert(sizeof(endpoint) == 64);

/// An app that is ready to serve: the routes of all its parts in one router, each with its chain.
/// All chains are created by the constructor, and requests only run them.
class application final : public http::service {
public:
    /// Throws `std::logic_error` if two routes match the same paths for the same method.
    /// Also throws if a handler takes a value that no middleware around it can set.
    /// `traces_middleware`: middleware and handlers have spans in recorded requests.
    explicit application(app, bool traces_middleware = false);
    application(const application&) = delete;
    application& operator=(const application&) = delete;

    /// Sets `x.plan`. Requests without a route get a chain too, so that middleware sees them.
    void route(http::exchange& x) override;
    bool run(http::exchange& x) override;
    void add_error_body(http::exchange& x) noexcept override;
    std::string_view logged_target(const http::exchange& x) const noexcept override { return target_in_logs(x); }
    std::string_view matched_route(const http::exchange& x) const noexcept override { return route_text(x); }

    /// Returns the target without secrets: all of the target, its path, or the route.
    static std::string_view target_in_logs(const http::exchange&) noexcept;

    /// The path that the route "/" of a mounted app has.
    enum class mounted_as : unsigned char {
        prefix,  ///< The prefix itself.
        folder   ///< The prefix with a trailing slash; unused without a prefix.
    };

    /// Adds an internal handler to an app.
    static void add(app&, method, std::string_view route, detail::erased handler, mounted_as);

    /// Sets where `connect` stores the reporter of the process. The app keeps the slot alive.
    static void use_reporter(app&, std::shared_ptr<process_reporter*> slot);

    /// Passes the routes of the outermost app to a reader when the service is created.
    static void read_routes(app&, route_reader);

    /// Returns the route that matched the request, with the prefixes of mounts.
    /// Empty if no route matched.
    static std::string_view route_text(request&) noexcept;
    static std::string_view route_text(const http::exchange&) noexcept;

    /// Starts background tasks on the core's loop.
    /// `first_core`: also starts the tasks that run on one core only.
    void start_background(bool first_core);
    void stop_background() noexcept;  ///< Cancels the background tasks.

    /// A route with its counters, for `/metrics`.
    struct measured_route {
        method verb;
        const std::string* text;
        const http::route_counters* counters;
    };
    // The following three functions may be called by any thread while the application exists.
    std::vector<measured_route> measured_routes() const;
    const std::vector<std::shared_ptr<metrics::detail::family>>& metric_families() const noexcept { return metrics_; }
    const std::vector<const apus::router::parts::check*>& checks() const noexcept { return checks_; }

    /// Runs a check, at most for its timeout. Fails if the check fails or throws.
    task<> run_check(std::size_t number) const;

    /// Sets the reporter for routes that report about the process. Returns false if the app has none.
    bool connect(process_reporter&);

    task<> tasks_ended();          ///< Waits for the tasks of `app::tasks`, also those of mounted apps.
    void cancel_tasks() noexcept;  ///< Cancels the tasks of `app::tasks`. Called once.

private:
    /// The middleware around some routes, from the outermost app's to their own app's.
    struct mount_scope {
        std::vector<detail::step> steps;
        std::vector<const char*> spelled;  // types of the middleware of `steps`
        std::vector<const void*> sets;     // types that each middleware declares in `sets`
        detail::body_use body = detail::body_use::ignored;
        error_handlers errors;
    };
    static void check_needs(const detail::needed_value*, const mount_scope&, std::string_view what);
    void start_background(apus::router::parts&, bool first_core);
    void gather_measured(apus::router::parts&);
    static bool connect(apus::router::parts&, process_reporter&);
    static void gather_scopes(apus::router::parts&, std::vector<task_scope*>&);
    void gather(const apus::router::parts&, const std::string& prefix, mount_scope);
    /// The security and error handlers of the apps around a route.
    struct notes {
        std::vector<security_note> security;
        error_handlers errors;
    };
    static void tell(const apus::router::parts&, const std::string& prefix, const notes& outside);
    static void describe(const apus::router::parts&, const std::string& prefix, const notes& outside,
                         std::vector<described_route>&);
    static notes inside(notes, const middleware_list&);
    static notes inside(notes, const apus::router::parts&);
    template <class F>
    static void for_each(const middleware_list&, F);  // calls F for each middleware, outermost first
    endpoint make_endpoint(http::route_plan, const mount_scope&, detail::step handler);
    std::vector<detail::step> with_spans(const mount_scope&);
    endpoint unrouted_endpoint(const mount_scope&);
    route_facts* make_facts(const error_handlers&);
    void add_mount_not_found(const std::string& prefix, const error_handlers&);
    const endpoint& missing_at(std::string_view path) const noexcept;
    static mount_scope inside(mount_scope, const apus::router::parts&, const std::string& prefix);
    static mount_scope inside(mount_scope, const middleware_list&, std::string_view where);

    // Separate from `route` and `run`, so that most requests do not pay for their objects in memory.
    [[gnu::noinline]] void set_plan(http::exchange&, const router::match&);
    [[gnu::noinline]] bool run_task(http::exchange&, detail::pending waiting);

    static detail::pending answer_unrouted(const detail::step* here, request&, response& out);

    app app_;  // owns the objects that the steps refer to
    const bool traces_middleware_;
    std::deque<std::string> span_names_;
    router router_;
    std::vector<endpoint> routed_;        // indexed by route number
    std::vector<endpoint> other_method_;  // indexed by route number: responses to methods without a route
    endpoint missing_;
    struct mount_not_found {
        std::string prefix;
        endpoint answer;
    };
    std::vector<mount_not_found> mounts_not_found_;  // prefixes with their own error handlers, longer prefixes first
    std::deque<route_facts> facts_;
    std::deque<http::route_counters> counters_;  // indexed by route number
    std::vector<method> methods_;                // indexed by route number
    std::vector<std::shared_ptr<metrics::detail::family>> metrics_;
    std::vector<const apus::router::parts::check*> checks_;
    std::vector<std::unique_ptr<detail::step[]>> chains_;  // the chains of endpoints with middleware
    std::optional<task_scope> background_;
};

}  // namespace apus::web
