// SPDX-License-Identifier: Apache-2.0
#pragma once

// Routes, middleware, and what makes a program a server. Requests and responses are in http.hpp,
// bodies written or read piece by piece in stream.hpp, tests without a network in test.hpp.

#include <apus/detail/error_form.hpp>
#include <apus/detail/route.hpp>
#include <apus/detail/task_maker.hpp>
#include <apus/http.hpp>
#include <apus/limits.hpp>
#include <apus/serve.hpp>

namespace apus {

namespace web {
class application;
}

class task_scope;
struct route_words;
struct websocket_options;

namespace detail {
template <class F>
erased erase_socket(F, const websocket_options&);
}

/// Which cores run a background task. An app is made on each core.
enum class runs_on : std::uint8_t {
    one_core,    ///< One of the process.
    every_core,  ///< Each of them, with its own app.
};

/// A route that has just been added, to say what its description is to tell beside the types of its
/// handler (openapi.hpp): `app.get("/todos", list).summary("All todos").tag("todos");`. It says nothing
/// to clients otherwise, and costs nothing when they ask. To be used at once: it goes with the app.
class route_note {
public:
    route_note& summary(std::string_view);      ///< A few words, as a heading.
    route_note& description(std::string_view);  ///< Any length; CommonMark.
    route_note& tag(std::string_view);          ///< A group to be listed in. Each call adds one.
    /// What generated clients call it. Made of method and path by default; no two routes may have the same.
    route_note& operation_id(std::string_view);
    route_note& deprecated();  ///< Still there, but not for new clients.
    route_note& hidden();      ///< In no description.

private:
    friend class app;
    route_note(void* parts, std::size_t route) noexcept : parts_(parts), route_(route) {}
    route_words& words();

    void* parts_;
    std::size_t route_;
};

/// The routes and middleware of a service. Made once on each core, so what its handlers capture
/// belongs to one core and needs no lock.
///
/// A route is "/a/b", with captures "/users/{id}", or with the rest of the path "/files/{name...}".
/// A capture is one segment of at least one byte; the rest is one or more segments, the first of
/// which is not empty. Text beats a capture, and a capture beats the rest, segment by segment from
/// the left, among the routes that have the method. "/a" and "/a/" are two routes. Routes are
/// compared with the path as the client sent it; captures are percent-decoded after that. A
/// capture that then is no UTF-8, holds NUL, begins with '/', or has a "." or ".." segment gives
/// 404: no value of the client climbs out of a folder.
///
/// A handler takes its parameters in any order: `request&`, `body_text`, and by value one path
/// value for each capture: integers, double, bool, std::string or std::string_view (valid
/// until the handler's task ends). A value that is none of its type, or out of its range, gives
/// 400 and names the capture. A handler returns text (a `const char*` is not copied: let it be a
/// literal), `response`, `none` or nothing (204), `std::optional<T>` (empty: 404), `result<T>`,
/// `created<T>` (201), or a `task` of these. What returns no task runs without a coroutine.
///
/// HEAD is answered by the GET route, OPTIONS with what the path allows, and a method that the
/// path has not with 405, unless there is a route for it. These answers pass the middleware of the
/// path's route; 404 and 501 pass that of the outermost app.
///
/// Two routes of one method that match the same paths are a bug of the program: making the service
/// throws `std::logic_error`, which names both.
class app {
public:
    app();
    app(app&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    app& operator=(app&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~app();

    /// Answers GET on a route, and HEAD where no `head` does.
    template <class F>
    route_note get(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::get, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers HEAD on a route; the body is left out.
    template <class F>
    route_note head(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::head, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers POST on a route.
    template <class F>
    route_note post(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::post, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers PUT on a route.
    template <class F>
    route_note put(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::put, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers PATCH on a route.
    template <class F>
    route_note patch(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::patch, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers DELETE on a route.
    template <class F>
    route_note del(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::del, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }
    /// Answers OPTIONS on a route, in place of the automatic answer.
    template <class F>
    route_note options(detail::route<std::type_identity_t<F>> at, F handler, route_limits bounds = {}) {
        return add(method::options, at.text(), detail::erase_handler(std::move(handler)), bounds);
    }

    /// Opens WebSockets on a route (RFC 6455). The handler takes an `apus::websocket` by value, and other
    /// parameters as those of other routes do; it returns a `task<>`, during which the session lasts.
    /// Middleware runs around the opening handshake, which is a GET. <apus/websocket.hpp> has to be included.
    template <class F>
    void socket(detail::route<std::type_identity_t<F>> at, F handler) {
        socket<F, websocket_options>(at, std::move(handler), {});
    }
    /// The same, with limits, subprotocols and origins of the route's own.
    template <class F, class Options = websocket_options>
    void socket(detail::route<std::type_identity_t<F>> at, F handler, const std::type_identity_t<Options>& how) {
        static_assert(requires { sizeof(Options); }, "app.socket needs #include <apus/websocket.hpp>");
        add(method::get, at.text(), detail::erase_socket(std::move(handler), how), {}).hidden();
    }

    /// Wraps every route of this app, those added before too. The first one used is the outermost.
    ///
    /// `(request&) -> result<void>` is a filter: it lets the request pass, or ends it with its
    /// error. It costs a function call, so it is the choice for checks: tokens, quotas, hosts.
    /// `(request&, next) -> task<response>` also sees the response, or waits for something: for
    /// logs, timeouts, retries. It costs a coroutine.
    ///
    /// An object with `before(request&, response&) const -> bool` and `after(request&, response&)
    /// const -> void` sees both without a coroutine of its own: for fields to add. If `before` gives
    /// false, what it has put into the response is the answer, and neither what is behind nor
    /// `after` is called. Otherwise it leaves the response alone, and `after` gets whatever came
    /// back, as `next` would give it.
    template <class F>
    void use(F middleware) {
        add(detail::erase_middleware(std::move(middleware)));
    }

    /// Makes the answers to errors, in place of problem documents: those of handlers and middleware, 404, 405, 413,
    /// 422, 500, and requests that the server refuses itself. `(request&, const error&) -> response`, or
    /// `optional<response>` or `result<response>`, of which an empty or failed one is the problem document.
    ///
    /// A response with status 200 gets that of the error; fields of the error are added where it does not set them.
    /// It is of this app and of those mounted in it that have none, by the paths below their prefixes. It runs
    /// before the middleware around sees the response, is no coroutine, and cannot stream. If it throws, the
    /// client gets the problem document. Of a request that cannot be parsed it sees an empty one. A response that a
    /// handler makes itself is not changed, nor is the 503 of a server without memory. Throws `std::logic_error` if
    /// this app has one.
    template <class F>
    void on_error(F form) {
        add_error_form(detail::erase_error_form(std::move(form)));
    }

    /// As `on_error` for 404 only, and in place of it there: `(request&) -> response`, or with `const error&`.
    template <class F>
    void not_found(F form) {
        add_missing_form(detail::erase_missing_form(std::move(form)));
    }

    /// Serves the routes of `part` under `prefix`; its route "/" is `prefix` itself. The middleware
    /// of `part` stays around its own routes, inside that of this app.
    void mount(detail::prefix prefix, app part);

    /// The same without a prefix: for middleware around some of the routes, or one.
    void mount(app part);

    /// Runs `f() -> task<>` beside the requests, from when all cores serve until the server stops: then its task is
    /// cancelled where it waits. An error of the task is logged.
    template <class F>
    void background(F f, runs_on cores = runs_on::one_core) {
        add(detail::task_maker(std::move(f)), duration(), cores);
    }

    /// The same again and again, begun each `period`, first at once. A run that takes longer than the period delays the
    /// next one to the next multiple of it: runs do not overlap. An error is logged, and ends no more than its run.
    /// Throws `std::invalid_argument` for a period of 0 or less.
    template <class F>
    void every(duration period, F f, runs_on cores = runs_on::one_core) {
        check_period(period);
        add(detail::task_maker(std::move(f)), period, cores);
    }

    /// Scope of tasks that may outlive their requests, on this core: a handler captures it by reference and calls
    /// `spawn`. Errors are logged and cancel no other task. When the server stops, they are waited for as requests
    /// are, and cancelled at the drain deadline. <apus/task_scope.hpp> has to be included.
    task_scope& tasks() noexcept;

private:
    friend class web::application;
    friend class route_note;
    struct parts;

    route_note add(method, std::string_view route, detail::erased handler, const route_limits&);
    void add(detail::erased middleware);
    void add(detail::task_maker, duration period, runs_on);
    static void check_period(duration);

    void add_error_form(detail::error_form);
    void add_missing_form(detail::error_form);

    parts* parts_;
};

}  // namespace apus
