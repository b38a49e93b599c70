// SPDX-License-Identifier: Apache-2.0
#include "web/traced_step.hpp"

#include "http/request_trace.hpp"
#include "web/type_name.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace apus::web {
namespace {

constexpr int no_status = 0;  // instead of a status: no response was created

/// The span of a step, from the constructor to `end`. The destructor ends it as cancelled.
class step_span {
public:
    step_span(tracing::trace* in, const std::string& name) noexcept {
        try {
            if (in) of_ = new tracing::open_span(*in, name, tracing::span_kind::internal, in->innermost());
        } catch (const std::exception&) {
            return;  // out of memory
        }
    }
    step_span(step_span&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    step_span& operator=(step_span&&) = delete;
    ~step_span() { end(no_status); }

    explicit operator bool() const noexcept { return of_ != nullptr; }
    void end(int status) noexcept {
        auto* const ended = std::exchange(of_, nullptr);
        if (!ended) return;
        ended->data.failed = status == no_status || status >= 500;
        try {
            if (status == no_status) ended->data.attributes.add({"error.type", "cancelled"});
            else if (ended->data.failed) ended->data.attributes.add({"error.type", std::to_string(status)});
        } catch (const std::exception&) {
            ended->data.failed = true;  // out of memory; the span is incomplete
        }
        ended->end();
    }

private:
    tracing::open_span* of_ = nullptr;
};

task<response> finish_later(task<response> rest, step_span span) {
    auto made = co_await std::move(rest).outcome();
    span.end(made ? made->status() : made.error().status());
    co_return co_await std::move(made);
}

detail::pending run_traced(const detail::step* here, request& req, response& out) {
    const auto& name = *static_cast<const std::string*>(here->self);
    step_span span(http::recorded_trace(&detail::exchange_of(req)), name);
    if (!span) return here[1].run(here + 1, req, out);
    try {
        const detail::pending rest = here[1].run(here + 1, req, out);
        if (rest) return finish_later(rest.promise().get_return_object(), std::move(span)).release();
    } catch (...) {
        span.end(500);
        throw;
    }
    span.end(out.status());
    return {};
}

}  // namespace

detail::step traced_step(const std::string& name) noexcept { return {&name, run_traced}; }

std::string name_of_middleware(const char* spelled) {
    std::string name = spelled ? type_in(spelled) : std::string();
    for (const std::string_view unnamed : {"(anonymous namespace)::", "{anonymous}::"})  // of clang and g++
        for (auto at = name.find(unnamed); at != name.npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
    if (name.empty() || name.contains('(') || name.contains("lambda")) return "middleware";
    const auto arguments = name.find('<');
    name.resize(std::min(arguments, name.size()));
    const auto scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

}  // namespace apus::web
