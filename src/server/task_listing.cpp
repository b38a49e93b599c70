// SPDX-License-Identifier: Apache-2.0
#include "server/task_listing.hpp"

#include "server/request_summary.hpp"

namespace apus::server {
namespace {

constexpr std::size_t text_bytes = 128 * 1024;  // methods, routes and ids

}  // namespace

task_snapshot::task_snapshot() {
    tasks_.reserve(max_tasks);
    frames_.reserve(max_steps + max_frames);
    text_.reserve(text_bytes);
}

void task_snapshot::take(const runtime::activity& of, std::string_view without) noexcept {
    suspended_ = of.suspended.size();
    const std::uint64_t now = of.busy_since.load(std::memory_order_relaxed);
    of.suspended.visit_oldest([&](const detail::promise_base& task) {
        return tasks_.size() < max_tasks && steps_ < max_steps && add(task, now, without);
    });
}

// Returns false if there is no memory for the task's text.
bool task_snapshot::add(const detail::promise_base& task, std::uint64_t now, std::string_view without) noexcept {
    listed_task made{now > task.since ? now - task.since : 0, nullptr, {}, {}, {}, frames_.size(), 0, 0};
    const void* request = nullptr;
    std::size_t callers = 0;
    for (const auto* at = &task; at && callers <= max_callers; at = at->caller, ++callers) {
        if (!request) request = at->request;
        if (!at->caller && at->done) made.origin = at->done->origin;
        if (made.frames == max_frames) ++made.frames_left_out;
        else frames_.push_back(at->site), ++made.frames;
    }
    steps_ += callers;
    const auto summary = request_summary::of(request);
    const bool skipped = !without.empty() && summary.route == without;
    const std::size_t text = summary.method.size() + summary.route.size() + summary.id.size();
    if (skipped || text > text_.capacity() - text_.size()) {
        frames_.resize(made.first_frame);
        suspended_ -= skipped ? 1 : 0;
        return skipped;
    }
    made.method = keep(summary.method);
    made.route = keep(summary.route);
    made.id = keep(summary.id);
    tasks_.push_back(made);
    return true;
}

std::string_view task_snapshot::keep(std::string_view text) noexcept {
    const std::size_t at = text_.size();
    text_.append(text);
    return std::string_view(text_).substr(at);
}

}  // namespace apus::server
