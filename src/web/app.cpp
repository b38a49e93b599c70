// SPDX-License-Identifier: Apache-2.0
#include "web/app_parts.hpp"

#include <stdexcept>

namespace apus {

app::app() : parts_(new parts) {}
app::~app() { delete parts_; }

route_note app::add(method verb, std::string_view route, detail::erased handler, const route_limits& bounds) {
    parts::owned owned(handler);
    parts_->routes.push_back({verb, std::string(route), std::move(owned), bounds, false});
    return {parts_, parts_->routes.size() - 1};
}

void app::add(detail::erased middleware) {
    parts::owned owned(middleware);
    parts_->middleware.push_back(std::move(owned));
}

void app::add(detail::task_maker make, duration period, runs_on cores) {
    parts_->in_background.push_back({std::move(make), period, cores});
}

void app::check_period(duration period) {
    if (period <= duration()) throw std::invalid_argument("app.every: the period is more than 0");
}

task_scope& app::tasks() noexcept { return parts_->tasks; }

void app::parts::owned_form::set(detail::error_form what, const char* name) {
    if (what_.self) {
        what.destroy(what.self);
        throw std::logic_error(std::string("an app has one ") + name);
    }
    what_ = what;
}

void app::add_error_form(detail::error_form form) { parts_->on_error.set(form, "on_error"); }
void app::add_missing_form(detail::error_form form) { parts_->not_found.set(form, "not_found"); }

void app::mount(detail::prefix prefix, app part) {
    parts_->mounts.push_back({std::string(prefix.text()), std::move(part)});
}

void app::mount(app part) { parts_->mounts.push_back({{}, std::move(part)}); }

route_words& route_note::words() {
    auto& words = static_cast<app::parts*>(parts_)->routes[route_].words;
    if (!words) words = std::make_unique<route_words>();
    return *words;
}

route_note& route_note::summary(std::string_view text) {
    words().summary = text;
    return *this;
}
route_note& route_note::description(std::string_view text) {
    words().description = text;
    return *this;
}
route_note& route_note::tag(std::string_view name) {
    words().tags.emplace_back(name);
    return *this;
}
route_note& route_note::operation_id(std::string_view id) {
    words().operation_id = id;
    return *this;
}
route_note& route_note::deprecated() {
    words().deprecated = true;
    return *this;
}
route_note& route_note::hidden() {
    words().hidden = true;
    return *this;
}

}  // namespace apus
