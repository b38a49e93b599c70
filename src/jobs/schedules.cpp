// SPDX-License-Identifier: Apache-2.0
#include "jobs/schedules.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus::jobs {

void schedule_list::add(std::string_view name, std::string_view expression, detail::job_type type, std::string payload,
                        const schedule_options& how) {
    const std::string shown(name);
    auto when = cron::parse(expression);
    if (!when)
        throw std::invalid_argument("jobs: schedule `" + shown + "`: \"" + std::string(expression) +
                                    "\": " + when.error());
    if (name.empty() || name.size() > 200)
        throw std::invalid_argument("jobs: the name of a schedule must have 1 to 200 bytes");
    if (std::ranges::any_of(all_, [&](const schedule& s) { return s.name == name; }))
        throw std::logic_error("jobs: duplicate schedule `" + shown + "`");
    all_.push_back({.name = shown, .when = *when, .type = type, .payload = std::move(payload), .how = how});
}

task<> schedule_list::fire_due(const store& in, std::int64_t now) {
    for (auto& each : all_) {
        const auto tick = each.when.at_or_before(now / 1000);
        if (!tick || *tick == each.done) continue;
        const bool missed = now - *tick * 1000 > std::max<std::int64_t>(each.how.catch_up.milliseconds(), 60'000);
        if (co_await in.fire(in.queue() + "/" + each.name, *tick * 1000, each.type, each.payload, each.how.priority,
                             missed))
            log::debug("schedule fired", {"schedule", each.name}, {"tick", *tick});
        each.done = *tick;
    }
}

task<> schedule_list::run(const store& in) {
    constexpr std::int64_t longest = 60'000, after_error = 1'000;  // milliseconds
    while (!all_.empty()) {
        std::int64_t wait = after_error;
        const auto now = co_await in.now().outcome();
        const auto fired = now ? co_await fire_due(in, *now).outcome() : result<void>();
        if (now && fired) {
            wait = longest;
            for (const auto& each : all_)
                if (const auto next = each.when.after(*now / 1000)) wait = std::min(wait, *next * 1000 - *now);
            wait = std::max<std::int64_t>(wait, 1);
        } else {
            log::error("schedules cannot fire", {"queue", in.queue()},
                       {"reason", now ? fired.error().detail() : now.error().detail()},
                       {"cause", now ? fired.error().cause() : now.error().cause()});
        }
        co_await sleep_for(milliseconds(wait));
    }
}

}  // namespace apus::jobs
