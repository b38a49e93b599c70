// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/described_route.hpp"
#include "web/metric_family.hpp"
#include "web/process_reporter.hpp"

#include <apus/app.hpp>
#include <apus/security_note.hpp>
#include <apus/task_scope.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apus {

/// Routes, middleware and mounts of an app or a group, in order of registration.
struct router::parts {
    /// Owns the object of a handler or a middleware.
    class owned {
    public:
        explicit owned(detail::erased what) noexcept : what_(what) {}
        owned(owned&& other) noexcept : what_(other.what_) { other.what_.self = nullptr; }
        owned& operator=(owned&&) = delete;
        ~owned() {
            if (what_.self) what_.destroy(what_.self);
        }
        detail::step step() const noexcept { return {what_.self, what_.run}; }
        detail::body_use body() const noexcept { return what_.body; }
        const detail::operation* about() const noexcept { return what_.about; }
        const detail::needed_value* needs() const noexcept { return what_.needs; }
        const void* sets() const noexcept { return what_.sets; }
        const char* spelled() const noexcept { return what_.spelled; }
        std::optional<security_note> security() const {
            return what_.security ? std::optional(what_.security(what_.self)) : std::nullopt;
        }

    private:
        detail::erased what_;
    };
    /// Error handler; empty by default.
    class owned_form {
    public:
        owned_form() = default;
        owned_form(owned_form&& other) noexcept : what_(std::exchange(other.what_, {})) {}
        owned_form& operator=(owned_form&&) = delete;
        ~owned_form() {
            if (what_.self) what_.destroy(what_.self);
        }
        /// Throws `std::logic_error` if the error handler is already set.
        void set(detail::error_form what, const char* name);
        const detail::error_form* get() const noexcept { return what_.self ? &what_ : nullptr; }

    private:
        detail::error_form what_{};
    };
    struct route {
        method verb;
        std::string text;
        owned handler;
        route_limits bounds;
        middleware_list around;                        // middleware of the route itself, inside the app's middleware
        bool keeps_trailing_slash = false;             // "/" means the mount prefix with a trailing slash
        std::unique_ptr<route_words> words = nullptr;  // null until the route is described
    };
    struct mounted {
        std::string prefix;
        app part;
    };

    struct background {
        detail::task_maker make;
        duration period;  // 0: runs once
        runs_on cores;
    };

    struct check {
        std::string name;
        detail::task_maker run;
        check_options options;
    };

    middleware_list middleware;
    std::vector<route> routes;
    std::vector<mounted> mounts;
    owned_form on_error, not_found;
    web::route_reader reader;  // receives the routes of the outermost app
    std::vector<background> in_background;
    std::vector<check> checks;
    std::vector<std::shared_ptr<metrics::detail::family>> metrics;
    std::shared_ptr<web::process_reporter*> reporter;  // set when the app is served; null if no route needs it
    task_scope tasks{{.on_failure = task_failure::only_logged, .limit = 100'000, .name = "app tasks"}};
};

/// The middleware of a list. Copies of the list share this object.
struct middleware_list::parts {
    std::vector<std::shared_ptr<const router::parts::owned>> all;
};

}  // namespace apus
