// SPDX-License-Identifier: Apache-2.0
#include "web/app_parts.hpp"

#include <stdexcept>

namespace apus {

middleware_list::middleware_list() = default;
middleware_list::middleware_list(const middleware_list& other)
    : parts_(other.parts_ ? new parts(*other.parts_) : nullptr) {}
middleware_list::~middleware_list() { delete parts_; }

void middleware_list::add_one(detail::erased middleware) {
    auto owned = std::make_shared<const router::parts::owned>(router::parts::owned(middleware));
    if (!parts_) parts_ = new parts;
    parts_->all.push_back(std::move(owned));
}

void middleware_list::add_all(const middleware_list& more) {
    if (!more.parts_) return;
    const auto added = more.parts_->all;  // a copy: `more` may be this
    if (!parts_) parts_ = new parts;
    parts_->all.insert(parts_->all.end(), added.begin(), added.end());
}

app::app() : router(new parts) {}
app::~app() { delete parts_; }

route_note router::add(method verb, std::string_view route, detail::erased handler, const route_limits& bounds,
                       middleware_list around) {
    parts::owned owned(handler);
    parts_->routes.push_back({verb, std::string(route), std::move(owned), bounds, std::move(around), false});
    return {parts_, parts_->routes.size() - 1};
}

void router::use_one(detail::erased middleware) { parts_->middleware.add_one(middleware); }
void router::use_all(const middleware_list& all) { parts_->middleware.add_all(all); }

void router::add(detail::task_maker make, duration period, runs_on cores) {
    parts_->in_background.push_back({std::move(make), period, cores});
}

void router::check_period(duration period) {
    if (period <= duration()) throw std::invalid_argument("app.every: the period must be positive");
}

task_scope& router::tasks() noexcept { return parts_->tasks; }

void router::parts::owned_form::set(detail::error_form what, const char* name) {
    if (what_.self) {
        what.destroy(what.self);
        throw std::logic_error(std::string("an app may have only one ") + name);
    }
    what_ = what;
}

void router::add_error_form(detail::error_form form) { parts_->on_error.set(form, "on_error"); }
void router::add_missing_form(detail::error_form form) { parts_->not_found.set(form, "not_found"); }

void router::mount(detail::prefix prefix, app part) {
    parts_->mounts.push_back({std::string(prefix.text()), std::move(part)});
}

void router::mount(app part) { parts_->mounts.push_back({{}, std::move(part)}); }

router router::group(detail::prefix prefix) {
    mount(prefix, app());
    return parts_->mounts.back().part;
}
router router::group() {
    mount(app());
    return parts_->mounts.back().part;
}

route_words& route_note::words() {
    auto& words = static_cast<router::parts*>(parts_)->routes[route_].words;
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
