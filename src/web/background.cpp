// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "runtime/loop.hpp"
#include "web/app_parts.hpp"
#include "web/application.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <cstdint>

namespace apus::web {
namespace {

constexpr std::size_t max_background = 1'000'000;  // no limit in practice: the program itself lists the tasks

// A separate task, so that an exception of `make` becomes an error too.
task<> run_once(const detail::task_maker& make) { co_await make(); }

task<> run_each(const detail::task_maker& make, duration period) {
    const auto step = static_cast<std::uint64_t>(std::max<std::int64_t>(period.milliseconds(), 1));
    const auto now = [] { return runtime::loop::current().now(); };
    for (std::uint64_t due = now();;) {
        const auto outcome = co_await run_once(make).outcome();
        if (!outcome)
            base::report_task_failure(outcome.error().status(), outcome.error().detail(), outcome.error().cause());
        due += ((now() - due) / step + 1) * step;
        co_await sleep_for(milliseconds(static_cast<std::int64_t>(due - now())));
    }
}

}  // namespace

void application::start_background(apus::router::parts& parts, bool first_core) {
    for (const auto& b : parts.in_background) {
        if (b.cores == runs_on::one_core && !first_core) continue;
        background_->spawn(b.period > duration() ? run_each(b.make, b.period) : run_once(b.make));
    }
    for (auto& mounted : parts.mounts) start_background(*mounted.part.parts_, first_core);
}

void application::start_background(bool first_core) {
    background_.emplace(
        task_scope_options{.on_failure = task_failure::only_logged, .limit = max_background, .name = "background"});
    start_background(*app_.parts_, first_core);
}

void application::stop_background() noexcept { background_.reset(); }

void application::gather_scopes(apus::router::parts& parts, std::vector<task_scope*>& scopes) {
    scopes.push_back(&parts.tasks);
    for (auto& mounted : parts.mounts) gather_scopes(*mounted.part.parts_, scopes);
}

// Starts again at the first scope after each wait, since a task may have spawned into a scope that was already empty.
task<> application::tasks_ended() {
    std::vector<task_scope*> scopes;
    gather_scopes(*app_.parts_, scopes);
    const auto busy = [](task_scope* s) { return s->size() != 0; };
    for (auto at = scopes.begin(); at != scopes.end(); at = std::ranges::find_if(scopes, busy)) co_await (*at)->join();
}

void application::cancel_tasks() noexcept {
    std::vector<task_scope*> scopes;
    gather_scopes(*app_.parts_, scopes);
    for (auto* scope : scopes) scope->cancel();
}

}  // namespace apus::web
