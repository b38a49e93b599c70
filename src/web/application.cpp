// SPDX-License-Identifier: Apache-2.0
#include "web/application.hpp"

#include "web/app_parts.hpp"
#include "web/traced_step.hpp"
#include "web/type_name.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::web {
namespace {

http::body_mode body_mode_of(detail::body_use use) noexcept {
    switch (use) {
        case detail::body_use::whole: return http::body_mode::whole;
        case detail::body_use::streamed: return http::body_mode::streamed;
        case detail::body_use::ignored: break;
    }
    return http::body_mode::ignored;
}

http::logged logged_of(const detail::operation* about) noexcept {
    http::logged found = http::logged::target;
    for (unsigned i = 0; about && i < about->input_count; ++i) {
        const detail::input& in = about->inputs[i];
        if (in.from == detail::source::path && schema::is_secret(*in.of)) return http::logged::route;
        for (unsigned k = 0; in.from == detail::source::query && k < in.of->field_count; ++k)
            if (schema::is_secret(*in.of->fields[k].of)) found = http::logged::path;
    }
    return found;
}

// Joins a prefix and a route. A mounted app's "/" is the prefix itself, without an additional slash.
std::string joined(const std::string& prefix, const std::string& route) {
    return route == "/" && !prefix.empty() ? prefix : prefix + route;
}

}  // namespace

application::application(app a, bool traces_middleware) : app_(std::move(a)), traces_middleware_(traces_middleware) {
    missing_ = unrouted_endpoint(inside(mount_scope(), *app_.parts_, {}));
    gather(*app_.parts_, {}, {});
    tell(*app_.parts_, {}, {});
    gather_measured(*app_.parts_);
    // All routes have been added, so the references to the texts in router_ stay valid.
    for (std::uint32_t number = 0; number < routed_.size(); ++number) {
        routed_[number].facts()->text = &router_.text(number);
        routed_[number].record->counters = &counters_.emplace_back();
        if (other_method_[number].in_logs == http::logged::route)
            other_method_[number].facts()->text = &router_.text(number);
    }
}

void application::gather(const apus::router::parts& parts, const std::string& prefix, mount_scope outside) {
    const mount_scope of_all = inside(std::move(outside), parts, prefix);
    for (const auto& route : parts.routes) {
        if (route.keeps_trailing_slash && prefix.empty()) continue;
        const std::string whole = route.keeps_trailing_slash ? prefix + '/' : joined(prefix, route.text);
        const std::string named = std::string(method_name(route.verb)) + ' ' + whole;
        const mount_scope around = inside(of_all, route.around, named);
        check_needs(route.handler.needs(), around, "the handler of " + named);
        router_.add(route.verb, whole);
        methods_.push_back(route.verb);
        const auto body = body_mode_of(std::max(around.body, route.handler.body()));
        const auto in_logs = logged_of(route.handler.about());
        routed_.push_back(
            make_endpoint({.body = body, .in_logs = in_logs, .limits = route.bounds}, around, route.handler.step()));
        other_method_.push_back(unrouted_endpoint(around));
        other_method_.back().in_logs = in_logs;
    }
    for (const auto& mounted : parts.mounts) {
        const apus::router::parts& part = *mounted.part.parts_;
        const error_handlers errors = of_all.errors.inside(part.on_error.get(), part.not_found.get());
        if (!mounted.prefix.empty()) add_mount_not_found(prefix + mounted.prefix, errors);
        gather(part, prefix + mounted.prefix, of_all);
    }
}

// A request without a route runs only the middleware of the outermost app. Its error response comes from the error
// handlers of the mounted app to whose prefix the path belongs.
void application::add_mount_not_found(const std::string& prefix, const error_handlers& errors) {
    if (errors == missing_.facts()->errors && mounts_not_found_.empty()) return;
    mount_scope outermost = inside(mount_scope(), *app_.parts_, {});
    outermost.errors = errors;
    const auto shorter = [&](const mount_not_found& other) { return other.prefix.size() < prefix.size(); };
    mounts_not_found_.insert(std::ranges::find_if(mounts_not_found_, shorter), {prefix, unrouted_endpoint(outermost)});
}

route_facts* application::make_facts(const error_handlers& errors) { return &facts_.emplace_back(errors); }

void application::tell(const apus::router::parts& parts, const std::string& prefix, const notes& outside) {
    std::vector<described_route> routes;
    for (const auto& mounted : parts.mounts) {
        const apus::router::parts& part = *mounted.part.parts_;
        if (part.reader) {
            if (routes.empty()) describe(parts, prefix, outside, routes);
            part.reader(routes);
        }
        tell(part, prefix + mounted.prefix, inside(outside, parts));
    }
}

void application::describe(const apus::router::parts& parts, const std::string& prefix, const notes& outside,
                           std::vector<described_route>& to) {
    const notes asked = inside(outside, parts);
    for (const auto& route : parts.routes)
        to.push_back({route.verb, joined(prefix, route.text), route.handler.about(), route.words.get(),
                      inside(asked, route.around).security, asked.errors});
    for (const auto& mounted : parts.mounts) describe(*mounted.part.parts_, prefix + mounted.prefix, asked, to);
}

template <class F>
void application::for_each(const middleware_list& all, F f) {
    if (!all.parts_) return;
    for (const auto& one : all.parts_->all) f(*one);
}

application::notes application::inside(notes around, const middleware_list& middleware) {
    for_each(middleware, [&](const auto& one) {
        if (auto note = one.security()) around.security.push_back(*std::move(note));
    });
    return around;
}

application::notes application::inside(notes around, const apus::router::parts& parts) {
    around = inside(std::move(around), parts.middleware);
    around.errors = around.errors.inside(parts.on_error.get(), parts.not_found.get());
    return around;
}

// Throws for the first value that no middleware around the handler sets.
void application::check_needs(const detail::needed_value* needs, const mount_scope& around, std::string_view what) {
    if (!needs) return;
    const bool may_be_set = std::ranges::count(around.sets, &detail::may_set_anything);
    for (; needs->spelled; ++needs) {
        if (!needs->key || std::ranges::count(around.sets, needs->key) || (may_be_set && !needs->setter)) continue;
        const std::string by = needs->by ? '`' + type_in(needs->by) + "`, " : std::string();
        std::string why = by + std::string(what) + " takes a `" + type_in(needs->spelled) +
                          "&`, but no middleware around it sets one";
        if (needs->setter) (why += ": put ") += std::string(needs->setter) + " around the route";
        throw std::logic_error(why);
    }
}

application::mount_scope application::inside(mount_scope around, const middleware_list& middleware,
                                             std::string_view where) {
    for_each(middleware, [&](const auto& one) {
        check_needs(one.needs(), around, "middleware of " + std::string(where) + ',');
        around.steps.push_back(one.step());
        around.spelled.push_back(one.spelled());
        around.sets.push_back(one.sets());
        around.body = std::max(around.body, one.body());
    });
    return around;
}

application::mount_scope application::inside(mount_scope around, const apus::router::parts& parts,
                                             const std::string& prefix) {
    around = inside(std::move(around), parts.middleware, prefix.empty() ? "the app" : "the routes below " + prefix);
    around.errors = around.errors.inside(parts.on_error.get(), parts.not_found.get());
    return around;
}

endpoint application::make_endpoint(http::route_plan plan, const mount_scope& around, detail::step handler) {
    endpoint e{plan, handler};
    e.record = make_facts(around.errors);
    const auto steps = traces_middleware_ ? with_spans(around) : around.steps;
    e.only_handler = steps.empty();
    if (e.only_handler) return e;
    auto chain = std::make_unique<detail::step[]>(steps.size() + 1);
    *std::copy(steps.begin(), steps.end(), chain.get()) = handler;
    e.longer = chain.get();
    chains_.push_back(std::move(chain));
    return e;
}

// Returns the steps, each after a step with its span, and the span of the handler.
std::vector<detail::step> application::with_spans(const mount_scope& around) {
    std::vector<detail::step> made;
    for (std::size_t i = 0; i < around.steps.size(); ++i) {
        made.push_back(traced_step(span_names_.emplace_back(name_of_middleware(around.spelled[i]))));
        made.push_back(around.steps[i]);
    }
    made.push_back(traced_step(span_names_.emplace_back("handler")));
    return made;
}

endpoint application::unrouted_endpoint(const mount_scope& around) {
    return make_endpoint({.body = body_mode_of(around.body)}, around, {this, &application::answer_unrouted});
}

void application::add(app& to, method verb, std::string_view route, detail::erased handler, mounted_as how) {
    apus::router::parts::owned owned(handler);
    to.parts_->routes.push_back({verb, std::string(route), std::move(owned), {}, {}, how == mounted_as::folder});
}

void application::read_routes(app& of, route_reader reader) { of.parts_->reader = std::move(reader); }

}  // namespace apus::web
