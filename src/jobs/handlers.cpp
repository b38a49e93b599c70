// SPDX-License-Identifier: Apache-2.0
#include "jobs/handlers.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::jobs {

void handler_list::add(detail::job_type type, detail::erased_handler call, const handler_options& how) {
    auto made = std::make_unique<handler>(type, call, how);
    const std::string name(type.name);
    if (how.attempts == 0) throw std::invalid_argument("jobs: `attempts` of `" + name + "` must be at least 1");
    if (how.deadline < milliseconds(1))
        throw std::invalid_argument("jobs: `deadline` of `" + name + "` must be at least 1 ms");
    if (how.retry_delay < duration() || how.max_retry_delay < how.retry_delay)
        throw std::invalid_argument("jobs: `retry_delay` of `" + name + "` must be from 0 to `max_retry_delay`");
    if (find(type.name)) throw std::logic_error("jobs: `" + name + "` has two handlers");
    all_.push_back(std::move(made));
    (how.concurrency != 0 ? limited_ : unlimited_).push_back(name);
}

const handler* handler_list::find(std::string_view kind) const noexcept {
    const auto at = std::ranges::find_if(all_, [&](const auto& each) { return each->type().name == kind; });
    return at == all_.end() ? nullptr : at->get();
}

std::int64_t retry_delay(const handler_options& how, std::int64_t attempt, double random) noexcept {
    const std::int64_t most = how.max_retry_delay.milliseconds();
    std::int64_t delay = how.retry_delay.milliseconds();
    for (std::int64_t i = 1; i < attempt && delay < most; ++i) delay *= 2;
    delay = std::min(delay, most);
    return delay - static_cast<std::int64_t>(static_cast<double>(delay) / 2 * random);
}

}  // namespace apus::jobs
