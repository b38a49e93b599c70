// SPDX-License-Identifier: Apache-2.0
#pragma once

// Routes, middleware and the app. Requests and responses: http.hpp; streamed bodies: stream.hpp; tests without a
// network: test.hpp.

#include <apus/detail/error_form.hpp>
#include <apus/detail/route.hpp>
#include <apus/detail/task_maker.hpp>
#include <apus/health.hpp>
#include <apus/http.hpp>
#include <apus/limits.hpp>
#include <apus/middleware.hpp>
#include <apus/serve.hpp>

namespace apus {

namespace web {
class application;
}
namespace metrics::detail {
class registration;
}

class task_scope;
struct route_words;
struct websocket_options;

namespace detail {
template <class F>
erased erase_socket(F, std::string_view route, const websocket_options&);
}

/// Cores that run a background task. Each core has its own app.
enum class runs_on : std::uint8_t {
    one_core,    ///< One core of the process.
    every_core,  ///< Each core, with its own app.
};

/// Adds documentation to the most recently added route (openapi.hpp).
/// `app.get("/todos", list).summary("All todos").tag("todos");`. Does not affect requests. Do not store the object: it
/// becomes invalid when the app is moved.
class route_note {
public:
    route_note& summary(std::string_view);      ///< Heading of a few words.
    route_note& description(std::string_view);  ///< Text of any length, in CommonMark.
    route_note& tag(std::string_view);          ///< Group that lists the route. Each call adds a group.
    /// Operation name in generated clients.
    /// Default: derived from method and path. Must be unique in the app.
    route_note& operation_id(std::string_view);
    route_note& deprecated();  ///< Marks the route as deprecated: new clients should not use it.
    route_note& hidden();      ///< Omits the route from API descriptions.

private:
    friend class router;
    route_note(void* parts, std::size_t route) noexcept : parts_(parts), route_(route) {}
    route_words& words();

    void* parts_;
    std::size_t route_;
};

class app;

/// Routes and middleware of an app, or of a group of its routes.
/// A router is a handle and may be copied. A function that takes a `router` can add routes to apps and to
/// groups.
///
/// A route is text ("/a/b"), may have captures ("/users/{id}"), and may end in a rest ("/files/{name...}"). A capture
/// is one segment of at least one byte; the rest is one or more segments, the first of which is not empty. If several
/// routes of a method match, text has precedence over a capture, and a capture over the rest, segment by segment from
/// the left. "/a" and "/a/" are two routes.
///
/// The path is matched as the client sent it; captures are percent-decoded afterwards. If a decoded capture is invalid
/// UTF-8, contains NUL, begins with '/', or has a "." or ".." segment, the status is 404. This prevents path traversal.
///
/// A handler takes its parameters in any order: `request&`, `body_text`, and one path value for each capture. Path
/// values are integers, double, bool, std::string or std::string_view (valid until the handler's task ends), from left
/// to right, or by name: `path<"id", int>`. If a value in the path is invalid, the client gets 400 with the name of the
/// capture. Parameters `const T&` mean the same as `T`. A handler returns text (a `literal` is not copied), `response`,
/// `no_content` or void (204), `std::optional<T>` (empty: 404), `result<T>`, `created<T>` (201), `reply<T>`, or a
/// `task` of these.
/// Handlers that return no task run without a coroutine.
///
/// Methods without a route: HEAD runs the GET route, OPTIONS returns the allowed methods of the path, and all other
/// methods get 405. These responses pass through the middleware of the path's route; 404 and 501 responses pass through
/// the middleware of the outermost app.
///
/// Two routes of one method must not match exactly the same paths, as "/u/{id}" and "/u/{name}" do: otherwise creating
/// the service throws `std::logic_error`, which names both.
class router {
public:
    /// Adds a GET route. It also handles HEAD, unless there is a HEAD route.
    template <class F>
    route_note get(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::get, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a GET route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note get(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                   route_limits limits = {}) {
        return add(method::get, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds a HEAD route. The response's body is not sent.
    template <class F>
    route_note head(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::head, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a HEAD route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note head(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                    route_limits limits = {}) {
        return add(method::head, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds a POST route.
    template <class F>
    route_note post(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::post, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a POST route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note post(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                    route_limits limits = {}) {
        return add(method::post, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds a PUT route.
    template <class F>
    route_note put(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::put, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a PUT route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note put(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                   route_limits limits = {}) {
        return add(method::put, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds a PATCH route.
    template <class F>
    route_note patch(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::patch, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a PATCH route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note patch(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                     route_limits limits = {}) {
        return add(method::patch, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds a DELETE route.
    template <class F>
    route_note del(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::del, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds a DELETE route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note del(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                   route_limits limits = {}) {
        return add(method::del, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }
    /// Adds an OPTIONS route, which replaces the automatic response.
    template <class F>
    route_note options(detail::route<std::type_identity_t<F>> at, F handler, route_limits limits = {}) {
        return add(method::options, at.text(), detail::erase_handler(std::move(handler), at.text()), limits);
    }
    /// Adds an OPTIONS route with middleware for this route only: `with(members_only)`.
    template <class F>
    route_note options(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                       route_limits limits = {}) {
        return add(method::options, at.text(), detail::erase_handler(std::move(handler), at.text()), limits,
                   std::move(around));
    }

    /// Adds a WebSocket route (RFC 6455).
    /// The handler takes an `apus::websocket` by value, and other parameters like any handler. It returns a `task<>`,
    /// and the session lasts until the task ends. Middleware runs around the opening handshake, which is a GET.
    /// Requires <apus/websocket.hpp>.
    template <class F>
    void websocket(detail::route<std::type_identity_t<F>> at, F handler) {
        websocket<F, websocket_options>(at, {}, std::move(handler), {});
    }
    /// Adds a WebSocket route with limits, subprotocols and origins.
    template <class F, class Options = websocket_options>
    void websocket(detail::route<std::type_identity_t<F>> at, F handler, const std::type_identity_t<Options>& how) {
        websocket<F, Options>(at, {}, std::move(handler), how);
    }
    /// Adds a WebSocket route with middleware for this route only.
    template <class F>
    void websocket(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler) {
        websocket<F, websocket_options>(at, std::move(around), std::move(handler), {});
    }
    /// Adds a WebSocket route with middleware and options for this route only.
    template <class F, class Options = websocket_options>
    void websocket(detail::route<std::type_identity_t<F>> at, middleware_list around, F handler,
                   const std::type_identity_t<Options>& how) {
        static_assert(requires { sizeof(Options); }, "app.websocket needs #include <apus/websocket.hpp>");
        add(method::get, at.text(), detail::erase_socket(std::move(handler), at.text(), how), {}, std::move(around))
            .hidden();
    }

    /// Adds middleware around all routes of this app or group, also existing routes; outermost first.
    ///
    /// `(request&) -> result<void>` is a filter: success lets the request pass, an error is the response. Use it for
    /// checks of tokens, quotas and hosts. It costs a function call.
    ///
    /// `(request&, next_handler) -> task<response>` also sees the response and may wait. It costs a coroutine.
    ///
    /// `(request&, response& out, next_handler) -> pending_response` can do the same as the other two forms, and
    /// decides for each request whether to use a coroutine. The library's own middleware for responses has this form.
    ///
    /// Middleware that is an object may have these members, all of them optional:
    /// - `using sets = user;` the type of the value that the middleware sets with `request::set`; `void` means no
    ///   value. Without `sets` it may set any value. Inner handlers can take a `user&`.
    /// - `using needs = user;` a value that outer middleware must set. If no middleware sets it, creating the service
    ///   throws `std::logic_error`.
    /// - `static constexpr bool reads_body = true;` the middleware reads the body with `request::read` or
    ///   `request::body`.
    /// - `security_note security() const` the requirements on requests, for API descriptions (security_note.hpp).
    template <class... F>
    void use(F... middleware) {
        (use_middleware(std::move(middleware)), ...);
    }

    /// Sets the function that creates error responses. By default, they are problem documents.
    /// The function is called for errors of handlers and middleware, 404, 405, 413, 422, 500, and requests that the
    /// server rejects. Its form is `(request&, const error&)`. It returns any type that a handler may return, such as a
    /// struct for JSON, except a task. API descriptions include this type. If the function returns an empty optional or
    /// a failed result, or throws, the client gets the problem document.
    ///
    /// A response with status 200 gets the error's status. The error's fields are added, except fields that the
    /// response sets. The function also applies to mounted apps without an `on_error`; the prefix of the path selects
    /// the app. The function runs before the surrounding middleware sees the response. It must not be a coroutine, and
    /// cannot stream. For a request that cannot be parsed, `request&` is empty. The function is not called for
    /// responses that a handler creates itself, nor for the 503 that a server with too little memory sends. Throws
    /// `std::logic_error` if this app already has an `on_error`.
    template <class F>
    void on_error(F form) {
        add_error_form(detail::erase_error_form(std::move(form)));
    }

    /// Sets the function that creates 404 responses.
    /// It has precedence over `on_error`. Its form is `(request&)` or `(request&, const error&)`.
    template <class F>
    void not_found(F form) {
        add_missing_form(detail::erase_missing_form(std::move(form)));
    }

    /// Serves the routes of `part` under `prefix`. The route "/" of `part` is `prefix` itself.
    /// The middleware of `part` runs around the routes of `part` only, inside the middleware of this app.
    void mount(detail::prefix prefix, app part);

    /// Serves the routes of `part` without a prefix.
    void mount(app part);

    /// Returns a router for routes under a prefix. The router may have additional middleware.
    /// Example: `auto api = app.group("/api");`. The route "/" of the group is the prefix itself. The router is valid
    /// as long as the app.
    router group(detail::prefix prefix);
    /// Returns a router for routes without a prefix. The router may have additional middleware.
    router group();

    /// Runs `f() -> task<>` in the background.
    /// The task starts when all cores serve. When the server stops, the task is cancelled at its current `co_await`. An
    /// error of the task is logged.
    template <class F>
    void background(F f, runs_on cores = runs_on::one_core) {
        add(detail::task_maker(std::move(f)), duration(), cores);
    }

    /// Runs `f` every `period`, starting at once.
    /// Runs do not overlap: after a run that takes longer than the period, the next run starts at the following
    /// multiple of the period. An error is logged and ends only that run. Throws `std::invalid_argument` for a period
    /// of 0 or less.
    template <class F>
    void every(duration period, F f, runs_on cores = runs_on::one_core) {
        check_period(period);
        add(detail::task_maker(std::move(f)), period, cores);
    }

    /// Adds a health check for `/readyz` (`serve_options::admin`).
    /// `f` returns task<>, result<void> or bool. A probe of `/readyz` runs `f`, on one core and at most once at a time;
    /// other probes share the result for `check_options::max_age`. The detail of the check's error is shown to probes
    /// and logged; the cause of the error is only logged. `name`: letters, digits, `_`, `.` and `-`. Throws
    /// `std::invalid_argument` for other names, and for a timeout of 0 or less. If two checks have the same name,
    /// creating the service throws `std::logic_error`.
    template <class F>
    void check(std::string_view name, F f, const check_options& options = {}) {
        add_check(name, detail::task_maker(detail::health_check<F>{std::move(f)}), options);
    }

    /// Returns this core's scope for tasks that may outlive their requests.
    /// A handler captures the scope by reference and calls `spawn`. Errors are logged and do not cancel other tasks. A
    /// server that stops waits for these tasks as for requests, and cancels them at the drain deadline. Requires
    /// <apus/task_scope.hpp>.
    task_scope& tasks() noexcept;

protected:
    struct parts;
    explicit router(parts* of) noexcept : parts_(of) {}

    parts* parts_;

private:
    friend class web::application;
    friend class route_note;
    friend class middleware_list;
    friend class metrics::detail::registration;

    route_note add(method, std::string_view route, detail::erased handler, const route_limits&,
                   middleware_list around = {});
    template <class F>
    void use_middleware(F middleware) {
        if constexpr (std::is_same_v<F, middleware_list>) use_all(middleware);
        else use_one(detail::erase_middleware(std::move(middleware)));
    }
    void use_one(detail::erased);
    void use_all(const middleware_list&);
    void add(detail::task_maker, duration period, runs_on);
    static void check_period(duration);
    void add_check(std::string_view name, detail::task_maker, const check_options&);

    void add_error_form(detail::error_form);
    void add_missing_form(detail::error_form);
};

/// A service: a `router` that owns its routes, middleware and mounted apps.
/// Each core creates its own app, so objects that handlers capture belong to one core and need no lock.
class app : public router {
public:
    app();
    app(app&& other) noexcept : router(std::exchange(other.parts_, nullptr)) {}
    app& operator=(app&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~app();
};

}  // namespace apus
