// SPDX-License-Identifier: Apache-2.0
#include "web/app_parts.hpp"
#include "web/application.hpp"

#include "base/ascii.hpp"

#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>

// Reports of an application about itself: counters, metrics and health checks.

namespace apus::web {
namespace {

// A separate task, so that an exception of `check` becomes an error too.
task<> run_to_end(const detail::task_maker& check) { co_await check(); }

task<> expire(duration after) {
    co_await sleep_for(after);
    co_await fail(504, "timeout after " + std::to_string(after.milliseconds()) + " ms");
}

}  // namespace

void application::gather_measured(apus::router::parts& parts) {
    for (const auto& each : parts.checks) {
        if (std::ranges::count(checks_, each.name, [](const auto* known) -> auto& { return known->name; }) != 0)
            throw std::logic_error("two health checks are named `" + each.name + "`");
        checks_.push_back(&each);
    }
    for (const auto& each : parts.metrics) {
        for (const auto& known : metrics_)
            if (known->name == each->name && !known->joins(*each))
                throw std::logic_error("two metrics with different definitions are named `" + each->name + "`");
        metrics_.push_back(each);
    }
    for (auto& mounted : parts.mounts) gather_measured(*mounted.part.parts_);
}

std::vector<application::measured_route> application::measured_routes() const {
    std::vector<measured_route> all;
    all.reserve(counters_.size());
    for (std::uint32_t number = 0; number < counters_.size(); ++number)
        all.push_back({methods_[number], &router_.text(number), &counters_[number]});
    return all;
}

task<> application::run_check(std::size_t number) const {
    const auto& check = *checks_[number];
    co_await when_any(run_to_end(check.run), expire(check.options.timeout));
}

bool application::connect(apus::router::parts& parts, process_reporter& reporter) {
    if (parts.reporter) *parts.reporter = &reporter;
    bool any = parts.reporter != nullptr;
    for (auto& mounted : parts.mounts) any = connect(*mounted.part.parts_, reporter) || any;
    return any;
}

bool application::connect(process_reporter& reporter) { return connect(*app_.parts_, reporter); }

void application::use_reporter(app& of, std::shared_ptr<process_reporter*> slot) {
    of.parts_->reporter = std::move(slot);
}

}  // namespace apus::web

namespace apus {

void router::add_check(std::string_view name, detail::task_maker run, const check_options& options) {
    const bool valid = !name.empty() && std::ranges::all_of(name, [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '.' || c == '-';
    });
    if (!valid)
        throw std::invalid_argument("app.check: the name `" + std::string(name) +
                                    "` is invalid; use letters, digits, `_`, `.` and `-`");
    if (options.timeout <= duration()) throw std::invalid_argument("app.check: the timeout must be positive");
    parts_->checks.push_back({std::string(name), std::move(run), options});
}

}  // namespace apus
