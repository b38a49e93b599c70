// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/described_route.hpp"

#include <apus/app.hpp>
#include <apus/security_note.hpp>
#include <apus/task_scope.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apus {

/// What an app has been told, in the order told.
struct app::parts {
    /// A handler or a middleware, with the one object that it is.
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
        std::optional<security_note> asks() const {
            return what_.asks ? std::optional(what_.asks(what_.self)) : std::nullopt;
        }

    private:
        detail::erased what_;
    };
    /// What makes answers of errors; none at first.
    class owned_form {
    public:
        owned_form() = default;
        owned_form(owned_form&& other) noexcept : what_(std::exchange(other.what_, {})) {}
        owned_form& operator=(owned_form&&) = delete;
        ~owned_form() {
            if (what_.self) what_.destroy(what_.self);
        }
        /// Throws `std::logic_error` if there is one.
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
        bool keeps_slash = false;                      // "/" stands for the prefix of a mount with a slash behind it
        std::unique_ptr<route_words> words = nullptr;  // made when the first is said
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

    std::vector<owned> middleware;
    std::vector<route> routes;
    std::vector<mounted> mounts;
    owned_form on_error, not_found;
    web::route_reader reader;  // of the routes of the app that this one is mounted in
    std::vector<background> in_background;
    task_scope tasks{{.on_failure = task_failure::only_logged, .limit = 100'000}};
};

}  // namespace apus
